package include

import "espy/internal/resolve/corpus"

// maxBits bounds the files of a reach, each of which takes a bit of every file.
const maxBits = 1024

// reach tells, of some files, which of them each other file includes, by others too.
// What a circle of files reaches is found together (Tarjan, Depth-first search and
// linear graph algorithms, 1972), so that every file is gone through once, however
// many are asked about.
type reach struct {
	graph *Graph
	files []corpus.FileID // sorted
	words int             // that bits have of each file
	bits  []uint64        // by file, one bit for each of files
	found []reached       // by file
	count int32
	open  []corpus.FileID // of circles that are not closed
}

// reached is what is known of a file: nothing while order is 0.
type reached struct {
	order int32 // in which it was met
	low   int32 // the first that it leads back to; 0 once its circle is closed
}

func newReach(g *Graph, files []corpus.FileID) *reach {
	n, words := len(g.lines.files), (len(files)+63)/64
	r := &reach{graph: g, files: files, words: words, bits: make([]uint64, n*words), found: make([]reached, n)}
	for k, id := range files {
		r.of(id)[k/64] |= 1 << (k % 64)
	}
	return r
}

// from returns the files that a file reaches, a bit each. Do not change them.
func (r *reach) from(id corpus.FileID) []uint64 {
	if r.found[id].order == 0 {
		r.visit(id)
	}
	return r.of(id)
}

// of are the bits of a file.
func (r *reach) of(id corpus.FileID) []uint64 {
	at := int(id) * r.words
	return r.bits[at : at+r.words]
}

// add adds to the bits of one file those of another.
func (r *reach) add(to, from corpus.FileID) {
	bits := r.of(to)
	for i, word := range r.of(from) {
		bits[i] |= word
	}
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
			id := all[at.next]
			to := &r.found[id]
			at.next++
			switch {
			case to.order == 0:
				way = append(way, r.enter(id))
			case to.low == 0:
				r.add(at.id, id)
			default:
				f.low = min(f.low, to.order)
			}
			continue
		}
		id := at.id
		way = way[:len(way)-1]
		if len(way) > 0 {
			holder := way[len(way)-1].id
			r.add(holder, id)
			above := &r.found[holder]
			above.low = min(above.low, f.low)
		}
		if f.low == f.order {
			r.leave(id)
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
func (r *reach) leave(first corpus.FileID) {
	for {
		last := r.open[len(r.open)-1]
		r.open = r.open[:len(r.open)-1]
		copy(r.of(last), r.of(first))
		r.found[last].low = 0
		if last == first {
			return
		}
	}
}
