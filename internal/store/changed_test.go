package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"espy/internal/store/changelog"

	"github.com/google/go-cmp/cmp"
)

func TestCommitsAreLogged(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one", "b": "two", "same": "same"})
	b := begin(t, f, false)
	if err := b.Tombstone([]string{"a", "b", "same"}); err != nil {
		t.Fatal(err)
	}
	add(t, b, map[string]string{"a": "one more", "c": "new", "same": "same"})
	pairs, err := b.Changed()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pairs {
		got = append(got, fmt.Sprintln(p.Path, p.Old != nil, p.New != nil))
	}
	if diff := cmp.Diff([]string{"a true true\n", "b true false\n", "c false true\n"}, got); diff != "" {
		t.Errorf("Changed: %s", diff)
	}
	if _, err := b.Commit(context.Background(), Generation{Tree: treeOf(map[string]string{"a": "one more", "c": "new", "same": "same"}), Written: time.Now()}); err != nil {
		t.Fatal(err)
	}
	b.Log(3, nil)
	b.Close()
	commit(t, f, map[string]string{"a": "one more", "c": "new", "same": "same"}, nil) // changes nothing
	records, err := f.Log(MainView)
	if err != nil || len(records) != 2 || records[0].Base != 0 || records[0].Files != 3 || records[1].Base != 1 || records[1].Generation != 2 || records[1].Files != 3 {
		t.Errorf("Log = %+v, %v", records, err)
	}
	if err := f.Drop(t.Context(), func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Log(MainView); err != nil || got != nil {
		t.Errorf("the log of a view that was dropped: %v, %v", got, err)
	}
}

// TestLogOfAFirstIndexing lists nothing: all files are new.
func TestLogOfAFirstIndexing(t *testing.T) {
	f := family(t, t.TempDir())
	b := begin(t, f, false)
	add(t, b, map[string]string{"a": "one", "b": "two"})
	b.Log(1, nil) // before any commit
	if _, err := b.Commit(t.Context(), Generation{Tree: treeOf(nil), Indexed: 2, Total: 3}); err != nil {
		t.Fatal(err)
	}
	b.Log(1, nil) // of an unfinished indexing
	if _, err := b.Commit(t.Context(), Generation{Tree: treeOf(nil)}); err != nil {
		t.Fatal(err)
	}
	b.Log(99, []changelog.Change{{Path: "a", Status: "added"}})
	b.Log(99, nil) // once more
	records, err := f.Log(MainView)
	if err != nil || len(records) != 1 || records[0].Files != 2 || records[0].Base != 0 || len(records[0].Changes) > 0 {
		t.Errorf("Log = %+v, %v; want one record of 2 files that lists none", records, err)
	}
}

// TestLogCannotBeWritten commits where the log is a folder.
func TestLogCannotBeWritten(t *testing.T) {
	f := family(t, t.TempDir())
	if err := os.Mkdir(filepath.Join(f.dir.Path(), "changes-main.log"), 0o700); err != nil {
		t.Fatal(err)
	}
	if g := commit(t, f, map[string]string{}, map[string]string{"a": "one"}); g != 1 {
		t.Errorf("generation %d, want 1", g)
	}
}
