// Package ranked answers queries of words: the files that match, best first,
// each with its best chunk.
//
// A query goes through phases, each of which takes what the ones before it
// returned (run):
//
//	understand  the text to terms, names and places              understand.go
//	score       chunks by the terms in them                      package score
//	find        clues to files other than their terms            package clue
//	filter      conditions: AND, phrases, symbol:, kind:         choose.go
//	judge       files by all signals, to an order                judge.go
//	show        the files of the answer, with their best lines   show.go
package ranked

import (
	"cmp"
	"context"
	"strings"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/missing"
	"espy/internal/ranked/reading"
	"espy/internal/ranked/score"
	"espy/internal/ranked/work"
	"espy/internal/segment"
	"espy/internal/usage"
)

// Query is a query of words, parsed.
type Query struct {
	req   hit.Request
	query *query.Query
	note  string // what the reader must know of how it was read
}

// New parses the query of a request. Its errors are *usage.Error.
func New(req hit.Request) (*Query, error) {
	if strings.TrimSpace(req.Query) == "" && len(req.Paths)+len(req.Languages) == 0 && req.Scope == code.ScopeAll {
		return nil, &usage.Error{Arg: "query", Msg: "empty", Hint: "say what to look for, in words or by a name"}
	}
	q, note, err := reading.Parse(req.Query)
	if err != nil {
		return nil, err
	}
	return &Query{req: req, query: q, note: note}, nil
}

// Filters are the filters that stand in the query itself.
func (q *Query) Filters() query.Filters { return q.query.Filters }

// Run answers the query over the files that a filter lets through. When ctx
// reaches its deadline the result holds what was found until then and is
// Partial.
func (q *Query) Run(ctx context.Context, f *filter.Filter, means Means) (*hit.Result, error) {
	res := &hit.Result{Notes: f.Damaged()}
	damaged := len(res.Notes) > 0
	if q.note != "" {
		res.Notes = append(res.Notes, q.note)
	}
	err := segment.Guard(func() error {
		if err := q.run(ctx, f, means, res); err != nil {
			return err
		}
		res.Repos = f.Searched()
		return nil
	})
	res.Partial = res.Partial || damaged
	return res, err
}

// maxNotes bounds the notes of an answer.
const maxNotes = 8

// run takes the query through its phases and fills in the result.
func (q *Query) run(ctx context.Context, f *filter.Filter, means Means, res *hit.Result) error {
	note := func(texts ...string) { res.Notes = append(res.Notes, texts...) }

	in := corpus.New(f)
	asked, notes, err := understand(q.query, in, f.Snaps)
	note(notes...)
	if err != nil {
		return err
	}
	res.Report = asked.report != nil
	if res.Report && asked.report.IsBlank() {
		note("the text is a template in which nothing is filled in: say what is wrong, or give the message")
		return nil
	}
	if asked.isEmpty() {
		note("the query has no word in it: mode literal finds punctuation")
		return nil
	}

	scores, done, err := score.Run(ctx, in, asked.words.Terms, asked.ways())
	if err != nil {
		return err
	}
	defer scores.Release()
	if !done {
		res.Partial = true
		note("the time limit ended the search: files may be missing and their order may change")
	}

	found, notes, err := find(asked, in)
	note(notes...)
	if err != nil {
		return err
	}
	var absent []string
	held := found.HoldMessage()
	if !held && !found.LeadsToLines() {
		if absent, err = missing.Message(asked.text, asked.report, in); err != nil {
			return err
		}
	}
	if (held || len(absent) > 0) && hasPlain(asked.root) {
		var changed bool
		if asked.root, changed = reading.WithoutOperators(asked.root); changed {
			note("read as a message: quotes, AND, OR, NOT and - were ignored")
		}
	}
	note(absent...)
	note(work.Unknown(&q.req.Work, in)...)
	chosen, notes, err := choose(asked.root, scores, found)
	note(notes...)
	if err != nil {
		return err
	}
	note(missing.Mentioned(&asked.words, f.Snaps, maxNotes-len(res.Notes))...)
	if chosen.total == 0 {
		notes, err := chosen.relax(asked.root, scores, found)
		note(notes...)
		if err != nil {
			return err
		}
	}
	res.Total, res.Files = chosen.total, chosen.total
	all := findings{asked, scores, found, chosen, means}
	if chosen.total == 0 {
		return tellNothing(all, f, res)
	}
	return q.fill(ctx, all, f, res)
}

// tellNothing fills in why nothing was found, and which names are near.
func tellNothing(all findings, f *filter.Filter, res *hit.Result) (err error) {
	in := all.scores.Corpus
	res.Notes = append(res.Notes, missing.Named(&all.asked.words, f.Snaps, maxNotes-len(res.Notes))...)
	res.Notes = append(res.Notes, missing.Counts(all.asked.text, f, all.scores)...)
	res.Nearest, err = missing.Nearest(all.asked.text, in)
	return err
}

// fill judges the files that match and fills in the hits that the request wants.
func (q *Query) fill(ctx context.Context, all findings, f *filter.Filter, res *hit.Result) error {
	j := newJudge(all, cmp.Or(q.req.Model, rank.Default()))
	j.work = work.New(&q.req.Work)
	defer j.release()
	ordered, err := q.order(ctx, j, f, res)
	if err != nil {
		return err
	}
	if q.req.Offset == 0 && j.asked.report == nil {
		if res.Foreign, err = q.foreign(j); err != nil {
			return err
		}
	}
	req := q.req
	switch {
	case req.Brief && res.Foreign != "":
		ordered = ordered[:min(len(ordered), nearestShown)]
		req.Detail = hit.DetailLocate
	case req.Brief && req.Offset == 0 && j.asked.report == nil:
		ordered = ordered[:worthNaming(ordered)]
	}
	res.Hits, err = show(&req, j, ordered)
	if err == nil {
		label.CountCalls(f, res.Hits)
	}
	return err
}

// order returns the spots of the answer, best first: one of each file, but more of
// those that a report is about.
func (q *Query) order(ctx context.Context, j *judge, f *filter.Filter, res *hit.Result) ([]spot, error) {
	end := q.req.Offset + q.req.Limit
	want := end
	if j.means.Reranker != nil {
		want = max(want, maxReranked)
	}
	var all []spot
	if j.asked.report != nil {
		spots, err := j.reported(ctx, f, want, res)
		if err != nil {
			return nil, err
		}
		all = spots
		res.Total = max(res.Total, len(all))
	} else {
		j.readCommits(ctx, f, res)
		best, err := j.order(ctx, want)
		if err != nil {
			return nil, err
		}
		for _, m := range best {
			all = append(all, spotsOf(m)...)
		}
	}
	if j.means.Reranker != nil {
		j.rerank(ctx, all[:min(maxReranked, len(all))], res)
	}
	if j.asked.report != nil && q.req.Offset == 0 {
		res.Companions = nextFiles(all, end)
	}
	all = all[min(q.req.Offset, len(all)):min(end, len(all))]
	for _, s := range all {
		res.Notes = j.told.Unread(res.Notes, s.in.seg.Repo, s.pathText())
	}
	return all, nil
}

// maxNext bounds the files that follow those of an answer to a report.
const maxNext = 10

// nextFiles returns the files of places that the first few places are not of.
func nextFiles(all []spot, first int) (next []hit.Companion) {
	seen := map[fileID]bool{}
	for i, s := range all {
		id := idOf(s.match)
		if seen[id] {
			continue
		}
		seen[id] = true
		if i >= first && len(next) < maxNext {
			next = append(next, hit.Companion{Repo: s.in.seg.Repo, Path: s.path(), Rank: len(seen), Score: rank.Logistic(s.score)})
		}
	}
	return next
}
