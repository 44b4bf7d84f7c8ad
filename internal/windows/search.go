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
}

// Result is the answer: the best windows, and how many there are.
type Result struct {
	Total int
	Hits  []Hit
}

// Search answers a request over one view. The score of a window is BM25 with
// k1 1.2 and b 0.75, where documents are windows and a phrase counts as one
// term (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009), plus 1 for each condition met that holds no words. Ties
// go by path and place.
func Search(ctx context.Context, s *store.Snapshot, req Request) (res *Result, err error) {
	v := newView(s)
	leaves := leavesOf(req.Query)
	buf := scratches.Get().(*scratch)
	defer scratches.Put(buf)
	if err := count(ctx, v, leaves, buf); err != nil {
		return nil, err
	}
	err = segment.Guard(func() (err error) {
		set := setter{v, leaves}.set(req.Query)
		res = &Result{Total: set.Count()}
		res.Hits, err = hits(v, best(set, scores(v, leaves, set, buf), req.Limit))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rank windows: %w", err)
	}
	return res, nil
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
