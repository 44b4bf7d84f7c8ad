package rank

import (
	"slices"
	"testing"

	"espy/internal/token"
)

// TestApart holds which names of files are cut to two words: those that the query has one
// of, if the other is written beside it somewhere or asked for too.
func TestApart(t *testing.T) {
	joined := func(first, second string) bool {
		return slices.Contains([]string{"slab alloc", "rw lock", "note book"}, first+" "+second)
	}
	for _, c := range []struct {
		path   string
		words  []string
		parts  string
		weight float64
	}{
		{"src/dependencyresolver.d", []string{"resolve", "dependency", "versions"}, "dependenc resolv", 2},
		{"mm/slaballoc.c", []string{"slab", "objects"}, "slab alloc", 1},
		{"rwlock.c", []string{"read", "lock"}, "rw lock", 1},
		{"notebook.py", []string{"book", "note", "notebook"}, "notebook", 0}, // said as it is
		{"import.go", []string{"port"}, "import", 0},                         // nobody writes imPort
		{"together.go", []string{"her", "get"}, "togeth", 0},
		{"rwlock.c", []string{"rw"}, "rwlock", 0}, // too short to tell anything
		{"slab_alloc.c", []string{"slab"}, "slab alloc", 0},
		{"slab2.c", []string{"slab"}, "slab", 0},
		{"lock.c", []string{"loc"}, "lock", 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			q := NewPathQuery(4, len(c.words))
			for _, w := range c.words {
				q.Add(token.Stem(w), 1, true)
			}
			q.Add("slaballoc", 0.1, false) // a hint, as a vast tree has it
			stem, _ := splitPath(new(Splitter), c.path)
			cut, weight := q.Apart(&stem, joined)
			got := ""
			for i, p := range cut.Terms {
				if i > 0 {
					got += " "
				}
				got += p.Text
			}
			if got != c.parts || weight != c.weight {
				t.Errorf("%s for %v: %q of weight %v, want %q of %v", c.path, c.words, got, weight, c.parts, c.weight)
			}
		})
	}
}
