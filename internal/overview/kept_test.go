package overview

import (
	"context"
	"testing"

	"espy/internal/filetest"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/store"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"
)

// counted returns how many answers are kept of the state that a repository is in.
func counted(t *testing.T, r *workspace.Repo) (n int) {
	t.Helper()
	_, err := r.Explore(t.Context(), workspace.Wait{}, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) error {
			n = len(keptOf(ask).all)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKept holds that an answer is kept, and is not given once a commit or a file differs.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, shop)
	filetest.Commit(t, dir, "one")
	r := workspacetest.Attach(t, dir)
	first := asked(t, r, Request{})
	if n := counted(t, r); n != 1 || first.Commits != 1 {
		t.Errorf("%d answers kept, of %d commits", n, first.Commits)
	}
	filetest.Commit(t, dir, "two")
	if again := asked(t, r, Request{}); again.Commits != 2 {
		t.Errorf("%d commits after the second", again.Commits)
	}
	filetest.Write(t, dir, map[string]string{"price/new.go": "package price\n"})
	if a := asked(t, r, Request{}); a.Total.Files != first.Total.Files+1 {
		t.Errorf("%d files after %d and a new one", a.Total.Files, first.Total.Files)
	}
	for n := range maxKept + 1 {
		asked(t, r, Request{Limit: n + 1})
	}
	if n := counted(t, r); n == 0 || n > maxKept {
		t.Errorf("%d answers kept, want at most %d", n, maxKept)
	}
}
