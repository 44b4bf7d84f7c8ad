package search

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/store"
)

// keyword answers a query of words: the files that match it, best first, each
// with its best chunk.
func keyword(ctx context.Context, snaps []*store.Snapshot, p *plan) (*Result, error) {
	if strings.TrimSpace(p.Query) == "" && len(p.Paths)+len(p.Languages) == 0 && p.Scope == "all" {
		return nil, &UsageError{Arg: "query", Msg: "empty", Hint: "say what to look for, in words or by a name"}
	}
	res := &Result{Notes: damaged(snaps)}
	err := segment.Guard(func() error {
		k := &keywords{plan: p, res: res}
		if err := k.run(ctx); err != nil {
			return err
		}
		res.Repos = p.filter.searched()
		return nil
	})
	res.Partial = res.Partial || len(damaged(snaps)) > 0
	return res, err
}

// keywords is one keyword search at work.
type keywords struct {
	*plan
	*collection
	res *Result
}

func (k *keywords) run(ctx context.Context) error {
	text, symbols := positive(k.plan.query.Root)
	k.collection = newCollection(k.filter, understand(text, symbols, k.filter))
	defer k.release()
	if k.plan.query.Root != nil && len(k.collection.query.Terms) == 0 && !conditional(k.plan.query.Root) {
		k.res.Notes = append(k.res.Notes, "the query has no word in it: mode literal finds punctuation")
		return nil
	}
	if err := k.find(ctx); err != nil {
		return err
	}
	x := &selection{collection: k.collection, filter: k.filter}
	k.res.Total = x.count()
	k.res.Files = k.res.Total
	if k.res.Total == 0 {
		return k.nearest()
	}
	return k.hits(x)
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
	notes, err := k.restrict(k.plan.query.Root)
	k.res.Notes = append(k.res.Notes, notes...)
	return err
}

// order returns the matches of the answer up to its last hit, best first. The
// best guesses among the strong ones are judged by all signals and stand first;
// the others follow by their guess, none with a higher score than those.
func (k *keywords) order(j *judge) []match {
	found := j.strong()
	selectBest(found, maxCandidates)
	head := found[:min(len(found), maxCandidates)]
	for i := range head {
		s := j.signals(&head[i])
		head[i].score = s.Score(j.query.Lift)
	}
	slices.SortFunc(head, func(a, b match) int { return compareMatches(&a, &b, a.score, b.score) })
	want := min(k.Offset+k.Limit, k.res.Total)
	if want <= len(head) {
		return head[:want]
	}
	tail := append(found[len(head):], j.weak()...)
	slices.SortFunc(tail, func(a, b match) int { return compareMatches(&a, &b, a.guess, b.guess) })
	for i := range tail {
		tail[i].score = tail[i].guess
		if len(head) > 0 {
			tail[i].score = min(tail[i].guess, head[len(head)-1].score)
		}
	}
	return slices.Concat(head, tail)[:want]
}

// compareMatches orders by value, the higher first, then by place.
func compareMatches(a, b *match, x, y float64) int {
	if x != y {
		return cmp.Compare(y, x)
	}
	return comparePlaces(a.source, a.file, b.source, b.file)
}

// hits makes the hits of the window.
func (k *keywords) hits(x *selection) error {
	j := newJudge(x)
	ordered := k.order(j)
	window := ordered[min(k.Offset, len(ordered)):]
	e := k.newExcerpts()
	for i := range window {
		m := &window[i]
		m.place()
		h := m.hit()
		if k.Explain {
			s := j.signals(m)
			for _, c := range s.Explain(j.query.Lift) {
				h.Explain = append(h.Explain, Contribution(c))
			}
		}
		if err := e.add(m, &h); err != nil {
			return err
		}
		k.res.Hits = append(k.res.Hits, h)
	}
	e.show(k.res.Hits)
	return nil
}

// hit returns what is known of a match without its text.
func (m *match) hit() Hit {
	h := Hit{
		Repo: m.repo, Path: m.path(), StartLine: 1, EndLine: 1, Score: m.score,
		Language: m.seg.Language(m.file), Class: m.seg.Class(m.file),
	}
	if m.chunk < 0 {
		return h
	}
	c := m.seg.Chunk(m.chunk)
	h.StartLine, h.EndLine = int(c.StartLine), int(c.EndLine)
	if name, kind := m.symbol(c); name != "" {
		h.Symbol, h.Kind = name, kind.String()
	}
	return h
}

// understand makes the ranked query of a text and of the names that its
// symbol: conditions ask for.
func understand(text string, symbols []string, f *filter) rank.Query {
	repo := ""
	if len(f.snaps) == 1 {
		repo = f.snaps[0].Name
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
	type piece struct {
		pos  int
		text string
	}
	var pieces []piece
	var walk func(n query.Node)
	walk = func(n query.Node) {
		switch n := n.(type) {
		case query.And:
			each(n.Nodes, walk)
		case query.Or:
			each(n.Nodes, walk)
		case query.Any:
			each(n.Nodes, walk)
		case query.Word:
			pieces = append(pieces, piece{n.Pos, n.Text})
		case query.Phrase:
			pieces = append(pieces, piece{n.Pos, n.Text})
		case query.Symbol:
			pieces = append(pieces, piece{n.Pos, n.Name})
			symbols = append(symbols, n.Name)
		}
	}
	walk(root)
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.pos, b.pos) })
	var b strings.Builder
	for i, p := range pieces {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
	}
	return b.String(), symbols
}

func each(nodes []query.Node, f func(query.Node)) {
	for _, n := range nodes {
		f(n)
	}
}

// conditional reports whether a tree is more than plain words.
func conditional(root query.Node) bool {
	switch root.(type) {
	case query.Word, query.Any:
		return false
	}
	return true
}

// isStopword reports whether a word of a query says nothing.
func isStopword(text string) bool { return rank.IsStopword(strings.ToLower(text)) }

// heavy returns the terms of the query that occur, the heaviest first.
func (c *collection) heavy() (terms []string, mass []float64) {
	var order []int
	for i, w := range c.terms {
		if w.known {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.terms[b].chunk, c.terms[a].chunk) })
	for _, i := range order {
		terms = append(terms, c.query.Terms[i].Text)
		mass = append(mass, c.terms[i].chunk)
	}
	return terms, mass
}

// excerpts cuts what is shown of the hits of one answer.
type excerpts struct {
	*plan
	lens     *lens
	cache    segment.TextCache
	passages []*passage // by hit; nil where nothing is shown
}

func (k *keywords) newExcerpts() *excerpts {
	return &excerpts{plan: k.plan, lens: newLens(k.heavy())}
}

// add reads the text of the next hit and ranks its lines.
func (e *excerpts) add(m *match, h *Hit) error {
	if e.Detail == DetailLocate || m.chunk < 0 {
		e.passages = append(e.passages, nil)
		return nil
	}
	c := m.seg.Chunk(m.chunk)
	text, err := m.seg.TextRange(m.file, int(c.Start), int(c.End), &e.cache)
	if err != nil {
		return err
	}
	p := newPassage(bytes.Clone(text), h.StartLine, e.lens, m.worth(c))
	if e.Detail == DetailLines {
		p.keep(excerptLines)
	}
	e.passages = append(e.passages, p)
	return nil
}

// worth returns what the lines of a chunk that define something are worth
// beside their words.
func (m *match) worth(c segment.ChunkInfo) map[int]float64 {
	worth := map[int]float64{}
	first, end := m.seg.DefinitionsOf(m.file)
	first += sort.Search(end-first, func(i int) bool { return m.seg.Definition(first+i).Line >= c.StartLine })
	exact, named := m.exact[m.file]
	for i := first; i < end; i++ {
		d := m.seg.Definition(i)
		if d.Line > c.EndLine {
			break
		}
		switch line := int(d.Line); {
		case named && exact.definition == i, m.nameHits[i] > 0:
			worth[line] = 1
		case d.Kind.IsType() || d.Kind.IsFunc():
			worth[line] = max(worth[line], definitionBonus)
		}
	}
	return worth
}

// show fills in the lines of the hits within the budget of the request.
func (e *excerpts) show(hits []Hit) {
	needs := make([]int, len(hits))
	for i, p := range e.passages {
		if p != nil {
			needs[i] = p.cost(len(p.order))
		}
	}
	granted := needs
	if e.MaxTokens > 0 {
		granted = shares(needs, 4*e.MaxTokens)
	}
	for i, p := range e.passages {
		if p != nil {
			hits[i].Lines, hits[i].Cut = p.show(p.fit(granted[i]), e.lens)
		}
	}
}
