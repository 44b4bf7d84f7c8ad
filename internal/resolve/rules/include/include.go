// Package include knows which files of C and C++ include which, by the lines of each file
// and by those of the files that these include.
package include

import (
	"cmp"
	"slices"

	"espy/internal/resolve/corpus"
)

// Graph answers for one question.
type Graph struct {
	lines   *Lines
	read    func(corpus.FileID) []corpus.FileID // what a file itself includes, for lines
	reached map[corpus.FileID][]corpus.FileID   // of the files asked about last: sorted
	rows    int                                 // of reached
	round   int32
	seen    []int32 // by file: the round that reached it last
	asked   map[string]int
	named   map[string]*reach

	includers map[corpus.FileID][]corpus.FileID // nil until they are asked for
	seenLast  *Seen                             // of Once
	unions    []union
}

// The bounds of what one question keeps.
const (
	maxReached = 1_000_000 // headers of the files that were asked about
	maxAsked   = 1 << 14   // names
	maxNamed   = 4         // names that many files use
)

// New returns a graph. read finds what a file itself includes, where lines does not
// have it yet.
func New(l *Lines, read func(corpus.FileID) []corpus.FileID) *Graph {
	return &Graph{lines: l, read: read, reached: map[corpus.FileID][]corpus.FileID{}, asked: map[string]int{}, named: map[string]*reach{}}
}

// Of are the files that a file itself includes, in order.
func (i *Graph) Of(id corpus.FileID) []corpus.FileID {
	known := &i.lines.files[id]
	if all := known.Load(); all != nil {
		return *all
	}
	all := i.read(id)
	known.Store(&all)
	return all
}

// maxIncluders bounds the files of a program in which it is looked for what includes a
// file: in a large one that takes longer than it tells.
const maxIncluders = 5000

// Includers are the files that themselves include a file, in order; none in a program that
// is too large.
func (i *Graph) Includers(id corpus.FileID) []corpus.FileID {
	if i.includers == nil {
		i.includers = map[corpus.FileID][]corpus.FileID{}
		if len(i.lines.files) > maxIncluders {
			return nil
		}
		for from := range i.lines.corpus.Files() {
			if i.lines.corpus.Family(from) != corpus.C {
				continue
			}
			for _, to := range i.Of(from) {
				i.includers[to] = append(i.includers[to], from)
			}
		}
	}
	return i.includers[id]
}

// fewFiles is in how many files a name is asked about before it is worth to find, for
// every file, which of its declarations that includes.
const fewFiles = 16

// Sight returns which of the files that declare a name, sorted, a file reaches.
func (i *Graph) Sight(id corpus.FileID, name string, declared []corpus.Ref) Sight {
	if all, ok := i.reached[id]; ok {
		return Sight{all: all}
	}
	if r, ok := i.named[name]; ok {
		return Sight{files: r.files, reached: r.from(id)}
	}
	if len(i.asked) >= maxAsked {
		clear(i.asked)
	}
	i.asked[name]++
	if files := filesOf(declared); i.asked[name] > fewFiles && len(files) <= maxBits {
		if len(i.named) >= maxNamed {
			clear(i.named)
		}
		i.named[name] = newReach(i, files)
		return i.Sight(id, name, declared)
	}
	return Sight{all: i.reachable(id)}
}

// filesOf are the files of some symbols, which are sorted.
func filesOf(refs []corpus.Ref) (files []corpus.FileID) {
	for _, r := range refs {
		if len(files) == 0 || files[len(files)-1] != r.File {
			files = append(files, r.File)
		}
	}
	return files
}

// Sight is what a file reaches: all of it, or some files and which of these.
type Sight struct {
	all     []corpus.FileID
	files   []corpus.FileID
	reached []uint64 // a bit for each of files
}

// Has reports whether a file is reached.
func (s Sight) Has(id corpus.FileID) bool {
	if s.all != nil {
		return contains(s.all, id)
	}
	k, ok := slices.BinarySearch(s.files, id)
	return ok && s.reached[k/64]>>(k%64)&1 != 0
}

// Reaches reports whether a file is another one, or includes it, by others too.
func (i *Graph) Reaches(from, to corpus.FileID) bool { return contains(i.reachable(from), to) }

// reachable are a file, the files that it includes, and those that they include,
// sorted. Do not change them.
func (i *Graph) reachable(id corpus.FileID) []corpus.FileID {
	if all, ok := i.reached[id]; ok {
		return all
	}
	i.round++
	i.note(id)
	all := []corpus.FileID{id}
	for next := 0; next < len(all); next++ {
		for _, to := range i.Of(all[next]) {
			if i.note(to) {
				all = append(all, to)
			}
		}
	}
	slices.Sort(all)
	if i.rows += len(all); i.rows > maxReached {
		clear(i.reached)
		i.rows = len(all)
	}
	i.reached[id] = all
	return all
}

// note reports whether a file is new in this round.
func (i *Graph) note(id corpus.FileID) bool {
	if n := int(id) + 1 - len(i.seen); n > 0 {
		i.seen = append(i.seen, make([]int32, n)...)
	}
	if i.seen[id] == i.round {
		return false
	}
	i.seen[id] = i.round
	return true
}

// contains reports whether a file is one of some that are sorted.
func contains(sorted []corpus.FileID, id corpus.FileID) bool {
	_, ok := slices.BinarySearch(sorted, id)
	return ok
}

// Seen is what a file sees of a name. Questions ask about the uses of a name file by
// file, and most of them in one file see the same.
type Seen struct {
	Refs []corpus.Ref
	wide []corpus.Ref
	file corpus.FileID
	name string
}

// Once is what find finds of a name in a file, which is kept until another name or file
// is asked about.
func (i *Graph) Once(id corpus.FileID, name string, find func() []corpus.Ref) *Seen {
	if s := i.seenLast; s == nil || s.file != id || s.name != name {
		i.seenLast = &Seen{Refs: find(), file: id, name: name}
	}
	return i.seenLast
}

// Widened is what widen makes of some of what is seen; of all of it that is kept.
func (s *Seen) Widened(refs []corpus.Ref, widen func([]corpus.Ref) []corpus.Ref) []corpus.Ref {
	switch {
	case !isSame(refs, s.Refs):
		return widen(refs)
	case s.wide == nil:
		s.wide = widen(refs)
	}
	return s.wide
}

// union is what several groups have together.
type union struct {
	groups [][]corpus.Ref
	all    []corpus.Ref
}

// maxUnions bounds the unions that are kept.
const maxUnions = 64

// Union joins groups, each in order: the symbols of the first, then those of the next that
// are in none before. Many files see the same groups, whose union is made once. Do not
// change it.
func (i *Graph) Union(groups [][]corpus.Ref) []corpus.Ref {
	if len(groups) == 0 {
		return nil
	}
	for _, u := range i.unions {
		if slices.EqualFunc(u.groups, groups, isSame) {
			return u.all
		}
	}
	all := slices.Clip(groups[0])
	for k, group := range groups[1:] {
		for _, r := range group {
			if !slices.ContainsFunc(groups[:k+1], func(g []corpus.Ref) bool { return Holds(g, r) }) {
				all = append(all, r)
			}
		}
	}
	if len(i.unions) >= maxUnions {
		i.unions = nil
	}
	i.unions = append(i.unions, union{groups, slices.Clip(all)})
	return slices.Clip(all)
}

// Holds reports whether a symbol is one of some that are in order.
func Holds(sorted []corpus.Ref, r corpus.Ref) bool {
	_, ok := slices.BinarySearchFunc(sorted, r, func(a, b corpus.Ref) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index))
	})
	return ok
}

// isSame reports whether two lists are one in memory.
func isSame(a, b []corpus.Ref) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
