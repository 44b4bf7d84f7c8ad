// Package within ranks the places inside files: the functions of its best chunks
// by how much of a long text each speaks of.
package within

import (
	"bytes"
	"slices"

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

// Place is a function of a file, or lines outside of one.
type Place struct {
	Chunk int
	Lines code.Chunk // what of the chunk it is
	Name  string     // of what it defines, "" for none

	Said float64 // part of the terms of the name that the text has

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

// Places returns the places of some chunks of a file.
func (r *Ranker) Places(s *corpus.Segment, file int, chunks []int) (all []Place, err error) {
	for _, c := range chunks {
		info := s.Chunk(c)
		text, err := s.TextRange(file, int(info.Start), int(info.End), &r.cache)
		if err != nil {
			return nil, err
		}
		for _, p := range cut(s, file, c, info, text) {
			from, to := linesOf(text, int(p.Lines.StartLine-info.StartLine), int(p.Lines.EndLine-info.StartLine))
			p.Lines.Start, p.Lines.End = info.Start+uint32(from), info.Start+uint32(to)
			p.Body, p.Title = r.score(text[from:to])
			p.Said = r.said(p.Name)
			all = append(all, p)
		}
	}
	return all, nil
}

// cut cuts a chunk before each function and type that begins in it, with the
// comment or the decorators above it.
func cut(s *corpus.Segment, file, chunk int, info segment.ChunkInfo, text []byte) []Place {
	above := bytes.Split(text, []byte("\n"))
	all := []Place{{Chunk: chunk, Lines: info.Chunk}}
	first, end := s.DefinitionsOf(file)
	for i := first; i < end; i++ {
		line, kind := s.DefinitionLine(i)
		if line > info.EndLine {
			break
		}
		if line < info.StartLine || !kind.IsFunc() && !kind.IsType() {
			continue
		}
		last := &all[len(all)-1]
		name := s.Definition(i).Name
		for line > last.Lines.StartLine && belongsBelow(above[line-info.StartLine-1]) {
			line--
		}
		if last.Lines.StartLine == line {
			if last.Name == "" {
				last.Name = name
			}
			continue
		}
		last.Lines.EndLine = line - 1
		next := Place{Chunk: chunk, Lines: info.Chunk, Name: name}
		next.Lines.StartLine = line
		all = append(all, next)
	}
	return all
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

// score returns what a text is worth by BM25.
func (r *Ranker) score(text []byte) (body, title float64) {
	words := 0
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		words++
		for _, t := range r.word(text[start:end]) {
			if r.counts[t]++; r.counts[t] == 1 {
				r.met = append(r.met, t)
			}
		}
	}
	norm := saturation * (1 - length + float64(length*float64(words)/mean))
	slices.Sort(r.met)
	for _, t := range r.met {
		n := float64(r.counts[t])
		often := n * (saturation + 1) / (n + norm)
		body += float64(r.terms[t].Body * often)
		title += float64(r.terms[t].Title * often)
		r.counts[t] = 0
	}
	r.met = r.met[:0]
	return body, title
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
