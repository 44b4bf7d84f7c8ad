package ranked

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// This file names the symbol of a hit: by the syntax facts of its file where
// these are known, else by the outline. Search never waits for them.

// definition returns the definition that a hit is labelled with, as the outline
// sees it; within says that it stands in the chunk of the hit.
func (m *match) definition(chunk segment.ChunkInfo) (d code.Definition, within bool) {
	if e, ok := m.exact[m.file]; ok && m.within(e.definition) {
		if d = m.seg.Definition(e.definition).Definition; m.seg.Rules.Kinds.Has(d.Kind) {
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
		if d = m.seg.Definition(int(n.definition)).Definition; m.seg.Rules.Kinds.Has(d.Kind) {
			return d, true
		}
	}
	return m.enclosing(chunk), false
}

// label names the symbol of a hit in a chunk.
func (m *match) label(h *hit.Hit, chunk segment.ChunkInfo) {
	asked, isAsked := m.asked[m.file]
	isAsked = isAsked && asked.chunk == m.chunk
	d, within := asked.Definition, isAsked
	if !isAsked {
		d, within = m.definition(chunk)
	}
	if d.Name != "" {
		h.Symbol, h.Kind = d.Name, d.Kind.String()
	}
	m.seg.WithFacts(m.file, func(f *syn.File) {
		if i, named := m.symbol(f, chunk, d, within); named {
			label.Name(h, f, i)
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
		i, known := label.Declared(f, d)
		if i != facts.None {
			return i, true
		}
		hidden = inside && !known
	case inside:
		hidden = !label.Knows(f, d.Name)
	}
	if within && hidden {
		return facts.None, false
	}
	i = label.Of(f, chunk, m.seg.Rules.Kinds)
	return i, i != facts.None || !hidden
}
