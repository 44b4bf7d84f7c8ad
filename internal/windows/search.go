package windows

import (
	"context"
	"fmt"

	"espy/internal/segment"
	"espy/internal/store"
)

// Request asks for the best windows of a view.
type Request struct {
	Query Expr
	Limit int

	ShowSecrets bool // in the texts of the hits; else a marker stands in the place of each
}

// Result is the answer: the best windows, and how many there are.
type Result struct {
	Total int
	Least bool // there may be more: the search ended when the best were sure
	Hits  []Hit
}

// Search answers a request over one view. The score of a window is BM25 with
// k1 1.2 and b 0.75, where documents are windows and a phrase counts as one
// term (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009), plus 1 for each condition met that holds no words. Ties
// go by path and place.
func Search(ctx context.Context, s *store.Snapshot, req Request) (res *Result, err error) {
	buf := scratches.Get().(*scratch)
	defer scratches.Put(buf)
	q := &question{view: newView(s), leaves: leavesOf(req.Query), limit: req.Limit, buf: buf}
	q.showSecrets = req.ShowSecrets
	if err := countPhrases(q.view, q.leaves, buf); err != nil {
		return nil, err
	}
	if l := q.onlyText(req.Query); l != nil {
		res, err = q.text(ctx, l)
	} else if err = scanAll(ctx, q.view, q.leaves); err == nil {
		res, err = q.rank(func() segment.Bitmap { return setter{q.view, q.leaves}.set(req.Query) })
	}
	if err != nil {
		return nil, fmt.Errorf("rank windows: %w", err)
	}
	return res, nil
}

// question is a search under way, whose phrases are counted.
type question struct {
	*view
	leaves *leaves
	limit  int
	buf    *scratch
}

// rank answers with the best of a set of windows, once all leaves are counted.
func (q *question) rank(holding func() segment.Bitmap) (res *Result, err error) {
	err = segment.Guard(func() (err error) {
		set := holding()
		res = &Result{Total: set.Count()}
		res.Hits, err = hits(q.view, best(set, scores(q.view, q.leaves, set, q.buf), q.limit))
		return err
	})
	return res, err
}

// hits reads the texts of windows.
func hits(v *view, best []scored) (hits []Hit, err error) {
	cache := new(segment.TextCache)
	for _, b := range best {
		h, err := v.hit(b.window, cache)
		if err != nil {
			return nil, err
		}
		h.Score = b.score
		hits = append(hits, h)
	}
	return hits, nil
}
