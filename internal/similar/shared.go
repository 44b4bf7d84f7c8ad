package similar

import (
	"espy/internal/similar/shingle"
)

// shared returns the runs of whole lines that a match shares.
func shared(r *region, m *shingle.Match) (runs []Shared) {
	of := make([]int, m.End-m.Start) // by token of the match: that of the pattern, -1 for none
	for i := range of {
		of[i] = -1
	}
	for _, t := range m.Tiles {
		for i := range t.Len {
			of[t.B+i-m.Start] = t.A + i
		}
	}
	last := -2 // token of the pattern that the run ends with
	for i := 0; i < len(of); {
		end := i + 1
		for end < len(of) && r.tokens[m.Start+end].Line == r.tokens[m.Start+i].Line {
			end++
		}
		l := lineOf(r, m.Start+i, of[i:end])
		if l.whole && r.cut(m, i, end) {
			l.whole = false
		}
		switch {
		case !l.whole:
			last = -2
		case len(runs) > 0 && of[i] == last+1 && runs[len(runs)-1].Renamed == l.Renamed:
			run := &runs[len(runs)-1]
			run.Last, run.OwnLast = max(run.Last, l.Last), max(run.OwnLast, l.OwnLast)
			last = of[end-1]
		default:
			runs = append(runs, l.Shared)
			last = of[end-1]
		}
		i = end
	}
	return runs
}

// cut reports whether the tokens [i, end) of a match are not all of their line.
func (r *region) cut(m *shingle.Match, i, end int) bool {
	first, last := m.Start+i, m.Start+end-1
	return first > 0 && i == 0 && r.tokens[first-1].LastLine == r.tokens[first].Line ||
		last+1 < len(r.tokens) && r.tokens[last+1].Line == r.tokens[last].Line
}

// sharedLine is a line, and whether all of it is shared.
type sharedLine struct {
	Shared
	whole bool
}

// lineOf looks at the tokens of a line, from one on, and those of the pattern that
// they share.
func lineOf(r *region, from int, of []int) (l sharedLine) {
	own := r.pattern.Tokens
	for i, a := range of {
		if a < 0 || i > 0 && a != of[i-1]+1 {
			return l
		}
		t := &r.tokens[from+i]
		l.Last = max(l.Last, int(t.LastLine))
		l.OwnLast = max(l.OwnLast, int(own[a].LastLine))
		l.Renamed = l.Renamed || own[a].Exact != t.Exact
	}
	l.First, l.OwnFirst, l.whole = int(r.tokens[from].Line), int(own[of[0]].Line), true
	return l
}
