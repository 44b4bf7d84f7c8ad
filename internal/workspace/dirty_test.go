package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/code"
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

// told returns the freshness of an answer.
func told(t *testing.T, r *Repo) code.Freshness {
	t.Helper()
	s := fresh(t, r)
	defer s.Close()
	return s.Freshness
}

func TestCheckoutIsTold(t *testing.T) {
	dir := t.TempDir()
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n", "logo.bin": "\x00\x01\x02", "big/c.go": "package c\n"})
	var first, second string
	for _, step := range []struct {
		name string
		do   func()
		want func() string
	}{
		{"outside git", func() {}, func() string { return "@ of , dirty ?, pending 0" }},
		{"no commits", func() { gitIn(t, dir, "init", "-q") }, func() string { return "main@ of , dirty 3, pending 0" }},
		{"staged, no commits", func() { gitIn(t, dir, "add", "-A") }, func() string { return "main@ of , dirty 3, pending 0" }},
		{"first commit", func() {
			gitIn(t, dir, "commit", "-q", "-m", "first")
			first = gitIn(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
		}, func() string { return "main@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"an edit", func() { write(t, dir, map[string]string{"a.go": "package a // edited\n"}) },
			func() string { return "main@" + first + " of " + first + ", dirty 1, pending 0" }},
		{"the edit staged", func() { gitIn(t, dir, "add", "-A") }, func() string { return "main@" + first + " of " + first + ", dirty 1, pending 0" }},
		{"edited back, staged", func() { write(t, dir, map[string]string{"a.go": "package a\n"}) },
			func() string { return "main@" + first + " of " + first + ", dirty 1, pending 0" }},
		{"staged back", func() { gitIn(t, dir, "add", "-A") }, func() string { return "main@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"a binary file edited", func() { write(t, dir, map[string]string{"logo.bin": "\x00\x01\x03"}) },
			func() string { return "main@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"a new file, one gone", func() {
			write(t, dir, map[string]string{"new.go": "package new\n"})
			os.Remove(filepath.Join(dir, "b.go"))
		}, func() string { return "main@" + first + " of " + first + ", dirty 2, pending 0" }},
		{"committed", func() {
			commit(t, dir, "second")
			second = gitIn(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
		}, func() string { return "main@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"touched", func() { os.Chtimes(filepath.Join(dir, "a.go"), time.Now(), time.Unix(1e9, 0)) },
			func() string { return "main@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"other branch", func() { gitIn(t, dir, "checkout", "-q", "-b", "topic", first) },
			func() string { return "topic@" + first + " of " + first + ", dirty 0, pending 0" }},
		{"detached", func() { gitIn(t, dir, "checkout", "-q", "--detach", second) },
			func() string { return "@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"line ends", func() { write(t, dir, map[string]string{"a.go": "package a\r\n"}) },
			func() string { return "@" + second + " of " + second + ", dirty 0, pending 0" }},
		{"not followed", func() { gitIn(t, dir, "rm", "-q", "--cached", "a.go") },
			func() string { return "@" + second + " of " + second + ", dirty 1, pending 0" }},
		{"ignored", func() { write(t, dir, map[string]string{".gitignore": "big/\na.go\n"}) }, // a.go is left out and big/c.go too
			func() string { return "@" + second + " of " + second + ", dirty 1, pending 0" }},
		{"split index", func() { gitIn(t, dir, "update-index", "--split-index") },
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
			if got := checkedOut(told(t, r)); got != step.want() {
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
	dir := t.TempDir()
	r := attach(t, open(t, t.TempDir()), dir)
	write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	commit(t, dir, "first")
	head := gitIn(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
	told(t, r)
	write(t, dir, map[string]string{"a.go": "package a // edited\n", "new.go": "package new\n", "new.bin": "\x00\x00\x00"})
	os.Remove(filepath.Join(dir, "b.go"))
	st, err := r.Status(t.Context())
	if want := fmt.Sprintf("main@%s of %s, dirty 3, pending 4", head, head); err != nil || checkedOut(st.Freshness) != want {
		t.Errorf("status says %s, %v; want %s", checkedOut(st.Freshness), err, want)
	}
	commit(t, dir, "second")
	now := gitIn(t, dir, "rev-parse", "--short=7", "HEAD")[:7]
	st, err = r.Status(t.Context())
	if want := fmt.Sprintf("main@%s of %s, dirty 0, pending 4", now, head); err != nil || checkedOut(st.Freshness) != want {
		t.Errorf("status says %s, %v; want %s", checkedOut(st.Freshness), err, want)
	}
}

// TestACommitIsRecorded commits what is indexed already: the generation stays,
// and other processes learn whose files it holds.
func TestACommitIsRecorded(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"a.go": "package a\n"})
	commit(t, dir, "first")
	w := open(t, data)
	r := attach(t, w, dir)
	before := told(t, r)
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	after := told(t, r)
	if after.Generation != before.Generation || after.Commit == before.Commit || after.Commit != after.Head {
		t.Errorf("before %+v, after %+v", before, after)
	}
	w.Close()
	s, err := attach(t, open(t, data), dir).newest()
	if err != nil || s.Freshness.Commit != after.Head || s.Freshness.Generation != before.Generation {
		t.Fatalf("recorded %+v, %v; want commit %s", s.Freshness, err, after.Head)
	}
	s.Close()
}

func TestDirtyMayBeFiltered(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.txt": "a\n", "b.txt": "b\n", ".gitattributes": "# filter=none\n*.txt text\n"})
	commit(t, dir, "first")
	r := attach(t, open(t, t.TempDir()), dir)
	write(t, dir, map[string]string{"a.txt": "edited\n"})
	if f := told(t, r); f.Dirty == nil || *f.Dirty != 1 || f.DirtyAbout {
		t.Errorf("without filters: %s", checkedOut(f))
	}
	write(t, dir, map[string]string{".gitattributes": "*.txt filter=lfs\n"})
	commit(t, dir, "filters")
	if f := told(t, r); f.Dirty == nil || *f.Dirty != 0 || f.DirtyAbout {
		t.Errorf("nothing read: %s", checkedOut(f))
	}
	write(t, dir, map[string]string{"b.txt": "edited\n"})
	if f := told(t, r); f.Dirty == nil || *f.Dirty != 1 || !f.DirtyAbout {
		t.Errorf("with filters: %s", checkedOut(f))
	}
}

// TestDirtyIsWhatGitSays makes random changes, staged and committed at times,
// and compares the count with the files that git's own status lists.
func TestDirtyIsWhatGitSays(t *testing.T) {
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(7, 7))
	for i := range 30 {
		write(t, dir, map[string]string{fmt.Sprintf("d%d/f%d.go", i%4, i): fmt.Sprintf("package p%d\n", i)})
	}
	commit(t, dir, "first")
	r := attach(t, open(t, t.TempDir()), dir)
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
			write(t, dir, map[string]string{name: fmt.Sprintf("package p%d\n", rnd.IntN(10))}) // often of the same size
		case 3:
			did = "remove " + name
			os.Remove(filepath.Join(dir, name))
		case 4, 5:
			did = "stage " + name
			gitCommand(dir, "add", "-A", name).Run() // which may not exist
		case 6:
			did = "stage all"
			gitIn(t, dir, "add", "-A")
		case 7:
			did = "forget " + name
			gitCommand(dir, "rm", "-q", "--cached", name).Run()
		case 8:
			did = "commit"
			gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(step))
		case 9:
			did = "switch"
			gitCommand(dir, "checkout", "-q", "-f", "-B", fmt.Sprintf("b%d", step), fmt.Sprintf("HEAD~%d", rnd.IntN(2))).Run()
		}
		want := gitStatus(t, dir)
		if f := told(t, r); f.Dirty == nil || *f.Dirty != len(want) {
			t.Fatalf("step %d, %s: %s; git says %d: %q", step, did, checkedOut(f), len(want), want)
		}
	}
}

// gitStatus lists the paths that git's own status names.
func gitStatus(t *testing.T, dir string) (paths []string) {
	t.Helper()
	for row := range strings.SplitSeq(gitIn(t, dir, "status", "--porcelain", "-z", "-uall", "--no-renames"), "\x00") {
		if len(row) > 3 && !slices.Contains(paths, row[3:]) {
			paths = append(paths, row[3:])
		}
	}
	return paths
}
