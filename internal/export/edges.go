package export

import (
	"slices"

	"espy/internal/calls"
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
)

// edges adds the edges that lead from a file.
func (w *walker) edges(f *File, c *calling) error {
	f.Edges = c.all
	if w.request.wants(Imports) {
		w.imports(f)
	}
	w.hierarchy(f)
	err := w.links(f)
	slices.SortStableFunc(f.Edges, byLine)
	return err
}

// calling are the calls of one file.
type calling struct {
	*walker
	all []Edge
	at  map[call]int
}

// call tells calls apart.
type call struct {
	from, to corpus.Ref
	relation calls.Relation
}

// add adds the calls that one use proves.
func (c *calling) add(from, use corpus.Ref, told []resolve.Meaning) {
	for _, e := range c.graph.Proven(from, use, told) {
		relation, ok := calls.RelationOf(&e, c.Symbol(e.To))
		if !ok {
			continue
		}
		c.put(&e, relation)
	}
}

func (c *calling) put(e *graph.Edge, relation calls.Relation) {
	key := call{e.From, e.To, relation}
	i, ok := c.at[key]
	if !ok {
		c.at[key] = len(c.all)
		c.all = append(c.all, Edge{
			Kind: Calls, From: c.id(e.From), To: c.id(e.To), FromRef: e.From, ToRef: e.To, Relation: string(relation),
			Line: e.Line, Times: 1, Confidence: e.Confidence, Reason: e.Reason, Among: e.Among,
		})
		return
	}
	o := &c.all[i]
	o.Times++
	if e.Confidence < o.Confidence {
		o.Line, o.Confidence, o.Reason, o.Among = e.Line, e.Confidence, e.Reason, e.Among
	}
}

// id is the id of a symbol, the path for the top of a file.
func (w *walker) id(n corpus.Ref) string {
	if n.Index == facts.None {
		return w.Corpus.Path(n.File)
	}
	return w.ID(n)
}

// imports adds what a file imports.
func (w *walker) imports(f *File) {
	g := w.whole.modules
	first, end := g.From(f.ID)
	for i := first; i < end; i++ {
		e := &g.Edges[i]
		s := &g.Sources[e.Source]
		edge := Edge{Kind: Imports, From: f.Path, FromRef: corpus.Ref{File: f.ID, Index: facts.None}, Line: int(e.Line), Times: int(e.Times), Reason: "imports " + s.Name}
		if len(s.Files) == 0 {
			edge.To, edge.ToRef, edge.Outside = s.Name, edge.FromRef, string(s.Origin.Kind)
			if s.Origin.Package != "" {
				edge.Reason = "asked for in " + s.Origin.Manifest
			}
			f.Edges = append(f.Edges, edge)
			continue
		}
		if s.Whole && s.Folder != "" {
			edge.To, edge.ToRef = s.Folder+"/", edge.FromRef
			f.Edges = append(f.Edges, edge)
			continue
		}
		for _, to := range s.Files {
			edge.To, edge.ToRef = w.Corpus.Path(to), corpus.Ref{File: to, Index: facts.None}
			f.Edges = append(f.Edges, edge)
		}
	}
}

// hierarchy adds the types above those of a file, and what their members override.
func (w *walker) hierarchy(f *File) {
	if !w.request.wants(Subtypes) && !w.request.wants(Overrides) {
		return
	}
	w.related = map[relation]bool{}
	for i := range int32(w.File(f.ID).NumSymbols()) {
		r := corpus.Ref{File: f.ID, Index: i}
		s := w.Symbol(r)
		switch {
		case s.Flags&facts.Local != 0 && !w.request.Locals:
		case s.Kind.IsType():
			w.supertypes(f, r)
		case s.Kind.IsFunc() && corpus.IsMember(s) && w.request.wants(Overrides):
			for _, o := range w.Overridden(r) {
				w.relate(f, Overrides, r, kin.Related{Ref: o, Confidence: facts.Certain, Reason: "of a base that its type names"}, int(s.Line))
			}
		}
	}
}

func (w *walker) supertypes(f *File, typ corpus.Ref) {
	satisfied := w.whole.above[typ]
	above := satisfied
	if w.Symbol(typ).Kind != code.KindType { // another name for a type is none below it
		above = slices.Concat(w.Bases(typ), above)
	}
	if w.request.wants(Subtypes) {
		for _, t := range above {
			if line, ok := w.proof(f, typ, t.By); ok {
				w.relate(f, Subtypes, typ, t, line)
			}
		}
	}
	if w.request.wants(Overrides) {
		for _, t := range satisfied {
			w.fulfil(f, typ, t)
		}
	}
}

// proof is the line of a file that says what stands above a type: that of the use
// which names it, else that of the type. ok is false where another part of the type
// names it, in another file.
func (w *walker) proof(f *File, typ, by corpus.Ref) (line int, ok bool) {
	if by.Index != facts.None && by.File == f.ID {
		return int(w.File(f.ID).Line(w.Use(f.ID, int(by.Index)).At)), true
	}
	elsewhere := by.Index != facts.None && slices.ContainsFunc(w.Together(typ), func(part corpus.Ref) bool { return part.File == by.File })
	return int(w.Symbol(typ).Line), !elsewhere
}

// fulfil adds which methods of a type fulfil those of an interface that it satisfies.
func (w *walker) fulfil(f *File, typ corpus.Ref, iface kin.Related) {
	for _, want := range w.Required(iface.Ref) {
		for _, m := range w.Members(typ, w.Symbol(want).Name) {
			if m.File == f.ID {
				w.relate(f, Overrides, m, kin.Related{Ref: want, Confidence: iface.Confidence, Reason: iface.Reason}, int(w.Symbol(m).Line))
			}
		}
	}
}

// relation tells edges between declarations apart.
type relation struct {
	kind     Kind
	from, to corpus.Ref
}

// relate adds an edge between two declarations, unless it is there, with the line that
// proves it.
func (w *walker) relate(f *File, k Kind, from corpus.Ref, to kin.Related, line int) {
	node, above := w.graph.Node(from), w.graph.Node(to.Ref)
	key := relation{k, node, above}
	if node == above || w.related[key] {
		return
	}
	w.related[key] = true
	f.Edges = append(f.Edges, Edge{Kind: k, From: w.ID(node), To: w.ID(above), FromRef: node, ToRef: above,
		Line: line, Times: 1, Confidence: to.Confidence, Reason: to.Reason})
}

// links adds the edges that frameworks make from places of a file.
func (w *walker) links(f *File) error {
	for _, l := range w.whole.links[f.ID] {
		e := Edge{Kind: Links, From: w.id(l.At), FromRef: l.At, ToRef: l.To, Relation: string(l.Role), Line: l.Line, Times: 1,
			Confidence: l.Confidence, Reason: l.Reason, Link: string(l.Kind), Key: w.shown(f.Path, l.Key), By: l.By}
		if l.Confidence == facts.Possible {
			w.counts.Possible++
			continue
		}
		if l.To.Index != facts.None || l.To.File != l.At.File {
			e.To = w.id(l.To)
		}
		f.Edges = append(f.Edges, e)
	}
	return nil
}
