package excerpt

import (
	"bytes"

	"espy/internal/hit"
)

// What a brief answer shows.
const (
	briefTokens = 600 // of lines, where no bound is given
	briefHit    = 40  // bytes of the line that names a hit, beside its path and symbol
	briefFrame  = 360 // bytes of the first line and the last ones
	leastLines  = 120 // bytes of lines below which a hit shows its place only
	mostLines   = 40  // lines of one hit
	perRank     = 0.8 // part of the room of a hit that the next one with the same score has
)

// Brief fills in the lines of ranked hits where their room is best spent: the
// likelier a hit is to answer, the more it shows, and where a few lines are all that
// a hit could have, it has none. Chances say how likely each hit is to, from 0 to 1;
// nil takes the scores. MaxTokens bounds the whole answer; 0 stands for a room of its
// own.
func Brief(hits []hit.Hit, snippets []*Snippet, chances []float64, maxTokens int) {
	room := 4 * briefTokens
	if maxTokens > 0 {
		room = 4*maxTokens - briefFrame
		for i := range hits {
			room -= len(hits[i].Path) + len(hits[i].Symbol) + briefHit
		}
	}
	needs := make([]int, len(hits))
	for i, s := range snippets {
		if s != nil {
			s.Keep(mostLines)
			needs[i] = s.whole()
		}
	}
	if chances == nil {
		chances = make([]float64, len(hits))
		for i := range hits {
			chances[i] = hits[i].Score
		}
	}
	for i, size := range portions(chances, needs, room) {
		if size > 0 {
			hits[i].Lines, hits[i].Cut = snippets[i].show(size)
		}
	}
}

// portions divides a number of bytes over hits by their chances. What one leaves
// goes to those after it; one that would have too little has nothing.
func portions(chances []float64, needs []int, room int) []int {
	out := make([]int, len(needs))
	weights, all, falls := make([]float64, len(needs)), 0.0, 1.0
	for i, chance := range chances {
		weights[i] = float64(chance * falls)
		all += weights[i]
		falls *= perRank
	}
	for i, need := range needs {
		part := 0
		if all > 0 && room > 0 {
			part = int(float64(room) * float64(weights[i]/all))
		}
		all -= weights[i]
		if i == 0 {
			part = max(part, leastLines)
		}
		if part = min(part, need); part < min(leastLines, need) || part == 0 {
			continue
		}
		out[i] = part
		room -= part
	}
	return out
}

// docLines is how many lines above a definition are worth more than what follows it.
const docLines = 3

// Define limits the snippet to the definition on a line, as its text is laid out:
// from its documentation to where the next of other definitions begins that is
// indented as little. The line itself tells most, then the first lines of what is
// written about it, then what follows.
func (s *Snippet) Define(line int, others []int) {
	at := line - s.first
	if at < 0 || at >= len(s.lines) {
		return
	}
	end := len(s.lines)
	for _, other := range others {
		if i := other - s.first; i > at && i < end && indent(s.lines[i]) <= indent(s.lines[at]) {
			end = s.heads(i)
		}
	}
	first := s.heads(at)
	told := min(first+docLines, at)
	s.order = append(s.order[:0], at)
	for _, run := range [][2]int{{first, told}, {at + 1, end}, {told, at}} {
		for i := run[0]; i < run[1]; i++ {
			s.order = append(s.order, i)
		}
	}
}

// Uses limits the snippet to the n most telling of the lines that hold a term.
func (s *Snippet) Uses(term string, n int) {
	at, ok := s.highlighter.terms[term]
	var kept []int
	for _, i := range s.order {
		if ok && len(kept) < n && s.terms()[i]>>at&1 != 0 {
			kept = append(kept, i)
		}
	}
	s.order = kept
}

// heads returns where what stands above a definition without a gap begins.
func (s *Snippet) heads(at int) int {
	for at > 0 {
		above := bytes.TrimSpace(s.lines[at-1])
		if len(above) < 2 || indent(s.lines[at-1]) != indent(s.lines[at]) || above[0] == '}' || bytes.HasPrefix(above, []byte("end")) {
			break
		}
		at--
	}
	return at
}

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
