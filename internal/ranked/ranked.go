// Package ranked answers queries of words: the files that match, best first,
// each with its best chunk.
package ranked

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/usage"
)

// Query is a query of words, parsed.
type Query struct {
	hit.Request
	query *query.Query
	note  string // what the reader must know of how it was read
}

// New parses the query of a request.
func New(req hit.Request) (*Query, error) {
	if strings.TrimSpace(req.Query) == "" && len(req.Paths)+len(req.Languages) == 0 && req.Scope == code.ScopeAll {
		return nil, &usage.Error{Arg: "query", Msg: "empty", Hint: "say what to look for, in words or by a name"}
	}
	q, note, err := parseText(req.Query)
	if err != nil {
		return nil, queryError(req.Query, err)
	}
	return &Query{Request: req, query: q, note: note}, nil
}

// Filters are the filters that stand in the query itself.
func (q *Query) Filters() query.Filters { return q.query.Filters }

// Run answers the query: the files that match it, best first, each with its
// best chunk. When ctx ends early the result holds what was found until then
// and is Partial.
func (q *Query) Run(ctx context.Context, f *filter.Filter) (*hit.Result, error) {
	res := &hit.Result{Notes: f.Damaged()}
	damaged := len(res.Notes) > 0
	if q.note != "" {
		res.Notes = append(res.Notes, q.note)
	}
	err := segment.Guard(func() error {
		k := &keywords{plan: &plan{q, f}, res: res}
		if err := k.run(ctx); err != nil {
			return err
		}
		res.Repos = f.Searched()
		return nil
	})
	res.Partial = res.Partial || damaged
	return res, err
}

// plan is a query with the files that it is put to.
type plan struct {
	*Query
	filter *filter.Filter
}

// keywords is one keyword search at work.
type keywords struct {
	*plan
	*collection
	res *hit.Result
}

func (k *keywords) run(ctx context.Context) error {
	text, symbols := positive(k.plan.query.Root)
	k.collection = newCollection(k.filter)
	k.plain = isPlain(k.plan.query.Root) && len(k.plan.query.Filters.Kinds) == 0
	defer k.release()
	if err := k.ask(text, symbols); err != nil {
		return err
	}
	if k.plan.query.Root != nil && len(k.collection.query.Terms) == 0 && !conditional(k.plan.query.Root) {
		k.res.Notes = append(k.res.Notes, "the query has no word in it: mode literal finds punctuation")
		return nil
	}
	if err := k.find(ctx); err != nil {
		return err
	}
	if err := k.findPlaces(latestLast(text)); err != nil {
		return err
	}
	if says(text) {
		if err := k.findQuotes(text); err != nil {
			return err
		}
	}
	if err := k.findFirst(); err != nil {
		return err
	}
	k.leftOut()
	x := &selection{collection: k.collection}
	k.res.Total = x.count()
	if k.res.Total == 0 {
		if err := k.relax(x); err != nil {
			return err
		}
	}
	k.res.Files = k.res.Total
	if k.res.Total == 0 {
		k.leftOutNamed()
		k.searched()
		return k.nearest()
	}
	return k.hits(x)
}

// ask sets what is searched for.
func (k *keywords) ask(text string, symbols []string) error {
	k.collection.query = understand(text, symbols, k.filter)
	if err := k.respell(); err != nil {
		return err
	}
	if err := k.trim(); err != nil {
		return err
	}
	k.prepare()
	return nil
}

// find scores the chunks and finds out what the conditions let through.
func (k *keywords) find(ctx context.Context) error {
	done, err := k.gather(ctx)
	if err != nil {
		return err
	}
	if !done {
		k.res.Partial = true
		k.res.Notes = append(k.res.Notes, "the time limit ended the search: files may be missing and their order may change")
	}
	if err := k.findNames(); err != nil {
		return err
	}
	k.findKinds()
	notes, err := k.restrict(k.plan.query.Root)
	k.res.Notes = append(k.res.Notes, notes...)
	return err
}

// relax takes the phrases beside plain words for words where no file meets the
// conditions with them.
func (k *keywords) relax(x *selection) error {
	rest, phrases := withoutPhrases(k.plan.query.Root)
	if len(phrases) == 0 {
		return nil
	}
	if _, err := k.restrict(rest); err != nil {
		return err
	}
	if k.res.Total = x.count(); k.res.Total > 0 {
		k.res.Notes = append(k.res.Notes, fmt.Sprintf("no file that fits the rest holds %s as it stands: searched for its words", usage.Shorten(strings.Join(phrases, " and "), 120)))
	}
	return nil
}

// withoutPhrases returns a tree without the phrases that stand beside plain
// words, and those.
func withoutPhrases(root query.Node) (rest query.Node, phrases []string) {
	and, ok := root.(query.And)
	if !ok || !slices.ContainsFunc(and.Nodes, isPlain) {
		return root, nil
	}
	var nodes []query.Node
	for _, n := range and.Nodes {
		if p, ok := n.(query.Phrase); ok {
			phrases = append(phrases, `"`+p.Text+`"`)
		} else {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 1 {
		return nodes[0], phrases
	}
	return query.And{Nodes: nodes}, phrases
}

// order returns the matches of the answer up to its last hit, best first. The
// best guesses among the strong ones are judged by all signals and stand first;
// the others follow by their guess, none with a higher score than those.
func (k *keywords) order(j *judge) ([]*match, error) {
	found, err := j.strong()
	if err != nil {
		return nil, err
	}
	selectBest(found, maxCandidates)
	head := found[:min(len(found), maxCandidates)]
	j.judge(head)
	raise(head)
	want := min(k.Offset+k.Limit, k.res.Total)
	if want <= len(head) {
		return head[:want], nil
	}
	found = append(found, j.weak()...)
	j.found = found
	tail := found[len(head):]
	slices.SortFunc(tail, compareMatches)
	if len(head) > 0 {
		for _, m := range tail {
			m.score = min(m.score, head[len(head)-1].score)
		}
	}
	raise(tail)
	return found[:want], nil
}

// hits makes the hits of the window.
func (k *keywords) hits(x *selection) error {
	j := newJudge(x, cmp.Or(k.Model, rank.Default()))
	ordered, err := k.order(j)
	if err != nil {
		return err
	}
	window := ordered[min(k.Offset, len(ordered)):]
	e := k.newExcerpts()
	k.res.Hits = slices.Grow(k.res.Hits, len(window))
	for _, m := range window {
		m.place()
		h := m.hit()
		if k.Explain {
			h.Explain = j.explain(m)
		}
		if err := e.add(m, &h); err != nil {
			return err
		}
		k.res.Hits = append(k.res.Hits, h)
	}
	e.show(k.res.Hits)
	if k.Detail != hit.DetailLocate {
		label.CountCalls(k.filter, k.res.Hits)
	}
	return nil
}

// explain returns what the score of a match is made of.
func (j *judge) explain(m *match) []hit.Contribution {
	var all []hit.Contribution
	sum := 0.0
	var known rank.Some
	j.cheap(m, &known)
	signals := known.All()
	if m.judged != nil {
		signals = m.judged.signals
	}
	for _, c := range j.model.Explain(j.query.Kind, &signals) {
		all = append(all, hit.Contribution(c))
		sum += c.Score
	}
	switch {
	case m.score > sum: // by first
		all = append(all, hit.Contribution{Signal: "the definition asked for", Value: 1, Score: m.score - sum})
	case m.score < sum: // not judged by all signals, and kept below those that are
		all = append(all, hit.Contribution{Signal: "behind judged files", Value: 1, Score: m.score - sum})
	}
	return all
}

// hit returns what is known of a match without its text.
func (m *match) hit() hit.Hit {
	h := hit.Hit{
		Repo: m.repo, Path: m.path(), StartLine: 1, EndLine: 1, Score: rank.Logistic(m.score),
		Language: m.seg.Language(m.file), Class: m.seg.Class(m.file),
	}
	if m.chunk < 0 {
		return h
	}
	c := m.seg.Chunk(m.chunk)
	h.StartLine, h.EndLine = int(c.StartLine), int(c.EndLine)
	m.label(&h, c)
	return h
}

// understand makes the ranked query of a text and of the names that its
// symbol: conditions ask for.
func understand(text string, symbols []string, f *filter.Filter) rank.Query {
	repo := ""
	if len(f.Snaps) == 1 {
		repo = f.Snaps[0].Name
	}
	q := rank.Understand(text, repo)
	for _, name := range symbols {
		q.Names = slices.DeleteFunc(q.Names, func(n rank.Name) bool { return n.Text == name })
		q.Names = append(q.Names, rank.Name{Text: name, Weight: 1})
	}
	return q
}

// positive returns the words, phrases and names of a tree that are not
// negated, as one text in their order in the query, and the names among them.
func positive(root query.Node) (text string, symbols []string) {
	all := spokenOf(root, false)
	for _, p := range all {
		if p.symbol {
			symbols = append(symbols, p.text)
		}
	}
	return joined(all), symbols
}

// spoken is a word, a phrase or a name of a query.
type spoken struct {
	pos    int
	text   string
	symbol bool
}

// spokenOf returns what is spoken of of a tree in their order in the query.
func spokenOf(root query.Node, negated bool) []spoken {
	var all []spoken
	var walk func(n query.Node)
	walk = func(n query.Node) {
		switch n := n.(type) {
		case query.And:
			each(n.Nodes, walk)
		case query.Or:
			each(n.Nodes, walk)
		case query.Any:
			each(n.Nodes, walk)
		case query.Not:
			if negated {
				walk(n.Node)
			}
		case query.Word:
			all = append(all, spoken{n.Pos, n.Text, false})
		case query.Phrase:
			all = append(all, spoken{n.Pos, `"` + n.Text + `"`, false})
		case query.Symbol:
			all = append(all, spoken{n.Pos, n.Name, true})
		}
	}
	walk(root)
	slices.SortStableFunc(all, func(a, b spoken) int { return cmp.Compare(a.pos, b.pos) })
	return all
}

func each(nodes []query.Node, f func(query.Node)) {
	for _, n := range nodes {
		f(n)
	}
}

func joined(parts []spoken) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// conditional reports whether a tree is more than plain words.
func conditional(root query.Node) bool { return !isPlain(root) }

// isPlain reports whether a node is words side by side.
func isPlain(n query.Node) bool {
	switch n.(type) {
	case query.Word, query.Any:
		return true
	}
	return false
}

// isStopword reports whether a word of a query says nothing.
func isStopword(text string) bool { return rank.IsStopword(strings.ToLower(text)) }
