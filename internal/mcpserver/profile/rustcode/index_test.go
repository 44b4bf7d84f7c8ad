package rustcode

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"espy/internal/filetest"
)

// timed are the parts of answers that are of their time.
var timed = regexp.MustCompile(`Time: ([0-9.]+(ns|µs|ms|s))( \((< 10|[0-9]+)ms change detection\))?`)

// steady is an answer of index_codebase without its times.
func steady(t *testing.T, text string) string {
	t.Helper()
	m := timed.FindStringSubmatch(text)
	if m == nil {
		t.Errorf("no time in\n%s", text)
		return text
	}
	if took, err := time.ParseDuration(m[1]); m[3] != "" && (err != nil || (m[4] == "< 10") != (took < 10*time.Millisecond)) {
		t.Errorf("%q is said of %v", m[3], took)
	}
	text = timed.ReplaceAllString(text, "Time: T$3")
	return regexp.MustCompile(`\([< 0-9]+ms change`).ReplaceAllString(regexp.MustCompile(`code_chunks_[0-9a-f]{8}\n`).ReplaceAllString(text, "code_chunks_C\n"), "(Nms change")
}

// stats is the documented layout of an indexing.
func stats(heading, how string, indexed, chunks, unchanged, skipped int, check string) string {
	return fmt.Sprintf("✓ %s\n\nIndexing stats:\n- Indexed files: %d (%s)\n- Total chunks: %d\n- Unchanged files: %d\n- Skipped files: %d\n- Time: T%s\n\nBackground sync: enabled (5-minute interval)\nCollection: code_chunks_C\n", heading, indexed, how, chunks, unchanged, skipped, check)
}

func TestIndex(t *testing.T) {
	sheet.Proves(t, "index.unchanged index.changed index.lines index.deleted index.force index.errors index.nothing bug.rename bug.force")
	files := map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", "b.go": "package a\n\nfunc Beta() {}\n", "empty/.env": "A=b\n"}
	c := newClient(t, setup{files: files})
	const unchanged = " (Nms change detection)"
	step := func(name string, args object, want string) {
		t.Run(name, func(t *testing.T) {
			if args["directory"] == nil {
				args["directory"] = c.root
			}
			text := steady(t, c.on(t).call("index_codebase", args))
			if !strings.HasPrefix(text, want) || strings.HasSuffix(text, "\n") {
				t.Errorf("\n%s\nwant\n%s", text, want)
			}
		})
	}
	step("first", object{}, stats("Successfully indexed '/repo'", "incremental", 2, 2, 0, 1, ""))
	step("again", object{}, stats("No changes detected in '/repo'", "no changes", 0, 0, 2, 1, unchanged))
	step("with a slash", object{"directory": c.root + "/"}, stats("No changes detected in '/repo/'", "no changes", 0, 0, 2, 1, unchanged))
	step("by force", object{"force_reindex": true}, stats("Successfully indexed '/repo'", "forced full reindex", 2, 2, 0, 1, ""))
	c.write(map[string]string{"b.go": "package a\n\nfunc Beta() { Alpha() }\n", "c.go": "package a\n"})
	c.call("search", object{"keyword": "beta", "directory": "."})
	step("changed, though a search saw it", object{}, stats("Successfully indexed '/repo'", "incremental", 2, 2, 1, 1, ""))
	filetest.Remove(t, c.root, "c.go")
	step("deleted", object{}, stats("Successfully indexed '/repo'", "incremental", 0, 0, 2, 2, ""))
	if err := os.Rename(filepath.Join(c.root, "b.go"), filepath.Join(c.root, "b2.go")); err != nil {
		t.Fatal(err)
	}
	step("renamed", object{}, stats("Successfully indexed '/repo'", "incremental", 1, 1, 1, 2, ""))
	step("at rest", object{"force_reindex": false, "model": "0.6b"}, stats("No changes detected in '/repo'", "no changes", 0, 0, 2, 1, unchanged))
	step("nothing", object{"directory": "empty"}, "No Rust files suitable for indexing were found in 'empty'.\nSkipped files: 1\nTime: T")
	c.fails("index_codebase", object{"directory": "nope"}, "The specified path 'nope' does not exist")
	c.fails("index_codebase", object{"directory": "a.go"}, "The specified path 'a.go' is not a directory")
}

func TestDuration(t *testing.T) {
	sheet.Proves(t, "index.time")
	for _, tt := range []struct {
		took time.Duration
		want string
	}{
		{0, "0ns"}, {999, "999ns"}, {1500, "1.5µs"}, {78100539, "78.100539ms"}, {78100 * time.Microsecond, "78.1ms"}, {10 * time.Millisecond, "10ms"},
		{1200 * time.Millisecond, "1.2s"}, {time.Second, "1s"}, {75300 * time.Millisecond, "75.3s"}, {100 * time.Second, "100s"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := duration(tt.took); got != tt.want {
				t.Errorf("%d is %s, want %s", tt.took, got, tt.want)
			}
		})
	}
}

// TestUnreadable has a file that cannot be read, and then can.
func TestUnreadable(t *testing.T) {
	sheet.Proves(t, "bug.failed")
	if os.Geteuid() == 0 {
		t.Log("as root every file can be read: the file is made one that is left out for its name")
	}
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n", "b.go": "package a\x00\n"}})
	c.has("index_codebase", object{"directory": "."}, "- Indexed files: 1 (incremental)", "- Skipped files: 1\n")
	c.has("index_codebase", object{"directory": "."}, "- Indexed files: 0 (no changes)", "- Skipped files: 1\n")
	c.write(map[string]string{"b.go": "package a\n\nfunc Beta() {}\n"})
	c.has("index_codebase", object{"directory": "."}, "- Indexed files: 1 (incremental)", "- Skipped files: 0\n")
	c.has("find_definition", object{"directory": ".", "symbol_name": "Beta"}, "b.go:3:6 (Beta)")
}

// TestSync waits for the background sync, in a bubble of time.
func TestSync(t *testing.T) {
	sheet.Proves(t, "index.every")
	s := &server{Options: Options{Log: quiet()}, tracked: map[string]bool{}}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		for range s.ticks(t.Context()) {
			if at = append(at, time.Since(began)); len(at) == 3 {
				break
			}
		}
		if fmt.Sprint(at) != "[5s 5m5s 10m5s]" {
			t.Errorf("synced after %v", at)
		}
	})
	c := newClient(t, setup{files: map[string]string{"in/a.go": "package a\n", "out/b.go": "package b\n"}})
	s.Workspace = c.ws
	for _, dir := range []string{"in", "out"} {
		c.call("search", object{"keyword": "x", "directory": dir})
	}
	repos, err := c.ws.Repos(t.Context())
	if err != nil || len(repos) != 2 {
		t.Fatal(repos, err)
	}
	s.track(repos[0])
	c.write(map[string]string{"in/new.go": "package a\n", "out/new.go": "package b\n"})
	s.refresh(t.Context())
	for i, want := range []int{2, 1} {
		if st, err := repos[i].Status(t.Context()); err != nil || st.Files != want {
			t.Errorf("%s has %d files indexed, want %d: %v", repos[i].Name(), st.Files, want, err)
		}
	}
}
