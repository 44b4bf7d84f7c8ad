// Package within ranks the places inside files: the functions of its best chunks
// by how much of a long text each speaks of.
package within

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/token"
)

// Term is a term of a text and what it is worth: in all of it, and in its title.
type Term struct {
	Text        string
	Body, Title float64
}

// Place is the part of a function or type that a chunk has, or lines outside of one.
type Place struct {
	Chunk int
	Lines code.Chunk // what of the chunk it is
	Name  string     // of the function or type, "" for none
	Type  string     // that the function is a method of, "" for none

	Function    bool   // it is of a function
	First, Last uint32 // lines of all of it, from 1

	// Of the whole function.
	Words       int
	Said        float64 // part of the terms of its name that the text has (OfName)
	Body, Title float64 // BM25 by all of the text, and by its title
}

// constructors are the names that languages give what makes a value of a type: a text
// names the type instead.
var constructors = map[string]bool{
	"__init__": true, "__new__": true, "__construct": true, "constructor": true, "initialize": true, "init": true, "new": true,
}

// OfName returns what holds of the name of a place, from what holds of its name and of
// its type: of a constructor it is halfway between both where more holds of the type.
func (p *Place) OfName(name, typ float64) float64 {
	if p.Type == "" || typ <= name || !constructors[p.Name] {
		return name
	}
	return (name + typ) / 2
}

// The parameters of BM25 over places: most are short, and few terms stand often.
const (
	saturation = 1.2
	length     = 0.5
	mean       = 120 // words of a place
)

// Ranker ranks the places of one text. It serves one query in one goroutine.
type Ranker struct {
	terms []Term
	index map[string]int   // by text
	words map[string][]int // terms of the words seen
	cache segment.TextCache

	counts []float64
	met    []int
}

// New returns a ranker of the terms of a text.
func New(terms []Term) *Ranker {
	r := &Ranker{terms: terms, index: map[string]int{}, words: map[string][]int{}, counts: make([]float64, len(terms))}
	for i, t := range terms {
		r.index[t.Text] = i
	}
	return r
}

// Places returns the places of some chunks of a file, in the order of both. Worth says
// how much it is worth to show a chunk: the part of a place that is shown is that in
// the chunk that is worth most, the first of equal ones.
func (r *Ranker) Places(s *corpus.Segment, file int, chunks []int, worth func(chunk int) float64) (all []Place, err error) {
	stem := strings.TrimSuffix(path.Base(s.Path(file)), path.Ext(s.Path(file)))
	cut := newCutter(s, file)
	told := newProse(s.Languages()[s.FileTraits()[file].Language])
	open, before := -1, -1 // the definition of the last place, and the chunk before
	for _, c := range chunks {
		if c != before+1 {
			told.begin()
		}
		before = c
		info := s.Chunk(c)
		text, err := s.TextRange(file, int(info.Start), int(info.End), &r.cache)
		if err != nil {
			return nil, err
		}
		pieces, err := cut.cut(c, info, text)
		if err != nil {
			return nil, err
		}
		for _, p := range pieces {
			from, to := linesOf(text, int(p.Lines.StartLine-info.StartLine), int(p.Lines.EndLine-info.StartLine))
			p.Lines.Start, p.Lines.End = info.Start+uint32(from), info.Start+uint32(to)
			if p.definition < 0 || p.definition != open {
				r.judge(all, stem)
				if open = p.definition; open >= 0 {
					told.begin()
				}
				p.First = p.Lines.StartLine
				all = append(all, p.Place)
			}
			last := &all[len(all)-1]
			last.Last = p.Lines.EndLine
			last.Words += r.read(text[from:to], told)
			if worth(c) > worth(last.Chunk) {
				last.Chunk, last.Lines = c, p.Lines
			}
		}
	}
	r.judge(all, stem)
	return all, nil
}

// piece is a place, and the function or type of the outline that it is of, -1 for none.
type piece struct {
	Place
	definition int
}

// cutter cuts the chunks of a file, in their order.
type cutter struct {
	seg       *corpus.Segment
	next, end int     // the first definition that is not passed yet, and the end of all of the file
	before    int     // of those passed the last function or type, -1 for none
	open      []level // of the types passed those that may go on, indented ever more

	chunk int      // whose lines are held, -1 for none
	lines [][]byte // of that chunk
	cache segment.TextCache
}

// level is a type and how far its line is indented.
type level struct{ definition, indent int }

func newCutter(s *corpus.Segment, file int) *cutter {
	next, end := s.DefinitionsOf(file)
	return &cutter{seg: s, next: next, end: end, before: -1, chunk: -1}
}

// hold holds the lines of a chunk.
func (c *cutter) hold(chunk int, text []byte) {
	c.chunk, c.lines = chunk, bytes.Split(text, []byte("\n"))
}

// pass passes the next function or type that begins before a line, and says where; ok is
// false where there is none.
func (c *cutter) pass(before uint32) (line uint32, ok bool, err error) {
	for ; c.next < c.end; c.next++ {
		line, kind := c.seg.DefinitionLine(c.next)
		if line >= before {
			break
		}
		if kind.IsFunc() || kind.IsType() {
			c.before = c.next
			c.next++
			if kind.IsType() {
				err = c.enter()
			}
			return line, true, err
		}
	}
	return 0, false, nil
}

// enter opens the type that was passed last: those that are indented as far end before it.
func (c *cutter) enter() error {
	indent, err := c.indent()
	n := len(c.open)
	for n > 0 && c.open[n-1].indent >= indent {
		n--
	}
	c.open = append(c.open[:n], level{c.before, indent})
	return err
}

// around returns the name of the type that the method passed last is of: the innermost that is
// indented less, else one that is indented alike, for in some languages methods stand
// beside their type; else the last one.
func (c *cutter) around() (string, error) {
	if len(c.open) == 0 {
		return "", nil
	}
	indent, err := c.indent()
	for _, most := range []int{indent - 1, indent, math.MaxInt} {
		for _, l := range slices.Backward(c.open) {
			if l.indent <= most {
				return c.seg.Definition(l.definition).Name, err
			}
		}
	}
	return "", err
}

// indent returns how far the line of what was passed last is indented.
func (c *cutter) indent() (int, error) {
	chunk, _, _ := c.seg.DefinitionPlace(c.before)
	info := c.seg.Chunk(chunk)
	if chunk != c.chunk {
		text, err := c.seg.TextRange(info.File, int(info.Start), int(info.End), &c.cache)
		if err != nil {
			return 0, err
		}
		c.hold(chunk, text)
	}
	at, _ := c.seg.DefinitionLine(c.before)
	if at < info.StartLine || int(at-info.StartLine) >= len(c.lines) {
		return 0, nil
	}
	line := c.lines[at-info.StartLine]
	return len(line) - len(bytes.TrimLeft(line, " \t")), nil
}

// cut cuts a chunk before each function and type that begins in it, with the
// comment or the decorators above it. What stands before the first is of the one before,
// where it is indented.
func (c *cutter) cut(chunk int, info segment.ChunkInfo, text []byte) (all []piece, err error) {
	for ok := true; ok; {
		if _, ok, err = c.pass(info.StartLine); err != nil {
			return nil, err
		}
	}
	c.hold(chunk, text)
	lines := c.lines
	first := piece{Place{Chunk: chunk, Lines: info.Chunk}, -1}
	if c.before >= 0 && goesOn(lines) {
		if first, err = c.named(chunk, info.Chunk); err != nil {
			return nil, err
		}
	}
	all = []piece{first}
	begun := false // the last place begins in the chunk
	for {
		line, ok, err := c.pass(info.EndLine + 1)
		if !ok || err != nil {
			return all, err
		}
		last := &all[len(all)-1]
		for line > last.Lines.StartLine && belongsBelow(lines[line-info.StartLine-1]) {
			line--
		}
		if last.Lines.StartLine == line && begun {
			continue
		}
		p, err := c.named(chunk, code.Chunk{StartLine: line, EndLine: info.EndLine})
		if err != nil {
			return nil, err
		}
		begun = true
		if last.Lines.StartLine == line {
			*last = p
			continue
		}
		last.Lines.EndLine = line - 1
		all = append(all, p)
	}
}

// named returns lines of a chunk as a part of what was passed last.
func (c *cutter) named(chunk int, lines code.Chunk) (p piece, err error) {
	_, kind := c.seg.DefinitionLine(c.before)
	p = piece{Place{Chunk: chunk, Lines: lines, Name: c.seg.Definition(c.before).Name, Function: kind.IsFunc()}, c.before}
	if kind == code.KindMethod {
		p.Type, err = c.around()
	}
	return p, err
}

// goesOn reports whether lines go on with what was begun before them: the first that
// is not blank is indented.
func goesOn(lines [][]byte) bool {
	for _, l := range lines {
		if len(bytes.TrimSpace(l)) > 0 {
			return l[0] == ' ' || l[0] == '\t'
		}
	}
	return false
}

// belongsBelow reports whether a line is part of what the next one declares: of a
// comment, or a decorator.
func belongsBelow(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	for _, mark := range []string{"//", "#", "*", "/*", "@", "--", ";;"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// linesOf returns the bytes of lines first to last of a text, counted from 0.
func linesOf(text []byte, first, last int) (from, to int) {
	for n := 0; n <= last; n++ {
		if n == first {
			from = to
		}
		i := bytes.IndexByte(text[to:], '\n')
		if i < 0 {
			return from, len(text)
		}
		to += i + 1
	}
	return from, to
}

// How often a name counts as if it stood in the text once more.
const (
	timesName = 2
	timesType = 1 // of the type that it is a method of
	timesStem = 1 // of the file
)

// judge says what the last place is worth by BM25 over its text, whose terms are counted,
// and its names.
func (r *Ranker) judge(all []Place, stem string) {
	if len(all) == 0 {
		return
	}
	p := &all[len(all)-1]
	r.count([]byte(p.Name), timesName)
	r.count([]byte(p.Type), timesType)
	r.count([]byte(stem), timesStem)
	norm := saturation * (1 - length + float64(length*float64(p.Words)/mean))
	slices.Sort(r.met)
	for _, t := range r.met {
		n := r.counts[t]
		often := n * (saturation + 1) / (n + norm)
		p.Body += float64(r.terms[t].Body * often)
		p.Title += float64(r.terms[t].Title * often)
		r.counts[t] = 0
	}
	r.met = r.met[:0]
	p.Said = p.OfName(r.said(p.Name), r.said(p.Type))
}

// read counts the terms of lines, those of prose less, and returns how many words they have.
func (r *Ranker) read(text []byte, told *prose) (words int) {
	for line := range bytes.Lines(text) {
		times := 1.0
		if told.has(line) {
			times = timesProse
		}
		words += r.count(line, times)
	}
	return words
}

// count counts the terms of a text, each so often, and returns how many words it has.
func (r *Ranker) count(text []byte, times float64) (words int) {
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		words++
		for _, t := range r.word(text[start:end]) {
			if r.counts[t] == 0 {
				r.met = append(r.met, t)
			}
			r.counts[t] += times
		}
	}
	return words
}

// said returns which part of the terms of a name the text has.
func (r *Ranker) said(name string) float64 {
	terms := token.Analyze(name).Terms
	n := 0
	for _, t := range terms {
		if _, ok := r.index[t]; ok {
			n++
		}
	}
	return float64(n) / float64(max(len(terms), 1))
}

// word returns the terms of a word.
func (r *Ranker) word(w []byte) []int {
	found, seen := r.words[string(w)]
	if seen {
		return found
	}
	a := token.Analyze(string(w))
	if i, ok := r.index[a.Compound]; ok {
		found = append(found, i)
	}
	for _, t := range a.Terms {
		if i, ok := r.index[t]; ok {
			found = append(found, i)
		}
	}
	r.words[string(w)] = found
	return found
}
