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

// Grade says how like a place is.
type Grade string

// The grades, the likest first.
const (
	Same  Grade = "same"  // every token is equal: other spacing and comments at most
	Near  Grade = "near"  // edited: other names, lines put in, left out or moved
	Alike Grade = "alike" // means the like, as a model has it: no more of its text is shared
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
	Alike    int      // of the places that mean the like, only the nearest are listed
	AtLeast  bool     // not every chunk was compared: there may be more that are near
	Cut      bool     // comparing ended while something was still found: there may be more that are the same, too
	Words    []string // with no hit: the rarest words of the code that occur
}

// Likeness says how a hit is like what was asked for.
type Likeness struct {
	Grade  Grade
	Shared []Shared // in the order of the hit's lines
	More   int      // shared runs of lines that are not listed
	Cosine float64  // of grade Alike: between the vectors of both
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
	c, err := q.code(in.home)
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
		res.Notes = append(res.Notes, "the time was over before all was compared: places may be missing")
	}
	res.AtLeast, res.Cut = !found.all, found.cut
	res.count(found.places)
	return q.show(in.Filter, found.places, res)
}

// find finds the places. When ctx ends, it returns those found until then with
// the error.
func (q *Query) find(ctx context.Context, in question, c *asked, res *Result) (*findings, error) {
	near, err := meant(ctx, in, c)
	if err != nil {
		if ctx.Err() != nil {
			return &findings{cut: true}, err
		}
		res.Notes = append(res.Notes, fmt.Sprintf("meanings are not compared: %v", err))
	}
	if near.pending > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%d files have not been embedded yet: places there that are alike only by meaning are missing", near.pending))
	}
	chosen, err := choose(ctx, in.Filter, c, near)
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

// describe names lines of a file for a note.
func describe(path string, first, last int) string {
	return fmt.Sprintf("%s:%d-%d", path, first, last)
}
