package quote

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/ranked/corpus"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestPlaces holds which files runs of a text lead to, and how much they say: less
// where several files hold them, nothing where many do.
func TestPlaces(t *testing.T) {
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"take.go": "package shop\n\nvar errTake = \"cannot take broken items from shelf\"\n",
		"a.go":    "package shop\n\nvar a = \"the door stays locked today\"\n",
		"b.go":    "package shop\n\nvar b = \"the door stays locked today\"\n",
		"c.go":    "package shop\n\n// items, shelf, take: cannot\n",
	}
	for i := range commonRun + 1 {
		files[fmt.Sprintf("many%d.go", i)] = "package shop\n\n// all rights stay reserved\n"
	}
	f, err := r.Over([]*store.Snapshot{sample.Repository(t, "shop", files)})
	if err != nil {
		t.Fatal(err)
	}
	in := corpus.New(f)
	for _, c := range []struct{ name, text, want string }{
		{"a message", "error: cannot take broken items from shelf 7", "take.go 1.00"},
		{"part of it", "cannot take broken items", "take.go 0.50"},
		{"in two files", "door stays locked", "a.go 0.18; b.go 0.18"},
		{"in many files", "all rights stay reserved", ""},
		{"in another order", "items shelf cannot take", ""},
		{"over two lines", "cannot take\nbroken items", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := Places(c.text, in)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range found {
				got = append(got, fmt.Sprintf("%s %.2f", p.Segment.Path(p.Segment.FileOf(p.Chunk)), p.Value))
			}
			slices.Sort(got)
			if strings.Join(got, "; ") != c.want {
				t.Errorf("found %q, want %q", strings.Join(got, "; "), c.want)
			}
		})
	}
}
