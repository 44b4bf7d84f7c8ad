package deps

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/manifest"
	"espy/internal/nav"
	"espy/internal/packages"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/workspace"
)

// member is a package that is asked about together with the repository that uses
// it, or that repository, without a package.
type member struct {
	repo  *workspace.Repo
	of    *packages.Package // nil for the repository
	index *nav.Index
	paths []string // of the files by which imports see it
}

// explorer enters the members one within the other, so that the snapshots of all
// are open when it asks.
type explorer struct {
	wait    workspace.Wait
	members []member
	ask     func(context.Context, *nav.Index) error
	in      []hit.Searched
}

// explore asks about members as they are now, joined to one index whose files are
// in the order of the members. ask must be able to start over.
func explore(ctx context.Context, members []member, w workspace.Wait, ask func(context.Context, *nav.Index) error) ([]hit.Searched, error) {
	e := &explorer{wait: w, members: members, ask: ask, in: make([]hit.Searched, len(members))}
	if err := e.parse(ctx); err != nil {
		return nil, err
	}
	err := e.enter(ctx, ctx, 0)
	return e.in, err
}

// parse has the files of all members parsed: within each other, one would wait for
// the next.
func (e *explorer) parse(ctx context.Context) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(sideBySide)
	for i := range e.members {
		group.Go(func() error {
			_, err := e.members[i].repo.Explore(within, e.wait, func(context.Context, *store.Snapshot, *nav.Index) error { return nil })
			return err
		})
	}
	return group.Wait()
}

func (e *explorer) enter(ctx, quick context.Context, i int) error {
	if i == len(e.members) {
		return e.answer(quick)
	}
	m := &e.members[i]
	in, err := m.repo.Explore(ctx, e.wait, func(quick context.Context, s *store.Snapshot, x *nav.Index) error {
		m.index, m.paths = x, nil
		if m.of != nil {
			m.paths = entries(m.of, s)
		}
		return e.enter(ctx, quick, i+1)
	})
	e.in[i] = in
	return err
}

func (e *explorer) answer(ctx context.Context) error {
	all := make([]locate.Member, len(e.members))
	for i := range e.members {
		all[i] = locate.Member{Name: e.members[i].repo.Name(), Index: e.members[i].index.Index, Links: e.links(i)}
	}
	x, err := locate.Join(all)
	if err != nil {
		return err
	}
	return e.ask(ctx, &nav.Index{Index: x})
}

// links lead from a member to the packages of its ecosystem, from the repository to
// all. Packages of the types of another stand before it, as for the compiler.
func (e *explorer) links(from int) (all []corpus.Link) {
	for to := range e.members {
		m := &e.members[to]
		if to == from || m.of == nil || e.members[from].of != nil && e.members[from].of.Ecosystem != m.of.Ecosystem {
			continue
		}
		if list := imports(m.of, m.paths); len(list) > 0 {
			all = append(all, corpus.Link{To: to, Packages: list})
		}
	}
	slices.SortStableFunc(all, func(a, b corpus.Link) int {
		return cmp.Compare(typesFirst(e.members[a.To].of), typesFirst(e.members[b.To].of))
	})
	return all
}

const typesPrefix = "@types/"

func typesFirst(p *packages.Package) int {
	if strings.HasPrefix(p.Name, typesPrefix) {
		return 0
	}
	return 1
}

// families are the languages of ecosystems.
var families = map[manifest.Ecosystem]corpus.Family{
	manifest.Go: corpus.Go, manifest.Npm: corpus.Script, manifest.Python: corpus.Python, manifest.Cargo: corpus.Rust,
	manifest.Ruby: corpus.Ruby, manifest.PHP: corpus.PHP,
}

// imports are the names by which code imports a package, each with a file from
// whose folder it leads there.
func imports(p *packages.Package, paths []string) (all []corpus.Package) {
	family, ok := families[p.Ecosystem]
	if !ok {
		return nil
	}
	for _, at := range paths {
		one := corpus.Package{Family: family, Path: at, Wanted: true}
		switch family {
		case corpus.Python:
			one.Import, _, _ = strings.Cut(at, "/")
			one.Import = strings.TrimSuffix(strings.TrimSuffix(one.Import, ".pyi"), ".py")
		case corpus.Rust:
			one.Import = strings.ReplaceAll(p.Name, "-", "_")
		case corpus.Go:
			one.Import = p.Name
		case corpus.Script:
			one.Import = importOfTypes(p.Name)
		}
		all = append(all, one)
	}
	return all
}

// importOfTypes is the package whose types a package of npm holds, or itself.
func importOfTypes(name string) string {
	rest, ok := strings.CutPrefix(name, typesPrefix)
	if !ok {
		return name
	}
	if scope, name, ok := strings.Cut(rest, "__"); ok {
		return "@" + scope + "/" + name
	}
	return rest
}

// entries are the files from which the names of a package are looked up: one at its
// top, of Python one of each module at the top.
func entries(p *packages.Package, s *store.Snapshot) (all []string) {
	best := map[string]string{}
	s.Each(func(seg, file int) bool {
		at := s.Segments[seg].Reader.File(file).Path
		top := ""
		if p.Ecosystem == manifest.Python {
			if top, _, _ = strings.Cut(at, "/"); corpus.FamilyOf(at) != corpus.Python {
				return true
			}
		}
		if old, ok := best[top]; !ok || cmp.Or(cmp.Compare(strings.Count(at, "/"), strings.Count(old, "/")), byManifest(at, old), cmp.Compare(at, old)) < 0 {
			best[top] = strings.Clone(at)
		}
		return true
	})
	for _, at := range best {
		all = append(all, at)
	}
	slices.Sort(all)
	return all
}

// byManifest puts manifests before other files.
func byManifest(a, b string) int {
	switch is := manifest.Is; {
	case is(path.Base(a)) && !is(path.Base(b)):
		return -1
	case is(path.Base(b)) && !is(path.Base(a)):
		return 1
	}
	return 0
}
