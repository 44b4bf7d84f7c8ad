package bundle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/pattern"
	"espy/internal/place"
	"espy/internal/search"
	"espy/internal/usage"
)

// seeds finds what the question is about, the surest first. Lines that are part
// of no declaration become pieces at once.
func (g *gatherer) seeds() ([]seed, error) {
	switch g.question.kind {
	case KindDiff:
		return g.changedBlocks()
	case KindPlace:
		if seeds, err := g.atPlace(); err != nil || len(seeds) > 0 || len(g.pieces) > 0 {
			return seeds, err
		}
	}
	seeds, err := g.named()
	if err != nil || g.question.kind == KindSymbol && len(seeds) > 0 {
		return seeds, err
	}
	hits, err := g.found(len(seeds) > 0)
	if err != nil {
		return nil, err
	}
	return g.together(seeds, hits), nil
}

// together joins seeds, each declaration once, the surer first.
func (g *gatherer) together(named, found []seed) []seed {
	all := named
	at := map[string]bool{}
	for _, s := range named {
		at[s.block.ID] = true
	}
	for _, s := range found {
		if !at[s.block.ID] {
			all = append(all, s)
		}
	}
	return all
}

// Names that many declarations bear say little.
const (
	maxBearers = 3 // of a name that are shown
	commonName = 8 // from how many bearers on a name in a question says nothing
)

// named finds the declarations that the names of the question mean.
func (g *gatherer) named() (seeds []seed, err error) {
	for _, n := range g.question.names {
		blocks, total, err := g.index.Named(n.Text, maxBearers)
		if err != nil {
			return nil, err
		}
		alone := g.question.kind == KindSymbol
		if !alone && total >= commonName || g.question.kind == KindReport && distinct(n.Text) == "" {
			continue
		}
		if alone && total > len(blocks) {
			g.answer.Notes = append(g.answer.Notes, fmt.Sprintf("%d declarations bear the name; the likeliest %d are shown", total, len(blocks)))
		}
		for i, b := range blocks {
			weight := n.Weight
			if g.question.kind == KindReport { // where it stands says more than what it names
				weight *= 0.4
			}
			if i > 0 {
				weight *= 0.4 / float64(i)
			}
			seeds = append(seeds, seed{b, weight, "definition of " + b.Name})
		}
	}
	if len(seeds) > 0 && g.question.kind == KindSymbol {
		g.answer.About = "symbol " + place.Name(seeds[0].block.ID)
	}
	return seeds, nil
}

// atPlace finds the declarations at the lines of the question, or shows the lines.
func (g *gatherer) atPlace() ([]seed, error) {
	p := g.question.place
	path := place.FromRoot(p.Path)
	lines, err := g.lines(path)
	if err != nil || lines == nil {
		return nil, err
	}
	if p.First < 1 || p.First > len(lines) {
		return nil, &usage.Error{Arg: "query", Value: g.question.text, Msg: fmt.Sprintf("%s has %d lines", place.Name(path), len(lines)), Hint: "name a line of it"}
	}
	last := p.Last
	if last < p.First {
		last = len(lines)
	}
	g.answer.About = fmt.Sprintf("place %s:%d-%d", place.Name(path), p.First, min(last, len(lines)))
	return g.holding([]change{{path: path, first: p.First, last: min(last, len(lines))}}, "holds the place")
}

// changedBlocks finds the declarations that a difference changes.
func (g *gatherer) changedBlocks() ([]seed, error) {
	g.answer.About = "1 changed place"
	if n := len(g.question.changes); n != 1 {
		g.answer.About = fmt.Sprintf("%d changed places", n)
	}
	return g.holding(g.question.changes, "changed")
}

// maxPlaceLines bounds the lines of a run that are looked up one by one.
const maxPlaceLines = 400

// holding finds the declarations that hold lines.
func (g *gatherer) holding(all []change, reason string) ([]seed, error) {
	var seeds []seed
	at := map[string]int{}
	missing := map[string]bool{}
	for _, c := range all {
		blocks, err := g.blocksOf(c)
		if err != nil {
			return nil, err
		}
		lines, err := g.lines(c.path)
		if err != nil {
			return nil, err
		}
		if lines == nil {
			missing[c.path] = true
			continue
		}
		outside := true
		for _, b := range blocks {
			if b.ID == "" {
				continue
			}
			outside = false
			if _, ok := at[b.ID]; !ok {
				at[b.ID] = len(seeds)
				seeds = append(seeds, seed{b, 1, reason + ": " + b.Name})
			}
		}
		if outside && len(lines) > 0 {
			first, last := max(min(c.first, len(lines))-2, 1), min(c.last+2, len(lines))
			g.addLines(c.path, first, last, reason, 12)
		}
	}
	for i := range seeds { // of many, the first say most
		seeds[i].weight = max(0.3, 1/(1+float64(i)/6))
	}
	if len(missing) > 0 {
		g.answer.Notes = append(g.answer.Notes, fmt.Sprintf("%d of the files are not in the index", len(missing)))
	}
	return seeds, nil
}

// blocksOf finds the declarations of a run of lines.
func (g *gatherer) blocksOf(c change) ([]locate.Block, error) {
	if c.id != "" {
		blocks, _, err := g.index.Named(c.id, 1)
		return blocks, err
	}
	var sites []nav.Site
	for n := c.first; n <= c.last && n < c.first+maxPlaceLines; n++ {
		sites = append(sites, nav.Site{Path: c.path, Line: n})
	}
	return g.index.Blocks(sites)
}

// Bounds of the search by words.
const (
	maxHits   = 12
	hitTokens = 2_500 // of telling lines, all hits together
)

// found searches for the words of the question. It makes pieces of the hits, and
// seeds of their declarations. With names that were found, hits say less.
func (g *gatherer) found(hasNames bool) (seeds []seed, err error) {
	res, err := g.search(hit.Request{
		Query: g.question.text, Mode: hit.ModeKeyword, Paths: g.request.Paths, Languages: g.request.Languages, Scope: g.request.Scope,
		Limit: maxHits, MaxTokens: hitTokens, Companions: true,
	})
	if err != nil {
		return nil, err
	}
	if err := g.alike(res); err != nil {
		return nil, err
	}
	g.answer.Notes = append(g.answer.Notes, res.Notes...)
	g.answer.Partial = g.answer.Partial || res.Partial
	g.answer.Near = res.Nearest
	sites := make([]nav.Site, len(res.Hits))
	for i, h := range res.Hits {
		line := h.SymbolLine
		if line == 0 {
			line = h.StartLine
			if len(h.Lines) > 0 {
				line = h.Lines[0].Number
			}
		}
		sites[i] = nav.Site{Path: h.Path, Line: line}
	}
	blocks, err := g.index.Blocks(sites)
	if err != nil {
		return nil, err
	}
	worth := 1.0
	if hasNames && g.question.kind != KindReport {
		worth = 0.8
	}
	for i := range res.Hits {
		if err := g.addHit(&res.Hits[i], blocks[i], worth); err != nil {
			return nil, err
		}
		if b := blocks[i]; b.ID != "" && i < maxLinked && b.Class&(code.ClassTest|code.ClassDocs) == 0 {
			seeds = append(seeds, seed{b, worth * 0.5, ""})
		}
		worth *= 0.65
	}
	for i := range res.Companions {
		c := &res.Companions[i]
		g.addFile(c.Path, c.Reason(place.Name(c.With)), companionWorth*c.Score)
	}
	return seeds, nil
}

// companionWorth is what a file is worth that surely changes with a hit.
const companionWorth = 4

// Hits by meaning that stand behind those of the words.
const (
	maxAlike   = 4
	leastAlike = 0.3
)

// alike adds what means the same as a question in words, by the built-in model, to
// what its words find.
func (g *gatherer) alike(res *hit.Result) error {
	if g.means.Models.Local == nil || g.question.kind != KindQuestion {
		return nil
	}
	more, err := g.search(hit.Request{
		Query: g.question.text, Mode: hit.ModeSemantic, Paths: g.request.Paths, Languages: g.request.Languages, Scope: g.request.Scope,
		Limit: maxAlike, MaxTokens: hitTokens / 3,
	})
	if err != nil {
		return err
	}
	if len(more.Hits) > 0 {
		res.Notes = append(res.Notes, more.Notes...)
	}
	for _, h := range more.Hits {
		same := func(o hit.Hit) bool { return o.Path == h.Path }
		if !slices.ContainsFunc(res.Hits, same) && h.Score >= leastAlike {
			res.Hits = append(res.Hits, h)
		}
	}
	return nil
}

// search asks the snapshots. A text that cannot be read as a query is read as words.
func (g *gatherer) search(req hit.Request) (*hit.Result, error) {
	q, err := search.Compile(req)
	var refused *usage.Error
	words := plain(req.Query)
	if errors.As(err, &refused) && refused.Arg == "query" && words != req.Query {
		req.Query = words
		q, err = search.Compile(req)
	}
	if err != nil {
		return nil, err
	}
	res, err := q.Run(g.ctx, g.snaps, g.means)
	if err == nil && g.names != nil {
		for i := range res.Hits {
			res.Hits[i].Path = res.Hits[i].Repo + ":" + res.Hits[i].Path
		}
		for i := range res.Companions {
			c := &res.Companions[i]
			c.Path, c.With = c.Repo+":"+c.Path, c.Repo+":"+c.With
		}
	}
	if err != nil || res.Total > 0 || req.Query == words || req.Mode != hit.ModeKeyword {
		return res, err
	}
	req.Query = words
	return g.search(req)
}

// operators are the words of the query language.
var operators = pattern.New(`\b(AND|OR|NOT)\b`)

// plain takes the marks of the query language out of a text.
func plain(text string) string {
	text = operators().ReplaceAllStringFunc(text, strings.ToLower)
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"():-!`, r) {
			return ' '
		}
		return r
	}, text)
}
