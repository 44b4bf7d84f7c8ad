package ranked

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/token"
	"espy/internal/usage"
)

// Bounds of saying that nothing is about a question.
const (
	shortQuestion = 16 // words; evidence is calibrated for questions up to so many
	maxForeign    = 3  // words that it names
	nearestShown  = 10 // hits of a brief answer that are near all the same
)

// foreign says what a question is about where nothing that was searched is about it,
// "" where something may be. A question with conditions or filters is about what meets
// them, a name that is declared is here, and so is the text of a message.
func (q *Query) foreign(j *judge) string {
	best := j.memory.found[:min(len(j.memory.found), rank.BestOf)]
	if len(best) == 0 || !j.asked.isPlain() || q.isFiltered() || j.asked.words.Pasted || len(j.asked.words.Places) > 0 || j.clues.HoldMessage() {
		return ""
	}
	e := rank.About{Score: best[0].score}
	for i, m := range best {
		if m.judged == nil || m.first {
			return ""
		}
		e.Add(i, &m.judged.signals)
	}
	for _, least := range []float64{0.9, 0.4} { // fillers count where there is nothing else
		for i := range j.scores.Terms {
			if t := &j.scores.Terms[i]; e.Words <= shortQuestion && !t.Compound() && t.Weight >= least {
				e.AddWord(t.Weight, t.Files, j.scores.Corpus.Files)
			}
		}
		if e.Words > 0 {
			break
		}
	}
	if e.Words > shortQuestion || !e.Foreign() {
		return ""
	}
	return j.subject()
}

// isFiltered reports whether only some of the files were searched.
func (q *Query) isFiltered() bool {
	f := q.query.Filters
	return len(q.req.Paths)+len(q.req.Languages) > 0 || q.req.Scope != code.ScopeAll || q.req.Only != nil ||
		len(f.Paths)+len(f.NotPaths)+len(f.Langs)+len(f.NotLangs)+len(f.Kinds) > 0 || f.Scope != ""
}

// subject names the words of the question that are in no file, else all of it.
func (j *judge) subject() string {
	var absent []string
	for _, w := range splitWords(j.asked.text) {
		if rank.IsStopword(w) || slices.Contains(absent, w) || len(absent) == maxForeign {
			continue
		}
		gone := 0
		terms := token.Analyze(w).Terms
		for _, t := range terms {
			if i := j.scores.Find(t); i < 0 || j.scores.Terms[i].Files == 0 {
				gone++
			}
		}
		if gone > 0 && gone == len(terms) {
			absent = append(absent, w)
		}
	}
	return usage.Shorten(cmp.Or(strings.Join(absent, ", "), strings.TrimSpace(j.asked.text)), 120)
}
