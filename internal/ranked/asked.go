package ranked

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/token"
	"espy/internal/usage"
)

// This file makes a ranked query of what was asked: pasted text is taken as
// plain words, names that occur nowhere are looked for in another spelling, and
// of many words the most telling are kept.

// output begins a line that a program printed rather than one that a person asks.
var output = regexp.MustCompile(`(?i)^\s*(?:[\w.:/\\-]*(?:error|exception|warning|panic|fatal|traceback|assertion failed)\b[^:]{0,40}:|\S+\.\w+:\d+:|caused by:|at \S+ ?\(|goroutine \d+)`)

// Bounds of prose: what people write to each other rather than to a search.
const (
	proseWords = 8 // words from which on a text may be prose,
	proseShare = 6 // and is where one of so many says nothing by itself
)

// parseText reads the text of a ranked query. What was pasted, code or the
// output of a program, is plain words: its quotes, parentheses and dashes are
// no operators. Nor are those of prose; its filters count, and so does what it
// leaves out at its very end. The note says what a shorter query would mean.
func parseText(text string) (q *query.Query, note string, err error) {
	plain := &query.Query{Root: query.Word{Text: text}}
	if pasted(text) {
		return plain, "", nil
	}
	q, err = query.Parse(text)
	var syntax *query.SyntaxError
	if errors.As(err, &syntax) && len(text) <= hit.MaxQueryBytes && len(strings.Fields(text)) >= proseWords {
		return plain, fmt.Sprintf("read as plain words: at byte %d, %s", syntax.Pos, syntax.Msg), nil
	}
	if err != nil || !conditional(q.Root) || !isProse(text) {
		return q, "", err
	}
	var changed bool
	if q.Root, changed = plainly(q.Root); changed {
		note = "read as prose: its quotes, AND, OR, NOT and - are no conditions, as they are in a query of fewer words"
	}
	return q, note, nil
}

// queryError makes the usage error of a query that does not parse.
func queryError(text string, err error) error {
	var syntax *query.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("parse query: %w", err)
	}
	return &usage.Error{Arg: "query", Value: text, Msg: fmt.Sprintf("at byte %d: %s", syntax.Pos, syntax.Msg), Hint: syntax.Hint}
}

// isProse reports whether a text is sentences: many words, and among them those
// that only sentences need. Who writes operators leaves such words out.
func isProse(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	silent := 0
	for _, w := range words {
		if isStopword(w) && !slices.Contains(query.Operators, w) {
			silent++
		}
	}
	return len(words) >= proseWords && silent*proseShare >= len(words)
}

// plainly returns all that a tree names as plain words, but for symbol: and the
// negations behind all else, and whether that changes anything.
func plainly(root query.Node) (query.Node, bool) {
	and, _ := root.(query.And)
	var last int // where the last thing that is sought stands
	for _, p := range spokenOf(root, false) {
		last = max(last, p.pos)
	}
	var rest []query.Node
	changed := and.Nodes == nil
	all := spokenOf(root, true)
	for _, n := range and.Nodes {
		inner := spokenOf(n, true)
		_, not := n.(query.Not)
		_, symbol := n.(query.Symbol)
		switch {
		case symbol, not && inner[0].pos > last:
			rest = append(rest, n)
			all = slices.DeleteFunc(all, func(p spoken) bool { return slices.Contains(inner, p) })
		case !isPlain(n):
			changed = true
		}
	}
	if !changed || len(all) == 0 {
		return root, false
	}
	var words query.Any
	for _, p := range all {
		for text := range strings.FieldsSeq(p.text) {
			words.Nodes = append(words.Nodes, query.Word{Text: text, Pos: p.pos})
		}
	}
	if len(rest) == 0 {
		return words, true
	}
	return query.And{Nodes: append([]query.Node{words}, rest...)}, true
}

func pasted(text string) bool {
	return strings.Contains(strings.TrimSpace(text), "\n") || output.MatchString(text)
}

// maxTerms is how many terms of a long text count.
const maxTerms = 64

// maxWeighed is how many of them are looked up to find those.
const maxWeighed = 512

// trim keeps the most telling terms of a query that has many: by their weight
// and how rare they are among live chunks.
func (c *collection) trim() error {
	if len(c.query.Terms) <= maxTerms {
		return nil
	}
	type weighed struct {
		term  rank.Term
		worth float64
	}
	terms := slices.Clone(c.query.Terms)
	slices.SortStableFunc(terms, func(a, b rank.Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(len(b.Text), len(a.Text)))
	})
	var all []weighed
	for _, t := range terms[:min(len(terms), maxWeighed)] {
		n, err := c.chunksWith(t.Text)
		if err != nil {
			return err
		}
		if n > 0 {
			all = append(all, weighed{t, t.Weight * rank.IDF(n, c.chunks)})
		}
	}
	slices.SortStableFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.term.Text, b.term.Text))
	})
	kept := make([]rank.Term, 0, maxTerms)
	for _, w := range all[:min(len(all), maxTerms)] {
		kept = append(kept, w.term)
	}
	slices.SortFunc(kept, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
	c.query.Terms = kept
	return nil
}

// chunksWith counts the live chunks that hold a term.
func (c *collection) chunksWith(term string) (int, error) {
	n := 0
	for _, s := range c.sources {
		t, _, err := s.seg.Lookup(term)
		if err != nil {
			return 0, err
		}
		chunks, _ := s.seg.Frequency(t)
		n += chunks
	}
	return n, nil
}

// Bounds of spelling.
const (
	maxRespelled  = 2   // names that are looked for in another spelling
	maxSpellings  = 2   // of each
	respelled     = 0.8 // weight of such a name, times that of the one asked for
	minRespelling = 4   // shorter names are near to everything
)

// respell adds names that are defined and near to a name of the query that
// occurs nowhere.
func (k *keywords) respell() error {
	q := &k.collection.query
	if q.Pasted {
		return nil
	}
	tried := 0
	for _, n := range slices.Clone(q.Names) {
		if len(n.Text) < minRespelling || n.Weight < 0.5 || tried == maxRespelled {
			continue
		}
		unknown, err := k.nowhere(n.Text)
		if err != nil {
			return err
		}
		if !unknown {
			continue
		}
		tried++
		near, err := k.near(typosOf(n.Text))
		if err != nil {
			return err
		}
		near = near[:min(len(near), maxSpellings)]
		for _, name := range near {
			k.also(name, n.Weight*respelled)
		}
		if len(near) > 0 {
			k.res.Notes = append(k.res.Notes, fmt.Sprintf("nothing is named %q: looked for %s too", usage.Shorten(n.Text, 60), strings.Join(near, ", ")))
		}
	}
	return nil
}

// typosOf is what a name may be another one for: an edit or one for each eight bytes away.
func typosOf(name string) nearness {
	return nearness{text: name, limit: 1 + len(name)/8}
}

// nowhere reports whether a name neither is defined in a live file nor occurs
// in one, whatever its case.
func (k *keywords) nowhere(name string) (bool, error) {
	terms := []string{token.Name(name)}
	if a := token.Analyze(name); len(a.Terms) == 1 {
		terms = append(terms, a.Terms[0])
	}
	for _, term := range terms {
		n, err := k.chunksWith(term)
		if err != nil || n > 0 {
			return false, err
		}
		for _, s := range k.sources {
			defined, err := s.defined(term)
			if err != nil || defined {
				return false, err
			}
		}
	}
	return true, nil
}

// also adds a name to the query, and its terms.
func (k *keywords) also(name string, weight float64) {
	q := &k.collection.query
	q.Names = append(q.Names, rank.Name{Text: name, Weight: weight})
	for _, t := range rank.Understand(name, "").Terms {
		if t.Hint() || slices.ContainsFunc(q.Terms, func(old rank.Term) bool { return old.Text == t.Text }) {
			continue
		}
		q.Terms = append(q.Terms, rank.Term{Text: t.Text, Weight: t.Weight * weight})
	}
	slices.SortFunc(q.Terms, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
}

// maxSaid is how many words of a query that found nothing are spoken of.
const maxSaid = 6

// searched notes what was looked for when nothing was found: in how many files
// each word is.
func (k *keywords) searched() {
	text, _ := positive(k.plan.query.Root)
	var said []string
	for _, w := range splitWords(text) {
		if isStopword(w) || len(said) == maxSaid {
			continue
		}
		least := -1
		for _, t := range token.Analyze(w).Terms {
			n := 0
			if i := k.termIndex(t); i >= 0 {
				n = k.terms[i].files
			}
			if least < 0 || n < least {
				least = n
			}
		}
		if entry := fmt.Sprintf("%q in %d files", usage.Shorten(w, 40), least); least >= 0 && !slices.Contains(said, entry) {
			said = append(said, entry)
		}
	}
	if len(said) > 0 {
		k.res.Notes = append(k.res.Notes, fmt.Sprintf("nothing matches; of %d files the words are, filters aside: %s", k.files, strings.Join(said, ", ")))
	}
}
