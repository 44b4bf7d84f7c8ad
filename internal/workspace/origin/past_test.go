package origin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/git"
)

// clonedFrom is an origin whose files nobody reads.
type clonedFrom struct {
	Origin
	dir, head string
}

func (c clonedFrom) Repository() (*git.Repository, error) { return git.Open(c.dir) }

func (c clonedFrom) Head() (commit, branch string, err error) { return c.head, "", nil }

// TestPastOfDeepenedClone holds that commits which are fetched to a shallow clone later
// are read, though the one that is checked out stays the same.
func TestPastOfDeepenedClone(t *testing.T) {
	t.Parallel()
	dir, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	for i := range 3 {
		filetest.Write(t, dir, map[string]string{"a": fmt.Sprint(i), "b": fmt.Sprint(i)})
		filetest.Commit(t, dir, "change")
	}
	filetest.Git(t, dir, "clone", "-q", "--depth=1", "file://"+dir, clone)
	o := clonedFrom{dir: clone, head: strings.TrimSpace(filetest.Git(t, clone, "rev-parse", "HEAD"))}
	p := NewPast("", "main")
	together := func() int {
		log, err := p.Of(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return log.With([]string{"a"}, func(string) bool { return true })["b"]["a"].Together
	}
	if n := together(); n != 0 {
		t.Errorf("%d commits of a shallow clone", n)
	}
	filetest.Git(t, clone, "fetch", "-q", "--unshallow")
	if n := together(); n != 2 {
		t.Errorf("%d commits once it was deepened, want 2", n)
	}
}

// ofIndex is an origin whose index others publish.
type ofIndex struct{ Origin }

func (ofIndex) Repository() (*git.Repository, error) { return nil, ErrPublished }

// TestPastIsKept holds that commits are read from git once for all processes, that those
// of a few commits stay, and that they can be handed to who has no git folder.
func TestPastIsKept(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), filepath.Join(t.TempDir(), "past")
	commit := func(n int) clonedFrom {
		filetest.Write(t, dir, map[string]string{"a": fmt.Sprint(n), "b": fmt.Sprint(n)})
		filetest.Commit(t, dir, "change")
		return clonedFrom{dir: dir, head: strings.TrimSpace(filetest.Git(t, dir, "rev-parse", "HEAD"))}
	}
	together := func(p *Past, o Origin) int {
		t.Helper()
		log, err := p.Of(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return log.With([]string{"a"}, func(string) bool { return true })["b"]["a"].Together
	}
	commit(0)
	o := commit(1)
	NewPast(folder, "main").Keep(t.Context(), o)()
	gone := o
	gone.dir = t.TempDir()
	filetest.Git(t, gone.dir, "init", "-q") // has none of the commits
	if n := together(NewPast(folder, "main"), gone); n != 1 {
		t.Errorf("%d commits that are kept, want 1", n)
	}
	answers := NewPast(filepath.Join(t.TempDir(), "past"), "main")
	if n := together(answers, ofIndex{}); n != 0 {
		t.Errorf("%d commits before any came", n)
	}
	for n := 2; n < maxKept+4; n++ {
		o := commit(n)
		keeps := NewPast(folder, "main")
		keeps.Keep(t.Context(), o)()
		raw, err := keeps.Beside(o).Read()
		if err != nil {
			t.Fatal(err)
		}
		if err := answers.Beside(o).Write(raw); err != nil {
			t.Fatal(err)
		}
		if got := together(answers, ofIndex{}); got != n {
			t.Errorf("%d commits came, want %d", got, n)
		}
	}
	if kept, _ := os.ReadDir(folder); len(kept) != maxKept {
		t.Errorf("the past of %d commits is kept, want %d", len(kept), maxKept)
	}
	if err := os.WriteFile(answers.published, []byte("no commits"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := answers.Of(t.Context(), ofIndex{}); err == nil {
		t.Error("damaged commits were taken")
	}
}

// TestPastInTurn holds that a question does not wait longer for another that reads commits
// than it has time.
func TestPastInTurn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a": "1"})
	filetest.Commit(t, dir, "begin")
	o := clonedFrom{dir: dir, head: strings.TrimSpace(filetest.Git(t, dir, "rev-parse", "HEAD"))}
	p := NewPast("", "main")
	p.begin(t.Context()) // somebody reads
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := p.Of(ended, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the end of the question", err)
	}
	p.end()
	if _, err := p.Of(t.Context(), o); err != nil {
		t.Error(err)
	}
}
