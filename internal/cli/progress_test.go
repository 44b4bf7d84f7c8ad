package cli

import (
	"bytes"
	"strings"
	"testing"

	"espy/internal/progress"
)

// TestInterrupted holds that a command which a signal ends says what is left of an
// indexing, and nothing where there was none.
func TestInterrupted(t *testing.T) {
	for _, indexes := range []bool{true, false} {
		var stderr bytes.Buffer
		p := &program{stderr: &stderr}
		if indexes {
			p.newProgress().show(progress.Report{Files: 1, TotalFiles: 3})
		}
		p.interrupted()
		if got := stderr.String(); strings.Contains(got, "goes on from there") != indexes {
			t.Errorf("indexing %v: %q", indexes, got)
		}
	}
}
