package workspace

import (
	"context"
	"errors"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/search"
	"espy/internal/store/blob/local"
	"espy/internal/workspace/job"
)

// TestEveryQuestionEnds asks everything behind a writer that does not get on,
// with an index and without: each question ends in its time, with an answer or
// an error that names the process.
func TestEveryQuestionEnds(t *testing.T) {
	t.Parallel()
	const slack = 3 * time.Second // of a loaded machine
	questions := map[string]func(context.Context, *Workspace, *Repo) error{
		"search": func(ctx context.Context, w *Workspace, r *Repo) error {
			q, err := search.Compile(hit.Request{Query: "Foo"})
			if err != nil {
				return err
			}
			_, err = w.Search(ctx, []*Repo{r}, q, Wait{})
			return err
		},
		"symbol": func(ctx context.Context, _ *Workspace, r *Repo) error {
			_, _, err := r.Symbols(ctx, nav.SymbolRequest{Target: locate.Target{Name: "Foo"}}, Wait{})
			return err
		},
		"references": func(ctx context.Context, _ *Workspace, r *Repo) error {
			_, _, err := r.References(ctx, nav.ReferencesRequest{Target: locate.Target{Name: "Foo"}}, Wait{})
			return err
		},
		"outline": func(ctx context.Context, _ *Workspace, r *Repo) error {
			_, _, err := r.Outline(ctx, nav.OutlineRequest{}, Wait{})
			return err
		},
		"read":   func(ctx context.Context, _ *Workspace, r *Repo) error { _, err := r.Read(ctx, "a.go"); return err },
		"status": func(ctx context.Context, _ *Workspace, r *Repo) error { _, err := r.Status(ctx); return err },
		"history": func(ctx context.Context, _ *Workspace, r *Repo) error {
			_, _, err := r.History(ctx)
			return err
		},
		"cancel": func(ctx context.Context, _ *Workspace, r *Repo) error { _, err := r.Cancel(ctx); return err },
		"remove": func(ctx context.Context, w *Workspace, r *Repo) error { return w.Remove(ctx, r) },
	}
	for _, tt := range []struct{ name, ref string }{{"the files", ""}, {"a commit", "HEAD~1"}} {
		for _, indexed := range []bool{true, false} {
			for question, ask := range questions {
				name := question + " of " + tt.name
				if indexed {
					name += " with an index"
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					dir, data := t.TempDir(), t.TempDir()
					filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc Foo() {}\n"})
					filetest.Commit(t, dir, "first")
					filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc Foo() { Bar() }\n\nfunc Bar() {}\n"})
					filetest.Commit(t, dir, "second")
					if indexed {
						r := attach(t, open(t, data), dir)
						if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
							t.Fatal(err)
						}
					}
					w := open(t, data)
					r := attach(t, w, dir)
					unlock, err := r.view.Family.Lock(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					defer unlock()
					if r, err = r.At(t.Context(), tt.ref); err != nil {
						t.Fatal(err)
					}
					// A loaded machine may need all of a short time for what comes before the wait.
					for limit := 400 * time.Millisecond; ; limit *= 4 {
						ctx, cancel := context.WithTimeout(t.Context(), limit)
						began := time.Now()
						err := ask(ctx, w, r)
						cancel()
						if d := time.Since(began); d > limit+slack {
							t.Errorf("it took %v of %v", d, limit)
						}
						if err == nil || errors.As(err, new(*job.UnreadyError)) || errors.As(err, new(*local.LockedError)) {
							return
						}
						if limit > 20*time.Second {
							t.Fatalf("the error names no process: %v", err)
						}
					}
				})
			}
		}
	}
}
