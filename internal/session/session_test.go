package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/discover"
	"espy/internal/filetest"
	"espy/internal/watch"
	"espy/internal/windows"
	"espy/internal/workspace"
)

// space is a workspace with its sessions, and a folder to make sessions of.
type space struct {
	all        *Sessions
	ws         *workspace.Workspace
	data, root string
}

func newSpace(t testing.TB, files map[string]string, o workspace.Options) *space {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, root, files)
	o.DataDir = t.TempDir()
	w, err := workspace.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return &space{New(w), w, o.DataDir, root}
}

func options(name, root string) Options {
	return Options{
		Name: name, Root: root, Include: []string{"**/*"}, Exclude: []string{"**/target/**"},
		Policy: discover.Policy{
			Dialect: discover.DialectWild, Exclude: []string{"**/target/**"}, NoGitignore: true, NoEspyignore: true,
			SkipHiddenFolders: true, UTF8Only: true,
		},
		Windowing: windows.Cut{Size: 100, Overlap: 10},
	}
}

// index indexes the folder under a name.
func (s *space) index(t testing.TB, name string) *Report {
	t.Helper()
	rep, err := s.all.Index(t.Context(), options(name, s.root))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func (s *space) find(t testing.TB, name string) *Session {
	t.Helper()
	found, err := s.all.Find(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// open opens a session until the test ends.
func (s *space) open(t testing.TB, name string) *View {
	t.Helper()
	v, err := s.find(t, name).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// repo returns the repository of the folder.
func (s *space) repo(t *testing.T) *workspace.Repo {
	t.Helper()
	r, err := s.ws.Find(t.Context(), s.root)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// parts returns the files of a kind that the indexes are made of.
func (s *space) parts(t *testing.T, kind string) []string {
	t.Helper()
	parts, err := filepath.Glob(filepath.Join(s.data, "repos", "*", "*."+kind))
	if err != nil || len(parts) != 1 {
		t.Fatalf("parts %q, %v; want one", parts, err)
	}
	return parts
}

func word(s string) windows.Expr { return &windows.Phrase{Words: []string{s}} }

func TestIndex(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{
		"main.go": "package main\n\nfunc authenticatePatient() {}\n", "target/x.go": "authenticate\n",
		".gitignore": "main.go\n", "pic.png": "\x89PNG\x00\x00",
	}, workspace.Options{})
	rep := s.index(t, "one")
	v := s.open(t, "one")

	t.Run("counts files and windows", func(t *testing.T) {
		if rep.Files != 2 || rep.Windows.Windows != 2 || len(rep.Left) != 1 || rep.Left[0].Path != "pic.png" {
			t.Errorf("report %+v", rep)
		}
	})
	t.Run("finds windows", func(t *testing.T) {
		res, err := v.Search(t.Context(), word("authenticate"), 10)
		if err != nil || res.Total != 1 || res.Hits[0].Path != "main.go" || res.Hits[0].Index != 0 {
			t.Errorf("search %+v, %v", res, err)
		}
	})
	for arg, want := range map[string]string{
		"main.go": "main.go", "/main.go": "main.go", s.root + "/main.go": "main.go", "./main.go": "main.go",
		"../x": "", "/etc/passwd": "", "": "", "target/x.go": "",
	} {
		t.Run("finds the file "+strings.TrimPrefix(arg, s.root), func(t *testing.T) {
			if got, ok := v.Find(arg); got != want || ok != (want != "") {
				t.Errorf("Find(%q) = %q, %v; want %q", arg, got, ok, want)
			}
		})
	}
	t.Run("lists files", func(t *testing.T) {
		if files, err := v.FileList(); err != nil || !slices.Equal(files, []File{{".gitignore", 8, 1}, {"main.go", 44, 1}}) {
			t.Errorf("files %v, %v", files, err)
		}
	})
	t.Run("writes parts without damage", func(t *testing.T) {
		if ver, err := v.repo.Family().Verify(t.Context(), v.View, nil); err != nil || len(ver.Problems) > 0 {
			t.Errorf("verify: %+v, %v", ver, err)
		}
	})
	t.Run("refuses a bad name", func(t *testing.T) {
		if _, err := s.all.Index(t.Context(), options("a.b", s.root)); err == nil {
			t.Error("a name with a dot is taken")
		}
	})
}

// TestOneOfManyIsMade makes one session many times at once: one of them does it.
func TestOneOfManyIsMade(t *testing.T) {
	s := newSpace(t, map[string]string{"a.go": "package a\n", "b/c.md": "words\n"}, workspace.Options{})
	o := options("one", s.root)
	o.New = true
	results := make(chan error, 4)
	for range cap(results) {
		go func() { _, err := s.all.Index(t.Context(), o); results <- err }()
	}
	made := 0
	for range cap(results) {
		switch err := <-results; {
		case err == nil:
			made++
		case !errors.Is(err, ErrTaken):
			t.Errorf("Index: %v, want ErrTaken", err)
		}
	}
	if made != 1 {
		t.Errorf("%d of %d made the session, want 1", made, cap(results))
	}
	if v := s.open(t, "one"); v == nil {
		t.Error("the session cannot be opened")
	}
}

func TestListAndDelete(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	s.index(t, "two")
	s.index(t, "one")
	list, err := s.all.List(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "one" || list[1].Name != "two" {
		t.Fatalf("sessions %+v, %v", list, err)
	}
	if err := s.all.Delete(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	var none *NotFoundError
	if _, err := s.all.Find(t.Context(), "two"); !errors.As(err, &none) {
		t.Errorf("a deleted session: %v", err)
	}
	if err := s.all.Delete(t.Context(), "../one"); !errors.As(err, &none) {
		t.Errorf("a name that leaves the folder: %v", err)
	}
}

// TestFrozen holds that a session shows the state of its indexing, says how much
// has changed, and keeps the old state when indexing fails.
func TestFrozen(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	first := s.index(t, "s")
	filetest.Write(t, s.root, map[string]string{"a.go": "beta gamma\n"})
	found := s.find(t, "s")
	v := s.open(t, "s")
	wantFirst := func(t *testing.T) {
		t.Helper()
		if res, err := v.Search(t.Context(), word("alpha"), 10); err != nil || res.Total != 1 {
			t.Errorf("the indexed state: %+v, %v", res, err)
		}
	}
	t.Run("counts changes", func(t *testing.T) {
		if n, err := v.Changed(t.Context()); n != 1 || err != nil {
			t.Errorf("changed %d, %v", n, err)
		}
		wantFirst(t)
	})
	t.Run("an indexing that fails", func(t *testing.T) {
		if _, err := found.Reindex(cancelled(t), found.Record, nil); err == nil {
			t.Error("indexing under an ended context succeeded")
		}
		if again, err := s.all.Find(t.Context(), "s"); err != nil || again.View != first.View {
			t.Errorf("afterwards: %+v, %v", again, err)
		}
	})
	t.Run("an indexing while it is open", func(t *testing.T) {
		rep, err := found.Reindex(t.Context(), found.Record, nil)
		if err != nil || !rep.Created.Equal(first.Created) || rep.View == first.View {
			t.Fatalf("reindex: %+v, %v", rep, err)
		}
		wantFirst(t)
		views, err := v.repo.Family().Views()
		if err != nil || !slices.Equal(views, []string{rep.View}) {
			t.Errorf("views %q, %v; want %q", views, err, rep.View)
		}
	})
}

// TestIndexedAgain opens sessions whose index is gone.
func TestIndexedAgain(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	s.index(t, "s")
	if err := s.ws.Remove(t.Context(), s.repo(t)); err != nil { // the index goes, the record stays
		t.Fatal(err)
	}
	v := s.open(t, "s")
	if text, err := v.Text("a.go"); err != nil || string(text) != "alpha\n" {
		t.Errorf("text %q, %v", text, err)
	}
	if _, err := v.Text("b.go"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	s.index(t, "s")
	if err := os.WriteFile(filepath.Join(s.all.Dir(), "session-bad.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := s.all.List(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "bad" || list[0].Err == nil || list[1].Err != nil {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if err := s.all.Delete(t.Context(), "bad"); err != nil {
		t.Error(err)
	}
}

// TestVerify damages a part that only a session uses.
func TestVerify(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	s.index(t, "s")
	r := s.repo(t)
	if v, err := r.Verify(t.Context()); err != nil || len(v.Problems) > 0 || v.Files != 1 {
		t.Fatalf("verify %+v, %v", v, err)
	}
	part := s.parts(t, "win")[0]
	b, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(part, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := r.Verify(t.Context()); err != nil || len(v.Problems) == 0 {
		t.Errorf("verify of a damaged part: %+v, %v", v, err)
	}
}

// TestIndexedMeanwhile opens a session that was indexed again after it was found.
func TestIndexedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	s.index(t, "s")
	found := s.find(t, "s")
	rep := s.index(t, "s")
	v, err := found.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if v.View != rep.View {
		t.Errorf("it shows %s, want %s, made meanwhile", v.View, rep.View)
	}
}

// eventually waits until f is true.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestFollowed holds that a session whose files are followed sees a change at
// once, and is held open between questions.
func TestFollowed(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n", "sub/b.go": "beta\n"}, workspace.Options{Watch: true})
	s.index(t, "s")
	var first *held
	ask := func() (int, bool) {
		v := s.open(t, "s")
		if first != nil && v.held != first {
			t.Error("the session was opened anew")
		}
		first = v.held
		n, err := v.Changed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		looked := errors.New("looked")
		_, err = first.differing(t.Context(), func(func(string)) (int, error) { return 0, looked })
		if err != nil && !errors.Is(err, looked) {
			t.Fatal(err)
		}
		return n, err == nil
	}
	eventually(t, "no question was answered without a walk", func() bool {
		n, known := ask()
		if n != 0 {
			t.Fatalf("%d files changed, want none", n)
		}
		return known
	})
	for i, path := range []string{"a.go", "sub/b.go", "c.go"} {
		filetest.Write(t, s.root, map[string]string{path: "gamma delta\n"})
		if n, _ := ask(); n != i+1 {
			t.Errorf("%d files changed after %s, want %d", n, path, i+1)
		}
	}
	watches := func() int {
		dirs, err := filepath.Glob(filepath.Join(s.data, "repos", "*", watchPrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(dirs)
	}
	if n := watches(); n != 1 {
		t.Errorf("%d folders of watchers, want 1", n)
	}
	if err := s.all.Delete(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if n := watches(); n != 0 {
		t.Errorf("%d folders of watchers after the session, want none", n)
	}
}

// TestHeld opens more sessions than are held.
func TestHeld(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
	want := []string{}
	for i := range maxHeld + 3 {
		name := fmt.Sprintf("s%d", i)
		s.index(t, name)
		s.open(t, name)
		if i >= 3 {
			want = append(want, name)
		}
	}
	if got := s.all.held.byName.Keys(); !slices.Equal(got, want) {
		t.Errorf("%q are held, want the last %q", got, want)
	}
	if err := s.ws.Remove(t.Context(), s.repo(t)); err != nil {
		t.Fatal(err)
	}
	if got := s.all.held.byName.Keys(); len(got) != 0 {
		t.Errorf("%q of a repository that was removed are held", got)
	}
}

// TestRemovingAWorkTree removes a work tree that has a session, beside one of
// its family that has another.
func TestRemovingAWorkTree(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.txt": "needle\n"}, workspace.Options{})
	filetest.Commit(t, s.root, "first")
	fix := filepath.Join(filepath.Dir(s.root), "fix-"+filepath.Base(s.root))
	filetest.Git(t, s.root, "worktree", "add", "-q", "-b", "fix", fix)
	t.Cleanup(func() { os.RemoveAll(fix) })
	for _, o := range []Options{options("of-main", s.root), options("of-fix", fix)} { // the index is kept with the first
		if _, err := s.all.Index(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.ws.Attach(t.Context(), fix, workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Index(t.Context(), workspace.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.ws.Remove(t.Context(), s.repo(t)); err != nil {
		t.Fatal(err)
	}
	views, err := r.Family().Views()
	slices.Sort(views)
	if err != nil || len(views) != 2 || !strings.HasPrefix(views[0], "session.of-fix.") || !strings.HasPrefix(views[1], "tree.") {
		t.Errorf("views %q, %v; want the session and the view of the work tree that is left", views, err)
	}
	if text, err := s.open(t, "of-fix").Text("a.txt"); err != nil || string(text) != "needle\n" {
		t.Errorf("Text = %q, %v", text, err)
	}
}

// TestDamage damages each part of a session.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"lex", "win"} {
		t.Run(kind, func(t *testing.T) {
			s := newSpace(t, map[string]string{"a.go": "alpha\n"}, workspace.Options{})
			s.index(t, "s")
			part := s.parts(t, kind)[0]
			data, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			for i := range data {
				data[i] ^= 0x55
			}
			if err := os.WriteFile(part, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if res, err := s.open(t, "s").Search(t.Context(), word("alpha"), 10); err != nil || res.Total != 1 {
				t.Errorf("a damaged session answers %+v, %v", res, err)
			}
		})
	}
}

// TestFirstLookFollows holds that the first question to a session, which looks at
// its files in any case, does so in the place of the watcher's own first walk.
func TestFirstLookFollows(t *testing.T) {
	t.Parallel()
	s := newSpace(t, map[string]string{"a.go": "alpha\n", "sub/b.go": "beta\n"}, workspace.Options{Watch: true})
	s.index(t, "s")
	v := s.open(t, "s")
	defer v.Close()
	follows := false
	n, err := v.held.differing(t.Context(), func(enter func(dir string)) (int, error) {
		follows = enter != nil
		return v.compare(t.Context(), enter)
	})
	if n != 0 || err != nil || !follows {
		t.Errorf("%d files changed, %v; the look follows the files: %v", n, err, follows)
	}
	if _, known := v.held.found(v.held.mark); !known || v.held.mark == (watch.Mark{}) {
		t.Error("what the look found is not kept")
	}
}
