package deps

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/packages"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Question is a question about the symbols of repositories.
type Question struct {
	Library *Library // nil for none
	Repos   []*workspace.Repo
	Scope   code.Scope // ScopeDeps asks the packages of one repository; else the repositories are asked
	Paths   []string   // globs as in a search: only what stands in these files is listed; "!glob" excludes
	Wait    workspace.Wait
}

// InPackages reports whether packages are asked, of one repository that uses them.
func (q *Question) InPackages() (bool, error) {
	switch {
	case q.Scope == "" || q.Scope == code.ScopeAll || q.Library == nil && q.Scope != code.ScopeDeps:
		return false, nil
	case q.Library == nil:
		return false, errElsewhere
	case q.Scope != code.ScopeDeps:
		return false, &usage.Error{Arg: "scope", Value: string(q.Scope), Msg: "not a scope of questions about symbols", Hint: "deps asks the packages that the repository uses; leave it out for the repository"}
	case len(q.Repos) != 1:
		return false, &usage.Error{Arg: "scope", Value: string(q.Scope), Msg: "asks the packages of one repository", Hint: "name it with repo"}
	}
	return !strings.HasPrefix(q.Repos[0].Name(), code.PackagePrefix), nil
}

// Symbols finds definitions in repositories, or in the packages that one uses. What
// a place means that no file of the repository declares is looked for in those of its
// packages that have a view; else the answer names the package.
func Symbols(ctx context.Context, q Question, req nav.SymbolRequest) (found *nav.Symbols, in across.Searched, err error) {
	if req.Files, err = q.Files(); err != nil {
		return nil, in, err
	}
	if found, in, err = symbols(ctx, q, req); err == nil && found.Total == 0 {
		err = q.Missed(ctx, &in)
	}
	return found, in, err
}

func symbols(ctx context.Context, q Question, req nav.SymbolRequest) (found *nav.Symbols, in across.Searched, err error) {
	deep, err := q.InPackages()
	if err != nil {
		return nil, in, err
	}
	if deep {
		return q.Library.symbols(ctx, &asked{Question: q, named: named(req.Target)}, req)
	}
	found, in, err = across.Symbols(ctx, q.Repos, req, q.Wait)
	if err != nil || q.Library == nil || len(q.Repos) != 1 || found.Total > 0 || req.Path == "" || strings.HasPrefix(q.Repos[0].Name(), code.PackagePrefix) {
		return found, in, err
	}
	a := &asked{Question: q, known: true}
	there, beyond, err := q.Library.symbols(ctx, a, req)
	if err == nil && there.Total > 0 {
		return there, beyond, nil
	}
	if err != nil && !errors.Is(err, errNone) {
		return nil, in, err
	}
	if found.Elsewhere != nil {
		in.Notes = append(in.Notes, a.origin(found.Elsewhere.From)...)
	}
	return found, in, nil
}

// References finds who uses a symbol in repositories, or who of one uses a symbol of
// its packages.
func References(ctx context.Context, q Question, req nav.ReferencesRequest) (found *nav.References, in across.Searched, err error) {
	if req.Files, err = q.Files(); err != nil {
		return nil, in, err
	}
	if found, in, err = references(ctx, q, req); err == nil && found.Total+found.Possible == 0 {
		err = q.Missed(ctx, &in)
	}
	return found, in, err
}

func references(ctx context.Context, q Question, req nav.ReferencesRequest) (found *nav.References, in across.Searched, err error) {
	deep, err := q.InPackages()
	if err != nil {
		return nil, in, err
	}
	if !deep {
		return across.References(ctx, q.Repos, req, q.Wait)
	}
	if err := req.Check(req.Limit, req.Offset); err != nil {
		return nil, in, err
	}
	req.First = true
	in, err = q.Explore(ctx, req.Target, func(_ context.Context, t locate.Target, x *nav.Index) (paths []string, err error) {
		req.Target = t
		if found, err = x.References(req); err != nil {
			return nil, err
		}
		for _, d := range slices.Concat(found.Symbols, found.Candidates) {
			paths = append(paths, d.Path)
		}
		return paths, nil
	})
	return found, in, err
}

// Explore asks about the symbols of a repository and of the packages that it uses,
// joined to one index whose first member is the repository. A package that the target
// names is asked too, whoever asks for it. ask is given the target as the index knows it
// and returns the paths of its answer; it must be able to start over.
func (q Question) Explore(ctx context.Context, t locate.Target, ask func(context.Context, locate.Target, *nav.Index) (paths []string, err error)) (in across.Searched, err error) {
	a := &asked{Question: q, named: named(t)}
	used, err := a.members(ctx)
	if err != nil {
		return in, err
	}
	if t.Path != "" && a.named == "" {
		used = sameLanguage(used, t.Path)
	}
	t = a.joined(t)
	var paths []string
	searched, err := explore(ctx, append([]member{{repo: q.Repos[0]}}, used...), q.Wait, func(ctx context.Context, x *nav.Index) (err error) {
		paths, err = ask(ctx, t, x)
		return err
	})
	if err != nil {
		return in, err
	}
	return a.searched(searched, paths), nil
}

// named is the name of the package in a target, empty where it names none.
func named(t locate.Target) string {
	ref, _, _ := packages.CutRef(t.Name + t.Path)
	return ref
}

// joined is a target as the index of the repository and its packages knows it: the path
// of a place has its repository or package in front, and a colon between them.
func (a *asked) joined(t locate.Target) locate.Target {
	if ref, rest, ok := CutRef(t.Name); ok {
		t.Name = ref + ":" + rest
	}
	if ref, rest, ok := CutRef(t.Path); ok {
		t.Path = ref + ":" + path.Clean(rest)
	} else if t.Path != "" {
		t.Path = a.Repos[0].Name() + ":" + path.Clean(t.Path)
	}
	return t
}

// symbols finds definitions: what a name means in packages alone, and what a place of
// the repository means in both.
func (l *Library) symbols(ctx context.Context, a *asked, req nav.SymbolRequest) (found *nav.Symbols, in across.Searched, err error) {
	if err := req.Check(req.Limit, req.Offset); err != nil {
		return nil, in, err
	}
	used, err := a.members(ctx)
	if err != nil {
		return nil, in, err
	}
	if a.named != "" {
		used = slices.DeleteFunc(used, func(m member) bool { return m.repo.Name() != a.named })
		req.Target = a.joined(req.Target)
	} else if req.Path != "" {
		used = append([]member{{repo: a.Repos[0]}}, sameLanguage(used, req.Path)...)
		req.Target = a.joined(req.Target)
	} else if used, err = withWord(ctx, used, req.Name, a.Wait); err != nil {
		return nil, in, err
	}
	searched, err := explore(ctx, used, a.Wait, func(_ context.Context, x *nav.Index) error {
		found, err = x.Symbol(req)
		return err
	})
	if err != nil {
		return nil, in, err
	}
	if found.Total > 0 && req.Path != "" {
		a.notes = nil // where the others are does not matter
	}
	var paths []string
	for _, d := range found.Definitions {
		paths = append(paths, d.Path)
	}
	return found, a.searched(searched, paths), nil
}

// sameLanguage are the packages that a file can import.
func sameLanguage(used []member, file string) (some []member) {
	family := corpus.FamilyOf(file)
	for _, m := range used {
		if families[m.of.Ecosystem] == family {
			some = append(some, m)
		}
	}
	return some
}

// withWord are the packages in whose text the last part of a name stands; all
// where it stands in none, for the names that are like it.
func withWord(ctx context.Context, used []member, name string, w workspace.Wait) (some []member, err error) {
	parts := facts.SplitName(name[strings.LastIndexByte(name, '#')+1:])
	if len(parts) == 0 {
		return used, nil
	}
	for _, m := range used {
		has := false
		err := m.repo.Look(ctx, w, func(s *store.Snapshot) (err error) {
			var all []corpus.Part
			for _, l := range s.Segments {
				all = append(all, corpus.Part{Live: l.Live, Syntax: l.Syntax})
			}
			has, err = corpus.HasText(all, parts[len(parts)-1], func(string) bool { return true })
			return err
		})
		if err != nil {
			return nil, err
		}
		if has {
			some = append(some, m)
		}
	}
	if len(some) == 0 {
		return used, nil
	}
	return some, nil
}

// asked is the work on one question to packages.
type asked struct {
	Question
	named string // the package that the question names, empty for none
	known bool   // only packages that have a view are asked: nothing is indexed
	list  *packages.List
	notes []string
}

// errNone says that there is no package to ask.
var errNone = errors.New("no package that the repository uses is at hand")

// members are the packages that are asked.
func (a *asked) members(ctx context.Context) (used []member, err error) {
	if a.known {
		used, err = a.withView(ctx)
	} else {
		var chosen []packages.Package
		chosen, a.notes, err = a.Library.choose(ctx, choice{named: a.named}, a.Repos, a.Wait)
		if err == nil {
			var late []string
			used, late, err = a.Library.ready(ctx, chosen, a.Wait)
			a.notes = append(a.notes, late...)
		}
	}
	if err == nil && len(used) == 0 {
		if a.known {
			return nil, errNone
		}
		return nil, &usage.Error{Arg: "scope", Value: string(code.ScopeDeps), Msg: errNone.Error(), Hint: "`espy deps` lists the packages, and why their sources are not at hand"}
	}
	return used, err
}

// withView are the packages of the repository that have a view. Nothing outside the
// repository is looked into.
func (a *asked) withView(ctx context.Context) (used []member, err error) {
	kept, err := a.Library.kept(ctx)
	if err != nil {
		return nil, err
	}
	within := &Library{of: a.Library.of}
	if a.list, _, err = within.list(ctx, a.Repos[0], a.Wait); err != nil {
		return nil, err
	}
	for i := range a.list.Packages {
		p := &a.list.Packages[i]
		if r := viewOf(kept, p); isIndexed(r) {
			used = append(used, member{repo: r, of: p})
		}
	}
	return used, nil
}

// viewOf returns the view of a package that is told by its name and version, where its
// folder is not looked for.
func viewOf(kept map[string][]*workspace.Repo, p *packages.Package) *workspace.Repo {
	if p.Source.Dir != "" {
		return view(kept, p)
	}
	for _, r := range kept[p.Ref()] {
		if r.Frozen() {
			return r
		}
	}
	if p.Version != "" {
		return nil
	}
	for name, all := range kept {
		if packages.IsVersionOf(name, p) && packages.Still(name, all[0].Root()) {
			return all[0]
		}
	}
	return nil
}

// searched says what was asked: the packages that have a part in the answer, and how
// many more.
func (a *asked) searched(all []hit.Searched, paths []string) across.Searched {
	in := across.Searched{Several: true, Notes: a.notes}
	for _, s := range all {
		part := func(p string) bool { return strings.HasPrefix(p, s.Repo+":") }
		if s.Repo == a.Repos[0].Name() || slices.ContainsFunc(paths, part) {
			in.Repos = append(in.Repos, s)
		} else {
			in.Apart = append(in.Apart, s.Repo)
		}
	}
	if len(in.Repos) == 0 && len(all) > 0 {
		in.Repos, in.Apart = all[:1], in.Apart[1:]
	}
	return in
}

// origin says of which package something is, by the module that it is imported from.
func (a *asked) origin(from string) []string {
	if a.list == nil || from == "" {
		return nil
	}
	best := -1
	for i := range a.list.Packages {
		p := &a.list.Packages[i]
		if packages.Provides(p, from) && (best < 0 || len(p.Name) > len(a.list.Packages[best].Name)) {
			best = i
		}
	}
	if best < 0 {
		return a.perhaps(from)
	}
	p := &a.list.Packages[best]
	if p.Source.Inside != "" {
		return nil
	}
	name := p.Name
	if p.Version != "" {
		name += " " + p.Version
	}
	return []string{fmt.Sprintf("it is of the package %s (%s:%d): ask with scope deps to have its sources looked for", name, p.Path, p.Line)}
}

// perhaps says where a member of a type is looked for whose module is not known.
func (a *asked) perhaps(from string) []string {
	typed, _ := utf8.DecodeRuneInString(from)
	direct := slices.ContainsFunc(a.list.Packages, func(p packages.Package) bool { return p.Direct && p.Source.Inside == "" })
	if !direct || !unicode.IsUpper(typed) {
		return nil
	}
	return []string{"it is a member of a type from elsewhere: if a package that the repository uses declares it, the scope deps finds it"}
}
