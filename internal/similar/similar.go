// Package similar finds code that is like a snippet or a place: the same but for
// spacing and comments, or with other names, lines put in, left out or moved.
//
// The words of what is asked for choose the chunks of the index that may hold
// such code: those that share its rare words, and those that have as many of each
// of its common words (if, err, return), whatever the names in between. Their text
// is then compared token by token (package shingle), so that nothing is called
// similar for its words alone.
package similar

import (
	"context"
	"fmt"
	"time"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/segment"
	"espy/internal/store"
)

// Grade says how like a place is.
type Grade string

// The grades, the likest first.
const (
	Same Grade = "same" // every token is equal: other spacing and comments at most
	Near Grade = "near" // edited: other names, lines put in, left out or moved
)

// Request is one question. The zero value of each field but the code is its default.
type Request struct {
	Snippet string // the code, or
	Place   *Place // where it stands, by ParsePlace

	hit.Request // filters, page and detail; nothing else of it counts
}

// Query is a request that was checked and compiled once. It is read only and may
// be run over any snapshots.
type Query struct {
	Request Request // with its defaults filled in
	rules   *filter.Rules
}

// Result is the answer to a request. Hits are ordered by score; Total counts them
// all, and Files their files.
type Result struct {
	*hit.Result
	Of       Source
	Likeness []Likeness // of Hits
	Same     int        // places of each grade, before offset and limit
	Near     int
	AtLeast  bool     // not every chunk was compared: there may be more that are near
	Cut      bool     // comparing ended while something was still found: there may be more that are the same, too
	Words    []string // with no hit: the rarest words of the code that occur
}

// Likeness says how a hit is like what was asked for.
type Likeness struct {
	Grade  Grade
	Shared []Shared // in the order of the hit's lines
	More   int      // shared runs of lines that are not listed
}

// Shared is a run of lines that a hit shares with what was asked for.
type Shared struct {
	First, Last       int // of the hit
	OwnFirst, OwnLast int // of the snippet or the file of the place
	Renamed           bool
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
func (q *Query) Run(ctx context.Context, home *store.Snapshot, snaps []*store.Snapshot) (*Result, error) {
	start := time.Now()
	f, err := q.rules.Over(snaps)
	if err != nil {
		return nil, err
	}
	res := &Result{Result: &hit.Result{}}
	err = segment.Guard(func() error { return q.answer(ctx, f, home, res) })
	if err != nil {
		return nil, err
	}
	res.Notes = append(res.Notes, f.Unnamed()...)
	res.Detail, res.Offset = q.Request.Detail, q.Request.Offset
	res.Duration = time.Since(start)
	return res, nil
}

func (q *Query) answer(ctx context.Context, f *filter.Filter, home *store.Snapshot, res *Result) error {
	c, err := q.code(home)
	if err != nil {
		return err
	}
	res.Of, res.Notes = c.Source, c.notes
	res.Repos = f.Searched()
	chosen, err := choose(ctx, f, c)
	if err != nil && ctx.Err() == nil {
		return err
	}
	found, err := compare(ctx, f, c, chosen)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if err != nil {
		res.Notes = append(res.Notes, "the time was over before all was compared: places may be missing")
	}
	damaged := f.Damaged()
	res.Partial = err != nil || len(damaged) > 0
	res.Notes = append(res.Notes, damaged...)
	res.AtLeast, res.Cut = !found.all, found.cut
	res.count(found.places)
	if res.Total == 0 {
		res.Words = chosen.words
	}
	return q.show(f, found.places, res)
}

// count counts the places that were found.
func (r *Result) count(places []found) {
	files := map[[2]string]bool{}
	for i := range places {
		p := &places[i]
		if p.grade == Same {
			r.Same++
		} else {
			r.Near++
		}
		files[[2]string{p.seg.Snap.Name, p.path}] = true
	}
	r.Total, r.Files = len(places), len(files)
}

// describe names lines of a file for a note.
func describe(path string, first, last int) string {
	return fmt.Sprintf("%s:%d-%d", path, first, last)
}
