package workspace

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/store"
	"espy/internal/workspace/view"
)

// trees makes a repository with some files and work trees beside it, each on a
// branch of its own name.
func trees(t *testing.T, files map[string]string, names ...string) (main string, linked []string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	main = filepath.Join(top, "main")
	filetest.Write(t, main, files)
	filetest.Commit(t, main, "first")
	for _, n := range names {
		linked = append(linked, filepath.Join(top, n))
		filetest.Git(t, main, "worktree", "add", "-q", "-b", n, filepath.Join(top, n))
	}
	return main, linked
}

// with returns files with others added or changed.
func with(files map[string]string, more map[string]string) map[string]string {
	all := maps.Clone(files)
	maps.Copy(all, more)
	return all
}

// TestWorktreesAreViewsOfOneFamily edits, removes and attaches work trees of one
// repository: each shows its own files whatever happens to the others.
func TestWorktreesAreViewsOfOneFamily(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": "package a\n", "sub/b.py": "x = 1\n"}
	main, linked := trees(t, files, "fix", "try")
	data := t.TempDir()
	w := open(t, data)
	first := attach(t, w, main)
	wantTexts(t, first, files)
	fix, try := attach(t, w, linked[0]), attach(t, w, linked[1])
	if fix.view.Family != first.view.Family || fix.view.Key == first.view.Key || fix.ID() == first.ID() || fix.Name() != "fix" {
		t.Fatalf("the work tree is no view of its family: %+v", fix.view.Record())
	}
	edited := with(files, map[string]string{"a.go": "package fixed\n", "c.go": "package c\n"})
	filetest.Write(t, linked[0], edited)
	wantTexts(t, fix, edited)
	wantTexts(t, try, files)
	wantTexts(t, first, files)

	if err := w.Remove(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, fix, edited)
	if views, err := fix.view.Family.Views(); err != nil || slices.Contains(views, store.MainView) || len(views) != 2 {
		t.Errorf("views %q, %v; want those of the two that are left", views, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = open(t, data)
	fix, try = attach(t, w, linked[0]), attach(t, w, linked[1])
	wantTexts(t, fix, edited)
	for _, r := range []*Repo{fix, try} {
		if rep, err := r.Verify(t.Context()); err != nil || len(rep.Problems) > 0 {
			t.Errorf("Verify of %s: %+v, %v", r.Name(), rep, err)
		}
	}
	again := attach(t, w, main)
	wantTexts(t, again, files)
	if again.view.Family != fix.view.Family || again.ID() == first.ID() {
		t.Errorf("attached again as %+v", again.view.Record())
	}
	folder := w.env.Catalog.Folder(first.ID())
	for _, r := range []*Repo{fix, again, try} {
		if _, err := os.Stat(folder); err != nil {
			t.Errorf("the family's folder: %v", err)
		}
		if err := w.Remove(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(data, "repos", "*-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	wantTexts(t, attach(t, w, linked[0]), edited) // anew, in a family of its own
}

// TestHostileGitFilesAreNoFamily attaches folders that say they belong to the
// repository of somebody else.
func TestHostileGitFilesAreNoFamily(t *testing.T) {
	t.Parallel()
	main, linked := trees(t, map[string]string{"secret.txt": "of mine\n"}, "fix")
	w := open(t, t.TempDir())
	victim := attach(t, w, main)
	wantTexts(t, victim, map[string]string{"secret.txt": "of mine\n"})
	for name, dotGit := range map[string]string{
		"its work tree": "gitdir: " + filepath.Join(main, ".git/worktrees/fix") + "\n",
		"its folder":    "gitdir: " + filepath.Join(main, ".git") + "\n",
		"a copy":        "gitdir: " + filepath.Join(linked[0], ".git") + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			want := map[string]string{"a.txt": "theirs\n"}
			filetest.Write(t, dir, with(want, map[string]string{".git": dotGit}))
			r := attach(t, w, dir)
			if r.view.Family == victim.view.Family {
				t.Errorf("%s: is taken for one of the family", name)
			}
			wantTexts(t, r, want)
		})
	}
}

func TestAttachAWorktreeAgain(t *testing.T) {
	t.Parallel()
	main, linked := trees(t, map[string]string{"a.txt": "x\n"}, "fix")
	data := t.TempDir()
	w := open(t, data)
	attach(t, w, main)
	one := attach(t, w, linked[0]).view.Record()
	two := attach(t, open(t, data), linked[0]).view.Record()
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

// TestARemovedWorktreeIsNotWrittenAgain removes a work tree while another
// process asks about it.
func TestARemovedWorktreeIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": "x\n"}
	main, linked := trees(t, files, "fix")
	data := t.TempDir()
	w, other := open(t, data), open(t, data)
	wantTexts(t, attach(t, w, main), files)
	stale := attach(t, other, linked[0])
	wantTexts(t, stale, files)
	if err := w.Remove(t.Context(), attach(t, w, linked[0])); err != nil {
		t.Fatal(err)
	}
	var removed *view.RemovedError
	if _, err := stale.Snapshot(t.Context(), Wait{}); !errors.As(err, &removed) {
		t.Errorf("Snapshot of a repository that another process removed: %v", err)
	}
	if _, err := stale.Index(t.Context(), IndexOptions{}); !errors.As(err, &removed) {
		t.Errorf("Index of it: %v", err)
	}
	if views, err := stale.view.Family.Views(); err != nil || !slices.Equal(views, []string{store.MainView}) {
		t.Errorf("views %q, %v; want that of the main work tree", views, err)
	}
	wantTexts(t, attach(t, other, linked[0]), files)
}
