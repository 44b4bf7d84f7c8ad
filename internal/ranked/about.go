package ranked

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/embedding/static"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/vocabulary"
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
func (q *Query) foreign(j *judge) (about string, err error) {
	best := j.memory.found[:min(len(j.memory.found), rank.BestOf)]
	if guessed := slices.IndexFunc(best, func(m *match) bool { return m.judged == nil }); guessed >= 0 {
		best = best[:guessed]
	}
	if len(best) == 0 || !j.asked.isPlain() || q.isFiltered() || j.asked.words.Pasted || j.asked.words.PointsSomewhere() || j.clues.HoldMessage() {
		return "", nil
	}
	e := rank.About{Score: math.Inf(-1), Files: j.scores.Corpus.Files, Chunks: j.scores.Corpus.Chunks}
	for i, m := range best {
		if m.rank > 0 || m.judged.signals[rank.Mentioned] > 0 {
			return "", nil
		}
		e.Add(i, &m.judged.signals)
		own := m.score - j.gained(m) - m.near // what commits speak of need not be here
		e.Score, e.Mean = max(e.Score, own), e.Mean+own/float64(len(best))
	}
	for _, least := range []float64{0.9, 0.4} { // fillers count where there is nothing else
		for i := range j.scores.Terms {
			if t := &j.scores.Terms[i]; e.Words <= shortQuestion && !t.Compound() && t.Weight >= least {
				e.AddWord(t.Weight, t.Files, t.Chunks, static.BuiltIn().Rarity(t.Text))
			}
		}
		if e.Words > 0 {
			break
		}
	}
	if parts := j.nameParts(); parts != nil {
		stands, err := j.stands(parts)
		if err != nil || stands {
			return "", err
		}
		if best[0].judged.signals[rank.StemFull] < 1 {
			return j.subject(), nil
		}
	}
	if e.Words > shortQuestion {
		return "", nil
	}
	if foreign, err := j.isForeign(&e); err != nil || !foreign {
		return "", err
	}
	return j.subject(), nil
}

// isForeign looks for the words of the question as long as nothing that is here may be
// about them, what costs most last.
func (j *judge) isForeign(e *rank.About) (foreign bool, err error) {
	words := vocabulary.Of(j.asked.text, j.scores.Corpus)
	e.All, e.Task, e.Together = words.Len(), words.AskForChange(), rank.LeastTogether
	if e.Lost, err = words.Lost(); err != nil {
		return false, err
	}
	if e.Names, e.Unknown, err = words.Names(); err != nil {
		return false, err
	}
	if e.Called, err = j.called(words, e); err != nil || !e.Foreign() {
		return false, err
	}
	if e.Paired, err = words.Pairs(); err != nil || !e.Foreign() {
		return false, err
	}
	if e.Named, err = words.Named(func(s *corpus.Segment, file int) bool { return j.parts[s.Index].isPlain(file) }); err != nil || !e.Foreign() {
		return false, err
	}
	e.Together, err = words.Together()
	return err == nil && e.Foreign(), err
}

// called reports whether something here is called by a word of a short question. One word
// that is no name of a type, and one of no common language, may be about text as well.
func (j *judge) called(words *vocabulary.Words, e *rank.About) (bool, error) {
	if !e.IsShort() || e.All == 1 && (e.Names > 0 || !words.AskForType()) {
		return true, nil
	}
	return words.Called(j.inProgram)
}

// inProgram reports whether what a file defines is of the program or of what is told about it:
// it is no test, no example and of nobody else.
func (j *judge) inProgram(s *corpus.Segment, file int) bool {
	return j.parts[s.Index].traits[file].Class&demoted&^(code.ClassDocs|code.ClassTool) == 0
}

// nameParts returns the terms of a question that is nothing but a name of several parts,
// nil of another one.
func (j *judge) nameParts() []string {
	names := j.asked.words.Names
	if j.asked.words.Kind != rank.KindName || len(names) != 1 {
		return nil
	}
	if parts := token.Analyze(names[0].Text).Terms; len(parts) > 1 {
		return parts
	}
	return nil
}

// stands reports whether some file has a name of such parts, however it is spelled, or
// one near to it.
func (j *judge) stands(parts []string) (bool, error) {
	for i := range j.scores.Terms {
		t := &j.scores.Terms[i]
		if t.Files > 0 && !slices.Contains(parts, t.Text) && !t.Hint() { // the name in one piece
			return true, nil
		}
	}
	for _, s := range j.scores.Corpus.Segments {
		found, err := s.Phrase(parts)
		if err != nil || slices.ContainsFunc(found, func(o corpus.Occurrence) bool { return s.Alive(int(o.File)) }) {
			return err == nil, err
		}
	}
	return false, nil
}

// isFiltered reports whether only some of the files were searched.
func (q *Query) isFiltered() bool {
	f := q.query.Filters
	return len(q.req.Paths)+len(q.req.Languages) > 0 || q.req.Scope != code.ScopeAll || q.req.Only != nil ||
		len(f.Paths)+len(f.NotPaths)+len(f.Extensions)+len(f.Langs)+len(f.NotLangs)+len(f.Kinds) > 0 || f.Scope != ""
}

// subject names the words of the question that are in no file, else all of it.
func (j *judge) subject() string {
	var absent []string
	for _, w := range token.Split(j.asked.text) {
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
