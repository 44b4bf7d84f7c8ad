package rules

import (
	"slices"

	"espy/internal/resolve/corpus"
)

// includes knows which files include which, for one question.
type includes struct {
	find    func(corpus.FileID) []corpus.FileID // what a file itself includes
	direct  map[corpus.FileID][]corpus.FileID   // what find has found
	reached map[corpus.FileID][]corpus.FileID   // of the files asked about last: sorted
	round   int32
	seen    []int32 // by file: the round that reached it last
}

// The bounds of one question: of the headers that one file reaches, and of the
// files whose headers are kept.
const (
	maxIncluded = 5000
	maxReached  = 256
)

func newIncludes(find func(corpus.FileID) []corpus.FileID) *includes {
	return &includes{find: find, direct: map[corpus.FileID][]corpus.FileID{}, reached: map[corpus.FileID][]corpus.FileID{}}
}

// reachable are a file, the files that it includes, and those that they include,
// sorted. Do not change them.
func (i *includes) reachable(id corpus.FileID) []corpus.FileID {
	if all, ok := i.reached[id]; ok {
		return all
	}
	i.round++
	i.note(id)
	all := []corpus.FileID{id}
	for next := 0; next < len(all) && len(all) < maxIncluded; next++ {
		for _, to := range i.of(all[next]) {
			if i.note(to) {
				all = append(all, to)
			}
		}
	}
	slices.Sort(all)
	if len(i.reached) >= maxReached {
		clear(i.reached)
	}
	i.reached[id] = all
	return all
}

// note reports whether a file is new in this round.
func (i *includes) note(id corpus.FileID) bool {
	if n := int(id) + 1 - len(i.seen); n > 0 {
		i.seen = append(i.seen, make([]int32, n)...)
	}
	if i.seen[id] == i.round {
		return false
	}
	i.seen[id] = i.round
	return true
}

// of are the files that a file itself includes, in order.
func (i *includes) of(id corpus.FileID) []corpus.FileID {
	all, ok := i.direct[id]
	if !ok {
		all = i.find(id)
		i.direct[id] = all
	}
	return all
}

// included are the files that the lines of a file include, in order.
func (c *clang) included(id corpus.FileID) (all []corpus.FileID) {
	f := c.read.File(id)
	for n := range f.Facts.NumImports() {
		row := f.Facts.Import(n)
		if row.Name != "*" {
			continue
		}
		if to, ok := c.header(f, row.Module); ok {
			all = append(all, to)
		}
	}
	return all
}

// contains reports whether a file is one of some that are sorted.
func contains(sorted []corpus.FileID, id corpus.FileID) bool {
	_, ok := slices.BinarySearch(sorted, id)
	return ok
}
