package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/usage"
)

// TestRoots attaches folders inside and outside of those that are allowed.
func TestRoots(t *testing.T) {
	top, data := t.TempDir(), t.TempDir()
	filetest.Write(t, top, map[string]string{"in/a/a.go": "package a\n", "in/b.go": "package b\n", "inside/c.go": "package c\n", "out/d.go": "package d\n"})
	if err := os.Symlink(filepath.Join(top, "out"), filepath.Join(top, "in", "link")); err != nil {
		t.Fatal(err)
	}
	free, err := Open(Options{DataDir: data})
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	outside := attach(t, free, filepath.Join(top, "out"))
	w, err := Open(Options{DataDir: data, Roots: []string{filepath.Join(top, "in"), filepath.Join(top, "none")}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for name, allowed := range map[string]bool{"in": true, "in/a": true, "inside": false, "out": false, "in/link": false} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Attach(t.Context(), filepath.Join(top, name), AttachOptions{Exact: true, AllowBroad: true})
			if (err == nil) != allowed {
				t.Fatalf("Attach(%s): %v", name, err)
			}
			if _, hint := usage.Explain(orNone(err)); !allowed && !strings.Contains(hint, "ESPY_ROOTS") {
				t.Errorf("refused without help: %v", err)
			}
		})
	}
	repos, err := w.Repos(t.Context())
	for _, r := range repos {
		if r.ID() == outside.ID() {
			t.Errorf("%s, attached before, is still shown", r.Root())
		}
	}
	if err != nil || len(repos) != 2 {
		t.Errorf("Repos = %d, %v; want 2", len(repos), err)
	}
	for _, ref := range []string{outside.Name(), string(outside.ID()), outside.Root()} {
		t.Run(ref, func(t *testing.T) {
			if r, err := w.Find(t.Context(), ref); err == nil {
				t.Errorf("Find(%q) = %s", ref, r.Root())
			}
		})
	}
}

func orNone(err error) error {
	if err == nil {
		return errors.New("none")
	}
	return err
}

// TestDataFolderOfEverybody refuses a data folder that every user may write to.
func TestDataFolderOfEverybody(t *testing.T) {
	for mode, fine := range map[os.FileMode]bool{0o777: false, 0o702: false, 0o775: true, 0o755: true, 0o700: true} {
		t.Run(mode.String(), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Chmod(dir, mode); err != nil {
				t.Fatal(err)
			}
			w, err := Open(Options{DataDir: dir})
			if (err == nil) != fine {
				t.Fatalf("Open: %v", err)
			}
			if err == nil {
				w.Close()
			} else if _, hint := usage.Explain(err); !strings.Contains(hint, "chmod 700") {
				t.Errorf("refused without help: %v", err)
			}
		})
	}
}

// TestNamesThatAreNotUTF8 reads files by what JSON makes of their names.
func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a\xff/b\xfe.go": "one\n", "c\xff.go": "two\n", "d\xff.go": "three\n", "d\xfe.go": "four\n", "\ufffd.go": "five\n"})
	filetest.Commit(t, dir, "first")
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	for path, want := range map[string]string{"a\ufffd/b\ufffd.go": "one\n", "c\ufffd.go": "two\n", "c\xff.go": "two\n", "d\ufffd.go": "", "\ufffd.go": "five\n", "e\ufffd.go": ""} {
		t.Run(path, func(t *testing.T) {
			for _, ref := range []string{"", "HEAD"} {
				at, err := r.At(t.Context(), ref)
				if err != nil {
					t.Fatal(err)
				}
				c, err := at.Read(t.Context(), path)
				if string(c.Text) != want || (err == nil) != (want != "") {
					t.Errorf("Read(%q) at %q = %q of %q, %v", path, ref, c.Text, c.Entry.Path, err)
				}
			}
		})
	}
}
