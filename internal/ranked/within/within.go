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
	Said        float64 // part of the terms of its name that the text has
	Body, Title float64 // BM25 by all of the text, and by its title
}

// The parameters of BM25 over places: most are short, and few terms stand often.
const (
	saturation = 1.2
	length     = 0.5
	mean       = 120 // words of a place
)

// Ranker ranks the places of one text. It serves one query in one goroutine.
type Ranker struct {
	terms  []Term
	index  map[string]int   // by text
	words  map[string][]int // terms of the words seen
	cache  segment.TextCache
	wholes segment.TextCache // of whole functions, so that the text of a chunk stays

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

// Places returns the places of some chunks of a file, in their order. Of a function that
// several of them have a part of, it is the first part.
func (r *Ranker) Places(s *corpus.Segment, file int, chunks []int) (all []Place, err error) {
	known := map[int]bool{}
	stem := strings.TrimSuffix(path.Base(s.Path(file)), path.Ext(s.Path(file)))
	for _, c := range chunks {
		info := s.Chunk(c)
		text, err := s.TextRange(file, int(info.Start), int(info.End), &r.cache)
		if err != nil {
			return nil, err
		}
		for _, p := range cut(s, file, c, info, text) {
			if p.definition >= 0 && known[p.definition] {
				continue
			}
			known[p.definition] = true
			from, to := linesOf(text, int(p.Lines.StartLine-info.StartLine), int(p.Lines.EndLine-info.StartLine))
			p.Lines.Start, p.Lines.End = info.Start+uint32(from), info.Start+uint32(to)
			p.First, p.Last = p.Lines.StartLine, p.Lines.EndLine
			whole := text[from:to]
			if p.definition >= 0 {
				if whole, err = r.whole(s, file, &p); err != nil {
					return nil, err
				}
			}
			r.judge(&p.Place, whole, stem)
			all = append(all, p.Place)
		}
	}
	return all, nil
}

// piece is a place, and the function or type of the outline that it is of, -1 for none.
type piece struct {
	Place
	definition int
}

// cut cuts a chunk before each function and type that begins in it, with the
// comment or the decorators above it. What stands before the first is of the one before,
// where it is indented.
func cut(s *corpus.Segment, file, chunk int, info segment.ChunkInfo, text []byte) []piece {
	above := bytes.Split(text, []byte("\n"))
	all := []piece{{Place{Chunk: chunk, Lines: info.Chunk}, -1}}
	first, end := s.DefinitionsOf(file)
	before, typ, next := outside(s, first, end, info.StartLine)
	named := func(i int, kind code.Kind) piece {
		p := piece{Place{Chunk: chunk, Lines: info.Chunk, Name: s.Definition(i).Name, Function: kind.IsFunc()}, i}
		if kind == code.KindMethod && typ >= 0 {
			p.Type = s.Definition(typ).Name
		}
		return p
	}
	if before >= 0 && goesOn(above) {
		_, kind := s.DefinitionLine(before)
		all[0] = named(before, kind)
	}
	begun := false // the last place begins in the chunk
	for i := next; i < end; i++ {
		line, kind := s.DefinitionLine(i)
		if line > info.EndLine {
			break
		}
		if !kind.IsFunc() && !kind.IsType() {
			continue
		}
		if kind.IsType() {
			typ = i
		}
		last := &all[len(all)-1]
		for line > last.Lines.StartLine && belongsBelow(above[line-info.StartLine-1]) {
			line--
		}
		if last.Lines.StartLine == line {
			if !begun {
				*last, begun = named(i, kind), true
			}
			continue
		}
		last.Lines.EndLine = line - 1
		p := named(i, kind)
		p.Lines.StartLine = line
		all, begun = append(all, p), true
	}
	return all
}

// outside returns of the definitions of a file that begin before a line the last function
// or type, and the last type, -1 for none, and the first definition that does not.
func outside(s *corpus.Segment, first, end int, start uint32) (before, typ, next int) {
	before, typ = -1, -1
	for next = first; next < end; next++ {
		line, kind := s.DefinitionLine(next)
		if line >= start {
			break
		}
		if kind.IsType() {
			typ = next
		}
		if kind.IsFunc() || kind.IsType() {
			before = next
		}
	}
	return before, typ, next
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

// maxWhole is how many chunks of a function are read.
const maxWhole = 8

// whole returns the text of a function or type, up to the next one, and says which lines
// it has.
func (r *Ranker) whole(s *corpus.Segment, file int, p *piece) ([]byte, error) {
	_, end := s.DefinitionsOf(file)
	_, after := s.ChunksOf(file)
	p.First, _ = s.DefinitionLine(p.definition)
	p.Last = s.Chunk(after - 1).EndLine
	for i := p.definition + 1; i < end; i++ {
		if line, kind := s.DefinitionLine(i); line > p.First && (kind.IsFunc() || kind.IsType()) {
			p.Last = line - 1
			break
		}
	}
	c := s.Definition(p.definition).Chunk
	a := s.Chunk(c)
	b := a
	for n := c + 1; n < min(after, c+maxWhole) && b.EndLine < p.Last; n++ {
		b = s.Chunk(n)
	}
	p.Last = min(p.Last, b.EndLine)
	text, err := s.TextRange(file, int(a.Start), int(b.End), &r.wholes)
	if err != nil {
		return nil, err
	}
	from, to := linesOf(text, int(p.First-a.StartLine), int(p.Last-a.StartLine))
	return text[from:to], nil
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

// judge says what a place is worth by BM25 over a text and its names.
func (r *Ranker) judge(p *Place, text []byte, stem string) {
	p.Words = r.count(text, 1)
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
	p.Said = r.said(p.Name)
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
