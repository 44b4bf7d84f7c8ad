package hybrid

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/filetest"
	"espy/internal/store"
	"espy/internal/workspace"
)

// TestOneState holds that a search looks at the files once, that what an earlier one
// cut of them changes nothing, and that an edit is seen.
func TestOneState(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"zoo.rs": "/// Feeds the zebra.\npub fn feed() {}\n\n/// Washes the okapi.\npub fn wash() {}\n",
		"b.go":   "package b\n\n// Zebra is striped.\nfunc Zebra() {}\n",
	})
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Models: embedding.Models{Local: static.BuiltIn()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	looks := 0
	ask := func() string {
		a, err := Search(t.Context(), w, r, Request{Query: "zebra", Limit: 10, Preview: 1, Look: func(*store.Snapshot) { looks++ }})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(a.Units, a.More, a.Notes)
	}
	first := ask()
	if again := ask(); again != first || !strings.Contains(first, "Feeds the zebra") || !strings.Contains(first, "Zebra is striped") {
		t.Errorf("first %s\nthen %s", first, again)
	}
	if looks != 2 {
		t.Errorf("two searches looked %d times", looks)
	}
	filetest.Write(t, dir, map[string]string{"zoo.rs": "/// Feeds the okapi.\npub fn feed() {}\n\n/// Brushes the zebra.\npub fn brush() {}\n"})
	if edited := ask(); !strings.Contains(edited, "Brushes the zebra") || strings.Contains(edited, "Feeds") {
		t.Errorf("after an edit: %s", edited)
	}
}

// TestKept holds that what is kept of files is bounded.
func TestKept(t *testing.T) {
	k := &kept{files: map[string]*contents{}}
	for i := range 10 {
		k.keep(fmt.Sprint(i), &contents{text: make([]byte, maxKept/4)})
		if len(k.files) > 4 || k.bytes > maxKept || k.of(fmt.Sprint(i)) == nil {
			t.Errorf("%d files, %d bytes", len(k.files), k.bytes)
		}
	}
}
