package ranked_test

import (
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestNameInOnePiece holds that the name of a file which two words make up in one piece
// says what both say: where the question has both, or where code has them as one name.
func TestNameInOnePiece(t *testing.T) {
	const text = "package p\n\n// slab objects are freed, versions of a dependency are resolved\n"
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{
		"a.go": text, "dependencyresolver.go": text, "slaballoc.go": text, "slabby.go": text, "use.go": "package p\n\nfunc slabAlloc() {}\n",
	})}
	for _, c := range []struct {
		query, path string
		said        float64
	}{
		{"resolve versions of a dependency", "dependencyresolver.go", 1},
		{"how are versions of a dependency pinned", "dependencyresolver.go", 0}, // nothing else says that it is two words
		{"how are objects of the slab freed", "slaballoc.go", 0.5},
		{"how are objects of the slab freed", "slabby.go", 0},
	} {
		t.Run(c.query+", "+c.path, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query, Explain: true})
			said := -1.0
			for _, h := range res.Hits {
				for _, e := range h.Explain {
					if h.Path == c.path {
						said = max(said, 0)
						if e.Signal == "stem said" {
							said = e.Value
						}
					}
				}
			}
			if said != c.said || c.said == 1 && res.Hits[0].Path != c.path {
				t.Errorf("%v of the name of %s is said, want %v; hits %s", said, c.path, c.said, sample.Places(res))
			}
		})
	}
}
