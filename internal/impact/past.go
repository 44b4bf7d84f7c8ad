package impact

import (
	"context"

	"espy/internal/ranked/past"
	"espy/internal/workspace"
)

// before is what the commits before say: which files change together.
type before struct {
	commits *past.Log
	late    bool // they were not read in time
}

// reading reads the commits while the index is asked.
type reading struct {
	cancel context.CancelFunc
	done   chan struct{}
	past   before // once done is closed
}

// readPast starts to read the commits. Close ends it.
func readPast(ctx context.Context, repo *workspace.Repo) *reading {
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		var err error
		r.past.commits, err = workspace.PastOf(repo)(ctx, repo.Name())
		r.past.late = err != nil && ctx.Err() != nil
	}()
	return r
}

// wait returns what was read until ctx ends; nothing where nothing is read.
func (r *reading) wait(ctx context.Context) *before {
	if r == nil {
		return &before{}
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		r.close()
	}
	return &r.past
}

func (r *reading) close() {
	r.cancel()
	<-r.done
}
