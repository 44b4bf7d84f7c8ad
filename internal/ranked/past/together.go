package past

import (
	"path"
	"slices"
)

// Bounds of the commits that are looked at for what they changed together.
const (
	maxTogether = 1000 // commits, the newest
	maxChanged  = 40   // paths of a commit: one that changes more says little
	small       = 6    // paths that a commit changes which has one purpose
)

// Pair is how often two files were changed by one commit.
type Pair struct {
	Together int
	Of       int     // commits that changed the first of them
	Weight   float64 // of those that changed both: 1 of a small one, less of one that changed much else
}

// With counts how often files were changed with each of some others, by the other
// file, then by the changed one.
func (l *Log) With(changed []string, wanted func(path string) bool) map[string]map[string]Pair {
	is := map[string]bool{}
	for _, c := range changed {
		is[c] = true
	}
	return l.pairs(wanted, func(p string) (string, bool) { return p, is[p] })
}

// Beside counts how often files were changed with what stands in the folder of each of
// some others and is not wanted itself, by the file, then by the folder.
func (l *Log) Beside(changed []string, wanted func(path string) bool) map[string]map[string]Pair {
	is := map[string]bool{}
	for _, c := range changed {
		is[path.Dir(c)] = true
	}
	return l.pairs(wanted, func(p string) (string, bool) { return path.Dir(p), is[path.Dir(p)] && !wanted(p) })
}

// pairs counts how often files that are wanted were changed together with others, by the
// file, then by the key of the others; ok is false for one that does not count.
func (l *Log) pairs(wanted func(path string) bool, key func(path string) (k string, ok bool)) map[string]map[string]Pair {
	times := map[string]int{}
	all := map[string]map[string]Pair{}
	for _, paths := range l.newest() {
		if len(paths) > maxChanged {
			continue
		}
		var keys []string
		for _, p := range paths {
			if k, ok := key(p); ok && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		for _, k := range keys {
			times[k]++
			for _, o := range paths {
				if o == k || !wanted(o) {
					continue
				}
				if all[o] == nil {
					all[o] = map[string]Pair{}
				}
				n := all[o][k]
				n.Together++
				n.Weight += min(1, float64(small)/float64(len(paths)))
				all[o][k] = n
			}
		}
	}
	for _, by := range all {
		for k, n := range by {
			n.Of = times[k]
			by[k] = n
		}
	}
	return all
}

// newest returns the paths of the commits that are looked at.
func (l *Log) newest() [][]string {
	if l == nil {
		return nil
	}
	return l.paths[:min(len(l.paths), maxTogether)]
}
