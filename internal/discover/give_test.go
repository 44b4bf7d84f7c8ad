package discover

import (
	"io/fs"
	"testing"
)

// TestGive holds which folder is handed on: the last one of the outermost folder that has
// one to be told, which is spliced in where it stands.
func TestGive(t *testing.T) {
	w := &walker{tasks: make(chan task, 3)}
	v := visitor{walker: w, given: map[int]*run{}, names: []dirent{
		{path: "a", typ: fs.ModeDir}, {path: "b", typ: fs.ModeDir}, {path: "c", typ: fs.ModeDir, reason: ReasonIgnored}, {path: "d"},
		{path: "a/x", typ: fs.ModeDir}, {path: "a/y", typ: fs.ModeDir},
	}, frames: []frame{{next: 1, end: 4}, {next: 5, end: 6}}}
	for _, want := range []string{"b", "a/y"} {
		v.give()
		if got := <-w.tasks; got.dir != want || got.run == nil {
			t.Errorf("%q was given, want %q", got.dir, want)
		}
	}
	v.give()
	if len(w.tasks) != 0 || w.pending.Load() != 2 || v.given[1] == nil || v.given[5] == nil || len(v.given) != 2 {
		t.Errorf("%d more were given, %d are pending", len(w.tasks), w.pending.Load())
	}
}
