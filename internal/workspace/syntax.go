package workspace

import (
	"context"
	"errors"

	"espy/internal/index"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// overlaySyntaxBytes bounds the changed text that is parsed while a question
// about symbols waits: about a third of a second of the slowest parser.
const overlaySyntaxBytes = 1 << 20

// waiting is what a pass over the syntax could not parse.
type waiting struct {
	generation uint64
	files      int
	why        error
}

// startParse begins a pass over the syntax of the newest generation.
func (r *Repo) startParse() (*job, bool) {
	return r.start(&r.parse, false, func(ctx context.Context, j *job) error {
		return r.alone(ctx, jobSyntax, false, j, func(ctx context.Context) error {
			return r.Recover(func() error { return r.parseAll(ctx, j) })
		})
	})
}

func (r *Repo) parseAll(ctx context.Context, j *job) error {
	if s, err := r.newest(); err == nil { // an error is one of the pass too
		r.noteOldSyntax(s)
		s.Close()
	}
	o := r.Options()
	o.Hooks.Progress = j.tell
	lock := func(ctx context.Context) (func(), error) { return r.Lock(ctx, j.tell) }
	rep, err := index.Syntax(ctx, index.SyntaxOptions{Family: r.family, View: r.view, Lock: lock}, o)
	if errors.Is(err, store.ErrNoIndex) {
		return nil // it was removed meanwhile
	}
	if err == nil {
		j.analysed.Store(int64(rep.Parsed + rep.Failed))
		r.mu.Lock()
		r.waiting = waiting{rep.Generation, rep.Waiting, rep.Why}
		r.mu.Unlock()
	}
	return err
}

// parseNext goes on with the syntax after a job that wrote the index without
// error, in a process that stays. It returns the job's error.
func (r *Repo) parseNext(err error) error {
	if err == nil && r.ws.opts.Watch && !r.rests(jobSyntax) {
		r.startParse()
	}
	return err
}

// parseDelta parses the files of an overlay. When that fails or takes too long
// the overlay says that they are pending.
func (r *Repo) parseDelta(ctx context.Context, d *store.Delta) {
	if err := index.ParseDelta(ctx, d, r.Options()); err != nil {
		d.Syntax = nil
	}
}

// parsed waits until the files of a snapshot are parsed, which it owns, or for
// w.First, and returns one that has their symbols or tells how many files wait.
func (r *Repo) parsed(ctx context.Context, w Wait, s *store.Snapshot) (*store.Snapshot, error) {
	waitCtx, cancel := withTimeout(ctx, w.First)
	defer cancel()
	for try := 0; ; try++ {
		n, err := syntaxPending(s)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if n == 0 || try == parseTries || waitCtx.Err() != nil || r.inVain(s.Freshness.Generation, n) {
			s.Freshness.SyntaxPending = n
			return s, nil
		}
		if r.finishParse(waitCtx, w) != nil {
			try = parseTries - 1
		}
		if err := errors.Join(ctx.Err(), s.Close()); err != nil {
			return nil, err
		}
		if s, err = r.current(ctx, w); err != nil {
			return nil, err
		}
	}
}

// parseTries bounds how often a question has its files parsed: changes that are
// too large for its overlay are parsed once they are committed, which another
// commit may delay.
const parseTries = 3

func syntaxPending(s *store.Snapshot) (n int, err error) {
	err = segment.Guard(func() error { n = s.SyntaxPending(); return nil })
	return n, err
}

// inVain reports whether the last pass left that many files of a generation.
func (r *Repo) inVain(generation uint64, files int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting.generation == generation && r.waiting.files == files
}

// finishParse waits for a pass that began after the changes that are being
// committed were. What cannot be parsed is no error of the question.
func (r *Repo) finishParse(ctx context.Context, w Wait) error {
	r.mu.Lock()
	writing := r.job
	r.mu.Unlock()
	if writing != nil {
		writing.wait(ctx, w.Progress)
	}
	j, fresh := r.startParse()
	for ; !fresh && ctx.Err() == nil; j, fresh = r.startParse() {
		if err := j.wait(ctx, w.Progress); errors.Is(err, ErrCancelled) {
			return err
		}
	}
	return j.wait(ctx, w.Progress)
}

// SyntaxStatus counts the files of an index by what is known of their symbols.
type SyntaxStatus struct {
	Parsed  int
	Failed  int // cannot be parsed
	Pending int
	Bytes   int64  // of syntax parts on disk
	Why     string // why some stay pending
}

// countSyntax counts the live files of a snapshot.
func countSyntax(s *store.Snapshot) (n SyntaxStatus) {
	n.Bytes = s.SyntaxBytes()
	for seg, l := range s.Segments {
		for f := range l.NumFiles() {
			if !l.Alive(f) {
				continue
			}
			switch s.SyntaxState(seg, f) {
			case syn.Parsed:
				n.Parsed++
			case syn.Failed:
				n.Failed++
			case syn.Absent:
				n.Pending++
			}
		}
	}
	return n
}

// whyPending says why files stay pending, "" where that is not known.
func (r *Repo) whyPending() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting.why == nil {
		return ""
	}
	return r.waiting.why.Error()
}
