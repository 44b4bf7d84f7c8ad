package ranked_test

import (
	"context"
	"math"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/store"
)

// TestByMeaning holds that of files that say the same words of a question those come first
// that are nearer to it in meaning, unless one is likely by its words, whether the index has vectors or not.
func TestByMeaning(t *testing.T) {
	far := "package p\n\n// It may delete a directory.\nfunc paint() { brush(canvas, colour, pixel, shade) }\n"
	near := "package p\n\n// It may delete a directory.\nfunc clear() { unlink(folder, path, rmdir, erase) }\n"
	files := map[string]string{"a/a.go": far, "b/b.go": near, "c/c.go": far}
	words := sample.Repository(t, "r", files)
	meant := sample.WithVectors(t, sample.Repository(t, "r", files), static.BuiltIn())
	sure := sample.WithVectors(t, sample.Repository(t, "r", files, map[string]string{
		"lib/deletedirectory.go": "package lib\n\n// DeleteDirectory deletes a directory.\nfunc DeleteDirectory() {}\n",
	}), static.BuiltIn())
	means := search.Means{Models: embedding.Models{Local: static.BuiltIn()}}
	for _, c := range []struct {
		name, query string
		snap        *store.Snapshot
		means       search.Means
		first       string
		told        bool // that meaning speaks for it
	}{
		{"no model", "where does it delete a directory", meant, search.Means{}, "a/a.go", false},
		{"vectors that are made", "where does it delete a directory", words, means, "b/b.go", true},
		{"nearer", "where does it delete a directory", meant, means, "b/b.go", true},
		{"one word alone", "directory", meant, means, "a/a.go", false},
		{"a file is likely", "delete directory", sure, means, "lib/deletedirectory.go", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := search.Search(t.Context(), []*store.Snapshot{c.snap}, hit.Request{Query: c.query, Mode: hit.ModeKeyword, Explain: true}, c.means)
			if err != nil {
				t.Fatal(err)
			}
			told := false
			for i, h := range res.Hits {
				sum := 0.0
				for _, e := range h.Explain {
					sum += e.Score
					if e.Signal == "meaning" {
						told = told || i == 0
					}
				}
				if got := rank.Logistic(sum); math.Abs(got-h.Score) > 1e-12 {
					t.Errorf("%s: contributions make %v, the score is %v", h.Path, got, h.Score)
				}
			}
			if first := res.Hits[0]; first.Path != c.first || told != c.told {
				t.Errorf("first is %s, want %s; told is %v; %+v", first.Path, c.first, told, first.Explain)
			}
		})
	}
}

// counting counts the documents whose vectors it makes.
type counting struct {
	embedding.Model
	made int
}

func (c *counting) Identity() string { return "counting" }

func (c *counting) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	c.made += len(docs)
	return c.Model.Documents(ctx, docs)
}

// TestMadeOnce holds that vectors that the index lacks are made once for the text of a file.
func TestMadeOnce(t *testing.T) {
	files := map[string]string{"a/a.go": "package p\n\n// It may delete a directory.\nfunc paint() {}\n", "b/b.go": "package p\n\n// It may delete a directory.\nfunc clear() {}\n"}
	model := &counting{Model: static.BuiltIn()}
	for _, c := range []struct {
		name string
		made int
	}{
		{"first", 2}, {"again", 0}, {"one is changed", 1}, {"and again", 0},
	} {
		if c.name == "one is changed" {
			files["b/b.go"] += "\nfunc brush() {}\n"
		}
		model.made = 0
		snaps := []*store.Snapshot{sample.Repository(t, "r", files)}
		means := search.Means{Models: embedding.Models{Local: model}}
		res, err := search.Search(t.Context(), snaps, hit.Request{Query: "where does it delete a directory", Mode: hit.ModeKeyword}, means)
		if err != nil || len(res.Hits) != 2 || model.made != c.made {
			t.Errorf("%s: %d vectors made, want %d; %d hits, %v", c.name, model.made, c.made, len(res.Hits), err)
		}
	}
}
