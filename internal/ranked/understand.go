package ranked

import (
	"slices"

	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/conditions"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/reading"
	"espy/internal/ranked/report"
	"espy/internal/ranked/score"
	"espy/internal/ranked/spelling"
	"espy/internal/store"
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
	notes, err := spelling.Respell(&q.words, in)
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
