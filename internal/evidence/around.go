package evidence

import (
	"cmp"
	"context"
	"path"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/workspace"
)

// AroundRequest asks for the declarations round those of a name.
type AroundRequest struct {
	Name        string // bare or qualified, or an id
	Users, Used bool   // who uses them, what they use; also both
	Depth       int    // steps
}

// Declaration is one that stands round a name. The top of a file has KindUnknown and
// the name of the file.
type Declaration struct {
	Name      string
	Kind      code.Kind
	Path      string
	Line      int
	Language  string
	Class     code.Class
	Via       facts.Role // of a use by name alone: how it uses the name
	Qualified string     // the name with what its file imports it from, as far as it says
}

// maxAround bounds the declarations of an answer.
const maxAround = 1000

// Around lists the declarations that use those of a name, or are used by them, the
// nearest steps first, then by path and line. Where nothing does, users are those
// that use a name which no file declares. whole is false where there are more, or the
// time was over.
func Around(ctx context.Context, r *workspace.Repo, req AroundRequest, w workspace.Wait) (all []Declaration, whole bool, err error) {
	_, err = r.Explore(ctx, w, func(_ context.Context, s *store.Snapshot, x *nav.Index) error {
		all, whole = nil, true
		err := x.Run(func(a *locate.Ask) error {
			g := &walker{Ask: a, graph: graph.New(a), seen: map[corpus.Ref]bool{}, request: &req}
			g.walk()
			all, whole = g.all, !g.more && !a.Late()
			return nil
		})
		if err == nil && len(all) == 0 && req.Users {
			all, whole = users(s, req.Name)
		}
		return err
	})
	return all, whole, err
}

// walker walks from declaration to declaration.
type walker struct {
	*locate.Ask
	graph   *graph.Graph
	request *AroundRequest
	seen    map[corpus.Ref]bool
	all     []Declaration
	more    bool
}

func (g *walker) walk() {
	var ring []corpus.Ref
	for _, r := range g.Find(g.request.Name) {
		if n := g.graph.Node(r); !g.seen[n] {
			g.seen[n] = true
			ring = append(ring, n)
		}
	}
	for range g.request.Depth {
		var next []corpus.Ref
		for _, n := range ring {
			if next = append(next, g.beside(n)...); len(g.all)+len(next) > maxAround {
				break
			}
		}
		g.list(next[:min(len(next), maxAround-len(g.all))])
		if g.more = len(g.all) == maxAround && len(next) > 0; g.more {
			return
		}
		ring = next
	}
}

// list adds the declarations of one step, by place.
func (g *walker) list(ring []corpus.Ref) {
	from := len(g.all)
	for _, n := range ring {
		g.all = append(g.all, g.declaration(n))
	}
	slices.SortFunc(g.all[from:], byPlace)
}

// beside are the nodes one step from a node that were not met before.
func (g *walker) beside(n corpus.Ref) (next []corpus.Ref) {
	meet := func(m corpus.Ref) {
		if !g.seen[m] {
			g.seen[m] = true
			next = append(next, m)
		}
	}
	if g.Late() {
		return nil
	}
	if g.request.Users {
		for _, e := range g.graph.In(n) {
			meet(e.From)
		}
	}
	if g.request.Used {
		for _, e := range g.graph.Out(n) {
			meet(e.To)
		}
	}
	return next
}

func byPlace(a, b Declaration) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
}

func (g *walker) declaration(n corpus.Ref) Declaration {
	d := Declaration{Path: g.Corpus.Path(n.File), Language: g.Corpus.Language(n.File), Class: g.Corpus.Class(n.File), Line: 1}
	d.Name = path.Base(d.Path)
	if n.Index != facts.None {
		s := g.Symbol(n)
		d.Name, d.Kind, d.Line = s.Name, s.Kind, int(s.Line)
	}
	return d
}

// Users lists the declarations whose code uses a name, whatever it means there, and
// how: each once, by path and line.
func Users(ctx context.Context, r *workspace.Repo, name string, w workspace.Wait) (all []Declaration, whole bool, err error) {
	_, err = r.Explore(ctx, w, func(_ context.Context, s *store.Snapshot, _ *nav.Index) error {
		all, whole = users(s, name)
		return nil
	})
	return all, whole, err
}

// users is Users of a snapshot.
func users(s *store.Snapshot, name string) (all []Declaration, whole bool) {
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return nil, true
	}
	whole = true
	at := map[node]int{}
	for seg := range s.Segments {
		of := &s.Segments[seg]
		if of.Syntax == nil {
			continue
		}
		for f, i := range of.Syntax.Uses(parts[len(parts)-1]) {
			if !of.Alive(f.Ordinal()) {
				continue
			}
			u := f.Use(i)
			n := node{int32(seg), int32(f.Ordinal()), u.In}
			if k, ok := at[n]; ok {
				all[k].Via = max(all[k].Via, u.Role)
				continue
			}
			if len(all) == maxAround {
				whole = false
				break
			}
			at[n] = len(all)
			all = append(all, user(of, f, &u))
		}
	}
	slices.SortFunc(all, byPlace)
	return all, whole
}

// user is the declaration that a use stands in.
func user(s *store.Segment, f *syn.File, u *facts.Use) Declaration {
	d := Declaration{Path: s.Path(f.Ordinal()), Language: s.Language(f.Ordinal()), Class: s.Class(f.Ordinal()), Line: int(u.Line), Via: u.Role, Qualified: u.Name}
	d.Name = path.Base(d.Path)
	if u.In != facts.None {
		in := f.Symbol(int(u.In))
		d.Name, d.Kind, d.Line = in.Name, in.Kind, int(in.Line)
	}
	if u.Bind == facts.BindImport && u.Target != facts.None {
		if m := f.Import(int(u.Target)); m.Module != "" && m.Name != "" {
			d.Qualified = m.Module + "." + m.Name
		}
	}
	return d
}
