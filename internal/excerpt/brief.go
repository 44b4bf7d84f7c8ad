package excerpt

import "espy/internal/hit"

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
// likelier a hit is to answer, by its score among the scores of all, the more it
// shows, and where a few lines are all that a hit could have, it has none. MaxTokens
// bounds the whole answer; 0 stands for a room of its own.
func Brief(hits []hit.Hit, snippets []*Snippet, maxTokens int) {
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
	for i, size := range portions(hits, needs, room) {
		if size > 0 {
			hits[i].Lines, hits[i].Cut = snippets[i].show(size)
		}
	}
}

// portions divides a number of bytes over hits by their chances. What one leaves
// goes to those after it; one that would have too little has nothing.
func portions(hits []hit.Hit, needs []int, room int) []int {
	out := make([]int, len(hits))
	chances, all, falls := make([]float64, len(hits)), 0.0, 1.0
	for i := range hits {
		chances[i] = float64(hits[i].Score * falls)
		all += chances[i]
		falls *= perRank
	}
	for i, need := range needs {
		part := 0
		if all > 0 && room > 0 {
			part = int(float64(room) * float64(chances[i]/all))
		}
		all -= chances[i]
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
