// Package search answers one request over the snapshots of one or more
// repositories. Compile checks a request and compiles it; the Query it makes
// runs over any snapshots. Package lines answers literal and regular expression
// queries, package ranked those of words, package semantic those by meaning. Nothing here writes, and the same
// snapshots and request give the same result.
package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"espy/internal/companions"
	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/lines"
	"espy/internal/query"
	"espy/internal/ranked"
	"espy/internal/ranked/past"
	"espy/internal/ranked/report"
	"espy/internal/semantic"
	"espy/internal/store"
)

// Query is a request that was checked and compiled once. It is read only and may
// be run over any snapshots.
type Query struct {
	Request hit.Request // with its defaults filled in
	rules   *filter.Rules
	run     engine
	note    string // what of a long text was read
}

// engine answers a query in one mode, over the files that a filter lets through.
type engine func(ctx context.Context, f *filter.Filter, m Means) (*hit.Result, error)

// Means are what some modes need beside an index.
type Means struct {
	Models embedding.Models // that meanings are compared by
	Trees  lines.Trees      // that patterns of syntax are compared by; nil for none
	Past   past.Reader      // tells of commits; nil of none
}

// Compile checks a request, fills in its defaults and compiles its text and
// filters. Of words that are longer than a question those that tell most are searched for.
// What cannot be answered, whatever is searched, is a *usage.Error.
func Compile(req hit.Request) (*Query, error) {
	note := ""
	if !req.Mode.FindsLines() && len(req.Query) <= hit.MaxPastedBytes {
		req.Query, note = report.Digest(req.Query, hit.MaxQueryBytes)
	}
	req, err := req.Checked()
	if err != nil {
		return nil, err
	}
	q := &Query{Request: req, note: note}
	filters, err := q.choose()
	if err != nil {
		return nil, err
	}
	q.rules, err = filter.Compile(&req, filters)
	return q, err
}

// choose makes the engine of the mode and returns the filters in the query's text.
func (q *Query) choose() (filters query.Filters, _ error) {
	switch q.Request.Mode {
	case hit.ModeLiteral:
		return filters, q.chooseLines(lines.NewLiteral(q.Request))
	case hit.ModeRegex:
		return filters, q.chooseLines(lines.NewRegex(q.Request))
	case hit.ModeStructure:
		shaped, err := lines.NewStructure(q.Request)
		q.run = func(ctx context.Context, f *filter.Filter, m Means) (*hit.Result, error) {
			return shaped.Run(ctx, f, m.Trees)
		}
		return filters, err
	case hit.ModeSemantic:
		meant, err := semantic.New(q.Request)
		if err != nil {
			return filters, err
		}
		q.run = func(ctx context.Context, f *filter.Filter, m Means) (*hit.Result, error) {
			return meant.Run(ctx, f, m.Models)
		}
		return meant.Filters(), nil
	}
	words, err := ranked.New(q.Request)
	if err != nil {
		return filters, err
	}
	q.run = func(ctx context.Context, f *filter.Filter, m Means) (*hit.Result, error) {
		return words.Run(ctx, f, ranked.Means{Reranker: m.Models.Reranker, Commits: m.Past, Meaning: m.Models.Local})
	}
	return words.Filters(), nil
}

// Below returns globs that cover every file that an answer tells of, none where there
// are no such globs but for all files. Ranked answers depend on all files.
func (q *Query) Below() []string {
	if m := q.Request.Mode; m != hit.ModeLiteral && m != hit.ModeRegex && m != hit.ModeStructure {
		return nil
	}
	return q.rules.Tied()
}

// chooseLines makes a query of lines the engine.
func (q *Query) chooseLines(l *lines.Query, err error) error {
	q.run = func(ctx context.Context, f *filter.Filter, _ Means) (*hit.Result, error) { return l.Run(ctx, f) }
	return err
}

// Run answers the query over the snapshots, which it neither keeps nor closes.
// When ctx ends early the result holds what was found until then and is Partial.
func (q *Query) Run(ctx context.Context, snaps []*store.Snapshot, m Means) (*hit.Result, error) {
	start := time.Now()
	f, err := q.rules.Over(snaps)
	if err != nil {
		return nil, err
	}
	res, err := q.run(ctx, f, m)
	if err != nil {
		return nil, err
	}
	if err := q.accompany(ctx, f, res, m); err != nil {
		return nil, err
	}
	if q.note != "" {
		res.Notes = append(res.Notes, q.note)
	}
	res.Notes = append(res.Notes, f.Unnamed()...)
	if res.Total == 0 {
		if res.Deeper, err = f.Deeper(); err != nil {
			return nil, err
		}
	}
	res.Query, res.Mode, res.Detail, res.Offset = q.Request.Query, q.Request.Mode, q.Request.Detail, q.Request.Offset
	res.Duration = time.Since(start)
	return res, nil
}

// accompany adds the companions of the hits to the first page of an answer to a report.
func (q *Query) accompany(ctx context.Context, f *filter.Filter, res *hit.Result, m Means) (err error) {
	if q.Request.Offset > 0 || !res.Report && !q.Request.Companions {
		return nil
	}
	commits := func(repo string) *past.Log {
		if m.Past == nil {
			return nil
		}
		known, err := m.Past(ctx, repo)
		if err != nil && !res.Report { // of which the answer says so
			res.Notes = append(res.Notes, fmt.Sprintf("which files the commits of %s changed together was not looked at: %v", repo, err))
		}
		return known
	}
	res.Companions, err = companions.Of(f, res, commits)
	return err
}

// Search compiles one request and answers it over the snapshots.
func Search(ctx context.Context, snaps []*store.Snapshot, req hit.Request, m Means) (*hit.Result, error) {
	q, err := Compile(req)
	if err != nil {
		return nil, err
	}
	return q.Run(ctx, snaps, m)
}

// Plain is a text as a question of which no word is a filter.
func Plain(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if prefix, value, ok := strings.Cut(w, ":"); ok && value != "" && slices.Contains([]string{"path", "lang", "scope", "repo"}, strings.TrimLeft(strings.ToLower(prefix), "-")) {
			words[i] = prefix + ": " + value
		}
	}
	return strings.Join(words, " ")
}
