package program

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	shell := func(script string) func(context.Context) (*exec.Cmd, error) {
		return func(ctx context.Context) (*exec.Cmd, error) {
			return exec.CommandContext(ctx, "/bin/sh", "-c", script), nil
		}
	}
	t.Run("what it prints", func(t *testing.T) {
		t.Parallel()
		if out, err := Output(t.Context(), shell("echo a; echo b >&2")); string(out) != "a\n" || err != nil {
			t.Errorf("Output = %q, %v", out, err)
		}
	})
	t.Run("failure with the end of its complaint", func(t *testing.T) {
		t.Parallel()
		_, err := Output(t.Context(), shell("head -c 5000 /dev/zero | tr '\\0' x >&2; echo end >&2; exit 3"))
		var failed *Error
		var exit *exec.ExitError
		if !errors.As(err, &failed) || !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Fatalf("Output: %v, want an *Error of status 3", err)
		}
		if c := failed.Complaint; len(c) != maxComplaint-1 || !strings.HasSuffix(c, "xend") {
			t.Errorf("complaint of %d bytes ends in %q", len(c), c[max(0, len(c)-10):])
		}
	})
	t.Run("too much output", func(t *testing.T) {
		t.Parallel()
		if _, err := Output(t.Context(), shell("exec cat /dev/zero")); !errors.Is(err, ErrTooMuch) {
			t.Errorf("Output: %v, want %v", err, ErrTooMuch)
		}
	})
	t.Run("end of the context", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		start := func(ctx context.Context) (*exec.Cmd, error) { cancel(); return shell("exec sleep 60")(ctx) }
		if _, err := Output(ctx, start); !errors.Is(err, context.Canceled) {
			t.Errorf("Output: %v, want %v", err, context.Canceled)
		}
	})
	t.Run("no program", func(t *testing.T) {
		t.Parallel()
		start := func(ctx context.Context) (*exec.Cmd, error) { return exec.CommandContext(ctx, "no-such-git"), nil }
		if _, err := Output(t.Context(), start); !errors.Is(err, ErrMissing) {
			t.Errorf("Output: %v, want %v", err, ErrMissing)
		}
	})
}
