package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestStanding holds that pasted code leads to where it stands, however it is indented, rather
// than to files that have more of its words, and what stands in a document alone does not.
func TestStanding(t *testing.T) {
	const pasted = "\tlid := open(shelf)\n\tif lid == nil {\n\t\treturn shelf\n\t}"
	files := map[string]string{
		"shop/shelf.go":     "package shop\n\n" + strings.Repeat("// Lid of a shelf.\n", 60) + "func Shut(shelf *Shelf) *Shelf {\n" + pasted + "\n\treturn lid\n}\n",
		"shop/lids.go":      "package shop\n\n" + strings.Repeat("// If the lid of a shelf is nil: open the lid, return the shelf.\n", 40) + "func lid(shelf *Shelf) {}\n",
		"shop/lids_test.go": "package shop\n\nfunc TestShut(t *testing.T) {\n" + pasted + "\n}\n",
		"docs/shelf.md":     "# Shelf\n\n    door := open(shelf)\n    if door == nil {\n        return shelf\n    }\n",
	}
	snaps := []*store.Snapshot{sample.Repository(t, "shop", files)}
	long := pasted + "\n\treturn lid\n}"
	for _, c := range []struct {
		name, query, path string
		exact             bool
	}{
		{"as it is", pasted, "shop/shelf.go", true},
		{"at the margin", strings.ReplaceAll(pasted, "\t", ""), "shop/shelf.go", true},
		{"a report", long, "shop/shelf.go", true},
		{"other code", strings.ReplaceAll(pasted, "nil", "none"), "", false},
		{"of a document", strings.ReplaceAll(pasted, "lid", "door"), "", false},
		{"one line", "lid := open(shelf)", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := searchtest.Must(t, snaps, hit.Request{Query: c.query}).Hits[0]
			exact := strings.HasPrefix(strings.Join(h.Why, " "), hit.ExactText)
			if c.path != "" && h.Path != c.path || exact != c.exact || exact && (h.EndLine < 64 || h.StartLine > 66) {
				t.Errorf("%s:%d-%d first, why %q, want %s, exact %v", h.Path, h.StartLine, h.EndLine, h.Why, c.path, c.exact)
			}
		})
	}
}
