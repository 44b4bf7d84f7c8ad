// Package lines finds every line that holds a text or matches a regular
// expression, with an exact total. literal.go and regex.go make a query of a
// request. count.go counts the matching lines, in the documents that trigrams
// lead to, window.go chooses those that are shown, and page.go reads
// them.
package lines

import (
	"context"
	"errors"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/parallel"
	"espy/internal/segment"
)

// Query is a literal or a regular expression, ready to be searched for.
type Query struct {
	req    hit.Request
	lookup lookup
}

// Run answers the query in two passes: it counts the matching lines of every
// document, then reads those in the window again. A document is a region of a
// segment or, where a match may span lines, a file. When ctx reaches its deadline
// the result holds what was found until then and is Partial.
func (q *Query) Run(ctx context.Context, f *filter.Filter, _ embedding.Models) (*hit.Result, error) {
	res := &hit.Result{Notes: f.Damaged()}
	segments, done, err := count(ctx, &q.lookup, f)
	if err != nil {
		return nil, err
	}
	for _, s := range segments {
		for _, f := range s.files {
			res.Files++
			res.Total += f.lines
		}
	}
	res.Partial = !done || len(res.Notes) > 0
	limit := q.req.Limit
	if !done {
		res.Notes = append(res.Notes, "the time limit ended the search: the total is a lower bound")
		limit = min(limit, maxLateHits)
	}
	if res.Hits, err = q.window(ctx, segments, limit); err != nil {
		return nil, err
	}
	res.Hits = budget(res.Hits, q.req.MaxTokens)
	err = segment.Guard(func() error {
		label.CountCalls(f, res.Hits)
		res.Repos = f.Searched()
		return nil
	})
	return res, err
}

// window reads the hits from the request's offset on, at most limit of them.
func (q *Query) window(ctx context.Context, segments []*counted, limit int) ([]hit.Hit, error) {
	var parts []part
	err := segment.Guard(func() error {
		parts = cutWindow(segments, q.req.Offset, limit)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = parallel.Each(context.WithoutCancel(ctx), len(parts), len(parts), func() func(int) error {
		f := q.lookup.finder()
		return func(i int) (err error) {
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			parts[i].hits, err = read(&parts[i], &q.req, f)
			return err
		}
	})
	var hits []hit.Hit
	for _, p := range parts {
		hits = append(hits, p.hits...)
	}
	return hits, err
}

// maxLateHits bounds what is still read once the time is up.
const maxLateHits = 1_000

// budget keeps the first hits that fit into a number of tokens, at least one. 0 keeps all.
func budget(hits []hit.Hit, tokens int) []hit.Hit {
	if tokens == 0 {
		return hits
	}
	used := 0
	for i := range hits {
		n := len(hits[i].Path) + 8
		for _, l := range hits[i].Lines {
			n += len(l.Text) + 8
		}
		if used += code.Tokens(n); used > tokens && i > 0 {
			return hits[:i]
		}
	}
	return hits
}
