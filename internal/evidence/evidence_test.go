package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/filetest"
	"espy/internal/workspace"
)

// zoo is a small repository: a uses b, b uses c, c and f use e, and d stands alone.
var zoo = map[string]string{
	"go.mod": "module x\n",
	"a/a.go": "package a\n\nimport \"x/b\"\n\n// Zebra one.\nfunc Zebra() { b.Middle() }\n",
	"b/b.go": "package b\n\nimport \"x/c\"\n\nfunc Middle() { c.Okapi() }\n",
	"c/c.go": "package c\n\nimport \"x/e\"\n\n// Okapi is a zebra too.\nfunc Okapi() { e.Shared() }\n",
	"d/d.py": "# zebra\ndef Middle():\n    pass\n",
	"e/e.go": "package e\n\nfunc Shared() {}\n",
	"f/f.go": "package f\n\nimport \"x/e\"\n\n// Third zebra.\nfunc Third() { e.Shared() }\n",
	"g/g.go": "package g\n\n// Long feeds the zebra.\nfunc Long() {\n" + strings.Repeat("\tfeed() // the zebra\n", 150) + "}\n",
}

// open opens a repository with a model.
func open(t *testing.T, files map[string]string) *workspace.Repo {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Models: embedding.Models{Local: static.BuiltIn()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGather holds what is known of each chunk, at first and from what was kept.
func TestGather(t *testing.T) {
	r := open(t, zoo)
	for _, time := range []string{"first", "again"} {
		t.Run(time, func(t *testing.T) {
			a, err := Gather(t.Context(), r, Request{Text: "zebra", Limit: 50, Pick: everything}, workspace.Wait{Vectors: true})
			if err != nil || !a.Compared || a.Embedded != 1 || a.Hits[0].Text == "" {
				t.Fatalf("%+v, %v", a, err)
			}
			var got []string
			for _, h := range a.Hits {
				got = append(got, fmt.Sprintf("%s %s %d beside", h.Path, h.Symbol, h.Beside))
				if h.Near+h.Share <= 0 || h.Near > 1 || h.Share > 1 {
					t.Errorf("%+v", h)
				}
			}
			all := strings.Join(got, "\n")
			for _, want := range []string{"a/a.go Zebra 1 beside", "c/c.go Okapi 2 beside", "f/f.go Third 1 beside", "d/d.py Middle 0 beside", "g/g.go Long 0 beside"} {
				if strings.Count(all, want) != 1 {
					t.Errorf("not once %q in\n%s", want, all)
				}
			}
		})
	}
}

// TestOnly holds that filters change neither what a chunk is worth nor whether it is found.
func TestOnly(t *testing.T) {
	r := open(t, zoo)
	all, err := Gather(t.Context(), r, Request{Text: "zebra one", Limit: 50}, workspace.Wait{Vectors: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all.Hits {
		t.Run(h.Path, func(t *testing.T) {
			a, err := Gather(t.Context(), r, Request{Text: "zebra one", Limit: 1, Only: func(path, _ string, _ code.Class) bool { return path == h.Path }}, workspace.Wait{Vectors: true})
			if err != nil || len(a.Hits) != 1 || a.Hits[0].Near != h.Near || a.Hits[0].Share != h.Share {
				t.Errorf("%+v, %v, want %+v", a.Hits, err, h)
			}
		})
	}
}

// TestAround walks from a name.
func TestAround(t *testing.T) {
	r := open(t, zoo)
	for _, tt := range []struct {
		req  AroundRequest
		want string
	}{
		{AroundRequest{Name: "b.Middle", Users: true, Used: true, Depth: 1}, "Zebra Okapi"},
		{AroundRequest{Name: "Shared", Users: true, Depth: 1}, "Okapi Third"},
		{AroundRequest{Name: "Shared", Users: true, Depth: 5}, "Okapi Third Middle Zebra"},
		{AroundRequest{Name: "feed", Users: true, Depth: 1}, "Long"},
		{AroundRequest{Name: "feed", Used: true, Depth: 1}, ""},
		{AroundRequest{Name: "...", Users: true, Depth: 1}, ""},
	} {
		t.Run(fmt.Sprintf("%+v", tt.req), func(t *testing.T) {
			all, whole, err := Around(t.Context(), r, tt.req, workspace.Wait{})
			var names []string
			for _, d := range all {
				names = append(names, d.Name)
			}
			if got := strings.Join(names, " "); got != tt.want || !whole || err != nil {
				t.Errorf("%q, whole %v, %v; want %q", got, whole, err, tt.want)
			}
		})
	}
}

// TestLongText holds that what tells most of a long text is searched for, wherever it stands.
func TestLongText(t *testing.T) {
	r := open(t, zoo)
	long := strings.Repeat("ä ", 6000)
	for _, c := range []struct {
		name, text string
		notes      int
	}{
		{"short", "zebra", 0},
		{"its end tells", long + "\nzebra", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := Gather(t.Context(), r, Request{Text: c.text, Limit: 50}, workspace.Wait{Vectors: true})
			if err != nil {
				t.Fatal(err)
			}
			told := slices.DeleteFunc(slices.Clone(a.Notes), func(n string) bool { return !strings.Contains(n, "were read") })
			if best := a.Hits[0]; best.Share == 0 || len(told) != c.notes {
				t.Errorf("%+v, notes %q", best, a.Notes)
			}
		})
	}
}

func everything(a *Answer) []int {
	all := make([]int, len(a.Hits))
	for i := range all {
		all[i] = i
	}
	return all
}
