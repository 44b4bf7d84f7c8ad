package ranked

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/ranked/score"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// name names the symbol of a hit in a chunk: by the syntax facts of its file
// where these are known, else by the outline. Search never waits for the facts.
func name(h *hit.Hit, m *match, chunk int) {
	c := m.in.seg.Chunk(chunk)
	d, within := definition(m, chunk)
	if !within {
		d = enclosing(m, c)
	}
	if d.Name != "" {
		h.Symbol, h.Kind = d.Name, d.Kind.String()
	}
	m.in.seg.WithFacts(m.file, func(f *syn.File) {
		if i, ok := symbol(f, c, outlined{d, within, m.in.seg.Kinds()}); ok {
			label.Name(h, f, i)
		}
	})
}

// definition returns the definition in the chunk of a hit that names it: what
// the query asks for, names or has words of.
func definition(m *match, chunk int) (d code.Definition, ok bool) {
	seg, kinds := m.in.seg, m.in.seg.Kinds()
	for c := m.in.clues.of(m.file); c != nil; c = m.in.clues.next(c) {
		if c.symbol.Name != "" && chunkOf(m, c) == chunk {
			return c.symbol, true
		}
	}
	for c := m.in.clues.of(m.file); c != nil; c = m.in.clues.next(c) {
		if c.definition < 0 || c.chunk != chunk {
			continue
		}
		if d = seg.Definition(c.definition).Definition; kinds.Has(d.Kind) {
			return d, true
		}
	}
	better, other := seg.Types[m.file], seg.Funcs[m.file]
	if other.Value > better.Value {
		better, other = other, better
	}
	for _, n := range []score.Name{better, other} {
		if n.Value == 0 {
			continue
		}
		if in, _, _ := seg.DefinitionPlace(int(n.Definition)); in != chunk {
			continue
		}
		if d = seg.Definition(int(n.Definition)).Definition; kinds.Has(d.Kind) {
			return d, true
		}
	}
	return code.Definition{}, false
}

// enclosing returns the first type or function that the chunk defines, else the
// last one before it, else whatever the chunk defines first.
func enclosing(m *match, chunk segment.ChunkInfo) (found code.Definition) {
	seg, kinds := m.in.seg, m.in.seg.Kinds()
	at := -1
	first, end := seg.DefinitionsOf(m.file)
	for i := first; i < end; i++ {
		line, kind := seg.DefinitionLine(i)
		if line > chunk.EndLine {
			break
		}
		solid := kind.IsType() || kind.IsFunc()
		switch {
		case !kinds.Has(kind):
		case solid && line >= chunk.StartLine:
			return seg.Definition(i).Definition
		case solid, at < 0 && line >= chunk.StartLine:
			at = i
		}
	}
	if at >= 0 {
		found = seg.Definition(at).Definition
	}
	return found
}

// outlined is the definition that the outline names a chunk by.
type outlined struct {
	code.Definition
	within bool // it stands in the chunk, rather than round it
	kinds  filter.KindSet
}

// symbol returns the symbol of the syntax facts that names a chunk, None for
// none. With ok false the outline knows better.
func symbol(f *syn.File, chunk segment.ChunkInfo, d outlined) (i int, ok bool) {
	inside := chunk.StartLine <= d.Line && d.Line <= chunk.EndLine
	hidden := false // from the facts
	switch {
	case d.within:
		i, known := label.Declared(f, d.Definition)
		if i != facts.None {
			return i, true
		}
		hidden = inside && !known
	case inside:
		hidden = !label.Knows(f, d.Name)
	}
	if d.within && hidden {
		return facts.None, false
	}
	i = label.Of(f, chunk, d.kinds)
	return i, i != facts.None || !hidden
}
