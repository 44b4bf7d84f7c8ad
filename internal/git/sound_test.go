package git

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

// beside are files that git reads where they are, and does not make by itself.
var beside = []string{
	"config.worktree", "commondir", "gitdir", "shallow", ".mailmap", ".gitattributes", "info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout",
	"objects/info/alternates", "objects/info/http-alternates", "objects/info/commit-graphs/commit-graph-chain", "objects/pack/multi-pack-index",
	"included", "refs/heads/new", "FETCH_HEAD", "reftable/tables.list",
}

// traps make a file that never ends, or that takes without end.
var traps = []struct {
	name string
	make func(path string) error
}{
	{"pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
	{"device", func(path string) error { return os.Symlink("/dev/zero", path) }},
	{"huge", func(path string) error { return sparse(path) }},
}

const shortPatience = 300 * time.Millisecond

func sparse(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(1 << 40)
}

// TestNothingInAGitFolderIsWaitedFor puts a pipe, a device and a file of a
// terabyte in the place of every file of a git folder, and asks everything.
func TestNothingInAGitFolderIsWaitedFor(t *testing.T) {
	const slack = 2 * time.Second // of a loaded machine
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	for _, args := range [][]string{{"tag", "-a", "-m", "x", "v1", ids[0]}, {"config", "include.path", "included"}, {"pack-refs", "--all"}, {"branch", "topic"}, {"commit-graph", "write", "--reachable"}, {"repack", "-q", "-a", "-d", "-b"}} {
		filetest.Git(t, dir, args...)
	}
	filetest.Write(t, dir, map[string]string{"loose.go": "loose\n"})
	filetest.Git(t, dir, "add", "-A")
	filetest.Git(t, dir, "commit", "-q", "-m", "fourth")
	last := filetest.Git(t, dir, "rev-parse", "HEAD")
	for _, name := range gitFiles(t, dir) {
		for i, trap := range traps {
			if i > 0 && strings.HasPrefix(name, "objects") {
				continue // what waits for a pipe there is what would read without end
			}
			t.Run(trap.name+" for "+name, func(t *testing.T) {
				t.Parallel()
				at := t.TempDir()
				if err := os.CopyFS(at, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(at, ".git", name)
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := trap.make(path); err != nil {
					t.Fatal(err)
				}
				for question, ask := range questions(t, at, ids[0], last) {
					began := time.Now()
					ctx, cancel := context.WithTimeout(t.Context(), shortPatience)
					_ = ask(ctx)
					cancel()
					if d := time.Since(began); d > shortPatience+slack {
						t.Errorf("%s took %v", question, d)
					}
				}
			})
		}
	}
}

// gitFiles lists the files of a git folder and those that may be there.
func gitFiles(t *testing.T, dir string) []string {
	names := append([]string{""}, beside...) // "" is .git itself
	names = append(names, "objects", "refs", "refs/heads", "objects/info", "objects/pack", "logs")
	err := filepath.WalkDir(filepath.Join(dir, ".git"), func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(filepath.Join(dir, ".git"), path)
		if err == nil && d.Type().IsRegular() && !strings.HasPrefix(name, "hooks"+string(filepath.Separator)) {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) < len(beside)+15 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	return names
}

// questions is everything that is asked of git.
func questions(t *testing.T, dir, first, last string) map[string]func(context.Context) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	asked := map[string]func(context.Context) error{
		"Look":       func(context.Context) error { Look(root); return nil },
		"Traces":     func(context.Context) error { Traces(root); return nil },
		"Attributes": func(context.Context) error { Attributes(root); return nil },
		"ReadIndex":  func(context.Context) error { _, err := ReadIndex(root, first); return err },
		"Common":     func(context.Context) error { _, err := Common(dir); return err },
	}
	r, err := Open(dir)
	if err != nil {
		return asked
	}
	r.patience = shortPatience
	asked["Resolve"] = func(ctx context.Context) error { _, err := r.Resolve(ctx, "topic"); return err }
	asked["Refs"] = func(ctx context.Context) error { _, err := r.Refs(ctx); return err }
	asked["Log"] = func(ctx context.Context) error { _, err := r.Log(ctx, last, LogOptions{}); return err }
	asked["Log of lines"] = func(ctx context.Context) error {
		_, err := r.Log(ctx, last, LogOptions{Paths: []string{"a.go"}, First: 1, End: 2})
		return err
	}
	asked["Blame"] = func(ctx context.Context) error { _, _, err := r.Blame(ctx, last, "loose.go", 1, 0); return err }
	asked["Churn"] = func(ctx context.Context) error { _, _, err := r.Churn(ctx, last, LogOptions{}); return err }
	asked["Changes"] = func(ctx context.Context) error { _, err := r.Changes(ctx, first, last); return err }
	asked["MergeBase"] = func(ctx context.Context) error { _, err := r.MergeBase(ctx, first, last); return err }
	asked["HeadRef and Shallow"] = func(context.Context) error { r.HeadRef(); r.Shallow(); return nil }
	asked["Stream"] = func(context.Context) error { return streamAll(r, last) }
	asked["Blobs"] = func(context.Context) error {
		b, err := r.Blobs(context.Background())
		if err != nil {
			return err
		}
		_, err = b.Read(blobID(last, "loose\n"), 1<<20)
		b.Close()
		return err
	}
	return asked
}

// streamAll reads every file of a commit, in a context without an end.
func streamAll(r *Repository, commit string) error {
	entries := []TreeEntry{{Path: "loose.go", ID: blobID(commit, "loose\n"), Mode: ModeFile, Size: 6}}
	return r.Stream(context.Background(), entries, func(TreeEntry, io.Reader) error { return nil })
}

// TestLogUntilItsDeadline has a pipe in the place of the oldest commit: the
// newest one is known by then.
func TestLogUntilItsDeadline(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	oldest := filepath.Join(dir, ".git", "objects", ids[0][:2], ids[0][2:])
	if err := os.Remove(oldest); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(oldest, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*shortPatience)
	defer cancel()
	commits, err := open1(t, dir).Log(ctx, ids[2], LogOptions{})
	if !errors.Is(err, context.DeadlineExceeded) || subjects(commits) != "third" {
		t.Errorf("Log = %q, %v; want what was found until the deadline, and its error", subjects(commits), err)
	}
}
