// Package lines finds every line that holds a text or matches a regular
// expression, or in which a match of a pattern of syntax begins, with an exact total.
// literal.go, regex.go and structure.go make a query of a request. count.go counts the matching lines, in the documents that trigrams
// lead to, window.go chooses those that are shown, and page.go reads
// them.
package lines

import (
	"context"
	"errors"
	"fmt"

	"espy/internal/code"
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
// the result holds what was found until then and is Partial. The last part of the
// time is for the second pass.
func (q *Query) Run(ctx context.Context, f *filter.Filter) (*hit.Result, error) {
	res := &hit.Result{Notes: f.Damaged()}
	first, cancel := parallel.Early(ctx, windowParts)
	defer cancel()
	segments, done, err := count(first, &q.lookup, f)
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
	if !done {
		res.Notes = append(res.Notes, "the time limit ended the search: the total is a lower bound")
	}
	var shown bool
	if res.Hits, shown, err = q.window(ctx, segments); err != nil {
		return nil, err
	}
	if !shown {
		res.Partial = true
		res.Notes = append(res.Notes, fmt.Sprintf("the time limit ended the search: of the lines that were found %d are shown", len(res.Hits)))
	}
	res.Hits = budget(res.Hits, q.req.MaxTokens)
	err = segment.Guard(func() error {
		label.CountCalls(f, res.Hits)
		res.Repos = f.Searched()
		return nil
	})
	return res, err
}

// windowParts is which part of the time is left to read what is shown.
const windowParts = 10

// window reads the hits from the request's offset on, at most its limit of them.
// With all false ctx reached its deadline before the last of them.
func (q *Query) window(ctx context.Context, segments []*counted) (hits []hit.Hit, all bool, err error) {
	var parts []part
	err = segment.Guard(func() error {
		parts = cutWindow(segments, q.req.Offset, q.req.Limit)
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	err = parallel.Pausing(ctx, len(parts), len(parts), func(pause parallel.Pause) func(int) error {
		f := q.lookup.finder(pause)
		return func(i int) (err error) {
			parts[i].hits, err = read(ctx, &parts[i], &q.req, f)
			parts[i].read = err == nil
			return err
		}
	})
	for _, p := range parts {
		hits = append(hits, p.hits...)
		if !p.read {
			break
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return hits, false, nil
	}
	return hits, true, err
}

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
