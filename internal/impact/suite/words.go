package suite

import (
	"math"
	"path"
	"slices"
	"strings"
)

// Names compares the paths of files of tests with those of other files by their
// words. A word counts the more the fewer tests have it.
type Names struct {
	suites []named
	ids    map[string]int // of the words that files of tests have
	weight []float64      // by word: 0 for one that all tests have; the last one that of a word that none has
	by     [][]int        // by word: the files of tests in whose own names it is
}

// named are the words of a path.
type named struct {
	path   string
	base   []int // words of its own name
	folder []int
}

func (n *named) has(word int) bool {
	return slices.Contains(n.base, word) || slices.Contains(n.folder, word)
}

// NewNames takes the paths of all files of tests.
func NewNames(suites []string) *Names {
	n := &Names{ids: map[string]int{}}
	var in []int // by word: files of tests with it
	take := func(words []string, own bool) (all []int) {
		for _, w := range words {
			id, ok := n.ids[w]
			if !ok {
				id = len(in)
				n.ids[w], in, n.by = id, append(in, 0), append(n.by, nil)
			}
			if all = append(all, id); own && (len(n.by[id]) == 0 || n.by[id][len(n.by[id])-1] != len(n.suites)) {
				n.by[id] = append(n.by[id], len(n.suites))
			}
		}
		return all
	}
	for _, p := range suites {
		one := named{p, take(nameOf(p), true), take(words(path.Dir(p)), false)}
		n.suites = append(n.suites, one)
		all := slices.Concat(one.base, one.folder)
		slices.Sort(all)
		for _, w := range slices.Compact(all) {
			in[w]++
		}
	}
	for _, k := range append(in, 0) {
		n.weight = append(n.weight, math.Log(float64(len(suites)+1)/float64(k+1)))
	}
	return n
}

// Like yields the files of tests whose names are made of words of a path, and how
// much so, to 1: the share of their words that the path has, and of the words of its
// own name that they have. A word that no test has, as the name of the project before
// that of each of its types, tells no test from another.
func (n *Names) Like(p string, yield func(suite string, share float64)) {
	one := named{p, n.words(nameOf(p)), n.words(words(path.Dir(p)))}
	known := slices.DeleteFunc(slices.Clone(one.base), func(w int) bool { return w == len(n.by) })
	seen := make([]bool, len(n.suites))
	for _, w := range slices.Concat(known, one.folder) {
		if w == len(n.by) {
			continue
		}
		for _, i := range n.by[w] {
			if seen[i] {
				continue
			}
			seen[i] = true
			s := &n.suites[i]
			theirs := n.share(s.base, &one)
			if theirs <= leastShare {
				continue
			}
			ours := n.share(known, s)
			around := (1 + n.share(one.folder, s)) / 2
			if share := theirs * (0.4 + 0.6*ours) * around; share > leastShare {
				yield(s.path, share)
			}
		}
	}
}

// leastShare is the share from which on a name is like another.
const leastShare = 0.05

// words are the ids of words, one for all that no test has.
func (n *Names) words(all []string) (ids []int) {
	for _, w := range all {
		id, ok := n.ids[w]
		if !ok {
			id = len(n.by)
		}
		ids = append(ids, id)
	}
	return ids
}

// share is the part of some words, by weight, that a path has.
func (n *Names) share(words []int, of *named) float64 {
	all, in := 0.0, 0.0
	for _, w := range words {
		v := n.weight[w]
		all += v
		if of.has(w) {
			in += v
		}
	}
	if all == 0 {
		return 0
	}
	return in / all
}

// nameOf are the words of the name of a file; of one that says nothing, such as
// mod.rs, index.ts and __init__.py, those of the nearest folder that says more.
func nameOf(p string) []string {
	all := words(path.Base(p))
	for dir := path.Dir(p); saysNothing(all) && dir != "." && dir != "/"; dir = path.Dir(dir) {
		all = words(path.Base(dir))
	}
	return all
}

func saysNothing(words []string) bool { return len(words) == 0 || general[strings.Join(words, "")] }

// IsGeneral reports whether the name of a file says nothing of what is in it.
func IsGeneral(p string) bool { return saysNothing(words(path.Base(p))) }

var general = map[string]bool{"mod": true, "index": true, "init": true, "lib": true, "main": true, "package": true, "src": true}

// words are those of a path in lower case, but for what says test.
func words(p string) (all []string) {
	p = strings.TrimSuffix(p, path.Ext(p))
	from := 0
	add := func(to int) {
		if w := strings.ToLower(p[from:to]); len(w) > 0 && !marks[w] {
			all = append(all, strings.TrimSuffix(w, "s"))
		}
		from = to
	}
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '/' || c == '.' || c == '_' || c == '-' || c == ' ':
			add(i)
			from = i + 1
		case c >= 'A' && c <= 'Z' && i > from && (p[i-1] < 'A' || p[i-1] > 'Z' || i+1 < len(p) && p[i+1] >= 'a' && p[i+1] <= 'z'):
			add(i)
		}
	}
	add(len(p))
	return all
}

var marks = map[string]bool{"test": true, "tests": true, "spec": true, "specs": true, "testing": true, "testcase": true, "it": true, "unit": true}
