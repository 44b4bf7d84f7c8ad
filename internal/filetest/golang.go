package filetest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// GoSource returns the folder of Go's own source, a real tree that every machine
// with Go has.
func GoSource(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Fatalf("go env GOROOT: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}
