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
	"slices"

	"espy/internal/across"
	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/graph"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/store"
)

// Find answers a request about repositories as they are now. It is a *usage.Error where
// the request cannot be answered as it was put; a name that no symbol has is no
// error. When the time of ctx is nearly over it answers with what it has found.
//
// In the scope of dependencies calls are followed into the packages that the repository
// uses, and from them.
func Find(ctx context.Context, q deps.Question, req Request) (a *Answer, in across.Searched, err error) {
	if err := req.check(); err != nil { // before anything is indexed
		return nil, in, err
	}
	if req.Files, err = q.Files(); err != nil {
		return nil, in, err
	}
	if a, in, err = ask(ctx, q, req); err == nil && a.Total == 0 {
		err = q.Missed(ctx, &in)
	}
	return a, in, err
}

func ask(ctx context.Context, q deps.Question, req Request) (a *Answer, in across.Searched, err error) {
	q.Scope = ""
	if req.Scope == code.ScopeDeps {
		q.Scope = req.Scope
	}
	deep, err := q.InPackages()
	switch {
	case err != nil:
		return nil, in, err
	case deep:
		return findDeep(ctx, q, req)
	case len(q.Repos) == 1:
		req.Scope = req.Scope.Of(q.Repos[0].Name())
		one, err := q.Repos[0].Explore(ctx, q.Wait, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
			a, err = answer(x, req)
			return err
		})
		return a, across.Searched{Repos: []hit.Searched{one}}, err
	}
	in, err = across.Explore(ctx, across.Question{Repos: q.Repos, Wait: q.Wait, Target: req.Target, Follows: true}, func(_ context.Context, j *across.Joined) error {
		a, err = answer(j.Index, req)
		return err
	})
	return a, in, err
}

// findDeep answers about a repository and its packages.
func findDeep(ctx context.Context, q deps.Question, req Request) (a *Answer, in across.Searched, err error) {
	req.own = true
	in, err = q.Explore(ctx, req.Target, func(_ context.Context, t locate.Target, x *nav.Index) (paths []string, err error) {
		req.Target = t
		if a, err = answer(x, req); err != nil {
			return nil, err
		}
		for _, d := range slices.Concat(a.Symbols, a.Goal, a.Candidates) {
			paths = append(paths, d.Path)
		}
		for i := range a.Steps {
			paths = append(paths, a.Steps[i].Path)
		}
		return paths, nil
	})
	return a, in, err
}

// answer finds what a request asks for, by facts or, where no grammar reads what declares
// the symbol, by its name.
func answer(x *nav.Index, r Request) (*Answer, error) {
	a, err := find(x.Index, r)
	if err == nil && a.Outlined != "" && r.To == "" && a.Request.Direction != Callees {
		err = a.findByName(x)
	}
	return a, err
}

func find(x *locate.Index, r Request) (*Answer, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	res := &Answer{Request: r, Offset: r.Offset, Pending: x.Pending()}
	err := x.Run(func(a *locate.Ask) error {
		f := finder{Ask: a, graph: graph.New(a), request: &r, answer: res}
		f.graph.Calls = true
		f.graph.Possible = r.Possible
		return f.find()
	})
	return res, err
}

func (f *finder) find() error {
	group, ok, err := f.group(f.request.Target)
	if err == nil && f.request.To != "" && len(f.several) > 0 {
		return f.findWays(f.several)
	}
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
	if f.request.Direction != Callees {
		f.answer.Fulfils = f.fulfilled(group)
	}
	t := f.follow()
	return f.show(t)
}
