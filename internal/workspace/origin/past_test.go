package origin

import (
	"fmt"
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
	var p Past
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
