package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tree is a folder whose watcher's walks are counted.
type tree struct {
	root, dir string
	walks     chan struct{} // one for each walk that ended
	fail      atomic.Bool   // walks end with an error
}

func newTree(t *testing.T) *tree {
	t.Helper()
	return &tree{root: t.TempDir(), dir: t.TempDir(), walks: make(chan struct{}, 1000)}
}

func (tr *tree) options() Options {
	return Options{
		Root: tr.root, Dir: tr.dir, Sync: tr.sync,
		Settle: time.Millisecond, Longest: 10 * time.Millisecond, Retry: 10 * time.Millisecond,
		Proof: enough, // however busy the machine is
	}
}

func (tr *tree) sync(ctx context.Context, enter func(string)) error {
	defer func() { tr.walks <- struct{}{} }()
	if tr.fail.Load() {
		return errors.New("no walk")
	}
	return filepath.WalkDir(tr.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			rel, _ := filepath.Rel(tr.root, path)
			enter(rel)
		}
		return ctx.Err()
	})
}

func (tr *tree) start(t *testing.T, o Options) *Watcher {
	t.Helper()
	w, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// enough is how long a test waits for what should come at once.
const enough = 3 * time.Minute

// settled waits until the watcher gives a mark.
func settled(t *testing.T, w *Watcher) Mark {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(enough); time.Now().Before(end); <-tick.C {
		if m, ok := w.Mark(t.Context()); ok {
			return m
		}
	}
	t.Fatalf("no mark within %v; state %+v", enough, w.State())
	return Mark{}
}

func (tr *tree) write(t *testing.T, name string) {
	t.Helper()
	path := filepath.Join(tr.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, fmt.Appendf(nil, "%d", time.Now().UnixNano()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// changes are ways to change a tree that holds a/b/file.
func changes(t *testing.T, tr *tree) map[string]func() {
	path := func(name string) string { return filepath.Join(tr.root, name) }
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	return map[string]func(){
		"edit":          func() { tr.write(t, "a/b/file") },
		"add":           func() { tr.write(t, "a/new") },
		"remove":        func() { must(os.Remove(path("a/b/file"))) },
		"replace":       func() { tr.write(t, "tmp"); must(os.Rename(path("tmp"), path("a/b/file"))) },
		"new folder":    func() { tr.write(t, "c/d/e/file") },
		"move folder":   func() { must(os.Rename(path("a"), path("z"))) },
		"remove folder": func() { must(os.RemoveAll(path("a"))) },
		"mode":          func() { must(os.Chmod(path("a/b/file"), 0o600)) },
	}
}

func TestMarkChangesWithTheTree(t *testing.T) {
	for name := range changes(t, &tree{}) {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.write(t, "a/b/file")
			w := tr.start(t, tr.options())
			first := settled(t, w)
			if again := settled(t, w); again != first {
				t.Fatalf("mark of an unchanged tree = %v, then %v", first, again)
			}
			changes(t, tr)[name]()
			if m, ok := w.Mark(t.Context()); ok && m == first {
				t.Fatalf("the mark after the change is the one before, %v", m)
			}
			second := settled(t, w)
			// What the change brought is watched too.
			for _, dir := range []string{"", "a/b", "z/b", "c/d/e"} {
				if _, err := os.Stat(filepath.Join(tr.root, dir)); err != nil {
					continue
				}
				tr.write(t, filepath.Join(dir, "later"))
				if m, ok := w.Mark(t.Context()); ok && m == second {
					t.Fatalf("a change in %q is not seen", dir)
				}
				second = settled(t, w)
			}
		})
	}
}

func TestNoMarkWhileAWalkIsDue(t *testing.T) {
	tr := newTree(t)
	o := tr.options()
	o.Settle, o.Longest = time.Hour, time.Hour
	w := tr.start(t, o)
	settled(t, w)
	tr.write(t, "file")
	if m, ok := w.Mark(t.Context()); ok {
		t.Fatalf("Mark = %v before what changed was walked", m)
	}
}

func TestFollowersShareOneLeader(t *testing.T) {
	tr := newTree(t)
	tr.write(t, "a/b/file")
	first := tr.start(t, tr.options())
	before := settled(t, first)
	second := tr.start(t, tr.options())
	if m := settled(t, second); m != before {
		t.Fatalf("the follower's mark is %v, the leader's %v", m, before)
	}
	if s := second.State(); s.Leader || s.Folders != 0 {
		t.Fatalf("the follower's state = %+v", s)
	}
	tr.write(t, "a/b/file")
	if m, ok := second.Mark(t.Context()); ok && m == before {
		t.Fatal("the follower does not see the change")
	}
	after := settled(t, second)
	first.Close()
	if m := settled(t, second); m.Epoch == after.Epoch {
		t.Fatalf("mark %v after the leader ended, want one of another leader than %v", m, after)
	}
	if !second.State().Leader {
		t.Fatal("the follower does not lead after the leader ended")
	}
}

func TestRootGoneAndBack(t *testing.T) {
	tr := newTree(t)
	tr.root = filepath.Join(tr.root, "root")
	tr.write(t, "file")
	o := tr.options()
	o.Poll = 10 * time.Millisecond
	w := tr.start(t, o)
	before := settled(t, w)
	tr.fail.Store(true)
	if err := os.RemoveAll(tr.root); err != nil {
		t.Fatal(err)
	}
	if m, ok := w.Mark(t.Context()); ok {
		t.Fatalf("Mark = %v of a root that is gone", m)
	}
	tr.write(t, "file")
	tr.fail.Store(false)
	after := settled(t, w)
	if after == before {
		t.Fatal("the mark of another root is the same")
	}
	tr.write(t, "file")
	if m, ok := w.Mark(t.Context()); ok && m == after {
		t.Fatal("the new root is not watched")
	}
}

func TestPollingIsSaid(t *testing.T) {
	tr := newTree(t)
	o := tr.options().withDefaults()
	o.Poll = time.Millisecond
	l, err := newLeader(o)
	if err != nil {
		t.Fatal(err)
	}
	l.fail(fs.ErrInvalid)
	w := &Watcher{opts: o, leader: l}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); l.run(ctx) }()
	for range 3 {
		<-tr.walks // from time to time
	}
	if m, ok := w.Mark(ctx); ok {
		t.Errorf("Mark = %v without events", m)
	}
	if s := w.State(); s.Polling == "" {
		t.Errorf("State = %+v, want a reason for polling", s)
	}
	cancel()
	<-done
}

func BenchmarkMark(b *testing.B) {
	tr := &tree{root: b.TempDir(), dir: b.TempDir(), walks: make(chan struct{}, 1000)}
	w, err := Start(tr.options())
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for {
		if _, ok := w.Mark(b.Context()); ok {
			break
		}
	}
	for b.Loop() {
		if _, ok := w.Mark(b.Context()); !ok {
			b.Fatal("no mark")
		}
	}
}

// TestFilesBeside changes files outside the tree: one that the walk depends on
// leads to a walk where it says so, others in its folder never do, and no mark
// changes.
func TestFilesBeside(t *testing.T) {
	tr, beside := newTree(t), t.TempDir()
	var stale atomic.Bool
	asked := make(chan struct{}, 1000)
	o := tr.options()
	o.Files = func() []string {
		return []string{filepath.Join(beside, "HEAD"), filepath.Join(beside, "no", "such", "folder")}
	}
	o.Stale = func() bool { asked <- struct{}{}; return stale.Load() }
	w := tr.start(t, o)
	first := settled(t, w)
	<-tr.walks
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(beside, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("other")
	write("HEAD")
	<-asked
	if m := settled(t, w); m != first || len(tr.walks) > 0 {
		t.Errorf("mark %v, %d walks; want %v and none", m, len(tr.walks), first)
	}
	stale.Store(true)
	write("HEAD")
	select {
	case <-tr.walks:
	case <-time.After(enough):
		t.Errorf("no walk within %v", enough)
	}
	if s := w.State(); s.Folders != 1 {
		t.Errorf("%d folders are watched, want the root", s.Folders)
	}
}

// TestAWalkServesTheLeader holds that the walk of a question, which found nothing
// changed, does for the first walk of the leader: marks are told without another,
// and tell every change from then on.
func TestAWalkServesTheLeader(t *testing.T) {
	for name := range changes(t, &tree{}) {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.write(t, "a/b/file")
			o := tr.options()
			o.Delay = enough
			w := tr.start(t, o)
			first, ok, err := w.Walk(t.Context(), func(enter func(string), _ Mark) (bool, error) {
				return true, tr.sync(t.Context(), enter)
			})
			if err != nil || !ok || len(tr.walks) != 1 {
				t.Fatalf("told %v, error %v, %d walks", ok, err, len(tr.walks))
			}
			if m, ok := w.Mark(t.Context()); !ok || m != first {
				t.Fatalf("mark %v, told %v, want %v", m, ok, first)
			}
			changes(t, tr)[name]()
			if m, ok := w.Mark(t.Context()); ok && m == first {
				t.Error("the mark tells no change")
			}
		})
	}
}

// TestAnEarlyWalkWatchesNothing holds that a walk right after the start neither watches
// folders nor tells a mark, and that a later one does both.
func TestAnEarlyWalkWatchesNothing(t *testing.T) {
	for name, early := range map[string]time.Duration{"early": enough, "late": 0} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.write(t, "a/b/file")
			o := tr.options()
			o.Early, o.Delay = early, enough
			w := tr.start(t, o)
			var watches bool
			var given Mark
			told, ok, err := w.Walk(t.Context(), func(enter func(string), m Mark) (bool, error) {
				watches, given = enter != nil, m
				return true, tr.sync(t.Context(), orNothing(enter))
			})
			if err != nil || told != given {
				t.Fatalf("told %v, given %v, error %v", told, given, err)
			}
			late := early == 0
			if watches != late || ok != late || given != (Mark{}) != late {
				t.Errorf("watches %v, a mark is told %v (%v), want %v", watches, ok, given, late)
			}
			if _, ok := w.Mark(t.Context()); ok != late {
				t.Errorf("a mark is told afterwards: %v, want %v", ok, late)
			}
		})
	}
}

// TestQuestionsShareAWalk holds that of many questions at once one walks, and that
// none takes a walk for its own that it was not told to be clean.
func TestQuestionsShareAWalk(t *testing.T) {
	for name, clean := range map[string]bool{"clean": true, "changed": false} {
		t.Run(name, func(t *testing.T) {
			tr := newTree(t)
			tr.write(t, "a/b/file")
			o := tr.options()
			o.Delay = enough
			w := tr.start(t, o)
			const questions = 8
			begun, goOn := make(chan struct{}), make(chan struct{})
			var looks, told atomic.Int32
			ask := func(first bool) {
				_, ok, err := w.Walk(t.Context(), func(enter func(string), _ Mark) (bool, error) {
					if looks.Add(1); first {
						close(begun)
						<-goOn
					}
					return clean, tr.sync(t.Context(), orNothing(enter))
				})
				if err != nil {
					t.Error(err)
				}
				if ok {
					told.Add(1)
				}
			}
			var group sync.WaitGroup
			group.Go(func() { ask(true) })
			<-begun
			for range questions - 1 {
				group.Go(func() { ask(false) })
			}
			close(goOn)
			group.Wait()
			if clean && (looks.Load() != 1 || told.Load() != questions) && looks.Load()+told.Load() < questions {
				t.Errorf("%d looks, %d told", looks.Load(), told.Load())
			}
			if !clean && (looks.Load() != questions || told.Load() != 0) {
				t.Errorf("%d looks, %d told: each must look", looks.Load(), told.Load())
			}
		})
	}
}

func orNothing(enter func(string)) func(string) {
	if enter == nil {
		return func(string) {}
	}
	return enter
}
