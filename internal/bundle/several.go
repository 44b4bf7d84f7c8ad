package bundle

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"espy/internal/across"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// GatherAll finds what a request needs in several repositories as they are now, for
// one budget. The paths of the answer have the name of their repository and a colon in
// front. Symbols are looked at in the repositories that the request is about: those
// that declare the name or have the file of it, else those in which its words are found
// best, and those that import from them. Of one repository alone, the answer is that of
// Gather.
func GatherAll(ctx context.Context, repos []*workspace.Repo, req Request, w workspace.Wait) (*Answer, error) {
	if len(repos) == 1 {
		return Gather(ctx, repos[0], req, w)
	}
	if err := req.Check(); err != nil {
		return nil, err
	}
	if req.Changes != "" {
		return nil, &usage.Error{Arg: "changes", Value: req.Changes, Msg: "commits are those of one repository, and several are asked", Hint: "name it with repo"}
	}
	files, err := filter.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	question := recognise(req.Text)
	q := across.Question{Repos: repos, Wait: w}
	switch question.kind {
	case KindSymbol:
		q.Target = locate.Target{Name: question.text}
	case KindPlace:
		q.Target = locate.Target{Path: place.FromRoot(question.place.Path)}
	case KindQuestion, KindReport, KindDiff:
		if q.From, err = about(ctx, repos, &req, question, w); err != nil {
			return nil, err
		}
	}
	var a *Answer
	in, err := across.Explore(ctx, q, func(ctx context.Context, j *across.Joined) error {
		g := &gatherer{ctx: ctx, snaps: j.Snaps, index: j.Index, means: means(j.Repos...), request: &req, files: files, byBlock: map[string]int{}}
		for _, r := range j.Repos {
			g.names = append(g.names, r.Name())
		}
		g.question = g.placed(question)
		var err error
		a, err = g.gather()
		return err
	})
	if err != nil {
		return nil, err
	}
	a.In, a.Pending = in, in.All().Freshness.SyntaxPending
	return a, nil
}

// about are the repositories that words or a difference are about: those of the files
// that are found best, or that differ. Where there are none, it is the first.
func about(ctx context.Context, repos []*workspace.Repo, req *Request, q *question, w workspace.Wait) (list []*workspace.Repo, err error) {
	snaps := make([]*store.Snapshot, len(repos))
	var group errgroup.Group
	group.SetLimit(4)
	for i, r := range repos {
		group.Go(func() error {
			s, err := r.Snapshot(ctx, w)
			if err == nil { // the answer names those that fail
				snaps[i] = s
			}
			return nil
		})
	}
	_ = group.Wait() // what fails is left out
	open := slices.DeleteFunc(slices.Clone(snaps), func(s *store.Snapshot) bool { return s == nil })
	defer func() {
		for _, s := range open {
			err = errors.Join(err, s.Close())
		}
	}()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var names []string
	if q.kind == KindDiff {
		for _, s := range open {
			if slices.ContainsFunc(q.changes, func(c change) bool { _, _, ok := s.Find(c.path); return ok }) {
				names = append(names, s.Name)
			}
		}
	} else {
		g := &gatherer{ctx: ctx, snaps: open, means: means(repos...), request: req, question: q}
		res, err := g.search(hit.Request{Query: g.question.text, Mode: hit.ModeKeyword, Paths: req.Paths, Languages: req.Languages, Scope: req.Scope, Detail: hit.DetailLocate, Limit: maxHits})
		if err != nil {
			return nil, err
		}
		for _, h := range res.Hits {
			names = append(names, h.Repo)
		}
	}
	for _, r := range repos {
		if slices.Contains(names, r.Name()) {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		list = repos[:1]
	}
	return list, nil
}

// in returns the snapshot of a path of the answer, and the path in it; nil for a path
// that names none.
func (g *gatherer) in(path string) (*store.Snapshot, string) {
	if g.names == nil {
		return g.snaps[0], path
	}
	for i, name := range g.names {
		if rest, ok := strings.CutPrefix(path, name+":"); ok {
			return g.snaps[i], rest
		}
	}
	return nil, path
}

// placed is a question whose paths name their repositories: all that have the file.
func (g *gatherer) placed(q *question) *question {
	with := *q
	with.changes = nil
	for _, c := range q.changes {
		for _, path := range g.having(c.path) {
			c.path = path
			with.changes = append(with.changes, c)
		}
	}
	if q.kind == KindPlace {
		with.place.Path = g.having(place.FromRoot(q.place.Path))[0]
	}
	return &with
}

// having are the paths of a file in the repositories that have it; the path itself
// where none has.
func (g *gatherer) having(path string) (all []string) {
	if s, _ := g.in(path); s != nil {
		return []string{path}
	}
	for i, s := range g.snaps {
		if _, _, ok := s.Find(path); ok {
			all = append(all, g.names[i]+":"+path)
		}
	}
	if all == nil {
		all = []string{path}
	}
	return all
}
