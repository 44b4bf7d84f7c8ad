package resolve

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Related is a symbol that stands in a relation to another.
type Related struct {
	corpus.Ref
	Confidence facts.Confidence
	Reason     string
	By         int32 // the use in its file that says so; None where there is none
}

// maxRelated bounds the types that a walk over a hierarchy finds.
const maxRelated = 5000

// closure follows a relation from a type, nearest first.
func (q *Question) closure(r corpus.Ref, next func(corpus.Ref) []Related) []Related {
	seen := map[corpus.Ref]bool{r: true}
	var all []Related
	queue := []Related{{Ref: r, By: facts.None}}
	for len(queue) > 0 && len(all) < maxRelated {
		t := queue[0]
		queue = queue[1:]
		if q.late() {
			continue
		}
		for _, n := range next(t.Ref) {
			if seen[n.Ref] {
				continue
			}
			seen[n.Ref] = true
			n.Confidence = max(n.Confidence, t.Confidence)
			all = append(all, n)
			queue = append(queue, n)
		}
	}
	return all
}
