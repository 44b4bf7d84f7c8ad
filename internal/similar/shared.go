package similar

import (
	"espy/internal/similar/shingle"
)

// shared returns the runs of whole lines that a match shares.
func shared(own, tokens []shingle.Token, m *shingle.Match) []Shared {
	var runs []sharedLine
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
		for end < len(of) && tokens[m.Start+end].Line == tokens[m.Start+i].Line {
			end++
		}
		l := lineOf(own, tokens[m.Start+i:], of[i:end])
		if l.whole && cut(tokens, m.Start+i, m.Start+end, i == 0) {
			l.whole = false
		}
		if !l.whole {
			last = -2
		} else {
			if len(runs) == 0 || of[i] != last+1 || !runs[len(runs)-1].join(l) {
				runs = append(runs, l)
			}
			last = of[end-1]
		}
		i = end
	}
	return telling(runs)
}

// telling returns the runs that have a word.
func telling(runs []sharedLine) (out []Shared) {
	for _, l := range runs {
		if l.words {
			out = append(out, l.Shared)
		}
	}
	return out
}

// join makes a line part of the run of lines before it, if both are renamed or
// both are not. Lines of punctuation go with either.
func (l *sharedLine) join(next sharedLine) bool {
	if l.words && next.words && l.Renamed != next.Renamed {
		return false
	}
	l.Last, l.OwnLast = max(l.Last, next.Last), max(l.OwnLast, next.OwnLast)
	l.Renamed, l.words = l.Renamed || next.Renamed, l.words || next.words
	return true
}

// cut reports whether tokens [first, end) are not all of their line. Before those
// that a match begins with, there may be others on it.
func cut(tokens []shingle.Token, first, end int, begins bool) bool {
	return begins && first > 0 && tokens[first-1].LastLine == tokens[first].Line ||
		end < len(tokens) && tokens[end].Line == tokens[end-1].Line
}

// sharedLine is a line, or a run of them.
type sharedLine struct {
	Shared
	whole bool // all of it is shared
	words bool // it has more than punctuation
}

// lineOf looks at the tokens of a line, and those of the pattern that they share.
func lineOf(own, tokens []shingle.Token, of []int) (l sharedLine) {
	for i, a := range of {
		if a < 0 || i > 0 && a != of[i-1]+1 {
			return l
		}
		t := &tokens[i]
		l.Last = max(l.Last, int(t.LastLine))
		l.OwnLast = max(l.OwnLast, int(own[a].LastLine))
		l.Renamed = l.Renamed || own[a].Exact != t.Exact
		l.words = l.words || t.IsWord()
	}
	l.First, l.OwnFirst, l.whole = int(tokens[0].Line), int(own[of[0]].Line), true
	return l
}
