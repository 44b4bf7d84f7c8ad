// Package bundle answers what a task needs in one go: for a question in words, a
// symbol, a place, a difference or a pasted report, the definitions with those
// who use them, what they use, their tests and what mentions them, packed into a
// budget.
//
// A request goes through phases, each of which takes what the ones before it
// returned:
//
//	recognise  the text: what it is, and what it asks for     question.go
//	seed       the declarations and lines that it is about    seed.go, change.go
//	link       what stands round them                         link.go
//	weigh      pieces of files, in steps, with their worth    piece.go
//	pack       those that fit into the budget                 package pack
//
// Packing needs the sizes of what is written, so the renderer calls Answer.Pack.
package bundle

import (
	"context"

	"espy/internal/across"
	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Gather finds what a request needs in a repository as it is now. When the time of
// ctx is nearly over it answers with what it has found.
func Gather(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (*Answer, error) {
	if err := req.Check(); err != nil {
		return nil, err
	}
	files, err := filter.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	q := recognise(req.Text)
	if req.Changes != "" {
		if q, err = changed(ctx, r, &req); err != nil {
			return nil, err
		}
	}
	var a *Answer
	in, err := r.Explore(ctx, w, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		g := &gatherer{ctx: ctx, snaps: []*store.Snapshot{s}, index: x, means: means(r), request: &req, question: q, files: files, byBlock: map[string]int{}}
		var err error
		a, err = g.gather()
		return err
	})
	if err != nil {
		return nil, err
	}
	a.In, a.Pending = across.Searched{Repos: []hit.Searched{in}}, in.Freshness.SyntaxPending
	return a, nil
}

// means are those of searches in repositories.
func means(repos ...*workspace.Repo) search.Means {
	return search.Means{Models: embedding.Models{Local: repos[0].Models().Local}, Past: workspace.PastOf(repos...)}
}

func (g *gatherer) gather() (*Answer, error) {
	g.answer = &Answer{Kind: g.question.kind, Notes: g.question.notes, texts: map[string]*fileText{}}
	seeds, err := g.seeds()
	if err != nil {
		return nil, err
	}
	for i, s := range seeds {
		if g.late() {
			break
		}
		if err := g.define(s); err != nil {
			return nil, err
		}
		if i < maxLinked {
			if err := g.link(s, i == 0); err != nil {
				return nil, err
			}
		}
	}
	g.answer.Partial = g.late()
	g.answer.pieces = g.pieces
	return g.answer, nil
}

// maxLinked bounds the declarations whose surroundings are looked at.
const maxLinked = 6
