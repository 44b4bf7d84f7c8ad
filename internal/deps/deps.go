// Package deps keeps views of the packages that repositories use, for questions
// with the scope of dependencies. A package at a version is a repository of its
// own, in a workspace of its own below the data folder, shared by all that use
// it. It is indexed when it is asked for, and dropped when nobody has asked for it
// for long. Where packages lie is known by package packages.
package deps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/nearest"
	"espy/internal/packages"
	"espy/internal/parallel"
	"espy/internal/permit"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Library is the packages of a workspace. It is safe for concurrent use.
type Library struct {
	of     *workspace.Workspace // whose repositories use them
	places packages.Places

	mu  sync.Mutex
	own *workspace.Workspace // that holds them; nil before it is needed, guarded by mu
}

// New gives a workspace the packages that its repositories use, which it closes.
// Nothing is read before somebody asks for them.
func New(w *workspace.Workspace, places packages.Places) {
	l := &Library{of: w, places: places}
	w.AddHooks(workspace.Hooks{
		Close:    l.close,
		Remove:   func(*workspace.Repo) (func(string) bool, error) { return func(string) bool { return false }, nil },
		Packages: l,
	})
}

// Bounds of a package, and of how many are kept.
const (
	maxFile    = 2 << 20 // bytes; larger files of packages are data, generated or minified
	maxFiles   = 20_000
	maxBytes   = 512 << 20
	maxAsked   = 100 // packages of one question
	maxKept    = 2_000
	keptFor    = 30 * 24 * time.Hour
	maxDropped = 50 // at a time
	sideBySide = 2  // packages that are indexed at a time
)

// workspace returns the workspace of the packages.
func (l *Library) workspace() (*workspace.Workspace, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own != nil {
		return l.own, nil
	}
	o := l.of.Options()
	o.DataDir = filepath.Join(o.DataDir, "deps")
	o.Watch = false // a question looks at the files of a package that may change
	p := &o.Policy
	p.Include, p.Exclude = nil, []string{"node_modules/", "__pycache__/"}
	p.NoGitignore, p.NoEspyignore = true, true // what is published was meant to be
	p.MaxFiles, p.MaxBytes, p.MaxFileBytes = bound(p.MaxFiles, maxFiles), bound(p.MaxBytes, maxBytes), bound(p.MaxFileBytes, maxFile)
	var err error
	l.own, err = workspace.Open(o)
	return l.own, err
}

// bound is a setting, where it is less than a bound.
func bound[T int | int64](setting, most T) T {
	if setting > 0 && setting < most {
		return setting
	}
	return most
}

func (l *Library) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own == nil {
		return nil
	}
	own := l.own
	l.own = nil
	return own.Close()
}

// kept are the packages that have a view, by name.
func (l *Library) kept(ctx context.Context) (map[string][]*workspace.Repo, error) {
	w, err := l.workspace()
	if err != nil {
		return nil, err
	}
	all, err := w.Repos(ofMachine(ctx))
	if err != nil {
		return nil, err
	}
	kept := map[string][]*workspace.Repo{}
	for _, r := range all {
		kept[r.Name()] = append(kept[r.Name()], r)
	}
	return kept, nil
}

// view returns the view of a package in a folder, nil where there is none.
func view(kept map[string][]*workspace.Repo, p *packages.Package) *workspace.Repo {
	for _, r := range kept[p.Ref()] {
		if r.Root() == p.Source.Dir {
			return r
		}
	}
	return nil
}

// ofMachine is a context in which the user of this machine asks: which packages a
// caller may see is decided by the repository that uses them.
func ofMachine(ctx context.Context) context.Context { return permit.With(ctx, nil) }

// attach returns the view of a package whose sources lie beside the repository. To make
// one is to attach a folder, which not every caller may.
func (l *Library) attach(ctx context.Context, kept map[string][]*workspace.Repo, p *packages.Package) (*workspace.Repo, error) {
	if r := view(kept, p); r != nil {
		permit.Touched(ctx, r.Name())
		return r, nil
	}
	if err := permit.Check(ctx, permit.Admin, "indexing a package for the first time"); err != nil {
		return nil, err
	}
	w, err := l.workspace()
	if err != nil {
		return nil, err
	}
	permit.Touched(ctx, p.Ref())
	return w.AttachPackage(ctx, catalog.Repo{
		Name: p.Ref(), Root: p.Source.Dir, Package: &catalog.Package{Only: p.Source.Only, Fixed: p.Source.Fixed},
	})
}

// choose returns the packages that repositories ask for themselves, and of those that
// packages ask for the ones that were added; what is left out is in the notes.
func (l *Library) choose(ctx context.Context, c choice, repos []*workspace.Repo, w workspace.Wait) (chosen []packages.Package, notes []string, err error) {
	kept, err := l.kept(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.seen = map[string]bool{}
	for _, r := range repos {
		if strings.HasPrefix(r.Name(), code.PackagePrefix) {
			continue
		}
		list, _, err := l.list(ctx, r, w)
		if err != nil {
			return nil, nil, err
		}
		c.take(list, kept)
		if err := c.lacksNamed(list, r); err != nil {
			return nil, nil, err
		}
	}
	return c.chosen, c.notes(), nil
}

// LibraryOf returns the packages of a workspace, nil where it has none.
func LibraryOf(w *workspace.Workspace) *Library {
	l, _ := w.Packages().(*Library)
	return l
}

// errElsewhere says why a program of a team has no packages.
var errElsewhere = &usage.Error{
	Msg:  "packages of others lie on the machines that use them, and are not in the team's database (setting database_url)",
	Hint: "ask where the repository is, with ESPY_DATABASE_URL= set to nothing",
}

// Needed returns the packages of a workspace, or why it has none.
func Needed(w *workspace.Workspace) (*Library, error) {
	if l := LibraryOf(w); l != nil {
		return l, nil
	}
	return nil, errElsewhere
}

// InScope returns repositories and, in the scope of dependencies, the packages
// that they use, each with an index; what is left out is in the notes.
func InScope(ctx context.Context, w *workspace.Workspace, repos []*workspace.Repo, s code.Scope, wait workspace.Wait) (all []*workspace.Repo, notes []string, err error) {
	l := LibraryOf(w)
	switch {
	case s != code.ScopeDeps:
		return repos, nil, nil
	case l == nil:
		return nil, nil, errElsewhere
	}
	chosen, notes, err := l.choose(ctx, choice{}, repos, wait)
	if err != nil {
		return nil, nil, err
	}
	found, late, err := l.ready(ctx, chosen, wait)
	all = slices.Clip(repos)
	for _, m := range found {
		all = append(all, m.repo)
	}
	return all, append(notes, late...), err
}

// CutRef takes the name of a package and a path in it apart (packages.CutRef). ok is
// false where no path follows the name of one.
func CutRef(text string) (ref, path string, ok bool) {
	ref, path, ok = packages.CutRef(text)
	return ref, path, ok && path != ""
}

// choice is the packages of one question.
type choice struct {
	named   string // the package that the question names, which is always one of them
	chosen  []packages.Package
	seen    map[string]bool
	lacking []string // direct ones without sources
	more    int      // direct ones beyond the limit
	others  int      // that packages ask for, with sources, and that were not added
	read    []string // what could not be read
}

func (c *choice) take(list *packages.List, kept map[string][]*workspace.Repo) {
	c.read = append(c.read, list.Notes...)
	for i := range list.Packages {
		p := &list.Packages[i]
		known := view(kept, p) != nil || p.Ref() == c.named
		switch {
		case c.seen[p.Ref()]:
			continue
		case p.Direct && !p.At():
			c.lacking = append(c.lacking, strings.TrimSuffix(strings.TrimPrefix(p.Ref(), code.PackagePrefix), "@unknown"))
		case p.Source.Dir == "":
		case !p.Direct && !known:
			c.others++
		case len(c.chosen) >= maxAsked && p.Ref() != c.named:
			c.more++
		default:
			c.chosen = append(c.chosen, *p)
		}
		c.seen[p.Ref()] = true
	}
}

// lacksNamed refuses a package that the repository does not use, or whose sources are
// not at hand.
func (c *choice) lacksNamed(list *packages.List, r *workspace.Repo) error {
	if c.named == "" || slices.ContainsFunc(c.chosen, func(p packages.Package) bool { return p.Ref() == c.named }) {
		return nil
	}
	e := &usage.Error{Arg: "scope", Value: string(code.ScopeDeps), Msg: fmt.Sprintf("%s does not use %s", r.Name(), usage.Shorten(c.named, 200)), Hint: "`espy deps` lists the packages that it uses, with their versions"}
	var names []string
	for i := range list.Packages {
		p := &list.Packages[i]
		names = append(names, p.Ref())
		if p.Ref() == c.named {
			e.Msg, e.Hint = c.named+" is not at hand", p.Lacks
			if p.Source.Inside != "" {
				e.Hint = "its files are indexed with the repository, in " + p.Source.Inside
			}
			return e
		}
	}
	if near := nearest.Of(c.named, names, 3); len(near) > 0 {
		e.Hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return e
}

// maxNamed is how many packages a note names.
const maxNamed = 5

func (c *choice) notes() (notes []string) {
	if n := len(c.lacking); n > 0 {
		names := strings.Join(c.lacking[:min(n, maxNamed)], ", ")
		if n > maxNamed {
			names += ", ..."
		}
		notes = append(notes, fmt.Sprintf("the sources of %s are not at hand: %s; `espy deps` says why", counted(n, "package"), names))
	}
	if c.more > 0 {
		notes = append(notes, fmt.Sprintf("not looked at: %s beyond the first %d; name one as repo", counted(c.more, "package"), maxAsked))
	}
	if c.others > 0 {
		notes = append(notes, fmt.Sprintf("not looked at: %s that only packages ask for; `espy deps add --all` adds them", counted(c.others, "package")))
	}
	return append(notes, c.read...)
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// ready indexes packages, and returns those whose index is whole in time. It takes at
// most half of the time of ctx.
func (l *Library) ready(ctx context.Context, chosen []packages.Package, w workspace.Wait) (found []member, notes []string, err error) {
	quick, cancel := parallel.Early(ctx, 2)
	defer cancel()
	kept, err := l.kept(ctx)
	if err != nil {
		return nil, nil, err
	}
	all := make([]*workspace.Repo, len(chosen))
	cut := make([]bool, len(chosen))
	faults := make([]error, len(chosen))
	var group errgroup.Group
	group.SetLimit(sideBySide)
	for i := range chosen {
		group.Go(func() error {
			all[i], cut[i], faults[i] = l.indexed(quick, kept, &chosen[i], w)
			return nil
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	late := 0
	for i, r := range all {
		switch {
		case r != nil && faults[i] == nil:
			found = append(found, member{repo: r, of: &chosen[i]})
			if cut[i] {
				notes = append(notes, r.Name()+" is not indexed as a whole: it has more files or bytes than the limit of a package")
			}
		case quick.Err() != nil:
			late++
		default:
			notes = append(notes, fmt.Sprintf("%s was not looked at: %v", chosen[i].Ref(), faults[i]))
		}
	}
	if late > 0 {
		notes = append(notes, fmt.Sprintf("not looked at: %s that could not be indexed in time; ask again", counted(late, "package")))
	}
	return found, notes, l.tidy(ctx)
}

// indexed returns the view of a package, and whether a limit left files out of it.
func (l *Library) indexed(ctx context.Context, kept map[string][]*workspace.Repo, p *packages.Package, w workspace.Wait) (r *workspace.Repo, cut bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if r, err = l.attach(ctx, kept, p); err != nil {
		return nil, false, err
	}
	s, err := r.Snapshot(ctx, w)
	if err != nil {
		return nil, false, err
	}
	partial := s.Freshness.Partial
	cut = slices.ContainsFunc(s.Excluded(), func(x discover.Exclusion) bool { return x.Reason == discover.ReasonLimit })
	if err := s.Close(); err != nil || partial {
		return nil, false, cmp.Or(err, errors.New("its indexing has not ended"))
	}
	r.Family().NoteUse(store.MainView)
	return r, cut, nil
}

// tidy drops the packages that nobody has asked for for long, and those whose
// folder holds another version now.
func (l *Library) tidy(ctx context.Context) error {
	kept, err := l.kept(ctx)
	if err != nil {
		return err
	}
	var all []*workspace.Repo
	for _, same := range kept {
		all = append(all, same...)
	}
	used := func(r *workspace.Repo) time.Time { return r.Family().Used(store.MainView) }
	slices.SortFunc(all, func(a, b *workspace.Repo) int { return cmp.Or(used(b).Compare(used(a)), cmp.Compare(a.ID(), b.ID())) })
	dropped := 0
	for i, r := range all {
		last := used(r)
		old := i >= maxKept || !last.IsZero() && time.Since(last) > keptFor || !r.Frozen() && !packages.Still(r.Name(), r.Root())
		if old && dropped < maxDropped {
			dropped++
			err = errors.Join(err, l.own.Remove(ofMachine(ctx), r))
		}
	}
	return err
}

// Find returns the package of a name, as answers call it: one that has a view, or
// one of a cache that holds versions side by side.
func (l *Library) Find(ctx context.Context, ref string) (*workspace.Repo, error) {
	name, inside, ok := packages.CutRef(ref)
	if !ok || inside != "" {
		return nil, l.unknown(ctx, ref)
	}
	kept, err := l.kept(ctx)
	if err != nil {
		return nil, err
	}
	if permit.Limited(ctx) && !permit.Sees(ctx, "", name) {
		return nil, l.unknown(ctx, ref)
	}
	for _, r := range kept[name] {
		if r.Frozen() || packages.Still(name, r.Root()) {
			r.Family().NoteUse(store.MainView)
			return r, nil
		}
	}
	if p, ok := packages.Cached(name, l.places); ok {
		return l.attach(ctx, kept, p)
	}
	return nil, l.unknown(ctx, ref)
}

// unknown says that a name is of no package that is known.
func (l *Library) unknown(ctx context.Context, ref string) error {
	e := &usage.Error{Msg: fmt.Sprintf("no package %q is at hand", usage.Shorten(ref, 200)), Hint: "a search with scope deps, or `espy deps add`, in the repository that uses it brings it; `espy deps` lists what there is"}
	if kept, err := l.kept(ctx); err == nil && !permit.Limited(ctx) {
		var names []string
		for name := range kept {
			names = append(names, name)
		}
		slices.Sort(names)
		if near := nearest.Of(ref, names, 3); len(near) > 0 {
			e.Hint = "did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return e
}
