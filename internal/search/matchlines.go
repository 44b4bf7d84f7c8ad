package search

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// read makes the hits of a part. Where these need nothing from beyond their
// lines it reads only their regions.
func (p *part) read(plan *plan, f finder) error {
	cache, above := caches.Get().(*segment.TextCache), caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	defer caches.Put(above)
	page := page{part: p, plan: plan, path: p.Path(p.file), outline: p.outline(above), symbol: facts.None}
	p.withSyntax(func(r *syn.Reader) {
		if r.State(p.file) == syn.Parsed {
			page.facts = r.File(p.file)
		}
	})
	if p.Whole || plan.Before+plan.After > 0 || plan.Detail == DetailFull {
		text, err := p.Text(p.file, cache)
		if err != nil {
			return err
		}
		first, _ := p.RegionsOf(p.file)
		page.text, page.line, page.region = text, 1, first
		return page.cut(f, p.skip)
	}
	skip := p.skip
	for _, d := range p.docs {
		if skip >= int(d.lines) {
			skip -= int(d.lines)
			continue
		}
		if len(p.hits) == p.take {
			break
		}
		text, err := p.RegionText(int(d.doc), cache)
		if err != nil {
			return err
		}
		region := p.Region(int(d.doc))
		page.text, page.start, page.line, page.region = text, region.Start, region.Line, int(d.doc)
		if err := page.cut(f, skip); err != nil {
			return err
		}
		skip = 0
	}
	return nil
}

// cut makes hits from the text of a page but for the first skip ones, until the
// part has as many as it takes.
func (p *page) cut(f finder, skip int) error {
	f.reset(p.text)
	p.outline.turn(p.text, p.region)
	number, counted := p.line, 0 // the line that text[counted:] starts in
	for pos := 0; pos < len(p.text) && len(p.hits) < p.take; {
		at := f.line(pos)
		if at < 0 {
			break
		}
		start, end := pos+bytes.LastIndexByte(p.text[pos:at], '\n')+1, lineEnd(p.text, at)
		pos = end + 1
		if skip > 0 {
			skip--
			continue
		}
		number += bytes.Count(p.text[counted:start], newline)
		counted = start
		h, err := p.hit(f, number, start, end)
		if err != nil {
			return err
		}
		p.hits = append(p.hits, h)
	}
	return nil
}

var newline = []byte("\n")

// page is a text from which hits are cut: a region or a whole file.
type page struct {
	*part
	plan    *plan
	path    string
	outline *outline
	facts   *syn.File // nil where they are not known
	symbol  int       // of the facts: what named is of
	named   Hit       // the hit named last
	text    []byte
	start   int      // of the text in that of its file
	line    int      // number of its first line
	region  int      // the one it begins with
	ranges  [][2]int // scratch
}

// hit makes the hit of the line text[start:end].
func (p *page) hit(f finder, number, start, end int) (Hit, error) {
	p.ranges = f.matches(p.ranges[:0], start, end)
	h := Hit{
		Repo: p.snap.Name, Path: p.path, StartLine: number, EndLine: number,
		Language: p.Language(p.file), Class: p.Class(p.file),
	}
	if err := p.name(&h, start, end); err != nil {
		return h, err
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
	return h, nil
}

// name names the innermost symbol round a hit in the line text[start:end].
func (p *page) name(h *Hit, start, end int) error {
	if p.facts != nil && p.withSyntax(func(*syn.Reader) { p.nameByFacts(h, start) }) && h.SymbolID != "" {
		return nil
	}
	d, err := p.outline.at(h.StartLine, start, end)
	if d != nil && !p.knows(d.Name) {
		h.Symbol, h.Kind = d.Name, d.Kind.String()
	}
	return err
}

// knows reports whether the facts of the file have a name.
func (p *page) knows(name string) (known bool) {
	if p.facts != nil {
		p.withSyntax(func(*syn.Reader) { known = knows(p.facts, name) })
	}
	return known
}

// nameByFacts names a hit by the syntax of its file. The hits of one symbol
// mostly follow each other.
func (p *page) nameByFacts(h *Hit, at int) {
	if len(p.ranges) > 0 {
		at = p.ranges[0][0]
	}
	i := kindSet(0).enclosing(p.facts, uint32(p.start+at))
	if i != p.symbol {
		p.named = Hit{Path: h.Path}
		p.named.name(p.facts, i)
		p.symbol = i
	}
	h.Symbol, h.Kind, h.SymbolID = p.named.Symbol, p.named.Kind, p.named.SymbolID
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
// the lines of one file from the first to the last, page by page, and reads
// from the last line above that is not indented at all.
type outline struct {
	definitions []code.Definition // in the order of their lines
	above       func(region int) (text []byte, line int, err error)
	page        []byte // the text that lines are asked for in
	first       int    // the region it begins with

	region, pos int     // the place in a region up to which lines are read
	number      int     // of the line there
	open        []level // indented ever more: the lines that have the ones after them within
}

// level is a line and its definition, if it has one.
type level struct {
	indent     int
	definition *code.Definition
}

// outline returns the outline of the file. The cache is for pages before the
// one that is asked about.
func (p *part) outline(cache *segment.TextCache) *outline {
	first, end := p.DefinitionsOf(p.file)
	o := &outline{number: 1}
	for i := first; i < end; i++ {
		o.definitions = append(o.definitions, p.Definition(i).Definition)
	}
	o.region, _ = p.RegionsOf(p.file)
	o.above = func(region int) ([]byte, int, error) {
		text, err := p.RegionText(region, cache)
		return text, p.Region(region).Line, err
	}
	return o
}

// turn goes on to a page that begins with a region of its own.
func (o *outline) turn(page []byte, region int) { o.page, o.first = page, region }

// at returns the innermost definition round line number, page[start:end], nil
// where there is none.
func (o *outline) at(number, start, end int) (*code.Definition, error) {
	last := o.before(number)
	if last == nil || int(last.Line) == number || last.Kind == code.KindHeading {
		return last, nil
	}
	if err := o.catchUp(number, start); err != nil {
		return nil, err
	}
	indent := indentation(o.page[start:end])
	if closes(o.page[start:end]) {
		indent++ // what it closes may be indented alike
	}
	for i := len(o.open) - 1; i >= 0; i-- {
		if l := o.open[i]; l.indent < indent && l.definition != nil {
			return l.definition, nil
		}
	}
	return nil, nil
}

// catchUp reads the lines above line number, which starts at page[start].
func (o *outline) catchUp(number, start int) error {
	from := 0
	if o.region == o.first {
		from = o.pos
	}
	if at := lastOutermost(o.page[from:start]); at >= 0 {
		at += from
		o.restart(o.first, at, number-bytes.Count(o.page[at:start], newline))
	} else if err := o.readAbove(); err != nil {
		return err
	}
	o.read(o.page[o.pos:start])
	o.pos = start
	return nil
}

func (o *outline) restart(region, pos, number int) {
	o.region, o.pos, o.number = region, pos, number
	o.open = o.open[:0]
}

// readAbove reads the lines between what is read and the page.
func (o *outline) readAbove() error {
	for k := o.first - 1; k > o.region; k-- {
		text, line, err := o.above(k)
		if err != nil {
			return err
		}
		if at := lastOutermost(text); at >= 0 {
			o.restart(k, at, line+bytes.Count(text[:at], newline))
		}
	}
	for o.region < o.first {
		text, _, err := o.above(o.region)
		if err != nil {
			return err
		}
		o.read(text[o.pos:])
		o.region, o.pos = o.region+1, 0
	}
	return nil
}

// lastOutermost returns the offset of the last whole line of a text that
// nothing above it is round, or -1.
func lastOutermost(text []byte) int {
	for end := len(text); end > 0; {
		start := bytes.LastIndexByte(text[:end-1], '\n') + 1
		if line := text[start : end-1]; indentation(line) == 0 && !closes(line) {
			return start
		}
		end = start
	}
	return -1
}

// read notes whole lines.
func (o *outline) read(text []byte) {
	for line := range bytes.Lines(text) {
		o.enter(bytes.TrimSuffix(line, newline))
		o.number++
	}
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
