package origin

import (
	"slices"
	"strings"
	"testing"

	"espy/internal/catalog"
	"espy/internal/usage"
)

// TestEditions holds which of the repositories that are published a revision means.
func TestEditions(t *testing.T) {
	const main, next = "1111111aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "2222222bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	e := &Editions{Of: catalog.Repo{ID: "one", Name: "shop", Remote: &catalog.Remote{URL: "https://git.example/shop"}}}
	e.Add(Edition{ID: "one", Ref: "main", Commit: main})
	e.Add(Edition{ID: "two", Ref: "next", Commit: next})
	e.Add(Edition{ID: "three"}) // outside git, or not there yet
	for ref, want := range map[string]string{
		"HEAD": "one", "main": "one", "refs/heads/next": "two", next: "two", next[:7]: "two", main[:12]: "one",
		"": "", "222222": "", "nxt": "", "v1": "", "origin/main": "", "'; DROP TABLE x; --": "", "a\x00b": "", strings.Repeat("x", 1<<20): "",
	} {
		id, err := e.Find(ref)
		if string(id) != want || (err == nil) != (want != "") {
			t.Errorf("Find(%.20q) = %q, %v, want %q", ref, id, err, want)
		}
		if err == nil {
			continue
		}
		problem, hint := usage.Explain(err)
		if len(problem) > 400 || !strings.Contains(hint, "espy index https://git.example/shop#REF") || !strings.Contains(hint, "next") {
			t.Errorf("Find(%.20q): %q, %q", ref, problem, hint)
		}
	}
	if got := e.Refs(); !slices.Equal(got, []string{"main", "next"}) {
		t.Errorf("Refs = %q", got)
	}
	for _, tt := range []struct {
		rec  catalog.Repo
		same bool
	}{
		{catalog.Repo{ID: "two", Remote: &catalog.Remote{URL: "https://git.example/shop", Ref: "next"}}, true},
		{catalog.Repo{ID: "two", Remote: &catalog.Remote{URL: "https://git.example/shop2"}}, false},
		{catalog.Repo{ID: "two", Root: "/srv/shop"}, false},
	} {
		if got := e.SameCode(tt.rec); got != tt.same {
			t.Errorf("SameCode(%s) = %v", tt.rec.Place(), got)
		}
	}
	folder := &Editions{Of: catalog.Repo{ID: "one", Name: "web", Root: "/srv/web"}}
	if !folder.SameCode(catalog.Repo{ID: "two", Family: "one", Root: "/srv/web-next"}) || folder.SameCode(catalog.Repo{ID: "two", Root: "/srv/other"}) {
		t.Error("work trees of one git repository are not told from others")
	}
	if _, hint := usage.Explain(second(folder.Find("next"))); !strings.Contains(hint, "ESPY_DATABASE_URL=") {
		t.Errorf("hint of a folder: %q", hint)
	}
}

func second[T any](_ T, err error) error { return err }
