package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"espy/internal/git/program"
)

// ErrMissing says that the repository does not hold an object, as a shallow or
// partial one.
var ErrMissing = errors.New("the repository does not hold it")

// ErrLarge says that a content is larger than was asked for.
var ErrLarge = errors.New("larger than the limit")

// Blobs reads contents one after the other, through one git program. It belongs
// to one goroutine and must be closed.
type Blobs struct {
	cmd    *exec.Cmd
	screen *screen
	ask    io.WriteCloser
	answer *bufio.Reader
	quiet  *silence // below answer
	stop   context.CancelFunc
	buf    []byte
}

// Blobs starts reading contents. The context ends it.
func (r *Repository) Blobs(ctx context.Context) (*Blobs, error) {
	s, err := r.newScreen()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	cmd := program.Command(ctx, s.dir, "cat-file", "--batch")
	var answer io.ReadCloser
	ask, err := cmd.StdinPipe()
	if err == nil {
		answer, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		stop()
		s.close()
		if errors.Is(err, exec.ErrNotFound) {
			err = program.ErrMissing
		}
		return nil, err
	}
	quiet := r.silence(answer, stop)
	return &Blobs{cmd: cmd, screen: s, ask: ask, answer: bufio.NewReaderSize(quiet, 64<<10), quiet: quiet, stop: stop}, nil
}

// Read returns a content of at most limit bytes, which is valid until the next
// Read: ErrMissing where there is none, ErrLarge where it is larger.
func (b *Blobs) Read(id string, limit int64) ([]byte, error) {
	if commitID(id) == "" {
		return nil, &RevisionError{Revision: id}
	}
	if _, err := io.WriteString(b.ask, id+"\n"); err != nil {
		return nil, fmt.Errorf("ask git for %s: %w", id, err)
	}
	head, err := b.answer.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read %s from git: %w", id, b.quiet.explain(err))
	}
	f := strings.Fields(head)
	if len(f) < 3 || f[0] != id {
		return nil, fmt.Errorf("read %s from git: %w", id, ErrMissing)
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return nil, fmt.Errorf("read %s from git: %.60q", id, head)
	}
	if size > limit || f[1] != "blob" {
		if _, err := b.answer.Discard(int(size) + 1); err != nil {
			return nil, fmt.Errorf("read %s from git: %w", id, err)
		}
		return nil, fmt.Errorf("read %s from git: %w", id, ErrLarge)
	}
	if int64(cap(b.buf)) < size+1 {
		b.buf = make([]byte, size+1)
	}
	b.buf = b.buf[:size+1]
	if _, err := io.ReadFull(b.answer, b.buf); err != nil {
		return nil, fmt.Errorf("read %s from git: %w", id, err)
	}
	return b.buf[:size:size], nil
}

// Close ends the git program.
func (b *Blobs) Close() error {
	err := b.ask.Close()
	b.quiet.stop()
	b.stop()
	_ = b.cmd.Wait() // it was stopped
	b.screen.close()
	return err
}
