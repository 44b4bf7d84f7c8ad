package diff

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"
)

// Lineset is how many bytes of each line a text has, for telling how alike two
// texts are.
type Lineset struct {
	bytes map[uint64]int
	size  int
}

// NewLineset makes the set of a text. Blanks at the ends of lines do not count.
func NewLineset(text []byte) *Lineset {
	s := &Lineset{bytes: map[uint64]int{}}
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, " \t\r\n")
		s.bytes[xxh3.Hash(line)] += len(line) + 1
		s.size += len(line) + 1
	}
	return s
}

// alike is the share of the longer text that both have in common, 0 to 1.
func (s *Lineset) alike(o *Lineset) float64 {
	if len(s.bytes) > len(o.bytes) {
		s, o = o, s
	}
	common := 0
	for h, n := range s.bytes {
		common += min(n, o.bytes[h])
	}
	return float64(common) / float64(max(s.size, o.size, 1))
}

// canBe reports whether two texts of these sizes may be as alike as least.
func (s *Lineset) canBe(o *Lineset, least float64) bool {
	return float64(min(s.size, o.size)) >= least*float64(max(s.size, o.size))
}

// Match pairs texts that were removed with texts that were added, the most
// alike first, each at least as alike as least. It returns for each of added
// the index of the removed one, -1 for none.
func Match(removed, added []*Lineset, least float64) []int {
	type pair struct {
		gone, new int
		alike     float64
	}
	var pairs []pair
	for n, a := range added {
		for g, r := range removed {
			if a.size == 0 || !a.canBe(r, least) {
				continue
			}
			if common := a.alike(r); common >= least {
				pairs = append(pairs, pair{g, n, common})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(a.new, b.new), cmp.Compare(a.gone, b.gone))
	})
	match := make([]int, len(added))
	for i := range match {
		match[i] = -1
	}
	taken := make([]bool, len(removed))
	for _, p := range pairs {
		if match[p.new] < 0 && !taken[p.gone] {
			match[p.new], taken[p.gone] = p.gone, true
		}
	}
	return match
}
