package label

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Chunk is the chunk of a file that a hit shows.
type Chunk struct {
	segment.ChunkInfo
	Segment *filter.Segment
	Cache   *segment.TextCache
}

// Line is a line of a chunk.
type Line struct {
	Number     int
	Start, End int // its bytes in the chunk
	At         int // the byte that it is named by
}

// NameBy names a hit by one line of its chunk: by the syntax facts of its file
// where these are known, else by the outline. Asked is the definition on the line
// that the query asks for, nil for none, which comes before others. It reports
// whether the hit has a symbol.
func (c *Chunk) NameBy(h *hit.Hit, line Line, asked *code.Definition) (found bool, err error) {
	c.Segment.WithFacts(c.File, func(f *syn.File) {
		if i := c.symbol(f, line, asked); i != facts.None && !c.isNamespace(f.Kind(i)) {
			Name(h, f, i)
		}
	})
	if h.SymbolID != "" {
		return true, nil
	}
	d := asked
	if d == nil {
		if d, err = roundLine(c.Segment.Reader, c.File, line.Number, int(c.Start)+line.Start, int(c.Start)+line.End, c.Segment.Kinds(), c.Cache); d == nil || c.isNamespace(d.Kind) {
			return false, err
		}
	}
	believed := true
	c.Segment.WithFacts(c.File, func(f *syn.File) { believed = Beyond(f, c.Segment.Language(c.File), d.Name) })
	if believed {
		Outlined(h, d)
	}
	return believed, nil
}

// isNamespace reports whether a kind names no more than the namespace of a chunk, and
// the query does not ask for such.
func (c *Chunk) isNamespace(k code.Kind) bool {
	return c.Segment.Kinds() == 0 && IsNamespace(c.Segment.Language(c.File), k)
}

// symbol returns the symbol of the facts that names a line, None for none.
func (c *Chunk) symbol(f *syn.File, line Line, asked *code.Definition) int {
	if asked != nil {
		i, known := Declared(f, *asked)
		if i != facts.None || !known {
			return i
		}
	}
	from := c.Start
	return atLine(f, span{from + uint32(line.Start), from + uint32(line.End), from + uint32(line.At), c.End}, c.Segment.Kinds())
}
