package label

import (
	"bytes"
	"sort"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/segment"
)

// Outline tells the innermost definition round a line. It knows only where
// definitions start, so their extent is read off the indentation: the parent of
// a line is the last one above it that is indented less and does not merely
// go on with what stands above. Headings reach to the next heading. An outline is asked for
// the lines of one file from the first to the last, page by page, and reads
// from the last line above that is not indented at all.
type Outline struct {
	definitions []code.Definition // in the order of their lines, without names where named is set
	habits      habits            // of the language
	named       func(i int) code.Definition
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

// NewOutline returns the outline of a file. The cache is for pages before the
// one that is asked about.
func NewOutline(r *segment.Reader, file int, cache *segment.TextCache) *Outline {
	first, end := r.DefinitionsOf(file)
	o := &Outline{number: 1, habits: habitsOf(r.Language(file))}
	o.definitions = make([]code.Definition, end-first)
	for i := range o.definitions {
		d := &o.definitions[i]
		d.Line, d.Kind = r.DefinitionLine(first + i)
	}
	o.named = func(i int) code.Definition { return r.Definition(first + i).Definition }
	o.region, _ = r.RegionsOf(file)
	o.above = func(region int) ([]byte, int, error) {
		text, err := r.RegionText(region, cache)
		return text, r.Region(region).Line, err
	}
	return o
}

// Turn goes on to a page that begins with a region of its own.
func (o *Outline) Turn(page []byte, region int) { o.page, o.first = page, region }

// At returns the innermost definition of the kinds round line number,
// page[start:end], nil where there is none.
func (o *Outline) At(number, start, end int, kinds filter.KindSet) (*code.Definition, error) {
	if d, decided := o.onLine(number, kinds); decided {
		return d, nil
	}
	return o.innermost(number, start, end, kinds)
}

// withName fills in the name of a definition.
func (o *Outline) withName(d *code.Definition) *code.Definition {
	if d != nil && d.Name == "" {
		for i := range o.definitions {
			if d == &o.definitions[i] {
				return o.nameAt(i)
			}
		}
	}
	return d
}

// nameAt returns definition i with its name.
func (o *Outline) nameAt(i int) *code.Definition {
	d := &o.definitions[i]
	if d.Name == "" {
		*d = o.named(i)
	}
	return d
}

// signatures is the most definitions above an equation among which that of its function is:
// a signature may name several.
const signatures = 4

// equated returns the function that a line which defines nothing is a further equation of,
// nil where it is none.
func (o *Outline) equated(number int, line []byte) *code.Definition {
	if !o.habits.equations || indentation(line) != 0 {
		return nil
	}
	after := sort.Search(len(o.definitions), func(i int) bool { return int(o.definitions[i].Line) > number })
	for i := after - 1; i >= max(0, after-signatures); i-- {
		d := o.nameAt(i)
		if rest, ok := bytes.CutPrefix(line, []byte(d.Name)); ok && d.Kind.IsFunc() && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\r') {
			return d
		}
	}
	return nil
}

// onLine is At where the number of a line decides it.
func (o *Outline) onLine(number int, kinds filter.KindSet) (d *code.Definition, decided bool) {
	last := o.before(number)
	switch {
	case last == nil:
		return nil, true
	case last.Kind == code.KindHeading, int(last.Line) == number && kinds.Has(last.Kind):
		if !kinds.Has(last.Kind) {
			return nil, true
		}
		return o.withName(last), true
	}
	return nil, false
}

// innermost is At where the lines above decide it.
func (o *Outline) innermost(number, start, end int, kinds filter.KindSet) (*code.Definition, error) {
	if err := o.catchUp(number, start); err != nil {
		return nil, err
	}
	if d := o.equated(number, o.page[start:end]); d != nil && kinds.Has(d.Kind) {
		return d, nil
	}
	indent := indentation(o.page[start:end])
	if line := o.page[start:end]; o.habits.goesOn(line) || ends(line) {
		indent++ // what it goes on with may be indented alike
	}
	for i := len(o.open) - 1; i >= 0; i-- {
		if l := o.open[i]; l.indent < indent && l.definition != nil && kinds.Has(l.definition.Kind) {
			return o.withName(l.definition), nil
		}
	}
	return nil, nil
}

// roundLine returns the innermost definition of the kinds round a line of a file, bytes
// [start, end) of its text, nil where there is none: At without pages, for one line.
func roundLine(r *segment.Reader, file, line, start, end int, kinds filter.KindSet, cache *segment.TextCache) (*code.Definition, error) {
	o := NewOutline(r, file, new(segment.TextCache))
	if d, decided := o.onLine(line, kinds); decided {
		return d, nil
	}
	region, last := r.RegionsOf(file)
	for region+1 < last && r.Region(region+1).Line <= line {
		region++
	}
	if region >= last {
		return nil, nil
	}
	first := r.Region(region).Start
	near := max(first, start-nearAbove)
	page, err := wholeLines(r, file, near, first, end, cache)
	if err == nil && near > first && o.lastOutermost(page[:len(page)-(end-start)]) < 0 {
		page, err = wholeLines(r, file, first, first, end, cache)
	}
	if err != nil {
		return nil, err
	}
	o.Turn(page, region)
	return o.innermost(line, len(page)-(end-start), len(page), kinds)
}

// wholeLines returns bytes [from, end) of a file, whole lines of a region that begins at first.
func wholeLines(r *segment.Reader, file, from, first, end int, cache *segment.TextCache) ([]byte, error) {
	text, err := r.TextRange(file, from, end, cache)
	if err != nil || from == first {
		return text, err
	}
	return text[bytes.IndexByte(text, '\n')+1:], nil
}

// nearAbove is how many bytes above a line are read at first: what is round it mostly begins
// there.
const nearAbove = 4 << 10

// catchUp reads the lines above line number, which starts at page[start].
func (o *Outline) catchUp(number, start int) error {
	from := 0
	if o.region == o.first {
		from = o.pos
	}
	if at := o.lastOutermost(o.page[from:start]); at >= 0 {
		at += from
		o.restart(o.first, at, number-bytes.Count(o.page[at:start], lineBreak))
	} else if err := o.readAbove(); err != nil {
		return err
	}
	o.read(o.page[o.pos:start])
	o.pos = start
	return nil
}

func (o *Outline) restart(region, pos, number int) {
	o.region, o.pos, o.number = region, pos, number
	o.open = o.open[:0]
}

// readAbove reads the lines between what is read and the page.
func (o *Outline) readAbove() error {
	for k := o.first - 1; k > o.region; k-- {
		text, line, err := o.above(k)
		if err != nil {
			return err
		}
		if at := o.lastOutermost(text); at >= 0 {
			o.restart(k, at, line+bytes.Count(text[:at], lineBreak))
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
func (o *Outline) lastOutermost(text []byte) int {
	for end := len(text); end > 0; {
		start := bytes.LastIndexByte(text[:end-1], '\n') + 1
		if line := text[start : end-1]; indentation(line) == 0 && !o.habits.goesOn(line) {
			return start
		}
		end = start
	}
	return -1
}

// read notes whole lines.
func (o *Outline) read(text []byte) {
	for line := range bytes.Lines(text) {
		o.enter(bytes.TrimSuffix(line, lineBreak))
		o.number++
	}
}

// enter notes the line that is read next.
func (o *Outline) enter(line []byte) {
	indent := indentation(line)
	if indent < 0 || o.habits.goesOn(line) {
		return
	}
	n := len(o.open)
	for n > 0 && o.open[n-1].indent >= indent {
		n--
	}
	l := level{indent: indent}
	if d := o.before(o.number); d != nil && int(d.Line) == o.number {
		l.definition = d
	} else {
		l.definition = o.equated(o.number, line)
	}
	o.open = append(o.open[:n], l)
}

// before returns the last definition on or before a line; of several on its
// line the first.
func (o *Outline) before(number int) *code.Definition {
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

var lineBreak = []byte{'\n'}
