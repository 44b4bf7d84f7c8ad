// Package within ranks the places inside files: the functions of its best chunks
// by how much of a long text each speaks of.
package within

import (
	"bytes"
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

	counts []int
	met    []int
}

// New returns a ranker of the terms of a text.
func New(terms []Term) *Ranker {
	r := &Ranker{terms: terms, index: map[string]int{}, words: map[string][]int{}, counts: make([]int, len(terms))}
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
	open := -1 // the definition of the last place
	for _, c := range chunks {
		info := s.Chunk(c)
		text, err := s.TextRange(file, int(info.Start), int(info.End), &r.cache)
		if err != nil {
			return nil, err
		}
		for _, p := range cut.chunk(c, info, text) {
			from, to := linesOf(text, int(p.Lines.StartLine-info.StartLine), int(p.Lines.EndLine-info.StartLine))
			p.Lines.Start, p.Lines.End = info.Start+uint32(from), info.Start+uint32(to)
			if p.definition < 0 || p.definition != open {
				r.judge(all, stem)
				open = p.definition
				p.First = p.Lines.StartLine
				all = append(all, p.Place)
			}
			last := &all[len(all)-1]
			last.Last = p.Lines.EndLine
			last.Words += r.count(text[from:to], 1)
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
	seg         *corpus.Segment
	next, end   int // the first definition that is not passed yet, and the end of all of the file
	before, typ int // of those passed the last function or type, and the last type, -1 for none
}

func newCutter(s *corpus.Segment, file int) *cutter {
	next, end := s.DefinitionsOf(file)
	return &cutter{s, next, end, -1, -1}
}

// pass passes the next function or type that begins before a line, and says where; ok is
// false where there is none.
func (c *cutter) pass(before uint32) (line uint32, ok bool) {
	for ; c.next < c.end; c.next++ {
		line, kind := c.seg.DefinitionLine(c.next)
		if line >= before {
			break
		}
		if kind.IsType() {
			c.typ = c.next
		}
		if kind.IsFunc() || kind.IsType() {
			c.before = c.next
			c.next++
			return line, true
		}
	}
	return 0, false
}

// chunk cuts a chunk before each function and type that begins in it, with the
// comment or the decorators above it. What stands before the first is of the one before,
// where it is indented.
func (c *cutter) chunk(chunk int, info segment.ChunkInfo, text []byte) []piece {
	for ok := true; ok; {
		_, ok = c.pass(info.StartLine)
	}
	lines := bytes.Split(text, []byte("\n"))
	all := []piece{{Place{Chunk: chunk, Lines: info.Chunk}, -1}}
	if c.before >= 0 && goesOn(lines) {
		all[0] = c.named(chunk, info.Chunk)
	}
	begun := false // the last place begins in the chunk
	for {
		line, ok := c.pass(info.EndLine + 1)
		if !ok {
			return all
		}
		last := &all[len(all)-1]
		for line > last.Lines.StartLine && belongsBelow(lines[line-info.StartLine-1]) {
			line--
		}
		if last.Lines.StartLine == line {
			if !begun {
				*last, begun = c.named(chunk, last.Lines), true
			}
			continue
		}
		last.Lines.EndLine = line - 1
		all, begun = append(all, c.named(chunk, code.Chunk{StartLine: line, EndLine: info.EndLine})), true
	}
}

// named returns lines of a chunk as a part of what was passed last.
func (c *cutter) named(chunk int, lines code.Chunk) piece {
	_, kind := c.seg.DefinitionLine(c.before)
	p := piece{Place{Chunk: chunk, Lines: lines, Name: c.seg.Definition(c.before).Name, Function: kind.IsFunc()}, c.before}
	if kind == code.KindMethod && c.typ >= 0 {
		p.Type = c.seg.Definition(c.typ).Name
	}
	return p
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
		n := float64(r.counts[t])
		often := n * (saturation + 1) / (n + norm)
		p.Body += float64(r.terms[t].Body * often)
		p.Title += float64(r.terms[t].Title * often)
		r.counts[t] = 0
	}
	r.met = r.met[:0]
	p.Said = p.OfName(r.said(p.Name), r.said(p.Type))
}

// count counts the terms of a text, each so often, and returns how many words it has.
func (r *Ranker) count(text []byte, times int) (words int) {
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
