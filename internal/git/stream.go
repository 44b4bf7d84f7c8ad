package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"espy/internal/git/program"
)

// Stream calls take with the content of each entry of SizedTree, in their
// order, and with nil for one that the repository does not hold.
func (r *Repository) Stream(ctx context.Context, entries []TreeEntry, take func(TreeEntry, io.Reader) error) error {
	if len(entries) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.ID + "\n")
	}
	s, err := r.newScreen()
	if err != nil {
		return err
	}
	defer s.close()
	cmd := program.Command(ctx, s.dir, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return program.ErrMissing
		}
		return fmt.Errorf("git cat-file: %w", err)
	}
	quiet := r.silence(out, cancel)
	defer quiet.stop()
	err = eachBlob(bufio.NewReaderSize(quiet, 64<<10), entries, take)
	if err != nil {
		cancel()
	}
	if waitErr := cmd.Wait(); err == nil && waitErr != nil {
		err = fmt.Errorf("git cat-file: %w", waitErr)
	}
	return quiet.explain(err)
}

// silence reads what git prints, and ends git when it prints nothing for too
// long, as where a pipe lies in the place of an object.
type silence struct {
	in       io.Reader
	patience time.Duration
	timer    *time.Timer
	over     atomic.Bool
}

func (r *Repository) silence(in io.Reader, end func()) *silence {
	s := &silence{in: in, patience: r.patience}
	s.timer = time.AfterFunc(r.patience, func() { s.over.Store(true); end() })
	s.timer.Stop()
	return s
}

func (s *silence) Read(p []byte) (int, error) {
	s.timer.Reset(s.patience)
	defer s.timer.Stop()
	return s.in.Read(p)
}

func (s *silence) stop() { s.timer.Stop() }

// explain returns the error of reading, or that git was silent.
func (s *silence) explain(err error) error {
	if err != nil && s.over.Load() {
		return fmt.Errorf("git printed nothing for %v: an object may be a pipe: %w", s.patience, os.ErrDeadlineExceeded)
	}
	return err
}

// eachBlob reads what cat-file --batch prints: for each object a line with its
// name, type and size, its bytes, and a newline; or that it is missing.
func eachBlob(in *bufio.Reader, entries []TreeEntry, take func(TreeEntry, io.Reader) error) error {
	for _, e := range entries {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("read git's objects: %w", err)
		}
		head := strings.TrimSuffix(string(line), "\n")
		if head == e.ID+" missing" {
			if err := take(e, nil); err != nil {
				return err
			}
			continue
		}
		if head != fmt.Sprintf("%s blob %d", e.ID, e.Size) {
			return fmt.Errorf("read git's objects: %.80q is not the file %q of %d bytes", head, e.Path, e.Size)
		}
		text := &io.LimitedReader{R: in, N: e.Size}
		if err := take(e, text); err != nil {
			return err
		}
		if _, err := in.Discard(int(text.N) + 1); err != nil {
			return fmt.Errorf("read git's objects: %w", err)
		}
	}
	return nil
}
