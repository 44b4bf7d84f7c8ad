// Package program runs the git program so that it runs nothing of a repository
// itself: no hook, filter, pager or other program that a configuration or an
// attribute names.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// ErrMissing says that the git program is not installed.
var ErrMissing = errors.New("the git program is not installed")

// ErrTooMuch says that git's answer was larger than 64 MB.
var ErrTooMuch = fmt.Errorf("git answered more than %d MB", maxOutput>>20)

// Error is a failure of the git program.
type Error struct {
	Err       error  // how it ended
	Complaint string // the last of what it printed as errors, up to 2000 bytes
}

func (e *Error) Error() string { return e.Err.Error() + ": " + e.Complaint }

func (e *Error) Unwrap() error { return e.Err }

// Options stand before the command of every call. They switch off every program
// that a repository may name.
var Options = []string{
	"--no-pager", "--no-replace-objects", "--literal-pathspecs",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.pager=cat", "-c", "core.quotePath=false",
	"-c", "core.attributesFile=" + os.DevNull, "-c", "core.sshCommand=false", "-c", "core.gitProxy=", "-c", "protocol.allow=never",
	"-c", "diff.external=", "-c", "gpg.program=false", "-c", "gpg.ssh.program=false", "-c", "gpg.x509.program=false",
	"-c", "safe.bareRepository=explicit", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
}

// environment is all that git is given.
var environment = []string{
	"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
	"GIT_ALLOW_PROTOCOL=none", "GIT_SSH_COMMAND=false", "GIT_NO_LAZY_FETCH=1", "HOME=" + os.DevNull, "LC_ALL=C",
}

// Command returns a git command that reads objects of the repository whose git
// folder is dir, and speaks to no other machine. The context ends it.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{"--git-dir=" + dir}, Options...), args...)...)
	cmd.Env, cmd.Dir = environment, dir
	cmd.WaitDelay = time.Second
	return cmd
}

const (
	maxOutput    = 64 << 20 // bytes that are read of one call
	maxComplaint = 2000     // bytes
)

// Output runs the command that start returns and returns what it prints, also
// what it has printed when the context ends, or it ends itself as a failure. The
// context that start is given ends the command. The error is ErrMissing,
// ErrTooMuch, that of the context, or an *Error.
func Output(ctx context.Context, start func(context.Context) (*exec.Cmd, error)) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, err := start(ctx)
	if err != nil {
		return nil, err
	}
	out, complaint := &bounded{full: cancel}, &tail{}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, complaint, time.Second
	err = cmd.Run()
	switch {
	case err == nil:
		return out.text.Bytes(), nil
	case out.over:
		return nil, ErrTooMuch
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrMissing
	case ctx.Err() != nil:
		return out.text.Bytes(), ctx.Err()
	}
	failed := &Error{Err: err, Complaint: strings.TrimSpace(complaint.text.String())}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return out.text.Bytes(), failed
	}
	return nil, failed // what a killed one has printed may be cut anywhere
}

// bounded is a buffer that stops its writer once it is full. It does not embed
// the buffer, whose ReadFrom would let copies past the bound.
type bounded struct {
	text bytes.Buffer
	over bool
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxOutput {
		b.over = true
		b.full()
		return 0, ErrTooMuch
	}
	return b.text.Write(p)
}

// tail keeps the end of what is written to it. It embeds no buffer, as bounded.
type tail struct{ text bytes.Buffer }

func (w *tail) Write(p []byte) (int, error) {
	w.text.Write(p)
	if extra := w.text.Len() - maxComplaint; extra > 0 {
		w.text.Next(extra)
	}
	return len(p), nil
}
