package include

import "espy/internal/resolve/corpus"

// maxBits bounds the files of a reach.
const maxBits = 64

// reach tells, of some files, which of them each other file includes, by others too.
// What a circle of files reaches is found together (Tarjan, Depth-first search and
// linear graph algorithms, 1972), so that every file is gone through once, however
// many are asked about.
type reach struct {
	graph *Graph
	files []corpus.FileID // sorted
	found []reached       // by file
	count int32
	open  []corpus.FileID // of circles that are not closed
}

// reached is what is known of a file: nothing while order is 0.
type reached struct {
	order int32 // in which it was met
	low   int32 // the first that it leads back to; 0 once its circle is closed
	files uint64
}

func newReach(g *Graph, files []corpus.FileID) *reach {
	r := &reach{graph: g, files: files, found: make([]reached, len(g.lines.files))}
	for k, id := range files {
		r.found[id].files = 1 << k
	}
	return r
}

// from returns the files that a file reaches, a bit each.
func (r *reach) from(id corpus.FileID) uint64 {
	if r.found[id].order == 0 {
		r.visit(id)
	}
	return r.found[id].files
}

// step is a file that is gone through, and the next of what it includes.
type step struct {
	id   corpus.FileID
	next int
}

func (r *reach) visit(root corpus.FileID) {
	way := []step{r.enter(root)}
	for len(way) > 0 {
		at := &way[len(way)-1]
		f := &r.found[at.id]
		if all := r.graph.Of(at.id); at.next < len(all) {
			to := &r.found[all[at.next]]
			at.next++
			switch {
			case to.order == 0:
				way = append(way, r.enter(all[at.next-1]))
			case to.low == 0:
				f.files |= to.files
			default:
				f.low = min(f.low, to.order)
			}
			continue
		}
		way = way[:len(way)-1]
		if len(way) > 0 {
			above := &r.found[way[len(way)-1].id]
			above.files |= f.files
			above.low = min(above.low, f.low)
		}
		if f.low == f.order {
			r.leave(f)
		}
	}
}

func (r *reach) enter(id corpus.FileID) step {
	r.count++
	f := &r.found[id]
	f.order, f.low = r.count, r.count
	r.open = append(r.open, id)
	return step{id: id}
}

// leave closes the circle that begins with a file.
func (r *reach) leave(first *reached) {
	for {
		last := &r.found[r.open[len(r.open)-1]]
		r.open = r.open[:len(r.open)-1]
		last.files, last.low = first.files, 0
		if last == first {
			return
		}
	}
}
