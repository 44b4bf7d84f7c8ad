package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"espy/internal/claim"
	"espy/internal/code"
	"espy/internal/filetest"
	"espy/internal/workspace/job"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

// pythons makes n files that the fake parser parses.
func pythons(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/f%03d.py", i%7, i)] = fmt.Sprintf("w%d text\n", i)
	}
	return files
}

// TestAgentsDoOneIndexing has several processes' worth of workspaces index one
// repository at once: together they analyse and parse every file once.
func TestAgentsDoOneIndexing(t *testing.T) {
	t.Parallel()
	const agents, files = 6, 300
	dir, data := t.TempDir(), t.TempDir()
	want := pythons(files)
	filetest.Write(t, dir, want)
	p := &fakeParser{}
	var analysed, parsed atomic.Int64
	var group sync.WaitGroup
	for range agents {
		r := attach(t, openParsing(t, data, p, false), dir)
		group.Go(func() {
			rep, err := r.Index(context.Background(), IndexOptions{})
			if err != nil || rep.Files != files || rep.Syntax.Parsed != files {
				t.Errorf("Index = %+v, %v", rep, err)
			}
			analysed.Add(int64(rep.Analysed))
			parsed.Add(int64(rep.Parsed))
		})
	}
	group.Wait()
	if analysed.Load() != files || parsed.Load() != files || p.called() != files {
		t.Errorf("%d files analysed, %d parsed, %d given to the parser; want %d each", analysed.Load(), parsed.Load(), p.called(), files)
	}
}

// TestWaitersUseWhatOthersDid has two processes ask while a third works: the
// work of the second, which began after both had asked, is the third's too.
func TestWaitersUseWhatOthersDid(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, pythons(20))
	hold, entered := make(chan struct{}), make(chan struct{}, 100)
	worker := attach(t, open(t, data), dir)
	done := make(chan error, 1)
	go func() {
		_, err := worker.Index(context.Background(), IndexOptions{enter: func(string) { entered <- struct{}{}; <-hold }})
		done <- err
	}()
	<-entered
	var walks atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		r := attach(t, open(t, data), dir)
		group.Go(func() {
			j, _ := r.sync.Start(job.Work{Do: func(context.Context, *job.Job) error {
				walks.Add(1)
				eventually(t, "a record", func() bool {
					rec, _ := claim.Job(job.Index(r.view.Jobs(), r.view.Key)).Look()
					return !rec.Updated.IsZero()
				})
				return nil
			}})
			if err := j.Wait(context.Background(), nil); err != nil {
				t.Error(err)
			}
		})
		eventually(t, "waiting", func() bool { return !r.sync.Idle() })
	}
	close(hold)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	group.Wait()
	if n := walks.Load(); n != 1 {
		t.Errorf("the files were looked at %d times, want once for all four", n)
	}
}

func TestStatusAndCancelOfAnotherProcess(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, pythons(40))
	held := make(chan struct{})
	p := &fakeParser{held: held}
	worker := attach(t, openParsing(t, data, p, false), dir)
	done := make(chan error, 1)
	go func() {
		_, err := worker.Index(context.Background(), IndexOptions{})
		done <- err
	}()
	other := attach(t, openParsing(t, data, p, false), dir)
	if ended, err := attach(t, open(t, t.TempDir()), dir).Cancel(context.Background()); ended || err != nil {
		t.Errorf("Cancel where nothing runs = %v, %v", ended, err)
	}
	eventually(t, "the other process is seen to parse", func() bool {
		st, err := other.Status(context.Background())
		return err == nil && st.Indexing != nil && st.Process == os.Getpid() && (st.Files == 40 && p.called() > 0)
	})
	const waiters = 3
	waited := make(chan error, waiters)
	for range waiters {
		waiter := attach(t, openParsing(t, data, p, false), dir)
		go func() { waited <- waiter.finish(context.Background(), waiter.parsing(), nil) }()
		eventually(t, "another process waits", func() bool { return !waiter.parse.Idle() })
	}
	if ended, err := other.Cancel(context.Background()); !ended || err != nil {
		t.Errorf("Cancel = %v, %v", ended, err)
	}
	if err := <-done; !errors.Is(err, job.ErrCancelled) {
		t.Errorf("the indexing ended with %v, want %v", err, job.ErrCancelled)
	}
	for range waiters {
		if err := <-waited; !errors.Is(err, job.ErrCancelled) {
			t.Errorf("who waited for it got %v, want %v", err, job.ErrCancelled)
		}
	}
	st, err := attach(t, open(t, data), dir).Status(context.Background())
	if err != nil || st.Indexing != nil || st.LastError != job.ErrCancelled.Error() || st.Files != 40 || st.Syntax.Pending != 40 {
		t.Errorf("status %+v, %v", st, err)
	}
	p.set(false, nil)
	before := p.called()
	rep, err := other.Index(context.Background(), IndexOptions{})
	if err != nil || rep.Analysed != 0 || rep.Parsed != 40 || rep.Syntax.Parsed != 40 || p.called() != before+40 {
		t.Errorf("afterwards Index = %+v, %v", rep, err)
	}
	if st, err := other.Status(context.Background()); err != nil || st.LastError != "" || st.Indexing != nil {
		t.Errorf("status %+v, %v", st, err)
	}
}

// stuck is an origin whose update ends only when it is cancelled.
type stuck struct {
	origin.Origin
	entered chan struct{}
}

func (s *stuck) Update(ctx context.Context, _ *view.Update) (settled bool, err error) {
	close(s.entered)
	<-ctx.Done()
	return false, ctx.Err()
}

// TestAWatcherYields holds that an indexing that was cancelled does not begin
// again until somebody asks.
func TestAWatcherYields(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, pythons(5))
	r := attach(t, open(t, data), dir)
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	files := r.origin
	held := &stuck{files, make(chan struct{})}
	r.origin = held
	followed := make(chan error, 1)
	go func() { followed <- r.follow(context.Background(), func(string) {}) }()
	<-held.entered
	if ended, err := r.Cancel(context.Background()); err != nil || !ended {
		t.Fatalf("Cancel = %v, %v", ended, err)
	}
	if err := <-followed; !errors.Is(err, job.ErrCancelled) {
		t.Errorf("follow = %v", err)
	}
	r.origin = files
	enter := func(dir string) { t.Errorf("%q is looked at again", dir) }
	if err := r.follow(context.Background(), enter); !errors.Is(err, job.ErrCancelled) {
		t.Errorf("follow = %v", err)
	}
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	var looked atomic.Bool
	if err := r.follow(context.Background(), func(string) { looked.Store(true) }); err != nil || !looked.Load() {
		t.Errorf("follow = %v, looked %v", err, looked.Load())
	}
}

func TestTidyJobs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, pythons(2))
	r := attach(t, open(t, t.TempDir()), dir)
	fresh(t, r)
	jobs := r.view.Jobs()
	filetest.Write(t, jobs, map[string]string{"ref.0a.index.lock": "", "ref.0a.index.json": "{}", "ref.0a.syntax.lock": "", "main.syntax.lock": "", "main.syntax.json": "{}"})
	if err := r.view.TidyJobs(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(jobs)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"main.index.lock", "main.syntax.json", "main.syntax.lock"}; !slices.Equal(names, want) {
		t.Errorf("files of jobs %q, want %q", names, want)
	}
}

// TestWhatWasKeptIsRemoved removes what is kept of a repository under a process
// that uses it: the next question makes it anew and says so.
func TestWhatWasKeptIsRemoved(t *testing.T) {
	for _, tt := range []struct {
		name   string
		remove func(w *Workspace, r *Repo) string
	}{
		{"the data folder", func(w *Workspace, _ *Repo) string { return w.Options().DataDir }},
		{"the folder of the repository", func(_ *Workspace, r *Repo) string { return r.Folder() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			filetest.Write(t, root, map[string]string{"a.go": "package a\n\nfunc Needle() {}\n"})
			w, err := Open(Options{DataDir: filepath.Join(t.TempDir(), "data"), Watch: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { w.Close() })
			asked := func() code.Freshness {
				r, err := w.Attach(t.Context(), root, AttachOptions{Exact: true})
				if err != nil {
					t.Fatal(err)
				}
				s, err := r.Snapshot(t.Context(), Wait{})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				if n := s.Stats().Files; n != 1 {
					t.Errorf("%d files, want 1", n)
				}
				if err := os.Rename(tt.remove(w, r), filepath.Join(t.TempDir(), "away")); err != nil {
					t.Fatal(err) // at once, whatever is written there meanwhile
				}
				return s.Freshness
			}
			if f := asked(); f.Rebuilt != "" {
				t.Errorf("rebuilt: %q at first", f.Rebuilt)
			}
			if repos, err := w.Repos(t.Context()); err != nil || len(repos) != 0 {
				t.Errorf("Repos after the removal: %d, %v", len(repos), err)
			}
			for range 2 {
				if f := asked(); !strings.Contains(f.Rebuilt, "removed") {
					t.Errorf("rebuilt: %q, want what was removed", f.Rebuilt)
				}
			}
		})
	}
}
