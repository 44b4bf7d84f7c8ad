package impact

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/framework"
	"espy/internal/resolve/corpus"
)

// show puts the page of the request into the answer, and the files.
func (f *finder) show() {
	a := f.answer
	a.Total = len(f.nodes)
	a.Nearest = make([]int, f.req.depth())
	files := map[corpus.FileID]int{}
	for _, n := range f.nodes {
		a.Nearest[n.distance-1]++
		i, ok := files[n.ref.File]
		if !ok {
			i = len(a.Files)
			files[n.ref.File] = i
			a.Files = append(a.Files, File{Path: f.ask.Corpus.Path(n.ref.File), Distance: n.distance, Confidence: n.confidence})
		}
		a.Files[i].Symbols++
		a.Files[i].Confidence = min(a.Files[i].Confidence, n.confidence)
	}
	for len(a.Nearest) > 0 && a.Nearest[len(a.Nearest)-1] == 0 {
		a.Nearest = a.Nearest[:len(a.Nearest)-1]
	}
	limit := f.req.Limit
	if limit == 0 {
		limit = defaultSymbols
	}
	page := f.nodes[min(f.req.Offset, len(f.nodes)):]
	for _, n := range page[:min(limit, len(page))] {
		a.Symbols = append(a.Symbols, f.symbol(n))
	}
}

func (f *finder) symbol(n *node) Symbol {
	s := Symbol{
		Path: f.ask.Corpus.Path(n.ref.File), Line: n.line, Name: n.name, Distance: n.distance, Confidence: n.confidence,
		Reason: n.reason, Via: f.idOf(n.via), At: n.line, Class: f.ask.Corpus.Class(n.ref.File),
	}
	if n.ref.Index != facts.None {
		d := f.ask.Symbol(n.ref)
		s.ID, s.Line, s.Kind = f.ask.ID(n.ref), int(d.Line), d.Kind
	}
	return s
}

// idOf names a node by its id, or by the path of its file.
func (f *finder) idOf(n *node) string {
	switch {
	case n.changed != nil && n.changed.ID != "":
		return n.changed.ID
	case n.changed != nil:
		return n.changed.Path
	case n.ref.Index == facts.None:
		return f.ask.Corpus.Path(n.ref.File)
	}
	return f.ask.ID(n.ref)
}

// entrance recognises one kind of way into a program by the symbol alone. What a
// framework runs is known from its rules (package framework).
type entrance struct {
	kind string
	is   func(f *finder, r corpus.Ref, s *facts.Symbol) bool
}

var entrances = []entrance{
	{"main", func(f *finder, r corpus.Ref, s *facts.Symbol) bool {
		if s.Name != "main" || !s.Kind.IsFunc() {
			return false
		}
		file := f.ask.File(r.File)
		return f.ask.Corpus.Family(r.File) != corpus.Go || file.Package() == "main"
	}},
	{"exported", func(f *finder, r corpus.Ref, s *facts.Symbol) bool {
		return s.Flags&facts.Exported != 0 && s.Flags&facts.Local == 0 && s.Kind != code.KindField && !isInternal(f.ask.Corpus.Of(r.File).Path(r.File), s.Name)
	}},
}

// isInternal reports whether the path of a file, or a name, says that others are not
// to use it.
func isInternal(p, name string) bool {
	return strings.HasPrefix(name, "_") || slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(s string) bool {
		return s == "internal" || s == "_internal" || s == "private" || strings.HasPrefix(s, "_")
	})
}

// endpoints finds where what is affected shows outside of the program: by kind, the
// nearest first.
func (f *finder) endpoints() error {
	if len(f.changes) == 0 {
		return nil
	}
	var err error
	if f.entrances, err = framework.EntrancesOf(f.ask); err != nil {
		return err
	}
	for i := range f.changes {
		if c := &f.changes[i]; c.ref.File != noFile && c.What.reaches() {
			f.endpoint(c.ref, Endpoint{Confidence: facts.Certain})
		}
	}
	for _, n := range f.nodes {
		if n.confidence != facts.Possible {
			f.endpoint(n.ref, Endpoint{Distance: n.distance, Confidence: n.confidence})
		}
	}
	rank := func(e Endpoint) int {
		return 1 + slices.IndexFunc(entrances, func(k entrance) bool { return k.kind == e.Kind }) // what a framework runs is in none
	}
	slices.SortStableFunc(f.answer.Endpoints, func(a, b Endpoint) int { return cmp.Compare(rank(a), rank(b)) })
	return nil
}

func (f *finder) endpoint(r corpus.Ref, e Endpoint) {
	if r.Index == facts.None || !f.isHere(r.File) || f.ask.Corpus.Class(r.File)&(code.ClassTest|code.ClassExample|code.ClassVendor|code.ClassGenerated) != 0 {
		return
	}
	s := f.ask.Symbol(r)
	e.ID, e.Path, e.Line = f.ask.ID(r), f.ask.Corpus.Path(r.File), int(s.Line)
	for _, l := range f.entrances[r] {
		run := e
		run.Kind, run.Name, run.Confidence = string(l.Kind), l.Key, max(e.Confidence, l.Confidence)
		f.answer.Endpoints = append(f.answer.Endpoints, run)
	}
	if len(f.entrances[r]) > 0 {
		return
	}
	for _, kind := range entrances {
		if kind.is(f, r, s) {
			e.Kind, e.Name = kind.kind, strings.TrimPrefix(e.ID, e.Path+"#")
			f.answer.Endpoints = append(f.answer.Endpoints, e)
			return
		}
	}
}
