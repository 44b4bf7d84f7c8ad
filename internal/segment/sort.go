package segment

import "slices"

// termSorter sorts the occurrences of terms by term, some terms at a time.
type termSorter struct {
	b         *Builder
	ends      []uint32 // of each term in positions; before it is sorted, the number of its occurrences
	first     int      // term of those that are sorted
	sorted    int      // terms up to here are
	at        int      // next term
	limit     uint32   // of the positions that are sorted at once, unless one term has more
	positions []uint32
}

// defaultSorted is how many positions may be sorted at once, however few there
// are: 4 MB of them. Of more, more than half are.
const defaultSorted = 1 << 20

// newTermSorter returns a sorter for a builder whose lists have the ranks of n
// terms.
func newTermSorter(b *Builder, n int) *termSorter {
	t := &termSorter{b: b, ends: make([]uint32, n)}
	sum := uint32(0)
	counts := make([]uint32, len(b.entries))
	b.said.each(func(id uint32) { counts[id]++ })
	for id, e := range b.entries {
		for _, term := range b.lists[e.first : e.first+uint32(e.count)] {
			t.ends[term] += counts[id]
			sum += counts[id]
		}
	}
	t.limit = max(b.sorted, sum/16*9)
	t.positions = make([]uint32, 0, min(sum, t.limit))
	return t
}

// next returns the positions of the next term over all files, in order. They
// are valid until the next call.
func (t *termSorter) next() []uint32 {
	if t.at == t.sorted {
		t.sort()
	}
	start := uint32(0)
	if t.at > t.first {
		start = t.ends[t.at-1]
	}
	t.at++
	return t.positions[start:t.ends[t.at-1]]
}

// sort sorts the occurrences of the terms that follow.
func (t *termSorter) sort() {
	t.first = t.sorted
	sum := uint32(0)
	for t.sorted < len(t.ends) && (t.sorted == t.first || sum+t.ends[t.sorted] <= t.limit) {
		n := t.ends[t.sorted]
		t.ends[t.sorted] = sum
		sum += n
		t.sorted++
	}
	t.positions = slices.Grow(t.positions[:0], int(sum))[:sum]
	t.place(t.ends[t.first:t.sorted])
}

// place puts the positions of terms where next says, which then tells their ends.
func (t *termSorter) place(next []uint32) {
	pos, first := uint32(0), uint32(t.first)
	entries, lists, out := t.b.entries, t.b.lists, t.positions
	t.b.said.each(func(id uint32) {
		e := entries[id]
		list := lists[e.first : e.first+uint32(e.count)]
		if e.compound {
			if term := list[0] - first; term < uint32(len(next)) {
				out[next[term]] = pos
				next[term]++
			}
			list = list[1:]
		}
		for _, term := range list {
			if term -= first; term < uint32(len(next)) {
				out[next[term]] = pos
				next[term]++
			}
			pos++
		}
	})
}

// termEntry is something that a term has.
type termEntry[T any] struct {
	term  uint32
	value T
}

// sortEntries returns entries in the order of their n terms. Entries of one term
// keep their order.
func sortEntries[T any](entries []termEntry[T], n int) []termEntry[T] {
	next := make([]uint32, n+1)
	for i := range entries {
		next[entries[i].term+1]++
	}
	for i := range n {
		next[i+1] += next[i]
	}
	sorted := make([]termEntry[T], len(entries))
	for i := range entries {
		at := &next[entries[i].term]
		sorted[*at] = entries[i]
		*at++
	}
	return sorted
}
