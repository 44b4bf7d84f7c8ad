package git

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

func open1(t *testing.T, dir string) *Repository {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func subjects(commits []Commit) string {
	var s []string
	for _, c := range commits {
		s = append(s, c.Subject)
	}
	return strings.Join(s, ",")
}

func TestHistory(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	r := open1(t, dir)
	for name, tt := range map[string]struct {
		o    LogOptions
		want string
	}{
		"all":     {LogOptions{}, "third,second,first"},
		"limit":   {LogOptions{Limit: 2}, "third,second"},
		"path":    {LogOptions{Paths: []string{"a.go"}}, "second,first"},
		"folder":  {LogOptions{Paths: []string{"sub"}}, "third"},
		"no glob": {LogOptions{Paths: []string{"*.go"}}, ""},
		"line 1":  {LogOptions{Paths: []string{"a.go"}, First: 1, End: 1}, "first"},
		"line 2":  {LogOptions{Paths: []string{"a.go"}, First: 2, End: 2}, "second,first"},
		"dash":    {LogOptions{Paths: []string{"--output=x"}}, "third,first"},
		"future":  {LogOptions{Since: time.Now().Add(time.Hour)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.Log(t.Context(), ids[2], tt.o)
			if err != nil || subjects(got) != tt.want {
				t.Errorf("%s: Log = %q, %v; want %q", name, subjects(got), err, tt.want)
			}
		})
	}
	c, err := r.Log(t.Context(), ids[1], LogOptions{Limit: 1})
	if err != nil || len(c) != 1 || c[0].Body != "with a body" || c[0].Author != "t" || c[0].Email != "t@example.com" || time.Since(c[0].Time) > time.Hour {
		t.Errorf("Log = %+v, %v", c, err)
	}
	lines, commits, err := r.Blame(t.Context(), ids[2], "a.go", 2, 3)
	if err != nil || len(lines) != 2 || lines[0] != (Line{2, ids[1], "TWO"}) || lines[1] != (Line{3, ids[0], "three"}) || commits[ids[0]].Subject != "first" {
		t.Errorf("Blame = %v, %v, %v", lines, commits, err)
	}
	changes, err := r.Changes(t.Context(), ids[1], ids[2])
	got := ""
	for _, c := range changes {
		got += fmt.Sprintf("%c %s<%s %o %o %.4s %.4s\n", c.Status, c.Path, c.Old, c.OldMode, c.NewMode, c.OldID, c.NewID)
	}
	lines40 := blobID(ids[0], strings.Repeat("line\n", 40))[:4]
	if want := "D --output=x< 100755 0 994e \nA new.go< 0 100755  3e75\nR sub/new name.go<old name.go 100755 100755 " + lines40 + " " + lines40 + "\n"; err != nil || got != want {
		t.Errorf("Changes = %v, %v; want %v", got, err, want)
	}
	for _, name := range []string{"HEAD", "main", "HEAD~0", ids[2][:10]} {
		t.Run(name, func(t *testing.T) {
			if id, err := r.Resolve(t.Context(), name); err != nil || id != ids[2] {
				t.Errorf("Resolve(%q) = %q, %v; want %q", name, id, err, ids[2])
			}
		})
	}
	for _, name := range []string{"", "nope", "--all", "-h", "main; true", "HEAD^{tree}", "a\nb"} {
		t.Run(name, func(t *testing.T) {
			var bad *RevisionError
			if id, err := r.Resolve(t.Context(), name); !errors.As(err, &bad) {
				t.Errorf("Resolve(%q) = %q, %v; want a RevisionError", name, id, err)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "x")); err == nil {
		t.Error("a path was taken for an option and wrote a file")
	}
}

func TestWorkTreesAndSubmodules(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	linked := filepath.Join(t.TempDir(), "linked")
	filetest.Git(t, dir, "worktree", "add", "-q", linked, ids[0])
	if got, err := open1(t, linked).Resolve(t.Context(), "HEAD"); err != nil || got != ids[0] {
		t.Errorf("HEAD of a linked work tree = %q, %v; want %q", got, err, ids[0])
	}
	head := func(dir, commit, branch string) {
		t.Helper()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if c, b := Head(root); c != commit || b != branch {
			t.Errorf("Head(%s) = %q, %q; want %q, %q", dir, c, b, commit, branch)
		}
	}
	head(linked, ids[0], "")
	filetest.Git(t, linked, "checkout", "-q", "-b", "topic")
	head(linked, ids[0], "topic")
	filetest.Git(t, dir, "pack-refs", "--all")
	head(linked, ids[0], "topic")
	super := t.TempDir()
	filetest.Git(t, super, "init", "-q")
	filetest.Git(t, super, "-c", "protocol.file.allow=always", "submodule", "add", "-q", dir, "part")
	if got, err := open1(t, filepath.Join(super, "part")).Resolve(t.Context(), "HEAD"); err != nil || got != ids[2] {
		t.Errorf("HEAD of a submodule = %q, %v; want %q", got, err, ids[2])
	}
	head(filepath.Join(super, "part"), ids[2], "main")
	thief := t.TempDir()
	for _, target := range []string{dir + "/.git", dir + "/.git/worktrees/linked", super + "/.git/modules/part"} {
		gittest.Write(t, thief, map[string]string{".git": "gitdir: " + target + "\n"})
		if r, err := Open(thief); !errors.Is(err, ErrNoRepository) {
			t.Errorf("a tree that points to %s opens %v, %v; want ErrNoRepository", target, r, err)
		}
		head(thief, "", "")
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNoRepository) {
		t.Errorf("Open of a plain folder: %v", err)
	}
}

// TestNothingIsExecuted asks everything of a hostile repository.
func TestNothingIsExecuted(t *testing.T) {
	dir, marker, ids := gittest.Hostile(t)
	r := open1(t, dir)
	r.Resolve(t.Context(), "HEAD")
	r.Resolve(t.Context(), "HEAD:a.go")
	r.Log(t.Context(), ids[2], LogOptions{Paths: []string{"a.go"}})
	r.Log(t.Context(), ids[2], LogOptions{Paths: []string{"a.go"}, First: 1, End: 2})
	r.Blame(t.Context(), ids[2], "a.go", 1, 0)
	r.Blame(t.Context(), ids[2], "new.go", 1, 0)
	r.Changes(t.Context(), ids[0], ids[2])
	r.Tree(t.Context(), ids[2])
	r.SizedTree(t.Context(), ids[2])
	r.Refs(t.Context())
	r.Staged(t.Context(), ids[2], &Index{})
	r.MergeBase(t.Context(), ids[0], ids[2])
	r.Churn(t.Context(), ids[2], LogOptions{})
	if blobs, err := r.Blobs(t.Context()); err == nil {
		missing := blobID(ids[0], "one\nTWO\nthree\n")
		if _, err := blobs.Read(missing, 1<<20); !errors.Is(err, ErrMissing) {
			t.Errorf("a blob that was taken away: %v", err)
		}
		blobs.Close()
	}
	if text, err := os.ReadFile(marker); err == nil {
		t.Errorf("a program of the repository was run: %q", text)
	}
	if got, err := r.Log(t.Context(), ids[2], LogOptions{}); err != nil || subjects(got) != "third,second,first" {
		t.Errorf("Log = %q, %v", subjects(got), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\x01" + strings.Repeat("a", 40) + "\x00n\x00e\x0012\x00s\x00b\x00"))
	f.Add([]byte(strings.Repeat("a", 40) + " 1 2 1\nauthor x\n\ttext\n"))
	f.Add([]byte(":100644 100644 " + strings.Repeat("a", 40) + " " + strings.Repeat("b", 40) + " R100\x00a\x00b\x00"))
	f.Add([]byte("100644 blob " + strings.Repeat("a", 40) + "\ta\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		parseLog(out)
		parseBlame(out)
		parseChanges(out)
		parseTree(out)
		parseTouches(out)
	})
}

func blobID(commit, content string) string {
	return hex.EncodeToString(BlobID(commit, []byte(content)))
}

func TestTreesAndBlobs(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		filetest.Git(t, dir, "init", "-q", "--object-format="+format)
		gittest.Write(t, dir, map[string]string{"a.go": "one\n", "sub/tab\tname": "two\r\n", "empty": ""})
		if err := os.Symlink("a.go", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		filetest.Git(t, dir, "add", "-A")
		filetest.Git(t, dir, "commit", "-q", "-m", "one")
		r := open1(t, dir)
		head, err := r.Resolve(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		tree, err := r.Tree(t.Context(), head)
		if err != nil || len(tree) != 4 {
			t.Fatalf("%s: Tree = %v, %v", format, tree, err)
		}
		blobs, err := r.Blobs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer blobs.Close()
		for i, want := range []TreeEntry{
			{"a.go", blobID(head, "one\n"), ModeExecutable, -1}, {"empty", blobID(head, ""), ModeExecutable, -1},
			{"link", blobID(head, "a.go"), ModeLink, -1}, {"sub/tab\tname", blobID(head, "two\r\n"), ModeExecutable, -1},
		} {
			text, err := blobs.Read(tree[i].ID, 100)
			if tree[i] != want || err != nil || blobID(head, string(text)) != want.ID {
				t.Errorf("%s: %v, %q, %v; want %v", format, tree[i], text, err, want)
			}
		}
		if _, err := blobs.Read(tree[0].ID, 3); !errors.Is(err, ErrLarge) {
			t.Errorf("a blob over the limit: %v", err)
		}
		if _, err := blobs.Read(strings.Repeat("1", len(head)), 3); !errors.Is(err, ErrMissing) {
			t.Errorf("no blob: %v", err)
		}
		if text, err := blobs.Read(tree[0].ID, 4); err != nil || string(text) != "one\n" {
			t.Errorf("after errors: %q, %v", text, err)
		}
	}
}

func TestChurn(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	gittest.Write(t, dir, map[string]string{"a.go": "one\n", "\nodd\x01.go": "odd\n"})
	filetest.Git(t, dir, "add", "-A")
	filetest.Git(t, dir, "commit", "-q", "-m", "fourth")
	r := open1(t, dir)
	head, err := r.Resolve(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		paths   []string
		limit   int
		want    string
		commits int
	}{
		{nil, 2, "--output=x 1, a.go 1, new.go 1, old name.go 1, sub/new name.go 1", 2},
		{[]string{"a.go"}, 10, "a.go 3", 3},
		{[]string{"sub"}, 10, "sub/new name.go 1", 1},
		{[]string{"none"}, 10, "", 0},
	} {
		t.Run(fmt.Sprintf("%q, limit %d", tt.paths, tt.limit), func(t *testing.T) {
			churn, commits, err := r.Churn(t.Context(), ids[2], LogOptions{Paths: tt.paths, Limit: tt.limit})
			if tt.limit == 10 && tt.paths[0] == "a.go" {
				churn, commits, err = r.Churn(t.Context(), head, LogOptions{Paths: tt.paths, Limit: tt.limit})
			}
			var got []string
			for _, c := range churn {
				got = append(got, fmt.Sprintf("%s %d", c.Path, c.Commits))
			}
			if strings.Join(got, ", ") != tt.want || commits != tt.commits || err != nil {
				t.Errorf("Churn(%q, %d) = %q of %d, %v; want %q", tt.paths, tt.limit, got, commits, err, tt.want)
			}
		})
	}
}

func TestMergeBase(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	filetest.Git(t, dir, "checkout", "-q", "-b", "side", ids[0])
	filetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "side")
	side := filetest.Git(t, dir, "rev-parse", "HEAD")
	filetest.Git(t, dir, "checkout", "-q", "--orphan", "alone")
	filetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "alone")
	alone := filetest.Git(t, dir, "rev-parse", "HEAD")
	r := open1(t, dir)
	for name, tt := range map[string]struct{ other, want string }{
		"of two branches": {ids[2], ids[0]}, "unrelated": {alone, ""}, "the same": {side, side},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := r.MergeBase(t.Context(), side, tt.other); err != nil || got != tt.want {
				t.Errorf("MergeBase(%s, %s) = %q, %v; want %q", side, tt.other, got, err, tt.want)
			}
		})
	}
}

// TestCommon tells which work trees are of one repository.
func TestCommon(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(top, name) }
	gittest.Write(t, top, map[string]string{"main/a.go": "a\n", "part/b.go": "b\n", "plain/c.go": "c\n"})
	for _, dir := range []string{"main", "part"} {
		filetest.Git(t, at(dir), "init", "-q")
		filetest.Git(t, at(dir), "add", "-A")
		filetest.Git(t, at(dir), "commit", "-q", "-m", "first")
	}
	filetest.Git(t, at("main"), "worktree", "add", "-q", at("linked"))
	filetest.Git(t, at("main"), "worktree", "add", "-q", at("main/inside"))
	filetest.Git(t, at("main"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", at("part"), "sub")
	filetest.Git(t, at("main/sub"), "worktree", "add", "-q", at("linked-sub"))
	filetest.Git(t, at("part"), "worktree", "add", "-q", at("moved-away"))
	if err := os.Rename(at("moved-away"), at("moved")); err != nil {
		t.Fatal(err)
	}
	gittest.Write(t, top, map[string]string{
		"thief/.git":                    "gitdir: " + at("main/.git/worktrees/linked") + "\n",
		"whole/.git":                    "gitdir: " + at("main/.git") + "\n",
		"long/.git":                     "gitdir: " + strings.Repeat("x", 1<<16),
		"empty/.git":                    "",
		"fake/.git/HEAD":                "ref: refs/heads/main\n",
		"shared/.git/commondir":         at("main/.git") + "\n",
		"shared/.git/HEAD":              "ref: refs/heads/main\n",
		"shared/.git/refs/x":            "",
		"shared/.git/objects/x":         "",
		"out/.git":                      "gitdir: " + at("store/worktrees/out") + "\n",
		"store/worktrees/out/gitdir":    at("out/.git") + "\n",
		"store/worktrees/out/commondir": at("main/.git") + "\n",
		"store/worktrees/out/HEAD":      "ref: refs/heads/main\n",
	})
	if err := os.Symlink(at("main/.git"), at("plain/.git")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"main": "main/.git", "linked": "main/.git", "main/inside": "main/.git", "part": "part/.git",
		"main/sub": "main/.git/modules/sub", "linked-sub": "main/.git/modules/sub", "shared": "shared/.git",
		"plain": "", "moved": "", "thief": "", "whole": "", "long": "", "empty": "", "fake": "", "out": "", "gone": "",
	} {
		t.Run(dir, func(t *testing.T) {
			got, err := Common(at(dir))
			if want == "" && (err == nil || got != "") || want != "" && got != at(want) {
				t.Errorf("Common(%s) = %q, %v; want %q", dir, got, err, want)
			}
		})
	}
}
