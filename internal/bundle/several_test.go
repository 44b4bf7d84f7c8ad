package bundle

import (
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/workspace"
)

// shops are repositories of which one imports another, and one that has nothing to do
// with them.
var shops = map[string]map[string]string{
	"model": {
		"go.mod":        "module shop.org/model\n",
		"model.go":      "package model\n\n// Item is sold.\ntype Item struct{}\n\n// Price is what an item costs.\nfunc (i *Item) Price() int { return 1 }\n",
		"model_test.go": "package model\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) { (&Item{}).Price() }\n",
	},
	"api":   {"go.mod": "module shop.org/api\n", "api.go": "package api\n\nimport \"shop.org/model\"\n\n// Bill adds prices up.\nfunc Bill(i *model.Item) int { return i.Price() }\n"},
	"alone": {"go.mod": "module alone.org/m\n", "m.go": "package m\n\n// Paint paints a wall.\nfunc Paint() {}\n", "m_test.go": "package m\n"},
}

func openShops(t *testing.T) (repos []*workspace.Repo) {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	for _, name := range []string{"model", "alone", "api"} {
		dir := t.TempDir()
		filetest.Write(t, dir, shops[name])
		r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		repos = append(repos, r)
	}
	return repos
}

// TestGatherAll holds that what a task needs is followed from one repository into
// another, and that those without a part in it are left out.
func TestGatherAll(t *testing.T) {
	repos := openShops(t)
	price := "model:model.go:6-7 "
	for _, tt := range []struct {
		name, text string
		kind       Kind
		has, lacks []string
	}{
		{"a symbol", "Price", KindSymbol, []string{price + "definition of Item.Price", "api:api.go:5-6 calls Item.Price", "model:model_test.go:5-5 test of Item.Price", "model:model_test.go:1-5 tests beside model:model.go"}, []string{"alone:"}},
		{"an id", "model:model.go#Item.Price", KindSymbol, []string{price + "definition of Item.Price", "api:api.go:5-6 calls Item.Price"}, []string{"alone:"}},
		{"a place", "api.go:6", KindPlace, []string{"api:api.go:5-6 holds the place: Bill", price + "called by Bill"}, []string{"alone:"}},
		{"a place with its repository", "model:model.go:7", KindPlace, []string{price + "holds the place: Item.Price", "api:api.go:5-6 calls Item.Price"}, []string{"alone:"}},
		{"words", "how are prices of a bill added up", KindQuestion, []string{"api:api.go:5-6 matches the question", price + "called by Bill"}, []string{"alone:"}},
		{"words of another", "paint a wall", KindQuestion, []string{"alone:m.go:3-4 matches the question"}, []string{"model:", "api:"}},
		{"words of none", "zebra giraffe", KindQuestion, nil, []string{":"}},
		{"a diff", "--- a/model.go\n+++ b/model.go\n@@ -7,1 +7,1 @@\n-a\n+b\n", KindDiff, []string{price + "changed: Item.Price", "api:api.go:5-6 calls Item.Price"}, []string{"alone:"}},
		{"a diff of what is nowhere", "--- a/x.go\n+++ b/x.go\n@@ -7,1 +7,2 @@\n a\n+b\n", KindDiff, nil, []string{":"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := GatherAll(t.Context(), repos, Request{Text: tt.text}, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(pieces(a), "\n")
			for _, want := range tt.has {
				if !strings.Contains(all, want) {
					t.Errorf("no %q in\n%s", want, all)
				}
			}
			for _, not := range tt.lacks {
				if strings.Contains(all, not) {
					t.Errorf("%q in\n%s", not, all)
				}
			}
			if a.Kind != tt.kind || !a.In.Several || len(a.In.Repos)+len(a.In.Apart) != len(repos) {
				t.Errorf("taken for a %s, searched %+v", a.Kind, a.In)
			}
		})
	}
	if _, err := GatherAll(t.Context(), repos, Request{Changes: "HEAD"}, workspace.Wait{}); err == nil || !strings.Contains(err.Error(), "one repository") {
		t.Errorf("changes of several: %v", err)
	}
	one, err := GatherAll(t.Context(), repos[:1], Request{Text: "Price"}, workspace.Wait{})
	if err != nil || one.In.Several || !strings.HasPrefix(pieces(one)[0], "model.go:6-7 ") {
		t.Errorf("one alone: %v, %v", one, err)
	}
}
