// Package semantic answers questions by meaning: the files whose chunks have
// vectors nearest to that of the question, best first, each with its best chunk.
//
// Every chunk that the filters let through is compared, so that what is found
// does not depend on how many stand before it. A file has the score of its best
// chunk, less what speaks against its kind (score.go).
package semantic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/usage"
)

// Query is a question, without the filters in it.
type Query struct {
	req     hit.Request
	text    string
	filters query.Filters
	words   rank.Query
}

// New reads the question of a request. Its errors are *usage.Error.
func New(req hit.Request) (*Query, error) {
	q := &Query{req: req}
	q.text, q.filters = split(req.Query)
	if q.text == "" {
		return nil, &usage.Error{Arg: "query", Msg: "empty", Hint: "say in words what the code does, as in: retry a request with a growing delay"}
	}
	q.words = rank.Understand(q.text, "")
	return q, nil
}

// filterPrefixes are the prefixes that mean the same here as in keyword mode.
var filterPrefixes = []string{"path:", "lang:", "scope:", "repo:"}

// split takes the filters out of a question. What is none is text, whatever it
// looks like: quotes, operators and other prefixes mean nothing here.
func split(text string) (rest string, filters query.Filters) {
	var words []string
	for word := range strings.FieldsSeq(text) {
		prefix, _ := query.PrefixAt(word)
		q, err := query.Parse(word)
		if !slices.Contains(filterPrefixes, prefix) || err != nil || q.Root != nil {
			words = append(words, word)
			continue
		}
		f := &filters
		f.Paths, f.NotPaths = append(f.Paths, q.Filters.Paths...), append(f.NotPaths, q.Filters.NotPaths...)
		f.Langs, f.NotLangs = append(f.Langs, q.Filters.Langs...), append(f.NotLangs, q.Filters.NotLangs...)
		f.Repos, f.Scope = append(f.Repos, q.Filters.Repos...), cmp.Or(q.Filters.Scope, f.Scope)
	}
	return strings.Join(words, " "), filters
}

// Filters are the filters that stand in the question itself.
func (q *Query) Filters() query.Filters { return q.filters }

// Run answers the question over the files that a filter lets through. When ctx
// reaches its deadline the result holds what was found until then and is
// Partial.
func (q *Query) Run(ctx context.Context, f *filter.Filter, models embedding.Models) (*hit.Result, error) {
	if models.Local == nil {
		return nil, &usage.Error{Arg: "mode", Value: string(q.req.Mode), Msg: "there is no model here to compare meanings with", Hint: "mode keyword finds by words"}
	}
	res := &hit.Result{Notes: f.Damaged()}
	damaged := len(res.Notes) > 0
	err := segment.Guard(func() error {
		if err := q.run(ctx, f, models.Local, res); err != nil {
			return err
		}
		res.Repos = f.Searched()
		return nil
	})
	res.Partial = res.Partial || damaged
	return res, err
}

func (q *Query) run(ctx context.Context, f *filter.Filter, model embedding.Model, res *hit.Result) error {
	res.Model = model.Identity()
	asked, err := question(ctx, model, q.text)
	if errors.Is(err, context.DeadlineExceeded) {
		res.Partial = true
		res.Notes = append(res.Notes, "the time ended before the question had a vector: nothing was compared")
		return nil
	}
	if err != nil {
		return err
	}
	if asked == nil {
		res.Notes = append(res.Notes, "the model knows no word of the question, so nothing is near to it: mode keyword finds names and words as they stand")
		return nil
	}
	s := newScan(q, corpus.New(f), res.Model, asked)
	if err := s.run(ctx); err != nil {
		return err
	}
	if s.ended.Load() {
		res.Partial = true
		res.Notes = append(res.Notes, "the time limit ended the search: files may be missing")
	}
	if s.pending > 0 {
		res.Notes = append(res.Notes, notCompared(s.pending, s.seen))
	}
	res.Total, res.Files = s.total, s.total
	ordered := s.best[min(q.req.Offset, len(s.best)):]
	if res.Hits, err = q.show(s, ordered); err == nil {
		label.CountCalls(f, res.Hits)
	}
	return err
}

// notCompared says that files have no vectors yet.
func notCompared(pending, seen int) string {
	if pending == seen {
		return "no file has been embedded yet, so that none could be compared: indexing does that, and status shows how far it is"
	}
	return fmt.Sprintf("%d of %d files have not been embedded yet and were not compared: status shows how far that is", pending, seen)
}

// question returns the vector of a question, nil for one that says nothing.
func question(ctx context.Context, model embedding.Model, text string) (*vec.Query, error) {
	v, err := model.Query(ctx, text)
	if err == nil && len(v) != model.Dims() {
		err = fmt.Errorf("a vector of %d numbers instead of %d", len(v), model.Dims())
	}
	var q *vec.Query
	if err == nil {
		q, err = vec.NewQuery(v)
	}
	if err != nil {
		return nil, fmt.Errorf("embed the question by %s: %w", model.Identity(), err)
	}
	return q, nil
}
