package ranked_test

import (
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestTwins holds that code for Windows stands behind its twin for other systems, though it
// says a little more, unless the question names Windows.
func TestTwins(t *testing.T) {
	const code = "/* Opens a pipe between two processes. */\nint open_pipe(int fd) { return fd; }\n"
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{
		"src/win/pipe.c": "/* pipe of processes */\n" + code, "src/unix/pipe.c": code + "/* and closes it: handle, buffer, loop, flags, backlog */\n", "src/a.c": "int a;\n", "src/b.c": "int b;\n",
	})}
	for query, want := range map[string]string{
		"pipe between processes":            "src/unix/pipe.c",
		"pipe between processes on windows": "src/win/pipe.c",
	} {
		if res := searchtest.Must(t, snaps, hit.Request{Query: query}); res.Hits[0].Path != want {
			t.Errorf("%q: hits %s, want %s first", query, sample.Places(res), want)
		}
	}
}
