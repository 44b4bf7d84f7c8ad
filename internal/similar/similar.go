// Package similar finds code that is like a snippet or a place: the same but for
// spacing and comments, or with other names, lines put in, left out or moved.
//
// The words of what is asked for choose the chunks of the index that may hold
// such code: those that share its rare words, and those that have as many of each
// of its common words (if, err, return), whatever the names in between. Their text
// is then compared token by token (package shingle), so that nothing is called
// the same or near for its words alone. What a model takes to mean the like, and
// is neither, comes last.
package similar

import (
	"context"
	"fmt"
	"time"

	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/segment"
	"espy/internal/store"
)

// Query is a request that was checked and compiled once. It is read only and may
// be run over any snapshots.
type Query struct {
	Request Request // with its defaults filled in
	rules   *filter.Rules
}

// defaultLimit is how many hits an answer shows.
const defaultLimit = 10

// Compile checks a request and compiles its filters. What cannot be answered,
// whatever is searched, is a *usage.Error.
func Compile(req Request) (*Query, error) {
	req.Query, req.Mode = "", hit.ModeKeyword
	if req.Limit == 0 {
		req.Limit = defaultLimit
	}
	var err error
	if req.Request, err = req.Checked(); err != nil {
		return nil, err
	}
	if err := req.checkCode(); err != nil {
		return nil, err
	}
	q := &Query{Request: req}
	q.rules, err = filter.Compile(&req.Request, query.Filters{})
	return q, err
}

// Run answers the query over the snapshots, which it neither keeps nor closes. The
// place of the query stands in the snapshot home, which need not be among them.
// When ctx ends early the result holds what was found until then and is Partial.
//
// The model, which may be nil, gives the meaning of code. Files without its vectors
// are named.
func (q *Query) Run(ctx context.Context, home *store.Snapshot, snaps []*store.Snapshot, model embedding.Model) (*Result, error) {
	start := time.Now()
	f, err := q.rules.Over(snaps)
	if err != nil {
		return nil, err
	}
	res := &Result{Result: &hit.Result{}}
	err = segment.Guard(func() error { return q.answer(ctx, question{f, home, model}, res) })
	if err != nil {
		return nil, err
	}
	res.Notes = append(res.Notes, f.Unnamed()...)
	res.Detail, res.Offset = q.Request.Detail, q.Request.Offset
	res.Duration = time.Since(start)
	return res, nil
}

// question is what a query is put to.
type question struct {
	*filter.Filter
	home  *store.Snapshot
	model embedding.Model
}

func (q *Query) answer(ctx context.Context, in question, res *Result) error {
	c, err := codeOf(&q.Request, in.home)
	if err != nil {
		return err
	}
	res.Of, res.Notes = c.Source, append(c.notes, in.Damaged()...)
	res.Partial = len(in.Damaged()) > 0
	res.Repos = in.Searched()
	found, err := q.find(ctx, in, c, res)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err != nil {
		res.Partial = true
		res.Notes = append(res.Notes, "partial: the time was over before all was compared: places may be missing")
	}
	res.AtLeast, res.Cut = !found.all, found.cut
	res.count(found.places)
	return show(&q.Request, in.Filter, found.places, res)
}

// find finds the places. When ctx ends, it returns those found until then with
// the error.
func (q *Query) find(ctx context.Context, in question, c *asked, res *Result) (*findings, error) {
	near, err := meant(ctx, in.Filter, in.model, c)
	if err != nil {
		if ctx.Err() != nil {
			return &findings{cut: true}, err
		}
		res.Notes = append(res.Notes, fmt.Sprintf("meanings are not compared: %v", err))
	}
	if near.pending > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%d files have not been embedded yet: places there that are alike only by meaning are missing", near.pending))
	}
	chosen, err := choose(ctx, in.Filter, c, near.list)
	if err != nil {
		return &findings{cut: true}, err
	}
	found, err := compare(ctx, in.Filter, c, chosen)
	if err == nil {
		found.places = append(found.places, near.alike(c, found.places)...)
	}
	if len(found.places) == 0 {
		res.Words = chosen.words
	}
	return found, err
}

// count counts the places that were found.
func (r *Result) count(places []found) {
	files := map[[2]string]bool{}
	for i := range places {
		p := &places[i]
		switch p.grade {
		case Same:
			r.Same++
		case Near:
			r.Near++
		default:
			r.Alike++
		}
		files[[2]string{p.seg.Snap.Name, p.path}] = true
	}
	r.Total, r.Files = len(places), len(files)
}

// NeedsSymbols reports whether the place is a definition, whose lines the syntax of
// its repository tells.
func (q *Query) NeedsSymbols() bool {
	p := q.Request.Place
	return p != nil && (p.Symbol != "" || p.First > 0 && p.First == p.Last)
}
