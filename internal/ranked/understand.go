package ranked

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/conditions"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/reading"
	"espy/internal/ranked/report"
	"espy/internal/ranked/score"
	"espy/internal/ranked/spelling"
	"espy/internal/store"
	"espy/internal/usage"
)

// question is what a query asks for.
type question struct {
	root  query.Node // nil where the query has only filters
	text  string     // its words, phrases and names that are not negated
	whole string     // the same before it was taken apart
	words rank.Query // the terms, names and places of the text
	kinds bool       // it asks for kinds of symbols

	change bool           // it asks for a change
	report *report.Report // what the text is taken apart to, nil of a question
	title  bool           // it is the title of one
}

// isPlain reports whether the question is words alone, so that nothing but the
// filters limits what is found.
func (q *question) isPlain() bool { return conditions.IsPlain(q.root) && !q.kinds }

// isInWords reports whether the question is in words: not one name, nor a report or the title
// of one.
func (q *question) isInWords() bool {
	return q.words.Kind == rank.KindText && q.report == nil && !q.title
}

// ways says how the corpus is scored for the question.
func (q *question) ways() score.Ways {
	return score.Ways{Early: q.isPlain(), Whole: score.WholeOf(q.report != nil && !q.title), Tests: q.words.AsksFor(rank.Test)}
}

// isEmpty reports whether the question is a text without a word in it.
func (q *question) isEmpty() bool {
	return q.root != nil && len(q.words.Terms) == 0 && conditions.IsPlain(q.root)
}

// understand finds out what a query asks for: names that occur nowhere are
// looked for in another spelling too, which the notes say, and of many terms the
// most telling are kept.
func understand(parsed *query.Query, in *corpus.Corpus, snaps []*store.Snapshot) (*question, []string, error) {
	q := &question{root: parsed.Root, kinds: len(parsed.Filters.Kinds) > 0}
	all := reading.Leaves(q.root, false)
	q.text = reading.Join(all)
	q.whole = q.text
	if conditions.IsPlain(q.root) && report.Is(q.text) {
		q.report = report.Parse(q.text)
		q.text = q.report.All()
	}
	repo := ""
	if len(snaps) == 1 {
		repo = snaps[0].Name
	}
	q.words = rank.Understand(q.text, repo)
	for _, name := range rank.Hyphenated(q.text) {
		if defined, err := in.Defines(name); err != nil {
			return nil, nil, err
		} else if defined {
			q.words.Names = append(q.words.Names, rank.Name{Text: name, Weight: 1})
		}
	}
	for _, l := range all {
		if l.Symbol {
			q.words.Names = slices.DeleteFunc(q.words.Names, func(n rank.Name) bool { return n.Text == l.Text })
			q.words.Names = append(q.words.Names, rank.Name{Text: l.Text, Weight: 1})
		}
	}
	q.change = q.report == nil && rank.OpensAsChange(q.text)
	notes, err := respell(&q.words, in)
	if err != nil {
		return nil, nil, err
	}
	most := score.MaxTerms
	if q.report != nil {
		q.words.Terms, most = q.report.Terms(), score.MaxReportTerms
	}
	if q.words.Terms, err = score.Telling(q.words.Terms, most, in); err == nil {
		q.words.Terms, err = score.WithLonger(q.words.Terms, in)
	}
	return q, notes, err
}

// Bounds of spelling.
const (
	maxRespelled  = 2   // names that are looked for in another spelling
	maxSpellings  = 2   // of each
	respelled     = 0.8 // weight of such a name, times that of the one asked for
	minRespelling = 4   // bytes; shorter names are near to everything
	sureName      = 0.5 // weight of a name that is respelled
)

// respell adds names that are defined and near to a name of the query that
// occurs nowhere.
func respell(q *rank.Query, in *corpus.Corpus) (notes []string, err error) {
	if q.Pasted {
		return nil, nil
	}
	tried := 0
	for _, n := range slices.Clone(q.Names) {
		if len(n.Text) < minRespelling || n.Weight < sureName || tried == maxRespelled {
			continue
		}
		known, err := in.Knows(n.Text)
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		tried++
		near, err := spelling.Near(in, spelling.Typo(n.Text))
		if err != nil {
			return nil, err
		}
		near = near[:min(len(near), maxSpellings)]
		for _, name := range near {
			addName(q, name, n.Weight*respelled)
		}
		if len(near) > 0 {
			notes = append(notes, fmt.Sprintf("nothing is named %q: looked for %s too", usage.Shorten(n.Text, 60), strings.Join(near, ", ")))
		}
	}
	return notes, nil
}

// addName adds a name to the query, and its terms.
func addName(q *rank.Query, name string, weight float64) {
	q.Names = append(q.Names, rank.Name{Text: name, Weight: weight})
	for _, t := range rank.Understand(name, "").Terms {
		if t.Hint() || slices.ContainsFunc(q.Terms, func(old rank.Term) bool { return old.Text == t.Text }) {
			continue
		}
		q.Terms = append(q.Terms, rank.Term{Text: t.Text, Weight: t.Weight * weight})
	}
	slices.SortFunc(q.Terms, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
}
