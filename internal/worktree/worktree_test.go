package worktree_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/filetest"
	"espy/internal/workspace"
)

// checkedOut is what the freshness of an answer says of git, shortly.
func checkedOut(f code.Freshness) string {
	dirty := "?"
	if f.Dirty != nil {
		dirty = fmt.Sprint(*f.Dirty)
	}
	if f.DirtyAbout {
		dirty = "about " + dirty
	}
	return fmt.Sprintf("%s@%.7s of %.7s, dirty %s, pending %d%s", f.Branch, f.Head, f.Commit, dirty, f.PendingFiles, f.DirtyUnknown)
}

func attach(t *testing.T, data, dir string) *workspace.Repo {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: data})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// freshness returns the freshness of an answer.
func freshness(t *testing.T, r *workspace.Repo) code.Freshness {
	t.Helper()
	s, err := r.Snapshot(t.Context(), workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.Freshness
}

func TestCheckout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := attach(t, t.TempDir(), dir)
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n", "logo.bin": "\x00\x01\x02", "big/c.go": "package c\n"})
	var first, second string
	for _, step := range []struct {
		name string
		do   func()
		want func() string
	}{
		{"outside git", func() {}, func() string { return "@ of , dirty ?, pending 0" }},
		{"no commits", func() { filetest.Git(t, dir, "init", "-q") }, func() string { return "main@ of , dirty 3, pending 0" }},
		{"staged, no commits", func() { filetest.Git(t, dir, "add", "-A") }, func() string { return "main@ of , dirty 3, pending 0" }},
		{"first commit", func() {
			filetest.Git(t, dir, "commit", "-q", "-m", "first")
			first = filetest.Git(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
		}, func() string { return "main@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"an edit", func() { filetest.Write(t, dir, map[string]string{"a.go": "package a // edited\n"}) },
			func() string { return "main@" + first + " of " + first + ", dirty 1, pending 0" }},
		{"the edit staged", func() { filetest.Git(t, dir, "add", "-A") }, func() string { return "main@" + first + " of " + first + ", dirty 1, pending 0" }},
		{"edited back, staged", func() { filetest.Write(t, dir, map[string]string{"a.go": "package a\n"}) },
			func() string { return "main@" + first + " of " + first + ", dirty 1, pending 0" }},
		{"staged back", func() { filetest.Git(t, dir, "add", "-A") }, func() string { return "main@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"a binary file edited", func() { filetest.Write(t, dir, map[string]string{"logo.bin": "\x00\x01\x03"}) },
			func() string { return "main@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"a new file, one gone", func() {
			filetest.Write(t, dir, map[string]string{"new.go": "package new\n"})
			os.Remove(filepath.Join(dir, "b.go"))
		}, func() string { return "main@" + first + " of " + first + ", dirty 2, pending 0" }},
		{"committed", func() {
			filetest.Commit(t, dir, "second")
			second = filetest.Git(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
		}, func() string { return "main@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"touched", func() { os.Chtimes(filepath.Join(dir, "a.go"), time.Now(), time.Unix(1e9, 0)) },
			func() string { return "main@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"other branch", func() { filetest.Git(t, dir, "checkout", "-q", "-b", "topic", first) },
			func() string { return "topic@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"detached", func() { filetest.Git(t, dir, "checkout", "-q", "--detach", second) },
			func() string { return "@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"line ends", func() { filetest.Write(t, dir, map[string]string{"a.go": "package a\r\n"}) },
			func() string { return "@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"not followed", func() { filetest.Git(t, dir, "rm", "-q", "--cached", "a.go") },
			func() string { return "@" + second + " of " + second + ", dirty 1, pending 0" }},
		{"ignored", func() { filetest.Write(t, dir, map[string]string{".gitignore": "big/\na.go\n"}) }, // a.go is left out and big/c.go too
			func() string { return "@" + second + " of " + second + ", dirty 1, pending 0" }},
		{"split index", func() { filetest.Git(t, dir, "update-index", "--split-index") },
			func() string { return "@" + second + " of " + second + ", dirty ?, pending 0git's index is split" }},
		{"damaged index", func() { os.WriteFile(filepath.Join(dir, ".git/index"), []byte("DIRC nonsense"), 0o600) },
			func() string {
				return "@" + second + " of " + second + ", dirty ?, pending 0git's index cannot be read: it has no header"
			}},
		{"no index", func() { os.Remove(filepath.Join(dir, ".git/index")) },
			func() string { return "@" + second + " of " + second + ", dirty 2, pending 0" }}, // .gitignore, new.go
		{"no git", func() { os.RemoveAll(filepath.Join(dir, ".git")) }, func() string { return "@ of , dirty ?, pending 0" }},
	} {
		step.do()
		for _, again := range []string{"", ", asked again"} {
			if got := checkedOut(freshness(t, r)); got != step.want() {
				t.Fatalf("%s%s: %s, want %s", step.name, again, got, step.want())
			}
		}
		st, err := r.Status(t.Context())
		st.Freshness.PendingFiles, st.Freshness.Commit = 0, st.Freshness.Head // the commit of what the question found may be under way
		if err != nil || checkedOut(st.Freshness) != step.want() {
			t.Fatalf("%s: status says %s, %v; want %s", step.name, checkedOut(st.Freshness), err, step.want())
		}
	}
}

// TestStatusCountsWhatIsPending asks for the status alone, which indexes nothing.
func TestStatusCountsWhatIsPending(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := attach(t, t.TempDir(), dir)
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	filetest.Commit(t, dir, "first")
	head := filetest.Git(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
	freshness(t, r)
	filetest.Write(t, dir, map[string]string{"a.go": "package a // edited\n", "new.go": "package new\n", "new.bin": "\x00\x00\x00"})
	os.Remove(filepath.Join(dir, "b.go"))
	st, err := r.Status(t.Context())
	if want := fmt.Sprintf("main@%s of %s, dirty 3, pending 4", head, head); err != nil || checkedOut(st.Freshness) != want {
		t.Errorf("status says %s, %v; want %s", checkedOut(st.Freshness), err, want)
	}
	filetest.Commit(t, dir, "second")
	now := filetest.Git(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
	st, err = r.Status(t.Context())
	if want := fmt.Sprintf("main@%s of %s, dirty 0, pending 4", now, head); err != nil || checkedOut(st.Freshness) != want {
		t.Errorf("status says %s, %v; want %s", checkedOut(st.Freshness), err, want)
	}
}

func TestDirtyMayBeFiltered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.txt": "a\n", "b.txt": "b\n", ".gitattributes": "# filter=none\n*.txt text\n"})
	filetest.Commit(t, dir, "first")
	r := attach(t, t.TempDir(), dir)
	filetest.Write(t, dir, map[string]string{"a.txt": "edited\n"})
	if f := freshness(t, r); f.Dirty == nil || *f.Dirty != 1 || f.DirtyAbout {
		t.Errorf("without filters: %s", checkedOut(f))
	}
	filetest.Write(t, dir, map[string]string{".gitattributes": "*.txt filter=lfs\n"})
	filetest.Commit(t, dir, "filters")
	if f := freshness(t, r); f.Dirty == nil || *f.Dirty != 0 || f.DirtyAbout {
		t.Errorf("nothing read: %s", checkedOut(f))
	}
	filetest.Write(t, dir, map[string]string{"b.txt": "edited\n"})
	if f := freshness(t, r); f.Dirty == nil || *f.Dirty != 1 || !f.DirtyAbout {
		t.Errorf("with filters: %s", checkedOut(f))
	}
}

// TestKeptIDs touches all files of a tree, as a copy does, and asks processes that begin one
// after the other: what the first reads the others find, unless it is damaged.
func TestKeptIDs(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\nconst n = %d\n", i)
	}
	files["crlf.go"] = "package p\r\n"
	filetest.Write(t, dir, files)
	filetest.Commit(t, dir, "first")
	for name := range files {
		if err := os.Chtimes(filepath.Join(dir, name), time.Now(), time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	dirty := func() int {
		w, err := workspace.Open(workspace.Options{DataDir: data})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		f := freshness(t, r)
		if f.Dirty == nil {
			t.Fatal(checkedOut(f))
		}
		return *f.Dirty
	}
	if n := dirty(); n != 0 {
		t.Fatalf("%d files differ from the commit", n)
	}
	paths, err := filepath.Glob(filepath.Join(data, "*", "*", "blobs"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("ids are kept in %q, %v", paths, err)
	}
	kept, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	const row = 16 + 2*20
	for _, c := range []struct {
		name   string
		change func(data []byte) []byte
		dirty  int
	}{
		{"as it is", func(data []byte) []byte { return data }, 0},
		{"with another id", func(data []byte) []byte {
			data[9+16]++
			return binary.LittleEndian.AppendUint64(data[:len(data)-8], xxh3.Hash(data[:len(data)-8]))
		}, 1},
		{"damaged", func(data []byte) []byte { data[9+16]++; return data }, 0},
		{"cut", func(data []byte) []byte { return data[:len(data)-row] }, 0},
		{"empty", func(data []byte) []byte { return nil }, 0},
		{"of longer ids", func(data []byte) []byte { data[8] = 32; return data }, 0},
	} {
		if err := os.WriteFile(paths[0], c.change(slices.Clone(kept)), 0o600); err != nil {
			t.Fatal(err)
		}
		if n := dirty(); n != c.dirty {
			t.Errorf("%s: %d files differ from the commit, want %d", c.name, n, c.dirty)
		}
		if again, err := os.ReadFile(paths[0]); c.dirty == 0 && (err != nil || !slices.Equal(again, kept)) {
			t.Errorf("%s: the ids are not kept as before: %v", c.name, err)
		}
	}
}

// TestDirtyIsWhatGitSays makes random changes, staged and committed at times,
// and compares the count with the files that git's own status lists.
func TestDirtyIsWhatGitSays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(7, 7))
	for i := range 30 {
		filetest.Write(t, dir, map[string]string{fmt.Sprintf("d%d/f%d.go", i%4, i): fmt.Sprintf("package p%d\n", i)})
	}
	filetest.Commit(t, dir, "first")
	r := attach(t, t.TempDir(), dir)
	steps := 150
	if testing.Short() {
		steps = 60
	}
	for step := range steps {
		name := fmt.Sprintf("d%d/f%d.go", rnd.IntN(4), rnd.IntN(40))
		did := ""
		switch rnd.IntN(10) {
		case 0, 1, 2:
			did = "write " + name
			filetest.Write(t, dir, map[string]string{name: fmt.Sprintf("package p%d\n", rnd.IntN(10))}) // often of the same size
		case 3:
			did = "remove " + name
			os.Remove(filepath.Join(dir, name))
		case 4, 5:
			did = "stage " + name
			filetest.GitCommand(dir, "add", "-A", name).Run() // which may not exist
		case 6:
			did = "stage all"
			filetest.Git(t, dir, "add", "-A")
		case 7:
			did = "forget " + name
			filetest.GitCommand(dir, "rm", "-q", "--cached", name).Run()
		case 8:
			did = "commit"
			filetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(step))
		case 9:
			did = "switch"
			filetest.GitCommand(dir, "checkout", "-q", "-f", "-B", fmt.Sprintf("b%d", step), fmt.Sprintf("HEAD~%d", rnd.IntN(2))).Run()
		}
		want := gitStatus(t, dir)
		if f := freshness(t, r); f.Dirty == nil || *f.Dirty != len(want) {
			t.Fatalf("step %d, %s: %s; git says %d: %q", step, did, checkedOut(f), len(want), want)
		}
	}
}

// gitStatus lists the paths that git's own status names.
func gitStatus(t *testing.T, dir string) (paths []string) {
	t.Helper()
	for row := range strings.SplitSeq(filetest.Git(t, dir, "status", "--porcelain", "-z", "-uall", "--no-renames"), "\x00") {
		if len(row) > 3 && !slices.Contains(paths, row[3:]) {
			paths = append(paths, row[3:])
		}
	}
	return paths
}
