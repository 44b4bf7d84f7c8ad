package search

import (
	"fmt"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// This file names the symbol of a hit: by the syntax facts of its file where
// these are known, else by the outline. Search never waits for them.

// withFacts calls do with what a file was parsed to, which is good until do
// returns, and reports whether that is known. Damaged facts count as unknown:
// what do has done by then must not matter.
func (f *segmentFilter) withFacts(file int, do func(*syn.File)) (known bool) {
	ok := f.withSyntax(func(r *syn.Reader) {
		if known = r.State(file) == syn.Parsed; known {
			r.Look(file, do)
		}
	})
	return ok && known
}

// withSyntax calls do with the syntax part of the segment and reports whether
// there is one without damage where do has looked.
func (f *segmentFilter) withSyntax(do func(*syn.Reader)) bool {
	if f.syntax == nil || f.damage.Load() != nil {
		return false
	}
	err := segment.Guard(func() error { do(f.syntax); return nil })
	if err != nil {
		f.damage.Store(&err)
	}
	return err == nil
}

// unnamed tells where symbols are not known for damage.
func (f *filter) unnamed() (notes []string) {
	for _, s := range f.segments {
		if s == nil {
			continue
		}
		if err := s.damage.Load(); err != nil {
			notes = append(notes, fmt.Sprintf("%s: symbols of some files are not known: %v", s.snap.Name, *err))
		}
	}
	return notes
}

// solid reports whether a symbol is worth naming: not a parameter or variable
// of a function.
func solid(s *facts.Symbol) bool {
	switch s.Kind {
	case code.KindParam, code.KindTypeParam:
		return false
	}
	return s.Flags&facts.Local == 0 || s.Kind.IsFunc() || s.Kind.IsType()
}

// declared returns the symbol that a definition of the outline is, None for
// none, and whether the file knows its name at all. Of what stands in the
// arguments of a macro only the outline may see declarations.
func declared(f *syn.File, d code.Definition) (symbol int, known bool) {
	for i := range f.SymbolsNamed(d.Name) {
		known = true
		if s := f.BareSymbol(i); solid(&s) && f.Line(s.At) == d.Line {
			return i, true
		}
	}
	return facts.None, known
}

// name sets what a hit says of its symbol, which is symbol i of its file.
func (h *Hit) name(f *syn.File, i int) {
	if i == facts.None {
		h.Symbol, h.Kind = "", ""
		return
	}
	name, kind, id := f.Name(i), f.Kind(i), f.ID(h.Path, i)
	h.Symbol, h.Kind, h.SymbolID = name, kind.String(), id
}

// countCalls sets how often the symbols of hits are called by their names.
func (f *filter) countCalls(hits []Hit) {
	known := map[[2]string]int{}
	for i := range hits {
		h := &hits[i]
		if h.SymbolID == "" {
			continue
		}
		key := [2]string{h.Repo, h.Symbol}
		n, ok := known[key]
		if !ok {
			n = f.calls(h.Repo, h.Symbol)
			known[key] = n
		}
		h.Calls = n
	}
}

// calls counts the calls of a name in the files of a repository whose syntax is known.
func (f *filter) calls(repo, name string) (n int) {
	for _, s := range f.segments {
		if s != nil && s.snap.Name == repo {
			s.withSyntax(func(r *syn.Reader) { n += r.Calls(name, s.Alive) })
		}
	}
	return n
}

// syntaxOf returns the syntax part of segment i of a snapshot, nil for none.
func syntaxOf(s *store.Snapshot, i int) *syn.Reader {
	if i >= len(s.Syntax) {
		return nil
	}
	return s.Syntax[i]
}

// definition returns the definition that a hit is labelled with, as the outline
// sees it; within says that it stands in the chunk of the hit.
func (m *match) definition(chunk segment.ChunkInfo) (d code.Definition, within bool) {
	if e, ok := m.exact[m.file]; ok && m.within(e.definition) {
		if d = m.seg.Definition(e.definition).Definition; m.seg.rules.kinds.has(d.Kind) {
			return d, true
		}
	}
	types, funcs := m.typeNames[m.file], m.funcNames[m.file]
	if funcs.value > types.value {
		types, funcs = funcs, types
	}
	for _, n := range []nameMatch{types, funcs} {
		if n.value == 0 || !m.within(int(n.definition)) {
			continue
		}
		if d = m.seg.Definition(int(n.definition)).Definition; m.seg.rules.kinds.has(d.Kind) {
			return d, true
		}
	}
	return m.enclosing(chunk), false
}

// label names the symbol of a hit in a chunk.
func (m *match) label(h *Hit, chunk segment.ChunkInfo) {
	asked, isAsked := m.asked[m.file]
	isAsked = isAsked && asked.chunk == m.chunk
	d, within := asked.Definition, isAsked
	if !isAsked {
		d, within = m.definition(chunk)
	}
	if d.Name != "" {
		h.Symbol, h.Kind = d.Name, d.Kind.String()
	}
	m.seg.withFacts(m.file, func(f *syn.File) {
		if i, named := m.symbol(f, chunk, d, within); named {
			h.name(f, i)
		}
	})
}

// symbol returns the symbol that names the chunk of a hit, None for none, where
// the outline names it by a definition within it, or by the one round it. With
// named false the outline knows better.
func (m *match) symbol(f *syn.File, chunk segment.ChunkInfo, d code.Definition, within bool) (i int, named bool) {
	inside := chunk.StartLine <= d.Line && d.Line <= chunk.EndLine
	hidden := false
	switch {
	case within:
		i, known := declared(f, d)
		if i != facts.None {
			return i, true
		}
		hidden = inside && !known
	case inside:
		hidden = !knows(f, d.Name)
	}
	if within && hidden {
		return facts.None, false
	}
	i = m.seg.rules.kinds.symbol(f, chunk)
	return i, i != facts.None || !hidden
}

// knows reports whether a file declares a name.
func knows(f *syn.File, name string) bool {
	for range f.SymbolsNamed(name) {
		return true
	}
	return false
}
