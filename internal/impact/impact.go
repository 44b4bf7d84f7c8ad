// Package impact answers what a change affects: the symbols that use what changes,
// and those that use them, the files and the ways into the program that hold them,
// and the tests to run.
//
//	change   what changes: a symbol, lines, a difference, the work tree   change.go, patched.go
//	walk     from each of these to its users, step by step                walk.go
//	tests    what speaks for each file of tests, and which to run         tests.go
//
// A step is an edge of package graph. What is affected is no more certain than the
// edges that lead to it; who uses a symbol whose body alone changes is likely
// affected at best.
package impact

import (
	"context"

	"espy/internal/changes"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Find finds what a change affects, in a repository as it is now. When the time of
// ctx is nearly over it answers with what it has found.
func Find(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (*Impact, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	f := &finder{repo: r, req: &req}
	if req.What == "" && req.Diff == "" {
		var err error
		if f.differs, err = changes.Compare(ctx, r, changes.Request{Since: req.Since, Limit: maxFiles}); err != nil {
			return nil, err
		}
	}
	past := f.readPast(ctx)
	defer past.close()
	in, err := r.Explore(ctx, w, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		return f.find(ctx, s, x, past)
	})
	if err != nil {
		return nil, err
	}
	f.answer.In = in
	return f.answer, nil
}

// find answers from one state of the repository.
func (f *finder) find(ctx context.Context, s *store.Snapshot, x *nav.Index, past *reading) error {
	f.answer, f.differ, f.changes, f.nodes = &Impact{Offset: f.req.Offset}, nil, nil, nil
	if f.req.Diff != "" {
		if err := f.patched(ctx, s); err != nil {
			return err
		}
	}
	return x.Run(func(a *locate.Ask) error {
		f.ask, f.graph = a, graph.New(a)
		if err := f.changed(); err != nil || len(f.answer.Candidates) > 0 {
			return err
		}
		f.walk()
		f.show()
		if err := f.endpoints(); err != nil {
			return err
		}
		f.tests(past.wait(ctx))
		f.answer.Left += a.Left()
		return nil
	})
}
