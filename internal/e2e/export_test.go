package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestExportIsWhole ends exports while they write. The file that they were to replace
// must stay as it was.
func TestExportIsWhole(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 1200 {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n", i)
		for f := range 30 {
			fmt.Fprintf(&b, "\n// F%d calls the next.\nfunc F%d() { F%d() }\n", f, f, (f+1)%30)
		}
		files[fmt.Sprintf("p%d/p.go", i)] = b.String()
	}
	root := tree(t, files)
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			dir := tree(t, map[string]string{"x.jsonl": "old"})
			cmd := command(t, root, "export", "--output", filepath.Join(dir, "x.jsonl"))
			var said bytes.Buffer
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for isWriting(t, dir) == 0 {
				select {
				case err := <-ended:
					t.Fatalf("it ended before it was seen to write: %v\n%s", err, &said)
				default:
				}
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; exitOf(err) == 0 {
				t.Error("it was not interrupted")
			}
			if text, err := os.ReadFile(filepath.Join(dir, "x.jsonl")); string(text) != "old" {
				t.Errorf("the file has %d bytes, %v", len(text), err)
			}
			if sig == syscall.SIGINT && isWriting(t, dir) > 0 {
				t.Error("what was written is left")
			}
		})
	}
}

// isWriting returns the bytes that are written beside the place of the export.
func isWriting(t *testing.T, dir string) int64 {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, ".x.jsonl.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if info, err := os.Stat(p); err == nil {
			return info.Size()
		}
	}
	return 0
}
