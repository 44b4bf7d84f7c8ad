package grep

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/grep/flags"
)

// TestLate holds that where the time is over before a file was found, none is said to have
// been left out.
func TestLate(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	req, err := NewRequest(flags.New(), []string{"b"}, &Terminal{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	var said strings.Builder
	out, err := Run(ctx, req, &Env{Dir: dir, Out: io.Discard, Complain: func(msg string) { said.WriteString(msg) }})
	if err != nil || !out.Late || said.Len() > 0 {
		t.Errorf("late %v, said %q, error %v", out != nil && out.Late, said.String(), err)
	}
}
