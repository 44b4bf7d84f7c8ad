package past

import (
	"math"

	"slices"
	"strings"
)

// Bounds of the commits that are looked at for what they changed together.
const (
	maxTogether = 1000 // commits, the newest
	small       = 6    // paths that a commit changes which has one purpose
	maxLately   = 300  // commits that tell what was changed lately, the newest
	fading      = 60   // commits in which what one tells fades to 1/e
	certainly   = 0.9  // what the newest commit tells
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
		is[folderOf(c)] = true
	}
	return l.pairs(wanted, func(p string) (string, bool) {
		folder := folderOf(p)
		return folder, is[folder] && !wanted(p)
	})
}

// folderOf is the folder of a path as git writes it.
func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
}

// Recent is what was changed lately.
type Recent struct {
	Ago    int     // the newest commit that changed it, from 1 for the newest of all
	Weight float64 // below 1: the more, the more commits and the newer; less of one that changed much else
}

// Lately says which files the newest commits changed, of those that are wanted.
func (l *Log) Lately(wanted func(path string) bool) map[string]Recent {
	all := map[string]Recent{}
	for i := range l.newest(maxLately) {
		paths := l.pathsOf(i)
		tells := certainly * math.Exp(-float64(i)/fading) * ofMany(paths)
		for _, p := range paths {
			if !wanted(p) {
				continue
			}
			r, ok := all[p]
			if !ok {
				r.Ago = i + 1
			}
			r.Weight += (1 - r.Weight) * tells
			all[p] = r
		}
	}
	return all
}

// ofMany is what a commit counts by how many paths it changes.
func ofMany(paths []string) float64 { return min(1, float64(small)/float64(len(paths))) }

// pairs counts how often files that are wanted were changed together with others, by the
// file, then by the key of the others; ok is false for one that does not count.
func (l *Log) pairs(wanted func(path string) bool, key func(path string) (k string, ok bool)) map[string]map[string]Pair {
	times := map[string]int{}
	all := map[string]map[string]Pair{}
	for i := range l.newest(maxTogether) {
		paths := l.pathsOf(i)
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
				n.Weight += ofMany(paths)
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
