package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"espy/internal/filetest"
)

// openWatching is open with repositories followed.
func openWatching(t *testing.T, data string) *Workspace {
	t.Helper()
	w, err := Open(Options{DataDir: data, Watch: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// proven asks until the watcher answers in place of a walk.
func proven(t *testing.T, r *Repo) {
	t.Helper()
	eventually(t, "no question was answered without a walk", func() bool {
		s := fresh(t, r)
		c, err := r.origin.Compare(t.Context(), s, nil)
		if c != nil {
			c.Root.Close()
		}
		return err == nil && c == nil
	})
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func TestAWatchedRepositoryShowsEveryChange(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{"a.go": "package a\n", "sub/b.py": "x = 1\n"}
	filetest.Write(t, dir, want)
	r := attach(t, openWatching(t, data), dir)
	other := attach(t, openWatching(t, data), dir)
	for i, do := range []func(){
		func() {},
		func() { want["a.go"] = "package edited\n" },
		func() { want["new/deep/c.txt"] = "text\n" },
		func() { want["new/deep/d.txt"] = "text\n" },
		func() { delete(want, "sub/b.py"); os.RemoveAll(filepath.Join(dir, "sub")) },
		func() {
			os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "old"))
			maps.DeleteFunc(want, func(name, _ string) bool { return name == "new/deep/d.txt" || name == "new/deep/c.txt" })
			want["old/deep/c.txt"], want["old/deep/d.txt"] = "text\n", "other\n"
		},
		func() {
			want[".gitignore"] = "*.txt\n"
			filetest.Write(t, dir, want)
			delete(want, "old/deep/c.txt")
			delete(want, "old/deep/d.txt")
		},
	} {
		proven(t, r)
		proven(t, other)
		do()
		if i < 6 {
			filetest.Write(t, dir, want)
		}
		wantTexts(t, other, want)
		wantTexts(t, r, want)
	}
}

func TestAWatchedRepositoryIsIndexedUnasked(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	r := attach(t, openWatching(t, data), dir)
	proven(t, r)
	filetest.Write(t, dir, map[string]string{"b.go": "package b\n"})
	eventually(t, "the new file is not committed", func() bool {
		s, err := r.newest()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return s.Stats().Files == 2
	})
	st, err := r.Status(t.Context())
	if err != nil || st.Watching != "watched" {
		t.Errorf("Status.Watching = %q, %v; want watched", st.Watching, err)
	}
	w := open(t, data)
	if st, err = attach(t, w, dir).Status(t.Context()); err != nil || st.Watching != "watched by another process" {
		t.Errorf("Status.Watching of another process = %q, %v", st.Watching, err)
	}
	if st, err = attach(t, open(t, t.TempDir()), dir).Status(t.Context()); err != nil || st.Watching != "" {
		t.Errorf("Status.Watching where nobody watches = %q, %v", st.Watching, err)
	}
}

func TestAForcedBuildIsLookedAtAnew(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	r := attach(t, openWatching(t, data), dir)
	proven(t, r)
	if _, err := attach(t, open(t, data), dir).Index(t.Context(), IndexOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, r, map[string]string{"a.go": "package a\n"})
	proven(t, r)
}
