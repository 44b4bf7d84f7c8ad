// Package excerpt chooses the lines of a hit that are shown: those that answer
// the query best, within a budget, with the words that match.
package excerpt

import (
	"bytes"
	"cmp"
	"slices"

	"espy/internal/hit"
)

// lineOverhead is what a shown line costs beside its text: its number and its end.
const lineOverhead = 8

// Passage is the lines of one chunk in the order in which they tell most.
type Passage struct {
	lines []([]byte) // of the chunk, without line ends
	first int        // number of the first
	Order []int      // indexes into lines, most telling first; blank edges and silent lines are left out
}

// NewPassage ranks the lines of a chunk's text that starts at line first.
// worth holds the worth beside its words of a line, as a part of the query's mass.
func NewPassage(text []byte, first int, l *Lens, worth map[int]float64) *Passage {
	p := &Passage{lines: splitLines(text), first: first}
	own := make([]float64, len(p.lines))
	for i, line := range p.lines {
		own[i] = l.line(line) + float64(worth[first+i]*max(l.total, 1))
	}
	score := make([]float64, len(own))
	for i, line := range p.lines {
		score[i] = own[i] + float64(0.3*(at(own, i-1)+at(own, i+1))) + float64(0.1*(at(own, i-2)+at(own, i+2)))
		if len(bytes.TrimSpace(line)) == 0 {
			score[i] /= 2
		}
		p.Order = append(p.Order, i)
	}
	slices.SortStableFunc(p.Order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return p
}

func at(values []float64, i int) float64 {
	if i < 0 || i >= len(values) {
		return 0
	}
	return values[i]
}

// splitLines cuts a text at its line ends. The end of the last line begins no further one.
func splitLines(text []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		lines = append(lines, bytes.TrimSuffix(line, []byte("\r")))
	}
	return lines
}

// Keep limits the passage to its n most telling lines and closes gaps of one
// line among them as long as that leaves n.
func (p *Passage) Keep(n int) {
	if len(p.Order) <= n {
		return
	}
	taken := make([]bool, len(p.lines)+1)
	var kept []int
	for _, i := range p.Order {
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
	p.Order = kept
}

// bridges reports whether line i is missing between two that are taken.
func bridges(taken []bool, i int) bool {
	return i > 0 && i+1 < len(taken) && !taken[i] && taken[i-1] && taken[i+1]
}

// Cost is the bytes that the first n lines in order take when shown.
func (p *Passage) Cost(n int) int {
	sum := 0
	for _, i := range p.Order[:n] {
		sum += min(len(p.lines[i]), hit.MaxLineBytes) + lineOverhead
	}
	return sum
}

// Fit returns how many lines in order fit in a number of bytes, at least one.
func (p *Passage) Fit(limit int) int {
	n, sum := 0, 0
	for n < len(p.Order) {
		sum += min(len(p.lines[p.Order[n]]), hit.MaxLineBytes) + lineOverhead
		if sum > limit && n > 0 {
			break
		}
		n++
	}
	return n
}

// Show returns the first n lines in order, by line number, without blank lines
// at the edges of what is shown together.
func (p *Passage) Show(n int, l *Lens) (lines []hit.Line, cut bool) {
	chosen := slices.Clone(p.Order[:n])
	slices.Sort(chosen)
	for k, i := range chosen {
		if len(bytes.TrimSpace(p.lines[i])) == 0 && p.edge(chosen, k) {
			continue
		}
		text := p.lines[i]
		lines = append(lines, Line(p.first+i, text, 0, len(text), l.matches(text)))
	}
	return lines, p.leavesOut(chosen)
}

// edge reports whether the k-th chosen line stands first or last of a run, or
// next to another blank line.
func (p *Passage) edge(chosen []int, k int) bool {
	i := chosen[k]
	before := k > 0 && chosen[k-1] == i-1
	after := k+1 < len(chosen) && chosen[k+1] == i+1
	return !before || !after || len(bytes.TrimSpace(p.lines[i+1])) == 0
}

// leavesOut reports whether some line that is not blank is not chosen.
func (p *Passage) leavesOut(chosen []int) bool {
	k := 0
	for i, line := range p.lines {
		if k < len(chosen) && chosen[k] == i {
			k++
		} else if len(bytes.TrimSpace(line)) > 0 {
			return true
		}
	}
	return false
}

// Shares divides a number of bytes over hits that would like needs bytes each:
// earlier ones may have more, and what one leaves goes to those after it.
func Shares(needs []int, total int) []int {
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
