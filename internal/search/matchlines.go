package search

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/segment"
)

// read makes the hits of a part that has none yet.
func (p *part) read(plan *plan, f finder) error {
	if p.hits != nil {
		return nil
	}
	cache := caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	text, err := p.Text(p.file, cache)
	if err == nil {
		p.cut(plan, f, text)
	}
	return err
}

// cut makes the hits of a part from its text.
func (p *part) cut(plan *plan, f finder, text []byte) {
	f.reset(text)
	page := page{part: p, plan: plan, text: text, path: p.Path(p.file), outline: p.outline(text)}
	number, counted := 1, 0 // the line that text[counted:] starts in
	seen := 0
	for pos := 0; pos < len(text) && len(p.hits) < p.take; seen++ {
		at := f.line(pos)
		if at < 0 {
			break
		}
		start, end := pos+bytes.LastIndexByte(text[pos:at], '\n')+1, lineEnd(text, at)
		pos = end + 1
		if seen < p.skip {
			continue
		}
		number += bytes.Count(text[counted:start], newline)
		counted = start
		p.hits = append(p.hits, page.hit(f, number, start, end))
	}
}

var newline = []byte("\n")

// page is a file from which hits are cut.
type page struct {
	*part
	plan    *plan
	text    []byte
	path    string
	outline *outline
	ranges  [][2]int // scratch
}

// hit makes the hit of the line text[start:end].
func (p *page) hit(f finder, number, start, end int) Hit {
	p.ranges = f.matches(p.ranges[:0], start, end)
	h := Hit{
		Repo: p.snap.Name, Path: p.path, StartLine: number, EndLine: number,
		Language: p.Language(p.file), Class: p.Class(p.file),
	}
	if d := p.outline.at(start, end); d != nil {
		h.Symbol, h.Kind = d.Name, d.Kind.String()
	}
	if len(p.ranges) > 0 {
		h.Column = p.ranges[0][0] - start + 1
		m := p.ranges[len(p.ranges)-1]
		if final := max(m[0], m[1]-1); final > end { // a text of several lines
			h.EndLine += bytes.Count(p.text[start:final], newline)
			end = lineEnd(p.text, final)
		}
	}
	if p.plan.Detail != DetailLocate {
		h.Lines = p.lines(&h, start, end)
	}
	return h
}

// lines cuts the lines of a hit, which are text[start:end], with their context.
func (p *page) lines(h *Hit, start, end int) []Line {
	before, after := p.plan.Before, p.plan.After
	if p.plan.Detail == DetailFull {
		first, last := p.chunkLines(h.StartLine)
		before, after = max(before, h.StartLine-first), max(after, last-h.EndLine)
	}
	number := h.StartLine
	for ; before > 0 && start > 0; before-- {
		start = bytes.LastIndexByte(p.text[:start-1], '\n') + 1
		number--
	}
	for ; after > 0 && end+1 < len(p.text); after-- {
		end = lineEnd(p.text, end+1)
	}
	var lines []Line
	for pos := start; pos <= end; number++ {
		to := lineEnd(p.text, pos)
		lines = append(lines, copyLine(number, p.text, pos, to, p.ranges))
		pos = to + 1
	}
	return lines
}

// chunkLines returns the lines of the chunk that holds a line, or the line itself.
func (p *page) chunkLines(line int) (first, last int) {
	i, end := p.ChunksOf(p.file)
	for ; i < end; i++ {
		if c := p.Chunk(i); int(c.StartLine) <= line && line <= int(c.EndLine) {
			return int(c.StartLine), int(c.EndLine)
		}
	}
	return line, line
}

// copyLine copies the line text[start:end] and the parts of the matches on it,
// cut to MaxLineBytes round the first of them.
func copyLine(number int, text []byte, start, end int, matches [][2]int) Line {
	if end > start && text[end-1] == '\r' {
		end--
	}
	var on [][2]int
	for _, m := range matches {
		if m[0] < end && m[1] > start || m[0] == m[1] && start <= m[0] && m[0] <= end {
			on = append(on, [2]int{max(m[0], start), min(m[1], end)})
		}
	}
	from, to := start, end
	if end-start > MaxLineBytes {
		at, length := start, 0
		if len(on) > 0 {
			at, length = on[0][0], on[0][1]-on[0][0]
		}
		from, to = around(text, start, end, at, length)
	}
	l := Line{Number: number, Text: bytes.Clone(text[from:to])}
	for _, m := range on {
		if m[1] < from || m[0] > to || m[0] < m[1] && (m[1] == from || m[0] == to) {
			continue
		}
		l.Matches = append(l.Matches, [2]int{max(m[0], from) - from, min(m[1], to) - from})
	}
	return l
}

// around returns the MaxLineBytes of text[start:end] that show a match best:
// a quarter of what it leaves stands before it. The cuts do not split characters.
func around(text []byte, start, end, match, length int) (from, to int) {
	from = max(start, match-max(0, MaxLineBytes-length)/4)
	from = max(start, min(from, end-MaxLineBytes))
	to = min(end, from+MaxLineBytes)
	for n := 0; n < utf8.UTFMax-1 && from > start && from < match && !utf8.RuneStart(text[from]); n++ {
		from++
	}
	for n := 0; n < utf8.UTFMax-1 && to < end && !utf8.RuneStart(text[to]); n++ {
		to--
	}
	return from, to
}

// outline tells the innermost definition round a line. It knows only where
// definitions start, so their extent is read off the indentation: the parent of
// a line is the last one above it that is indented less and does not merely
// close a bracket. Headings reach to the next heading. An outline is asked for
// the lines of one text from the first to the last and reads the text once.
type outline struct {
	definitions []code.Definition // in the order of their lines
	text        []byte
	pos, number int     // the line that is read next
	open        []level // indented ever more: the lines that have the ones after them within
}

// level is a line and its definition, if it has one.
type level struct {
	indent     int
	definition *code.Definition
}

func (p *part) outline(text []byte) *outline {
	first, end := p.DefinitionsOf(p.file)
	definitions := make([]code.Definition, 0, end-first)
	for i := first; i < end; i++ {
		definitions = append(definitions, p.Definition(i).Definition)
	}
	return newOutline(definitions, text)
}

func newOutline(definitions []code.Definition, text []byte) *outline {
	return &outline{definitions: definitions, text: text, number: 1}
}

// at returns the innermost definition round the line text[start:end], nil where there is none.
func (o *outline) at(start, end int) *code.Definition {
	if len(o.definitions) == 0 {
		return nil
	}
	for o.pos < start {
		to := lineEnd(o.text, o.pos)
		o.enter(o.text[o.pos:to])
		o.pos, o.number = to+1, o.number+1
	}
	last := o.before(o.number)
	if last == nil || int(last.Line) == o.number || last.Kind == code.KindHeading {
		return last
	}
	indent := indentation(o.text[start:end])
	if closes(o.text[start:end]) {
		indent++ // what it closes may be indented alike
	}
	for i := len(o.open) - 1; i >= 0; i-- {
		if l := o.open[i]; l.indent < indent && l.definition != nil {
			return l.definition
		}
	}
	return nil
}

// enter notes the line that is read next.
func (o *outline) enter(line []byte) {
	indent := indentation(line)
	if indent < 0 || closes(line) {
		return
	}
	n := len(o.open)
	for n > 0 && o.open[n-1].indent >= indent {
		n--
	}
	l := level{indent: indent}
	if d := o.before(o.number); d != nil && int(d.Line) == o.number {
		l.definition = d
	}
	o.open = append(o.open[:n], l)
}

// before returns the last definition on or before a line; of several on its
// line the first.
func (o *outline) before(number int) *code.Definition {
	after := sort.Search(len(o.definitions), func(i int) bool { return int(o.definitions[i].Line) > number })
	if after == 0 {
		return nil
	}
	i := after - 1
	for i > 0 && o.definitions[i-1].Line == o.definitions[i].Line {
		i--
	}
	return &o.definitions[i]
}

// indentation returns the width of the white space before a line, a tab
// reaching to the next multiple of eight, or -1 for an empty line.
func indentation(line []byte) int {
	width := 0
	for _, c := range line {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		case '\r':
		default:
			return width
		}
	}
	return -1
}

// closes reports whether a line starts with a bracket that ends, or carries
// on, what stands above it.
func closes(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && bytes.IndexByte([]byte(")]}{"), line[0]) >= 0
}
