// Package hierarchy answers which types stand above and below a type, and which
// members a member overrides or implements, and is overridden or implemented by.
//
// A type names its bases, embeds them, or has the methods of an interface. What a
// file of the repository declares is a branch of the tree and is followed; what comes
// from elsewhere is said by its name. Each line has the line of code that proves it.
package hierarchy

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
	a := &Answer{Request: r, Offset: r.Offset, Pending: x.Pending()}
	err := x.Run(func(ask *locate.Ask) error {
		f := finder{Ask: ask, graph: graph.New(ask), request: &r, answer: a}
		return f.find()
	})
	return a, err
}

func (f *finder) find() error {
	group, ok, err := f.group(f.request.Target)
	if err != nil || !ok {
		return err
	}
	for _, r := range group {
		d, err := f.Definition(r, false)
		if err != nil {
			return err
		}
		f.answer.Symbols = append(f.answer.Symbols, d)
	}
	f.root = f.graph.Node(group[0])
	f.answer.Everything = f.IsEmptyInterface(f.root)
	return f.show(f.follow())
}
