// Package excerpt chooses the lines of a hit that are shown: those that answer
// the query best, within a budget, with the words that match.
package excerpt

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"espy/internal/hit"
)

// lineOverhead is what a shown line costs beside its text: its number and its end.
const lineOverhead = 8

// importWorth is what a line of an import is worth, as a part of what another line with its
// words is.
const importWorth = 0.3

// Chunk is a run of lines of which some are shown.
type Chunk struct {
	source      Source
	highlighter *Highlighter
	first       int      // number of its first line
	lines       [][]byte // without line ends
	starts      []int    // of the lines, bytes in the chunk
	taken       []bool   // by line: it is of an import
	sets        []uint64 // by line: the terms in it, see terms
}

// NewChunk returns the lines of a source, the first of which has a number.
func NewChunk(source Source, first int, h *Highlighter) *Chunk {
	c := &Chunk{source: source, highlighter: h, first: first}
	c.lines, c.starts = splitLines(source.Text)
	c.taken = imports(c.lines)
	return c
}

// terms returns the terms of the query in each line, as bits.
func (c *Chunk) terms() []uint64 {
	if c.sets == nil {
		c.sets = make([]uint64, len(c.lines))
		for i, line := range c.lines {
			c.sets[i] = c.highlighter.set(line)
		}
	}
	return c.sets
}

// Snippet is the lines of one chunk in the order in which they tell most.
type Snippet struct {
	*Chunk
	order []int // indexes into lines, most telling first
}

// Ranked ranks the lines of a chunk. Worth is what lines by their numbers are worth beside
// their words, as a part of the weight of the query.
func (c *Chunk) Ranked(worth map[int]float64) *Snippet {
	s := &Snippet{Chunk: c, order: make([]int, 0, len(c.lines))}
	values := make([]float64, 2*len(c.lines))
	own, score := values[:len(c.lines)], values[len(c.lines):]
	for i, set := range c.terms() {
		own[i] = c.highlighter.weigh(set) + float64(worth[c.first+i]*max(c.highlighter.total, 1))
		if c.taken[i] {
			own[i] *= importWorth
		}
	}
	for i, line := range c.lines {
		score[i] = own[i] + float64(0.3*(at(own, i-1)+at(own, i+1))) + float64(0.1*(at(own, i-2)+at(own, i+2)))
		if len(bytes.TrimSpace(line)) == 0 {
			score[i] /= 2
		}
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return s
}

// matches returns the ranges of the words of a line that answer the query.
func (c *Chunk) matches(line int) [][2]int {
	if c.terms()[line] == 0 {
		return nil
	}
	return c.highlighter.matches(c.lines[line])
}

// notice counts the first lines that are a notice of copyright, 0 where the query asks
// for one or its most telling line is of it.
func (s *Snippet) notice() int {
	if s.first > 3 || s.highlighter.asksOfNotice() {
		return 0
	}
	n := notice(s.lines)
	if len(s.order) == 0 || s.order[0] < n {
		return 0
	}
	return n
}

func at(values []float64, i int) float64 {
	if i < 0 || i >= len(values) {
		return 0
	}
	return values[i]
}

// splitLines cuts a text at its line ends. The end of the last line begins no further one.
func splitLines(text []byte) (lines [][]byte, starts []int) {
	n := bytes.Count(text, []byte("\n")) + 1
	lines, starts = make([][]byte, 0, n), make([]int, 0, n)
	at := 0
	for line := range bytes.Lines(text) {
		starts = append(starts, at)
		at += len(line)
		line = bytes.TrimSuffix(line, []byte("\n"))
		lines = append(lines, bytes.TrimSuffix(line, []byte("\r")))
	}
	return lines, starts
}

// Spot is a line of a chunk.
type Spot struct {
	Line       int // its number
	Start, End int // its bytes in the chunk
	At         int // the first word of it that matches, else the first of its text
}

// Spots yields the lines that are not blank, the most telling first.
func (s *Snippet) Spots() iter.Seq[Spot] {
	return func(yield func(Spot) bool) {
		for _, i := range s.order {
			if line := s.lines[i]; len(bytes.TrimSpace(line)) > 0 && !yield(s.spot(i)) {
				return
			}
		}
	}
}

func (s *Snippet) spot(i int) Spot {
	line := s.lines[i]
	start := s.starts[i]
	at := start + len(line) - len(bytes.TrimLeft(line, " \t"))
	if found := s.matches(i); len(found) > 0 {
		at = start + found[0][0]
	}
	return Spot{s.first + i, start, start + len(line), at}
}

// Prefer makes a line the most telling one.
func (s *Snippet) Prefer(line int) {
	i := slices.Index(s.order, line-s.first)
	copy(s.order[1:i+1], s.order[:i])
	s.order[0] = line - s.first
}

// Keep limits the snippet to its n most telling lines and closes gaps of one
// line among them as long as that leaves n. A notice of copyright is not kept.
func (s *Snippet) Keep(n int) {
	if own := s.notice(); own > 0 {
		s.order = slices.DeleteFunc(s.order, func(i int) bool { return i < own })
	}
	if len(s.order) <= n {
		return
	}
	taken := make([]bool, len(s.lines)+1)
	var kept []int
	for _, i := range s.order {
		if len(kept) == n {
			break
		}
		if taken[i] {
			continue
		}
		taken[i] = true
		kept = append(kept, i)
		for _, gap := range [2]int{i - 1, i + 1} {
			if bridges(taken, gap) && len(kept) < n {
				taken[gap] = true
				kept = append(kept, gap)
			}
		}
	}
	s.order = kept
}

// bridges reports whether line i is missing between two that are taken.
func bridges(taken []bool, i int) bool {
	return i > 0 && i+1 < len(taken) && !taken[i] && taken[i-1] && taken[i+1]
}

// size is the bytes that line i takes when shown.
func (s *Snippet) size(i int) int { return min(len(s.lines[i]), hit.MaxLineBytes) + lineOverhead }

// whole is the bytes that all lines of the snippet take when shown.
func (s *Snippet) whole() int {
	sum := 0
	for _, i := range s.order {
		sum += s.size(i)
	}
	return sum
}

// fit returns how many lines in order fit in a number of bytes, at least one.
func (s *Snippet) fit(limit int) int {
	n, sum := 0, 0
	for n < len(s.order) {
		if sum += s.size(s.order[n]); sum > limit && n > 0 {
			break
		}
		n++
	}
	return n
}

// show returns the most telling lines that fit in a number of bytes, at least
// one, by line number, without blank lines at the edges of what is shown
// together. With cut a line of the chunk that is not blank is left out.
func (s *Snippet) show(limit int) (lines []hit.Line, cut bool) {
	chosen := slices.Clone(s.order[:s.fit(limit)])
	slices.Sort(chosen)
	lines = make([]hit.Line, 0, len(chosen))
	for k, i := range chosen {
		if len(bytes.TrimSpace(s.lines[i])) == 0 && s.isEdge(chosen, k) {
			continue
		}
		start, end := s.starts[i], s.starts[i]+len(s.lines[i])
		matches := s.matches(i)
		for k := range matches {
			matches[k][0], matches[k][1] = matches[k][0]+start, matches[k][1]+start
		}
		lines = append(lines, s.source.Line(s.first+i, start, end, matches))
	}
	return lines, s.leavesOut(chosen)
}

// isEdge reports whether the k-th chosen line stands first or last of a run, or
// next to another blank line.
func (s *Snippet) isEdge(chosen []int, k int) bool {
	i := chosen[k]
	before := k > 0 && chosen[k-1] == i-1
	after := k+1 < len(chosen) && chosen[k+1] == i+1
	return !before || !after || len(bytes.TrimSpace(s.lines[i+1])) == 0
}

// leavesOut reports whether some line that is not blank is not chosen.
func (s *Snippet) leavesOut(chosen []int) bool {
	k := 0
	for i, line := range s.lines {
		if k < len(chosen) && chosen[k] == i {
			k++
		} else if len(bytes.TrimSpace(line)) > 0 {
			return true
		}
	}
	return false
}

// Fill fills in the lines of hits, each of its snippet; nil for a hit without one.
// MaxTokens bounds them all together; 0 leaves them unbounded.
func Fill(hits []hit.Hit, snippets []*Snippet, maxTokens int) {
	sizes := make([]int, len(hits))
	for i, s := range snippets {
		if s != nil {
			sizes[i] = s.whole()
		}
	}
	if maxTokens > 0 {
		sizes = shares(sizes, 4*maxTokens)
	}
	for i, s := range snippets {
		if s != nil {
			hits[i].Lines, hits[i].Cut = s.show(sizes[i])
		}
	}
}

// shares divides a number of bytes over hits that would like needs bytes each:
// earlier ones may have more, and what one leaves goes to those after it.
func shares(needs []int, total int) []int {
	weights := 0.0
	for i := range needs {
		weights += shareWeight(i)
	}
	out := make([]int, len(needs))
	for i, need := range needs {
		out[i] = min(need, int(float64(total)*shareWeight(i)/weights))
		total -= out[i]
		weights -= shareWeight(i)
	}
	for i, need := range needs { // what the last ones left
		more := min(need-out[i], total)
		out[i] += more
		total -= more
	}
	return out
}

func shareWeight(i int) float64 { return 1 / (1 + float64(i)/5) }
