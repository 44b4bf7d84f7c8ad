package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"espy/internal/config"
	"espy/internal/hit"
	"espy/internal/mirror"
	"espy/internal/postgrestest"
	"espy/internal/queue"
	"espy/internal/search"
	"espy/internal/workspace"
)

// TestWorker holds that a repository that a list names is indexed by a worker, and
// answered by a program that never saw its files.
func TestWorker(t *testing.T) {
	u, dir := postgrestest.Database(t), t.TempDir()
	open := func(o Options) *App {
		c, err := config.Load(config.Input{Env: map[string]string{"HOME": t.TempDir(), "ESPY_DATABASE_URL": u.String()}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := Open(c, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	list := filepath.Join(t.TempDir(), "list")
	for name, text := range map[string]string{filepath.Join(dir, "retry.go"): "package shop\n\nfunc CapTheBackoff() {}\n", list: "# ours\n" + dir + " every=10s\n/nowhere/at/all\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	builder := open(Options{Build: true})
	q, err := builder.Queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	w := &mirror.Worker{Workspace: builder.Workspace, Queue: q, File: list, Log: builder.team.log}
	go func() { ended <- w.Run(ctx) }()
	for done := false; !done; {
		c, err := q.Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done = c.Jobs[queue.Done] == 1 && c.Jobs[queue.Retrying] == 1
		select {
		case err := <-ended:
			t.Fatalf("the worker ended: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the worker ended: %v", err)
	}
	reader := open(Options{})
	repos, err := reader.Workspace.Repos(t.Context())
	if err != nil || len(repos) != 1 {
		t.Fatalf("repositories %v, %v", repos, err)
	}
	query, err := search.Compile(hit.Request{Query: "CapTheBackoff", Mode: hit.ModeLiteral, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	found, err := reader.Workspace.Search(t.Context(), repos, query, workspace.Wait{})
	if err != nil || found.Total != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
}
