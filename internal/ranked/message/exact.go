package message

// stretch is the longest run of words of a text that stands somewhere as it is. What
// code fills in, by a verb or between two literals, stands for a few words of it.
type stretch struct {
	Words  int  // of the run
	Solid  int  // of these that are no stop words
	Line   int  // of the first one, from 0
	Quoted bool // it stands in literals
	Filled bool // values stand between its words
	Whole  bool // it is all of the literals that it begins and ends in
}

// Bounds of a run.
const (
	maxValue  = 6 // words of a value that is filled in
	nextLines = 2 // lines that the next literal of a message stands further down, at most
)

// leastExact is how many words of a run leave little doubt, so many of them solid.
const (
	leastExact = 5
	leastSolid = 3
)

// Sure reports whether a run is what printed the text, or the text itself: enough of
// its words, or a whole literal.
func (e *stretch) Sure() bool {
	return e.Quoted && (e.Words >= leastExact && e.Solid >= leastSolid || e.Words >= MinWords && e.Solid >= leastSolid && e.Whole)
}

// Format returns how many words of the text some code of a language prints by literals that
// are said in full, with values between them; 0 where the longest run is a part of a literal.
func (t *Text) Format(code []byte, language string) int {
	if e := t.exact(t.wordsOf(code, dialectOf(language))); e.Quoted && e.Whole {
		return e.Words
	}
	return 0
}

// run is a run that ends at a word of the text and one of the code.
type run struct {
	words, solid int
	first        int // word of the code
	filled       bool
}

func (r *run) better(other *run) bool {
	return r.words > other.words || r.words == other.words && (r.solid > other.solid || r.solid == other.solid && other.filled && !r.filled)
}

// exact returns the longest run of the words of some code: of all of them side by
// side, or of those of literals.
func (t *Text) exact(words []codeWord) stretch {
	quoted := make([]codeWord, 0, len(words))
	for i := range words {
		if words[i].literal > 0 {
			quoted = append(quoted, words[i])
		}
	}
	best, at := t.longest(quoted, joinLiterals)
	found := stretch{Words: best.words, Solid: best.solid, Quoted: true, Filled: best.filled}
	if best.words > 0 {
		found.Line = quoted[best.first].line
		found.Whole = (best.first == 0 || quoted[best.first-1].literal != quoted[best.first].literal) &&
			(at+1 == len(quoted) || quoted[at+1].literal != quoted[at].literal)
	}
	if plain, _ := t.longest(words, sideBySide); plain.words > found.Words+1 {
		found = stretch{Words: plain.words, Solid: plain.solid, Line: words[plain.first].line}
	}
	return found
}

// joint is what stands between two words of code.
type joint uint8

const (
	apart joint = iota // more than a run goes over
	tight              // nothing
	value              // what is filled in
)

// sideBySide joins all words that follow each other.
func sideBySide(_, _ *codeWord) joint { return tight }

// joinLiterals joins words of literals: in one, or over what is filled in between two.
func joinLiterals(before, w *codeWord) joint {
	switch {
	case before.literal == w.literal && w.verb:
		return value
	case before.literal == w.literal:
		return tight
	case w.line-before.line > nextLines:
		return apart
	case before.at+1 == w.at && !w.verb: // a literal that goes on
		return tight
	}
	return value
}

// longest returns the longest run of some words, and which of them ends it.
func (t *Text) longest(words []codeWord, join func(before, w *codeWord) joint) (best run, last int) {
	above, row := make([]run, len(t.words)), make([]run, len(t.words))
	for k := range words {
		clear(row)
		w := &words[k]
		how := apart
		if k > 0 {
			how = join(&words[k-1], w)
		}
		for i, n := range t.words {
			if n != w.number {
				continue
			}
			r := run{first: k}
			if how != apart && i > 0 {
				r = longer(r, above[i-1], false)
			}
			for gap := 1; how == value && gap <= min(maxValue, i-1); gap++ {
				r = longer(r, above[i-1-gap], true)
			}
			r.words++
			if t.solid[i] {
				r.solid++
			}
			if row[i] = r; r.better(&best) {
				best, last = r, k
			}
		}
		above, row = row, above
	}
	return best, last
}

// longer returns a run, or the one before it where that goes on.
func longer(r, before run, filled bool) run {
	if before.words <= r.words {
		return r
	}
	before.filled = before.filled || filled
	return before
}
