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
	"errors"
	"fmt"
	"strings"

	"espy/internal/across"
	"espy/internal/changes"
	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/graph"
	"espy/internal/hit"
	"espy/internal/impact/sides"
	"espy/internal/impact/suites"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Find finds what a change affects, in repositories as they are now: a symbol or a file
// of any of them, a difference, or what differs in the work tree of each. When the time of ctx is
// nearly over it answers with what it has found. In the scope of dependencies it finds
// what a symbol or a file of a package affects in the repository that uses it.
func Find(ctx context.Context, q deps.Question, req Request) (*Impact, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	repos, w := q.Repos, q.Wait
	switch deep, err := inPackage(&q, &req); {
	case err != nil:
		return nil, err
	case deep:
		return findDeep(ctx, q, req)
	case len(repos) > 1:
		return findAcross(ctx, repos, req, w)
	}
	f := &finder{req: &req}
	if err := f.compareTrees(ctx, repos); err != nil {
		return nil, err
	}
	past := readPast(ctx, repos[0])
	defer past.close()
	in, err := repos[0].Explore(ctx, w, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		return f.find(ctx, []sides.Side{{Repo: repos[0], Snapshot: s}}, x, past)
	})
	if err != nil {
		return nil, err
	}
	f.answer.In = across.Searched{Repos: []hit.Searched{in}}
	return f.answer, nil
}

// Prepare works out what all questions over one state of a repository share.
func Prepare(ctx context.Context, r *workspace.Repo, w workspace.Wait) error {
	_, err := r.Explore(ctx, w, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		return x.Run(func(a *locate.Ask) error {
			suites.Of(a)
			_, err := framework.EntrancesOf(a)
			return err
		})
	})
	return err
}

// findAcross is Find over several repositories.
func findAcross(ctx context.Context, repos []*workspace.Repo, req Request, w workspace.Wait) (*Impact, error) {
	q := across.Question{Repos: repos, Wait: w, Follows: true}
	f := &finder{req: &req, several: true}
	switch {
	case req.Diff != "":
		var err error
		if q.From, err = sides.ChangedBy(ctx, repos, req.Diff, w); err != nil {
			return nil, err
		}
		if q.From == nil {
			q.From = repos[:1] // to which it does not apply either
		}
	case req.What == "":
		if err := f.compareTrees(ctx, repos); err != nil {
			return nil, err
		}
		for _, d := range f.trees {
			if d.Total > 0 {
				q.From = append(q.From, d.repo)
			}
		}
		if len(f.trees) == 0 {
			return nil, errors.New(strings.Join(f.failed, "; "))
		}
	default:
		q.Target.Name = place.ParseName(req.What)
		if at, hasLines := place.Parse(req.What); hasLines {
			q.Target.Name = at.Path
		}
	}
	in, err := across.Explore(ctx, q, func(ctx context.Context, j *across.Joined) error {
		all := make([]sides.Side, len(j.Repos))
		for i, r := range j.Repos {
			all[i] = sides.Side{Repo: r, Snapshot: j.Snaps[i], Prefix: r.Name() + ":"}
		}
		return f.find(ctx, all, j.Index, nil)
	})
	if err != nil {
		return nil, err
	}
	f.answer.In = in
	f.answer.Notes = append(f.answer.Notes, f.failed...)
	f.answer.Notes = append(f.answer.Notes, "which tests commits changed together with a file is not looked at over several repositories")
	return f.answer, nil
}

// tree is what the work tree of a repository differs in.
type tree struct {
	repo   *workspace.Repo
	prefix string // of its paths in the answer
	*changes.Changes
}

// compareTrees finds what the work trees differ in, where that is asked.
func (f *finder) compareTrees(ctx context.Context, repos []*workspace.Repo) error {
	if f.req.What != "" || f.req.Diff != "" {
		return nil
	}
	for _, r := range repos {
		c, err := changes.Compare(ctx, r, changes.Request{Since: f.req.Since, Limit: sides.MaxFiles, Lines: true})
		switch {
		case err == nil:
		case !f.several || ctx.Err() != nil:
			return err
		default:
			f.failed = append(f.failed, fmt.Sprintf("%s was not compared: %v", r.Name(), err))
			continue
		}
		t := tree{r, "", c}
		if f.several {
			t.prefix = r.Name() + ":"
		}
		f.trees = append(f.trees, t)
	}
	return nil
}

// find answers from one state of the repository.
func (f *finder) find(ctx context.Context, all []sides.Side, x *nav.Index, past *reading) error {
	f.answer, f.differ, f.changes, f.nodes = &Impact{Offset: f.req.Offset}, nil, nil, nil
	f.texts, f.sides = map[string][][]byte{}, all
	if f.req.Diff != "" {
		if err := f.patched(ctx); err != nil {
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
		if err := f.tests(ctx, past); err != nil {
			return err
		}
		f.answer.Left += a.Left()
		return nil
	})
}

// inPackage reports whether a request is about what a package declares: by its scope,
// or since it names one.
func inPackage(q *deps.Question, req *Request) (bool, error) {
	if _, _, ok := deps.CutRef(place.ParseName(req.What)); ok && q.Scope == "" && len(q.Repos) == 1 {
		q.Scope = code.ScopeDeps
	}
	return q.InPackages()
}

// findDeep finds what a change of a package affects in the repository that uses it, on
// the way there in packages, and which tests of the repository to run.
func findDeep(ctx context.Context, q deps.Question, req Request) (*Impact, error) {
	if req.What == "" {
		return nil, &usage.Error{Arg: "scope", Value: string(code.ScopeDeps), Msg: "asks about what a package declares", Hint: "name a symbol, a file or lines of a package, as deps/go/NAME@VERSION:PATH#SYMBOL; leave it out for changes of the repository"}
	}
	f := &finder{req: &req, several: true, deep: true}
	in, err := q.Explore(ctx, locate.Target{Name: place.ParseName(req.What)}, func(ctx context.Context, t locate.Target, x *nav.Index) (paths []string, err error) {
		req.What = t.Name
		if err := f.find(ctx, nil, x, nil); err != nil {
			return nil, err
		}
		return f.answer.paths(), nil
	})
	if err != nil {
		return nil, err
	}
	f.answer.In = in
	return f.answer, nil
}
