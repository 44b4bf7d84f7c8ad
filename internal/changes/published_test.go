package changes

import (
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	catalog "espy/internal/catalog/postgres"
	"espy/internal/filetest"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
	parts "espy/internal/store/blob/postgres"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/team"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// member opens a workspace that publishes to a team's database, or answers from it.
func member(t *testing.T, u *url.URL, build bool) *workspace.Workspace {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	log, dir := slog.New(slog.DiscardHandler), t.TempDir()
	w, err := workspace.Open(workspace.Options{DataDir: dir, Team: &team.Shared{
		Catalog: catalog.New(pool, nil, filepath.Join(dir, "team")), News: parts.NewNews(pool, nil, log), Build: build, Log: log,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		pool.Close()
	})
	return w
}

// TestPublished compares what a team has published, where there are neither files nor
// a history: two branches, and generations.
func TestPublished(t *testing.T) {
	t.Parallel()
	u, dir := postgrestest.Database(t), filepath.Join(t.TempDir(), "shop")
	next := filepath.Join(filepath.Dir(dir), "shop-next")
	filetest.Write(t, dir, map[string]string{
		"a.go": "package a\n\nfunc one() {}\n\nfunc two() {}\n", "gone.go": "package a\n\nfunc gone() {}\n",
		"moved.txt": longText, "edited.txt": strings.ToUpper(longText), "pic.png": "\x00\x01", "same.png": "\x00\x05", ".env": "SECRET=1\n",
	})
	filetest.Commit(t, dir, "first")
	filetest.Git(t, dir, "worktree", "add", "-q", "-b", "next", next)
	filetest.Remove(t, next, "gone.go", "moved.txt", "edited.txt")
	filetest.Write(t, next, map[string]string{
		"a.go": "package a\n\nfunc one(int) {}\n\nfunc two() {}\n", "new.go": "package a\n\nfunc fresh() {}\n",
		"moved/to.txt": longText, "edited2.txt": strings.ToUpper(longText) + "nine\n", "pic.png": "\x00\x03",
	})
	filetest.Commit(t, next, "second")
	worker, server := member(t, u, true), member(t, u, false)
	index := func(folder string) {
		t.Helper()
		r, err := worker.Attach(t.Context(), folder, workspace.AttachOptions{})
		if err == nil {
			_, err = r.Index(t.Context(), workspace.IndexOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	index(dir)
	index(next)
	r, err := server.Find(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	all := []string{
		`modified a.go +1 -1, signature "one"`,
		`renamed edited2.txt from edited.txt +1 -0, body ""`,
		`removed gone.go +0 -3, removed "gone"`,
		"renamed moved/to.txt from moved.txt +0 -0",
		`added new.go +3 -0, added "fresh"`,
	}
	for _, req := range []Request{{Ref: "main..next"}, {Ref: "..next"}} {
		c := wantChanges(t, r, req, all...)
		if c.Source != SourceIndex || c.From.Name != "main" || c.From.Commit == "" || c.To.Name != "next" || c.Total != len(all) {
			t.Errorf("%+v: %+v", req, c)
		}
		if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "3 paths are left out") { // .env, pic.png, same.png
			t.Errorf("notes %s", notes)
		}
	}
	wantChanges(t, r, Request{Ref: "main..next", Paths: []string{"*.go"}, Offset: 1, Limit: 1}, all[2])
	wantChanges(t, r, Request{Ref: "main..main"})
	at, err := server.Find(t.Context(), "shop@next")
	if err != nil {
		t.Fatal(err)
	}
	if c := wantChanges(t, at, Request{Since: "main"}, all...); c.Repo != "shop-next" || c.Branch != "next" {
		t.Errorf("since main: %+v", c)
	}

	c := wantChanges(t, r, Request{})
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "the log of the index begins here") {
		t.Errorf("after the first generation: notes %s", notes)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc one() {}\n"})
	index(dir)
	filetest.Write(t, dir, map[string]string{"b.go": "package a\n\nfunc four() {}\n"})
	index(dir)
	second, third := `modified a.go, removed "two"`, "added b.go"
	if c := wantChanges(t, r, Request{}, third); c.From.Name != "generation 2" || c.To.Name != "generation 3" || c.Source != SourceLog {
		t.Errorf("newest: %+v", c)
	}
	wantChanges(t, r, Request{Since: "generation:1"}, second, third)
	wantChanges(t, r, Request{Since: "generation:3"})
	if c := wantChanges(t, r, Request{Since: "1999-12-31"}, second, third); !strings.Contains(strings.Join(c.Notes, "\n"), "before the log begins") {
		t.Errorf("since a time: notes %q", c.Notes)
	}

	var refused *usage.Error
	for _, req := range []Request{{Ref: "main"}, {Ref: "main...next"}, {Ref: "main..next", Since: "main"}, {Since: "generation:99"}, {Since: "generation:'; DROP TABLE espy.views; --"}} {
		if _, err := Compare(t.Context(), r, req); !errors.As(err, &refused) {
			t.Errorf("%+v: error %v", req, err)
		}
	}
	for _, req := range []Request{{Ref: "main..v1"}, {Since: "v1"}, {Ref: "a\x00b..main"}, {Ref: strings.Repeat("x", 1<<20) + "..main"}} {
		_, err := Compare(t.Context(), r, req)
		if problem, hint := usage.Explain(errors.Join(err)); err == nil || len(problem) > 500 || !strings.Contains(problem, "not published") && !strings.Contains(hint, "published are main, next") {
			t.Errorf("%.40v: error %.300v", req, err)
		}
	}
	if _, err := ListCommits(t.Context(), r, HistoryRequest{}); !errors.Is(err, origin.ErrPublished) {
		t.Errorf("history: error %v", err)
	} else if _, hint := usage.Explain(err); !strings.Contains(hint, "git log") {
		t.Errorf("history: hint %q", hint)
	}
}
