// Package calls answers who calls a function and what it calls, over several
// steps, and how one function comes to run another.
//
// Calls are those of functions, methods and constructors, and accesses of
// properties that run code. A function that is named without a call, as an
// argument or a value, is passed: it may run later. A call of a member that others
// override names that member; what it may run besides is said, each with the
// mark may run. Code in an unnamed function belongs to the function round it, code
// outside of functions to the type, the variable or the file that it stands in.
//
// Every step has the use that proves it.
package calls

import (
	"context"

	"espy/internal/across"
	"espy/internal/graph"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Find answers a request about repositories as they are now. It is a *usage.Error where
// the request cannot be answered as it was put; a name that no symbol has is no
// error. When the time of ctx is nearly over it answers with what it has found.
func Find(ctx context.Context, repos []*workspace.Repo, req Request, w workspace.Wait) (a *Answer, in across.Searched, err error) {
	if err := req.check(); err != nil { // before anything is indexed
		return nil, in, err
	}
	if len(repos) == 1 {
		one, err := repos[0].Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
			a, err = find(x.Index, req)
			return err
		})
		return a, across.Searched{Repos: []hit.Searched{one}}, err
	}
	in, err = across.Explore(ctx, across.Question{Repos: repos, Wait: w, Target: req.Target, Follows: true}, func(_ context.Context, j *across.Joined) error {
		a, err = find(j.Index.Index, req)
		return err
	})
	return a, in, err
}

func find(x *locate.Index, r Request) (*Answer, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	res := &Answer{Request: r, Offset: r.Offset, Pending: x.Pending()}
	err := x.Run(func(a *locate.Ask) error {
		f := finder{Ask: a, graph: graph.New(a), request: &r, answer: res}
		f.graph.Possible = r.Possible
		return f.find()
	})
	return res, err
}

func (f *finder) find() error {
	group, ok, err := f.group(f.request.Target)
	if err != nil || !ok {
		return err
	}
	f.answer.Symbols, err = f.definitions(group)
	if err != nil {
		return err
	}
	f.roots = f.nodes(group)
	if f.request.To != "" {
		return f.findWay()
	}
	t := f.follow()
	return f.show(t)
}
