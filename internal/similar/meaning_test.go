package similar_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/similar"
	"espy/internal/store"
)

// again means what retry means in other words, to the model of the tests.
const again = "package web\n\nexport async function again(times, work) {\n  for (;;) { await pause(work); }\n}\n"

// model is a model to which some words are one word.
func model() *embeddingtest.Words {
	return &embeddingtest.Words{Same: [][]string{{"retry", "again"}, {"attempts", "times"}, {"call", "work"}, {"backoff", "pause", "sleep"}}}
}

func TestAlike(t *testing.T) {
	files := map[string]string{
		"net/retry.go": "package net\n\n" + retry, "net/copy.go": "package net\n\n" + retry, "web/again.js": again,
		"web/other.js": "const colours = ['red', 'green', 'blue'];\n", "docs/a.md": "Nothing of this is meant.\n",
	}
	snap := sample.WithVectors(t, sample.Repository(t, "r", files), model())
	snippet := "retry again attempts times call work sleep pause backoff retry attempts call"
	for _, c := range []struct {
		name  string
		req   similar.Request
		model embedding.Model
		want  string
	}{
		{"only by meaning", similar.Request{Snippet: snippet}, model(), "web/again.js:1-5 alike"},
		{"filters", similar.Request{Snippet: snippet, Request: hit.Request{Languages: []string{"go"}}}, model(), ""},
		{"no model", similar.Request{Snippet: snippet}, nil, ""},
		{"near places are not alike too", similar.Request{Snippet: retry}, model(), "net/copy.go:3-12 same, net/retry.go:3-12 same"},
		{"nor is the place itself", similar.Request{Place: &similar.Place{Path: "web/again.js", First: 3, Last: 5}}, model(), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := similar.Compile(c.req)
			if err != nil {
				t.Fatal(err)
			}
			res, err := q.Run(t.Context(), snap, []*store.Snapshot{snap}, c.model)
			if err != nil {
				t.Fatal(err)
			}
			if got := places(res); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if res.Alike != strings.Count(c.want, "alike") || res.Total != len(res.Hits) {
				t.Errorf("%d alike of %d", res.Alike, res.Total)
			}
			for i, l := range res.Likeness {
				if (l.Grade == similar.Alike) != (l.Cosine > 0) || l.Cosine > 0 && l.Cosine != res.Hits[i].Score {
					t.Errorf("%+v with score %v", l, res.Hits[i].Score)
				}
			}
		})
	}
}

// TestWithoutVectors holds that files that were not embedded are compared all the
// same, and that the answer says so.
func TestWithoutVectors(t *testing.T) {
	snap := sample.Repository(t, "r", map[string]string{"net/retry.go": "package net\n\n" + retry, "web/again.js": again})
	for _, c := range []struct {
		model embedding.Model
		notes int
	}{{model(), 1}, {nil, 0}} {
		t.Run(fmt.Sprintf("%d notes", c.notes), func(t *testing.T) {
			q, err := similar.Compile(similar.Request{Snippet: retry})
			if err != nil {
				t.Fatal(err)
			}
			res, err := q.Run(t.Context(), snap, []*store.Snapshot{snap}, c.model)
			if err != nil || len(res.Notes) != c.notes || places(res) != "net/retry.go:3-12 same" {
				t.Errorf("%s with notes %q, error %v", places(res), res.Notes, err)
			}
		})
	}
	t.Run("a model that is down", func(t *testing.T) {
		down := model()
		down.Fail(0)
		q, err := similar.Compile(similar.Request{Snippet: retry})
		if err != nil {
			t.Fatal(err)
		}
		res, err := q.Run(t.Context(), snap, []*store.Snapshot{snap}, down)
		if err != nil || len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0], "meanings are not compared: ") || places(res) != "net/retry.go:3-12 same" {
			t.Errorf("%s with notes %q, error %v", places(res), res.Notes, err)
		}
	})
}
