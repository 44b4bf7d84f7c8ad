package ranked

import (
	"cmp"
	"sort"

	"espy/internal/code"
	"espy/internal/excerpt"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// namer names a hit by the symbol that its most telling line stands in: by the
// syntax facts of its file where these are known, else by the outline. Search
// never waits for the facts.
type namer struct {
	match *match
	chunk int
	info  segment.ChunkInfo
	cache *segment.TextCache
}

// name names a hit. A query for kinds of symbols makes the first line of its
// snippet that stands in one the most telling. Documentation is shown with the
// line that declares what it is about. The line of a namespace tells nothing.
func (n *namer) name(h *hit.Hit, s *excerpt.Snippet) error {
	for spot := range s.Spots() {
		if n.isNamespace(spot.Line) {
			continue
		}
		found, err := n.at(h, spot)
		if err != nil {
			return err
		}
		if found && h.SymbolLine > spot.Line && h.SymbolLine <= int(n.info.EndLine) {
			s.Prefer(h.SymbolLine)
		}
		if found {
			s.Prefer(spot.Line)
		}
		if found || n.match.in.seg.Kinds() == 0 {
			return nil
		}
	}
	return nil
}

// isNamespace reports whether a line only says what the file belongs to, and the query
// does not ask for that.
func (n *namer) isNamespace(line int) bool {
	seg, file := n.match.in.seg, n.match.file
	if seg.Kinds() != 0 || !label.IsNamespace(seg.Language(file), code.KindModule) {
		return false
	}
	first, end := seg.DefinitionsOf(file)
	i, _ := sort.Find(end-first, func(i int) int {
		at, _ := seg.DefinitionLine(first + i)
		return cmp.Compare(line, int(at))
	})
	if i == end-first {
		return false
	}
	at, kind := seg.DefinitionLine(first + i)
	return int(at) == line && kind == code.KindModule
}

// sole names a hit whose symbol is the same whichever of its lines tells most,
// without its text, and reports whether it is such a one.
func (n *namer) sole(h *hit.Hit) (named bool) {
	seg := n.match.in.seg
	seg.WithFacts(n.match.file, func(f *syn.File) {
		i, ok := label.Sole(f, n.info.Start, n.info.End, int(n.info.StartLine), seg.Kinds())
		if named = ok && n.asksOnly(f, i); named {
			label.Name(h, f, i)
		}
	})
	return named
}

// asksOnly reports whether the query asks for nothing in the chunk but a symbol.
func (n *namer) asksOnly(f *syn.File, symbol int) bool {
	s := f.Symbol(symbol)
	same := func(d *code.Definition) bool {
		return d.Line < n.info.StartLine || d.Line > n.info.EndLine || d.Line == s.Line && d.Name == s.Name
	}
	m := n.match
	for c := range m.in.clues.Of(m.file) {
		if c.Symbol.Name != "" && !same(&c.Symbol) || c.First && c.Passes != "" {
			return false
		}
		if c.Definition >= 0 && c.Chunk == n.chunk {
			if d := m.in.seg.Definition(c.Definition).Definition; !same(&d) {
				return false
			}
		}
	}
	return true
}

// at names a hit by one line of its chunk, and reports whether it has a symbol.
func (n *namer) at(h *hit.Hit, spot excerpt.Spot) (found bool, err error) {
	c := label.Chunk{ChunkInfo: n.info, Segment: n.match.in.seg.Segment.Segment, Cache: n.cache}
	return c.NameBy(h, label.Line{Number: spot.Line, Start: spot.Start, End: spot.End, At: spot.At}, n.asked(spot.Line))
}

// asked returns the definition on a line that the query asks for or names.
func (n *namer) asked(line int) *code.Definition {
	m := n.match
	for c := range m.in.clues.Of(m.file) {
		if c.Symbol.Name != "" && int(c.Symbol.Line) == line {
			return &c.Symbol
		}
	}
	for c := range m.in.clues.Of(m.file) {
		if c.Definition < 0 || c.Chunk != n.chunk {
			continue
		}
		if d := m.in.seg.Definition(c.Definition).Definition; m.in.seg.Kinds().Has(d.Kind) && int(d.Line) == line {
			return &d
		}
	}
	return nil
}
