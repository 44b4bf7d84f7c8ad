package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"espy/internal/claim"
	"espy/internal/progress"
	"espy/internal/store/blob/local"
)

// newSlot returns a slot of a process that shares the jobs of a folder.
func newSlot(t *testing.T, dir string) *Slot {
	s := NewSlot(Options{Shared: Index(dir, "main"), Repo: func() string { return "r" }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { s.Close()() })
	return s
}

// blocked is work that waits until it is released or cancelled.
type blocked struct {
	entered, release chan struct{}
	runs             atomic.Int32
}

func newBlocked() *blocked {
	return &blocked{entered: make(chan struct{}, 10), release: make(chan struct{})}
}

func (b *blocked) do(ctx context.Context, _ *Job) error {
	b.runs.Add(1)
	b.entered <- struct{}{}
	select {
	case <-b.release:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// recorded waits until the run of a slot has a record: one that ends before its
// first tick leaves none.
func recorded(t *testing.T, s *Slot) {
	t.Helper()
	eventually(t, "no record", func() bool {
		rec, _ := claim.Job(s.opts.Shared).Look()
		return !rec.Updated.IsZero()
	})
}

func wait(t *testing.T, j *Job) error {
	t.Helper()
	return j.Wait(t.Context(), nil)
}

func TestStart(t *testing.T) {
	t.Parallel()
	t.Run("runs one job at a time", func(t *testing.T) {
		s, b := newSlot(t, t.TempDir()), newBlocked()
		first, fresh := s.Start(Work{Do: b.do})
		if !fresh {
			t.Error("the first job is not fresh")
		}
		<-b.entered
		if second, fresh := s.Start(Work{Do: b.do}); second != first || fresh {
			t.Error("a second job began beside the first")
		}
		if s.Idle() {
			t.Error("the slot is idle while a job runs")
		}
		close(b.release)
		if err := wait(t, first); err != nil || !s.Idle() || b.runs.Load() != 1 {
			t.Errorf("the job ended with %v after %d runs, idle %v", err, b.runs.Load(), s.Idle())
		}
		if next, fresh := s.Start(Work{Do: b.do}); next == first || !fresh {
			t.Error("no new job began after the first")
		}
	})
	t.Run("calls After once others see the end", func(t *testing.T) {
		s := newSlot(t, t.TempDir())
		state, want := "", errors.New("no")
		var got error
		j, _ := s.Start(Work{Do: func(context.Context, *Job) error { recorded(t, s); return want }, After: func(err error) {
			rec, _ := claim.Job(s.opts.Shared).Look()
			state, got = string(rec.State), err
		}})
		if err := wait(t, j); err != want || got != want || state != string(claim.Failed) {
			t.Errorf("Wait = %v, After got %v in state %q; want %v, %q", err, got, state, want, claim.Failed)
		}
	})
	t.Run("ends at once where the slot is closed", func(t *testing.T) {
		s := newSlot(t, t.TempDir())
		s.Close()()
		j, fresh := s.Start(Work{Do: func(context.Context, *Job) error { t.Error("it runs"); return nil }})
		if err := wait(t, j); !fresh || !errors.Is(err, context.Canceled) {
			t.Errorf("Wait = %v, fresh %v", err, fresh)
		}
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	for name, brief := range map[string]bool{"a brief job is finished": true, "any other is cancelled": false} {
		t.Run(name, func(t *testing.T) {
			s, b := newSlot(t, t.TempDir()), newBlocked()
			j, _ := s.Start(Work{Do: b.do, Brief: brief})
			<-b.entered
			stop := s.Close()
			if brief {
				close(b.release)
			}
			stop()
			if err := wait(t, j); (err == nil) != brief {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

func TestFinish(t *testing.T) {
	t.Parallel()
	t.Run("runs again after a job that began before", func(t *testing.T) {
		s, b := newSlot(t, t.TempDir()), newBlocked()
		s.Start(Work{Do: b.do})
		<-b.entered
		done := make(chan error)
		go func() {
			_, err := s.Finish(context.Background(), Work{Do: b.do, Own: true}, nil)
			done <- err
		}()
		close(b.release)
		if err := <-done; err != nil || b.runs.Load() != 2 {
			t.Errorf("Finish = %v after %d runs, want 2", err, b.runs.Load())
		}
	})
	t.Run("stops its job with the context", func(t *testing.T) {
		s, b := newSlot(t, t.TempDir()), newBlocked()
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-b.entered; cancel() }()
		j, err := s.Finish(ctx, Work{Do: b.do}, nil)
		if !errors.Is(err, context.Canceled) || j.running() {
			t.Errorf("Finish = %v, running %v", err, j.running())
		}
	})
}

// TestShare has two processes ask while a third works: the work of the second,
// which began after both had asked, is the third's too, unless it is its own.
func TestShare(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		own  bool
		want int32 // runs of the two
	}{"what another did": {false, 1}, "not for work of one's own": {true, 2}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			b, after := newBlocked(), newBlocked()
			first, _ := newSlot(t, dir).Start(Work{Do: b.do})
			<-b.entered
			var jobs []*Job
			for range 2 {
				s := newSlot(t, dir)
				j, _ := s.Start(Work{Do: func(ctx context.Context, j *Job) error { recorded(t, s); return after.do(ctx, j) }, Own: tt.own})
				jobs = append(jobs, j)
			}
			close(after.release)
			close(b.release)
			for _, j := range append(jobs, first) {
				if err := wait(t, j); err != nil {
					t.Error(err)
				}
			}
			if n := after.runs.Load(); n != tt.want {
				t.Errorf("the two ran %d times, want %d", n, tt.want)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, other := newSlot(t, dir), newSlot(t, dir)
	if ended, err := other.Cancel(t.Context()); ended || err != nil {
		t.Errorf("Cancel where nothing runs = %v, %v", ended, err)
	}
	b := newBlocked()
	j, _ := s.Start(Work{Do: b.do})
	<-b.entered
	waiting, _ := other.Start(Work{Do: b.do})
	if ended, err := newSlot(t, dir).Cancel(t.Context()); !ended || err != nil {
		t.Errorf("Cancel = %v, %v", ended, err)
	}
	for name, j := range map[string]*Job{"the run": j, "one that waits for it": waiting} {
		t.Run(name+" ends", func(t *testing.T) {
			if err := wait(t, j); !errors.Is(err, ErrCancelled) {
				t.Errorf("it ended with %v, want %v", err, ErrCancelled)
			}
		})
	}
	t.Run("it yields until somebody asks", func(t *testing.T) {
		if !s.Yields() || s.Failed() != nil {
			t.Errorf("yields %v, failed %v", s.Yields(), s.Failed())
		}
		j, _ := s.Start(Work{Do: func(context.Context, *Job) error { return nil }})
		if err := wait(t, j); err != nil || s.Yields() {
			t.Errorf("Wait = %v, yields %v afterwards", err, s.Yields())
		}
	})
}

func TestLook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, other := newSlot(t, dir), newSlot(t, dir)
	report := progress.Report{Phase: progress.Index, Files: 3, TotalFiles: 9}
	b := newBlocked()
	j, _ := s.Start(Work{Do: func(ctx context.Context, j *Job) error {
		j.Tell(report)
		b.do(ctx, j)
		return errors.New("no space")
	}})
	<-b.entered
	for name, slot := range map[string]*Slot{"this process": s, "another": other} {
		t.Run("while it runs in "+name, func(t *testing.T) {
			eventually(t, "its progress is not seen", func() bool {
				st := Look(slot)
				return st.Progress != nil && *st.Progress == report && st.Process == os.Getpid() && st.LastError == ""
			})
		})
	}
	close(b.release)
	if err := wait(t, j); err == nil || s.Failed() != err {
		t.Errorf("Wait = %v, Failed = %v", err, s.Failed())
	}
	for name, slot := range map[string]*Slot{"this process": s, "another": other} {
		t.Run("after it failed in "+name, func(t *testing.T) {
			if st := Look(slot); st.Progress != nil || st.LastError != "no space" {
				t.Errorf("state %+v", st)
			}
		})
	}
}

// TestInterrupted ends a run with its process, as SIGINT does: this process and
// others say so in words.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newSlot(t, dir)
	j, _ := s.Start(Work{Do: func(context.Context, *Job) error {
		recorded(t, s)
		return fmt.Errorf("read a.go: %w", context.Canceled)
	}})
	if err := wait(t, j); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	for name, slot := range map[string]*Slot{"this process": s, "another": newSlot(t, dir)} {
		if st := Look(slot); st.LastError != errInterrupted.Error() {
			t.Errorf("%s says %q, want %q", name, st.LastError, errInterrupted)
		}
	}
}

func TestFailed(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, context.Canceled, ErrCancelled, local.ErrLocked, fs.ErrPermission} {
		t.Run(fmt.Sprint(err), func(t *testing.T) {
			s := newSlot(t, t.TempDir())
			j, _ := s.Start(Work{Do: func(context.Context, *Job) error { return err }, Brief: true})
			wait(t, j)
			if got := s.Failed(); (got != nil) != (err == fs.ErrPermission) {
				t.Errorf("Failed = %v", got)
			}
		})
	}
}

// TestLog holds that only what nobody waits for is a warning.
func TestLog(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err   error
		brief bool
		want  string // level
	}{
		"an error that somebody waits for": {errors.New("no"), false, "INFO"},
		"one of a brief job":               {errors.New("no"), true, "WARN"},
		"an index that is read-only":       {fs.ErrPermission, true, "INFO"},
		"another writer":                   {local.ErrLocked, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			s := NewSlot(Options{Shared: Index(t.TempDir(), "main"), Repo: func() string { return "r" }, Log: slog.New(slog.NewTextHandler(&log, nil))})
			j, _ := s.Start(Work{Do: func(context.Context, *Job) error { return tt.err }, Brief: tt.brief})
			wait(t, j)
			if got := log.String(); (tt.want == "") != (got == "") || !strings.Contains(got, "level="+tt.want) && tt.want != "" {
				t.Errorf("logged %q, want level %q", got, tt.want)
			}
		})
	}
}

func TestBegun(t *testing.T) {
	t.Parallel()
	s, b := newSlot(t, t.TempDir()), newBlocked()
	j, _ := s.Start(Work{Do: b.do})
	<-b.entered
	j.Tell(progress.Report{Phase: progress.Wait})
	if err := j.Begun(t.Context(), time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Begun of one that waits = %v", err)
	}
	j.Tell(progress.Report{Phase: progress.Scan})
	if err := j.Begun(t.Context(), time.Minute); err != nil {
		t.Errorf("Begun of one that works = %v", err)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"ref.0a.index.lock", "ref.0a.index.json", "ref.0a.syntax.lock", "main.syntax.lock", "main.index.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clean(dir, func(view string) bool { return view == "main" }); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if want := []string{"main.index.json", "main.syntax.lock"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left are %q, %v; want %q", left, err, want)
	}
}
