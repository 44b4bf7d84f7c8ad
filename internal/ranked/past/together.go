package past

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
	times := map[string]int{}
	all := map[string]map[string]Pair{}
	for _, paths := range l.newest() {
		if len(paths) > maxChanged {
			continue
		}
		for _, c := range paths {
			if !is[c] {
				continue
			}
			times[c]++
			for _, o := range paths {
				if o == c || !wanted(o) {
					continue
				}
				if all[o] == nil {
					all[o] = map[string]Pair{}
				}
				n := all[o][c]
				n.Together++
				n.Weight += min(1, float64(small)/float64(len(paths)))
				all[o][c] = n
			}
		}
	}
	for _, by := range all {
		for c, n := range by {
			n.Of = times[c]
			by[c] = n
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
