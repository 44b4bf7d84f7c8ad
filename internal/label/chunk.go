package label

import (
	"bytes"
	"sort"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/lang"
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
		if d, err = c.documented(line); err != nil {
			return false, err
		}
	}
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

// Bounds of the documentation of a definition.
const (
	maxAbove    = 200      // lines from one of it to the definition
	maxAboveLen = 16 << 10 // and bytes
)

// documented returns the definition of the outline that a line of a comment stands above, nil
// where it stands above none, or in no comment.
func (c *Chunk) documented(line Line) (*code.Definition, error) {
	r := c.Segment.Reader
	first, end := r.DefinitionsOf(c.File)
	i := first + sort.Search(end-first, func(i int) bool {
		at, _ := r.DefinitionLine(first + i)
		return int(at) > line.Number
	})
	if i == end {
		return nil, nil
	}
	at, kind := r.DefinitionLine(i)
	if int(at)-line.Number > maxAbove || kind == code.KindHeading || !c.Segment.Kinds().Has(kind) && c.Segment.Kinds() != 0 {
		return nil, nil
	}
	d := r.Definition(i)
	from := int(c.Start) + line.Start
	text, err := r.TextRange(c.File, from, min(int(r.Chunk(d.Chunk).End), from+maxAboveLen), c.Cache)
	if err != nil || !leadsTo(text, int(at)-line.Number) {
		return nil, err
	}
	return &d.Definition, nil
}

// headLines is how many lines a declaration may have above that of its name.
const headLines = 2

// leadsTo reports whether the first so many lines of a text are the rest of a comment, and no more
// than annotations and the beginning of a declaration.
func leadsTo(text []byte, lines int) bool {
	var mark string
	ended, head := false, 0
	for n := range lines {
		line, rest, ok := bytes.Cut(text, lineBreak)
		if !ok {
			return false
		}
		text = rest
		switch line = bytes.TrimSpace(line); {
		case n == 0 && markOf(line) != "":
			mark = markOf(line)
		case mark != "" && bytes.HasPrefix(line, []byte(mark)), ended && len(line) > 0 && line[0] == '@':
		case mark == "" && !ended:
			ended = bytes.HasSuffix(line, []byte("*/")) || bytes.HasSuffix(line, []byte("+/"))
			opens := bytes.Contains(line, []byte("/*")) || bytes.Contains(line, []byte("/+"))
			if !ended && (bytes.Contains(line, []byte("*/")) || bytes.Contains(line, []byte("+/"))) || opens && !(n == 0 && line[0] == '/') {
				return false // another comment
			}
		default:
			if head++; head > headLines || len(line) == 0 || bytes.ContainsAny(line, "{};") {
				return false
			}
		}
	}
	return ended || mark != ""
}

// markOf returns what begins a comment to the end of its line, "" where a line is none.
func markOf(line []byte) string {
	if lang.IsDirective(line) {
		return ""
	}
	for _, mark := range []string{"//", "--", "#", "!", ";", "%"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return mark
		}
	}
	return ""
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
