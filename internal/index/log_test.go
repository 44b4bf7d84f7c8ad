package index

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/store"
)

// told writes the changes of the newest record of a log.
func told(t *testing.T, s *site) (files int, changes []string) {
	t.Helper()
	records, err := s.family.Log(store.MainView)
	if err != nil || len(records) == 0 {
		t.Fatalf("Log = %v, %v", records, err)
	}
	last := records[len(records)-1]
	for _, c := range last.Changes {
		line := c.Status + " " + string(c.Path)
		if c.Old != "" {
			line += " from " + string(c.Old)
		}
		for _, y := range c.Symbols {
			line += fmt.Sprintf(", %s %s %s %d-%d", y.Change, y.Kind, y.Name, y.Line, y.End)
		}
		if c.More > 0 {
			line += fmt.Sprintf(", %d more", c.More)
		}
		changes = append(changes, line)
	}
	return last.Files, changes
}

func TestChangesAreLogged(t *testing.T) {
	s := newSite(t)
	s.write("a.go", "package a\n\nfunc one() {}\n\nfunc two() {}\n")
	s.write("b.py", "def f():\n    return 1\n")
	s.write("old.txt", "the same text\n")
	s.write("gone.txt", "gone\n")
	if err := s.sync(Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if files, changes := told(t, s); files != 4 || changes != nil {
		t.Errorf("the first indexing: %d files, %q", files, changes)
	}
	s.write("a.go", "package a\n\n// two does it.\nfunc two() { one() }\n\nfunc three(int) {}\n")
	for _, name := range []string{"gone.txt", "old.txt"} {
		if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.write("new.txt", "the same text\n")
	s.write("more.go", "package a\n")
	if err := s.sync(Options{}, nil); err != nil {
		t.Fatal(err)
	}
	files, changes := told(t, s)
	want := []string{
		"modified a.go, removed func one 3-4, body func two 4-5, added func three 6-6",
		"removed gone.txt", "added more.go", "renamed new.txt from old.txt",
	}
	if diff := cmp.Diff(want, changes); diff != "" || files != 4 {
		t.Errorf("%d files (-want +got):\n%s", files, diff)
	}

	var many strings.Builder
	for i := range 2 * loggedSymbols {
		fmt.Fprintf(&many, "func f%d() {}\n", i)
	}
	s.write("a.go", many.String())
	if err := s.sync(Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, changes := told(t, s); len(changes) != 1 || !strings.HasSuffix(changes[0], fmt.Sprintf(", %d more", loggedSymbols+2)) {
		t.Errorf("too many symbols: %q", changes)
	}
}
