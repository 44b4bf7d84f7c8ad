package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"espy/internal/discover"
	"espy/internal/outline"
	"espy/internal/search"
)

func sessionSpace(t *testing.T, files map[string]string) (*Workspace, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range files {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, root
}

func sessionOptions(name, root string) SessionOptions {
	return SessionOptions{
		Name: name, Root: root, Include: []string{"**/*"}, Exclude: []string{"**/target/**"},
		Policy: discover.Policy{
			Dialect: discover.DialectWild, Exclude: []string{"**/target/**"}, NoGitignore: true, NoEspyignore: true,
			SkipHiddenFolders: true, UTF8Only: true,
		},
		Windowing: outline.Windowing{Size: 100, Overlap: 10},
	}
}

func word(s string) search.WindowExpr { return &search.WindowPhrase{Words: []string{s}} }

func TestSessions(t *testing.T) {
	ctx := context.Background()
	w, root := sessionSpace(t, map[string]string{
		"main.go": "package main\n\nfunc authenticatePatient() {}\n", "target/x.go": "authenticate\n",
		".gitignore": "main.go\n", "pic.png": "\x89PNG\x00\x00",
	})
	rep, err := w.IndexSession(ctx, sessionOptions("one", root))
	if err != nil {
		t.Fatal(err)
	}
	if rep.Files != 2 || rep.Windows.Windows != 2 || len(rep.Left) != 1 || rep.Left[0].Path != "pic.png" {
		t.Errorf("report %+v", rep)
	}
	if _, err := w.IndexSession(ctx, sessionOptions("two", root)); err != nil {
		t.Fatal(err)
	}
	list, err := w.Sessions(ctx)
	if err != nil || len(list) != 2 || list[0].Name != "one" || list[1].Name != "two" {
		t.Fatalf("sessions %+v, %v", list, err)
	}
	s, err := w.Session(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	res, err := v.Search(ctx, word("authenticate"), 10)
	if err != nil || res.Total != 1 || res.Hits[0].Path != "main.go" || res.Hits[0].Index != 0 {
		t.Errorf("search %+v, %v", res, err)
	}
	for arg, want := range map[string]string{"main.go": "main.go", "/main.go": "main.go", root + "/main.go": "main.go", "./main.go": "main.go", "../x": "", "/etc/passwd": "", "": "", "target/x.go": ""} {
		if got, ok := v.Find(arg); got != want || ok != (want != "") {
			t.Errorf("find %q: %q %v", arg, got, ok)
		}
	}
	if files, err := v.FileList(); err != nil || !slices.Equal(files, []SessionFile{{".gitignore", 8, 1}, {"main.go", 44, 1}}) {
		t.Errorf("files %v, %v", files, err)
	}
	if ver, err := v.repo.family.Verify(ctx, v.View, nil); err != nil || len(ver.Problems) > 0 {
		t.Errorf("verify: %+v, %v", ver, err)
	}
	if err := w.DeleteSession(ctx, "two"); err != nil {
		t.Fatal(err)
	}
	var none *NoSessionError
	if _, err := w.Session(ctx, "two"); !errors.As(err, &none) {
		t.Errorf("a deleted session: %v", err)
	}
	if err := w.DeleteSession(ctx, "../one"); !errors.As(err, &none) {
		t.Errorf("a name that leaves the folder: %v", err)
	}
}

// TestSessionIsFrozen holds that a session shows the state of its indexing,
// says how much has changed, and keeps the old state when indexing fails.
func TestSessionIsFrozen(t *testing.T) {
	ctx := context.Background()
	w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n"})
	first, err := w.IndexSession(ctx, sessionOptions("s", root))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("beta gamma\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := w.Session(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if n, err := v.Changed(ctx); n != 1 || err != nil {
		t.Errorf("changed %d, %v", n, err)
	}
	if res, err := v.Search(ctx, word("alpha"), 10); err != nil || res.Total != 1 {
		t.Errorf("the indexed state: %+v, %v", res, err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Reindex(stopped, s.SessionRecord, nil); err == nil {
		t.Error("indexing under an ended context succeeded")
	}
	if again, err := w.Session(ctx, "s"); err != nil || again.View != first.View {
		t.Errorf("after an indexing that failed: %+v, %v", again, err)
	}
	rep, err := s.Reindex(ctx, s.SessionRecord, nil)
	if err != nil || !rep.Created.Equal(first.Created) || rep.View == first.View {
		t.Fatalf("reindex: %+v, %v", rep, err)
	}
	if res, err := v.Search(ctx, word("alpha"), 10); err != nil || res.Total != 1 {
		t.Errorf("an open view after the reindex: %+v, %v", res, err)
	}
	views, err := v.repo.family.Views()
	if err != nil || !slices.Equal(views, []string{rep.View}) {
		t.Errorf("views %q, %v; want %q", views, err, rep.View)
	}
}

func TestSessionHeals(t *testing.T) {
	ctx := context.Background()
	w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n"})
	if _, err := w.IndexSession(ctx, sessionOptions("s", root)); err != nil {
		t.Fatal(err)
	}
	r, err := w.Find(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(ctx, r); err != nil { // the index goes, the record stays
		t.Fatal(err)
	}
	s, err := w.Session(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if text, err := v.Text("a.go"); err != nil || string(text) != "alpha\n" {
		t.Errorf("text %q, %v", text, err)
	}
	if _, err := v.Text("b.go"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(filepath.Join(w.SessionDir(), "session-bad.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := w.Sessions(ctx)
	if err != nil || len(list) != 2 || list[0].Name != "bad" || list[0].Err == nil || list[1].Err != nil {
		t.Errorf("sessions %+v, %v", list, err)
	}
	if err := w.DeleteSession(ctx, "bad"); err != nil {
		t.Error(err)
	}
}

// TestVerifySession damages a part that only a session uses.
func TestVerifySession(t *testing.T) {
	ctx := context.Background()
	w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n"})
	if _, err := w.IndexSession(ctx, sessionOptions("s", root)); err != nil {
		t.Fatal(err)
	}
	r, err := w.Find(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := r.Verify(ctx); err != nil || len(v.Problems) > 0 || v.Files != 1 {
		t.Fatalf("verify %+v, %v", v, err)
	}
	parts, err := filepath.Glob(filepath.Join(w.catalog.Folder(r.ID()), "*.win"))
	if err != nil || len(parts) != 1 {
		t.Fatalf("parts %v, %v", parts, err)
	}
	b, err := os.ReadFile(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(parts[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := r.Verify(ctx); err != nil || len(v.Problems) == 0 {
		t.Errorf("verify of a damaged part: %+v, %v", v, err)
	}
}

// TestSessionMoves opens a session that was indexed again after it was found.
func TestSessionMoves(t *testing.T) {
	ctx := context.Background()
	w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n"})
	if _, err := w.IndexSession(ctx, sessionOptions("s", root)); err != nil {
		t.Fatal(err)
	}
	s, err := w.Session(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := w.IndexSession(ctx, sessionOptions("s", root))
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if v.View != rep.View {
		t.Errorf("it shows %s, want %s, made meanwhile", v.View, rep.View)
	}
}

// TestSessionFollowed holds that a session whose files are followed knows of a
// change at once, and is held open between questions.
func TestSessionFollowed(t *testing.T) {
	ctx := t.Context()
	w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n", "sub/b.go": "beta\n"})
	w.opts.Watch = true
	if _, err := w.IndexSession(ctx, sessionOptions("s", root)); err != nil {
		t.Fatal(err)
	}
	var held *heldSession
	ask := func() (int, bool) {
		s, err := w.Session(ctx, "s")
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if held != nil && v.held != held {
			t.Error("the session was opened anew")
		}
		held = v.held
		n, err := v.Changed(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, _, known := held.unchanged(ctx)
		return n, known
	}
	eventually(t, "no question was answered without a walk", func() bool {
		n, known := ask()
		if n != 0 {
			t.Fatalf("%d files changed, want none", n)
		}
		return known
	})
	for i, path := range []string{"a.go", "sub/b.go", "c.go"} {
		if err := os.WriteFile(filepath.Join(root, path), []byte("gamma delta\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if n, _ := ask(); n != i+1 {
			t.Errorf("%d files changed after %s, want %d", n, path, i+1)
		}
	}
	watches := func() int {
		dirs, err := filepath.Glob(filepath.Join(w.opts.DataDir, "repos", "*", watchPrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(dirs)
	}
	if n := watches(); n != 1 {
		t.Errorf("%d folders of watchers, want 1", n)
	}
	if err := w.DeleteSession(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	if n := watches(); n != 0 {
		t.Errorf("%d folders of watchers after the session, want none", n)
	}
}

// TestHeldSessions opens more sessions than are held.
func TestHeldSessions(t *testing.T) {
	ctx := t.Context()
	w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n"})
	for i := range maxHeld + 3 {
		o := sessionOptions(fmt.Sprintf("s%d", i), root)
		if _, err := w.IndexSession(ctx, o); err != nil {
			t.Fatal(err)
		}
		s, err := w.Session(ctx, o.Name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		v.Close()
	}
	if n := len(w.sessions.byName); n != maxHeld || w.sessions.byName["s0"] != nil || w.sessions.byName["s10"] == nil {
		t.Errorf("%d sessions are held, want the last %d", n, maxHeld)
	}
	r, err := w.Find(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(ctx, r); err != nil {
		t.Fatal(err)
	}
	if n := len(w.sessions.byName); n != 0 {
		t.Errorf("%d sessions of a repository that was removed are held", n)
	}
}

// TestSessionDamage damages each part of a session.
func TestSessionDamage(t *testing.T) {
	for _, kind := range []string{"lex", "win"} {
		t.Run(kind, func(t *testing.T) {
			w, root := sessionSpace(t, map[string]string{"a.go": "alpha\n"})
			if _, err := w.IndexSession(t.Context(), sessionOptions("s", root)); err != nil {
				t.Fatal(err)
			}
			testSessionDamage(t.Context(), t, w, kind)
		})
	}
}

func testSessionDamage(ctx context.Context, t *testing.T, w *Workspace, kind string) {
	parts, err := filepath.Glob(filepath.Join(w.opts.DataDir, "repos", "*", "*."+kind))
	if err != nil || len(parts) != 1 {
		t.Fatalf("parts %q, %v", parts, err)
	}
	data, err := os.ReadFile(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] ^= 0x55
	}
	if err := os.WriteFile(parts[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := w.Session(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if res, err := v.Search(ctx, word("alpha"), 10); err != nil || res.Total != 1 {
		t.Errorf("a damaged session answers %+v, %v", res, err)
	}
}

// FuzzSession reads records of sessions with a right checksum but any content.
func FuzzSession(f *testing.F) {
	f.Add([]byte(`{"schema":3,"name":"s","root":"/a","view":"session.s.1","policy":{},"windowing":{"size":512,"overlap":64}}`))
	f.Add([]byte(`{"name":"other"}`))
	w, err := Open(Options{DataDir: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	dir, err := w.sessionDir()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := dir.Replace("session-s.json", data); err != nil {
			t.Fatal(err)
		}
		list, err := w.Sessions(context.Background())
		if err != nil || len(list) != 1 || list[0].Name != "s" {
			t.Fatalf("%q: listed %v, %v", data, list, err)
		}
		s, err := w.Session(context.Background(), "s")
		if damaged := (*SessionDamagedError)(nil); err != nil && !errors.As(err, &damaged) {
			t.Errorf("%q: %v", data, err)
		}
		if err == nil && (s.Name != "s" || !filepath.IsAbs(s.Root)) {
			t.Errorf("%q: %+v", data, s.SessionRecord)
		}
	})
}
