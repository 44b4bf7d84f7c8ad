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
	in     map[string]int // files of tests with a word
	by     map[string][]int
}

type named struct {
	path   string
	base   []string // words of its own name
	folder []string
}

// NewNames takes the paths of all files of tests.
func NewNames(suites []string) *Names {
	n := &Names{in: map[string]int{}, by: map[string][]int{}}
	for i, p := range suites {
		one := named{p, nameOf(p), words(path.Dir(p))}
		n.suites = append(n.suites, one)
		seen := map[string]bool{}
		for _, w := range append(one.base[:len(one.base):len(one.base)], one.folder...) {
			if !seen[w] {
				seen[w] = true
				n.in[w]++
			}
		}
		for _, w := range one.base {
			if l := n.by[w]; len(l) == 0 || l[len(l)-1] != i {
				n.by[w] = append(l, i)
			}
		}
	}
	return n
}

// weight of a word: 0 for one that all tests have.
func (n *Names) weight(w string) float64 {
	return math.Log(float64(len(n.suites)+1) / float64(n.in[w]+1))
}

// Like yields the files of tests whose names are made of words of a path, and how
// much so, to 1: the share of their words that the path has, and of the words of its
// own name that they have. A word that no test has, as the name of the project before
// that of each of its types, tells no test from another.
func (n *Names) Like(p string, yield func(suite string, share float64)) {
	base, folder := nameOf(p), words(path.Dir(p))
	has := map[string]bool{}
	for _, w := range append(base[:len(base):len(base)], folder...) {
		has[w] = true
	}
	known := slices.DeleteFunc(slices.Clone(base), func(w string) bool { return n.in[w] == 0 })
	seen := map[int]bool{}
	for _, w := range append(base[:len(base):len(base)], folder...) {
		for _, i := range n.by[w] {
			if seen[i] {
				continue
			}
			seen[i] = true
			s := &n.suites[i]
			test := map[string]bool{}
			for _, w := range append(s.base[:len(s.base):len(s.base)], s.folder...) {
				test[w] = true
			}
			theirs, ours := n.share(s.base, has), n.share(known, test)
			around := (1 + n.share(folder, test)) / 2
			if share := theirs * (0.4 + 0.6*ours) * around; share > 0.05 {
				yield(s.path, share)
			}
		}
	}
}

// share is the part of some words, by weight, that a set has.
func (n *Names) share(words []string, set map[string]bool) float64 {
	all, in := 0.0, 0.0
	for _, w := range words {
		v := n.weight(w)
		all += v
		if set[w] {
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
