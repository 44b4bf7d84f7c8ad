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
		f.Extensions = append(f.Extensions, q.Filters.Extensions...)
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
		if q.req.Passages {
			res.Repos = f.Searched()
			ask := &asking{&q.req, q.text, &q.words, corpus.New(f)}
			return passages(ctx, ask, models, res)
		}
		found, err := q.compare(ctx, corpus.New(f), models, res)
		if err != nil {
			return err
		}
		res.Repos = f.Searched()
		return q.answer(f, found, res)
	})
	res.Partial = res.Partial || damaged
	return res, err
}

// Paths answers the question with the paths of the best files alone, best first, by
// the model of the program. It needs all of the time that it takes.
func (q *Query) Paths(ctx context.Context, f *filter.Filter, model embedding.Model) (paths []string, err error) {
	err = segment.Guard(func() error {
		found, err := q.compare(ctx, corpus.New(f), embedding.Models{Local: model}, &hit.Result{})
		if err != nil || ctx.Err() != nil || found == nil {
			return cmp.Or(err, context.Cause(ctx))
		}
		for _, m := range found.best[min(q.req.Offset, len(found.best)):] {
			paths = append(paths, m.in.Path(m.file))
		}
		return nil
	})
	return paths, err
}

// compare returns the best files, nil where the question says nothing: by the model
// on another machine, where there is one, and by that of the program where the
// other does not answer, and for files that it has no vectors of.
func (q *Query) compare(ctx context.Context, in *corpus.Corpus, models embedding.Models, res *hit.Result) (*scan, error) {
	score := newScorer(&q.words, cmp.Or(q.req.Model, rank.Default()))
	far, err := q.far(ctx, in, models.Remote, score, res)
	if err != nil || far != nil && far.pending == 0 {
		return far, err
	}
	local := models.Local.Identity()
	if far == nil {
		res.Model = local
	}
	asked, err := questions(ctx, models.Local, q.text, in)
	if errors.Is(err, context.DeadlineExceeded) {
		res.Partial = true
		res.Notes = append(res.Notes, "the time ended before the question had a vector: not every file was compared")
		return far, nil
	}
	if err != nil {
		return nil, fmt.Errorf("embed the question by %s: %w", local, err)
	}
	if asked == nil {
		res.Notes = append(res.Notes, "the model knows no word of the question, so nothing is near to it: mode keyword finds names and words as they stand")
		return far, nil
	}
	near := newScan(q, in, local, asked, score)
	if far != nil {
		near.only = far.left
	}
	if err := near.run(ctx); err != nil {
		return nil, err
	}
	if near.pending > 0 {
		res.Notes = append(res.Notes, notCompared(near.pending, near.seen))
	}
	if far != nil {
		near.join(far)
	}
	return near, nil
}

// far compares the question with what a model on another machine has vectors of.
// It returns nil where there is no such model, or where it says nothing: that is
// noted.
func (q *Query) far(ctx context.Context, in *corpus.Corpus, model embedding.Remote, score *scorer, res *hit.Result) (*scan, error) {
	if model == nil {
		return nil, nil
	}
	asked, err := questions(ctx, model, q.text, in)
	if err == nil && asked == nil {
		err = fmt.Errorf("%s has no vector of the question", model.Identity())
	}
	if err != nil {
		if ctx.Err() == context.Canceled {
			return nil, ctx.Err()
		}
		res.Notes = append(res.Notes, fmt.Sprintf("the model of the program answers, since the other one does not: %v", err))
		return nil, nil
	}
	s := newScan(q, in, model.Identity(), asked, score)
	s.far = true
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	switch {
	case s.pending == s.seen && s.seen > 0:
		res.Notes = append(res.Notes, fmt.Sprintf("the model of the program answers: no file has vectors of %s yet, and status shows how far that is", s.model))
		return nil, nil
	case s.pending > 0:
		res.Notes = append(res.Notes, fmt.Sprintf("%d of %d files have no vectors of %s yet and were compared by the model of the program", s.pending, s.seen, s.model))
	}
	res.Model = s.model
	return s, nil
}

// answer fills in what was found, nil for nothing.
func (q *Query) answer(f *filter.Filter, s *scan, res *hit.Result) (err error) {
	if s == nil {
		return nil
	}
	res.Unasked, res.Notes = s.failed, append(res.Notes, s.notes()...)
	if s.ended.Load() {
		res.Partial = true
		res.Notes = append(res.Notes, "the time limit ended the search: files may be missing")
	}
	res.Total, res.Files = s.total, s.total
	ordered := s.best[min(q.req.Offset, len(s.best)):]
	if res.Hits, err = q.show(s, ordered); err == nil {
		label.CountCalls(f, res.Hits)
	}
	return err
}
