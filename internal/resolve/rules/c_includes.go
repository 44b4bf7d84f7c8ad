package rules

import (
	"slices"
	"sync/atomic"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// includes knows which files include which, for one question.
type includes struct {
	direct  *direct
	read    func(corpus.FileID) []corpus.FileID // what a file itself includes, for direct
	reached map[corpus.FileID][]corpus.FileID   // of the files asked about last: sorted
	rows    int                                 // of reached
	round   int32
	seen    []int32 // by file: the round that reached it last
	asked   map[string]int
	named   map[string]*reach
}

// The bounds of what one question keeps.
const (
	maxReached = 1_000_000 // headers of the files that were asked about
	maxAsked   = 1 << 14   // names
	maxNamed   = 4         // names that many files use
)

func newIncludes(d *direct, read func(corpus.FileID) []corpus.FileID) *includes {
	return &includes{direct: d, read: read, reached: map[corpus.FileID][]corpus.FileID{}, asked: map[string]int{}, named: map[string]*reach{}}
}

// direct are the files that each file itself includes, in order. All questions share
// it.
type direct struct {
	files []atomic.Pointer[[]corpus.FileID]
}

func newDirect(c *corpus.Corpus) *direct {
	last := corpus.FileID(facts.None)
	for id := range c.Files() {
		last = id
	}
	return &direct{make([]atomic.Pointer[[]corpus.FileID], last+1)}
}

// of are the files that a file itself includes, in order.
func (i *includes) of(id corpus.FileID) []corpus.FileID {
	known := &i.direct.files[id]
	if all := known.Load(); all != nil {
		return *all
	}
	all := i.read(id)
	known.Store(&all)
	return all
}

// fewFiles is in how many files a name is asked about before it is worth to find, for
// every file, which of its declarations that includes.
const fewFiles = 16

// sight returns which of the files that declare a name, sorted, a file reaches.
func (i *includes) sight(id corpus.FileID, name string, declared []corpus.Ref) sight {
	if all, ok := i.reached[id]; ok {
		return sight{all: all}
	}
	if r, ok := i.named[name]; ok {
		return sight{files: r.files, reached: r.from(id)}
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
		return i.sight(id, name, declared)
	}
	return sight{all: i.reachable(id)}
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

// sight is what a file reaches: all of it, or some files and which of these.
type sight struct {
	all     []corpus.FileID
	files   []corpus.FileID
	reached uint64
}

// has reports whether a file is reached.
func (s sight) has(id corpus.FileID) bool {
	if s.all != nil {
		return contains(s.all, id)
	}
	k, ok := slices.BinarySearch(s.files, id)
	return ok && s.reached>>k&1 != 0
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
	for next := 0; next < len(all); next++ {
		for _, to := range i.of(all[next]) {
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

// included are the files that the lines of a file include, in order.
func (c *clang) included(id corpus.FileID) (all []corpus.FileID) {
	folder, p := c.corpus.Folder(id), c.corpus.Path(id)
	c.corpus.Look(id, func(f *syn.File) {
		for n := range f.NumImports() {
			module, name := f.Imported(n)
			if name != "*" {
				continue
			}
			if to, ok := c.header(folder, p, module); ok {
				all = append(all, to)
			}
		}
	})
	return all
}

// contains reports whether a file is one of some that are sorted.
func contains(sorted []corpus.FileID, id corpus.FileID) bool {
	_, ok := slices.BinarySearch(sorted, id)
	return ok
}
