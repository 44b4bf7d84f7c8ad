package workspace

import (
	"context"
	"errors"

	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/workspace/job"
)

// parseWork is a pass over the syntax of the newest generation.
func (r *Repo) parseWork() job.Work {
	return job.Work{Do: func(ctx context.Context, j *job.Job) error {
		return r.Recover(func() error { return r.parseAll(ctx, j) })
	}}
}

func (r *Repo) parseAll(ctx context.Context, j *job.Job) error {
	if s, err := r.newest(); err == nil { // the pass meets the error too
		r.view.NoteOldSyntax(s)
		s.Close()
	}
	o := r.Options()
	o.Hooks.Progress = j.Tell
	lock := func(ctx context.Context) (func(), error) { return r.Lock(ctx, j.Tell) }
	rep, err := index.Syntax(ctx, index.SyntaxOptions{Family: r.view.Family, View: r.view.Key, Lock: lock}, o)
	if errors.Is(err, store.ErrNoIndex) {
		return nil // it was removed meanwhile
	}
	if err == nil {
		j.Analysed.Store(int64(rep.Parsed + rep.Failed))
		r.mu.Lock()
		r.unparsed = unparsed{rep.Generation, rep.Waiting, rep.Why}
		r.mu.Unlock()
	}
	return err
}

// parseNext goes on with the syntax after a job that wrote the index without
// error, in a process that stays.
func (r *Repo) parseNext(err error) {
	if err == nil && r.opts.Watch && !r.parse.Yields() {
		r.parse.Start(r.parseWork())
	}
}

// inVain reports whether the last pass left that many files of a generation.
func (r *Repo) inVain(generation uint64, files int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unparsed.generation == generation && r.unparsed.files == files
}

// finishParse waits for a pass that began after the changes that are being
// committed were. What cannot be parsed is no error of the question.
func (r *Repo) finishParse(ctx context.Context, tell func(progress.Report)) error {
	r.sync.Await(ctx, tell)
	j, fresh := r.parse.Start(r.parseWork())
	for ; !fresh && ctx.Err() == nil; j, fresh = r.parse.Start(r.parseWork()) {
		if err := j.Wait(ctx, tell); errors.Is(err, job.ErrCancelled) {
			return err
		}
	}
	return j.Wait(ctx, tell)
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
func (r *Repo) countSyntax(s *store.Snapshot) (n SyntaxStatus) {
	n.Bytes, n.Why = s.SyntaxBytes(), r.whyPending()
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
	if r.unparsed.why == nil {
		return ""
	}
	return r.unparsed.why.Error()
}
