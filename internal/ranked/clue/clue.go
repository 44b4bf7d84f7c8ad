// Package clue finds files by something other than the score of their terms: by
// what they define, by their places, by what of a text stands in them.
package clue

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/report"
)

// Query is what files are looked for by.
type Query struct {
	Root   query.Node     // nil where a query has only filters
	Text   string         // its words, phrases and names that are not negated
	Whole  string         // the same before it was taken apart
	Words  *rank.Query    // the terms, names and places of the text
	Report *report.Report // what the text is taken apart to, nil of a question

	Printed bool // the text may be what a program printed
	Title   bool // it is the title of a report, of which messages are looked for with all of it

	named []report.Diagnostic // the places that tools name in it
}

// finder finds files by something other than the score of their terms. It adds
// a clue to each; more than one to a file where the best is to be kept.
type finder interface {
	find(q *Query, in *corpus.Corpus, add func(s *corpus.Segment, file int, c Clue)) error
}

// Clue is what a finder found in one file beside the score of its terms. Where a
// field has no say it is 0, but for Chunk and Definition.
type Clue struct {
	Value  float64     // how much it says; of two clues of a finder the one with more is kept,
	Tie    int         // and of those with the same value the one with the lesser tie
	Signal rank.Signal // the signal whose value that is; NoSignal for none

	Strong bool // the file is a candidate whatever its terms score
	First  bool // the file stands before all others,
	Quotes bool // but, being a test or a document that quotes a message, behind the rest of these

	Named int // it is so many-th of the places that a tool names or the text stands in, 0 for none

	Shows    int     // how much it wants its chunk shown: see showQuote and the others
	Chunk    int     // -1 where the line says it
	Line     int     // the line it speaks of
	Emphasis float64 // worth of that line among those of its chunk, see excerpt.Chunk.Ranked
	Also     []int   // further lines of the file that a tool names, in its order

	Exact  bool    // a run of words of the text stands in the line,
	Filled bool    // with values between them
	Frame  float64 // how near the file is to where a trace ended, 1 for there
	Only   float64 // how sure it is that the file printed the text, as the only one of plain code that holds it

	Definition int             // of the outline, which the file is found by; -1 for none
	Symbol     code.Definition // which the file is found by, where it is none of the outline
	Passes     string          // what the line passes on: a name of the query, "from" and its module
}

// NoSignal is the signal of a clue that is none for the model.
const NoSignal = rank.NumSignals

// How much the clues want their chunk shown rather than the best one: the most wins.
const (
	showPhrase      = 1 + iota // a condition is met there
	showDefinition             // it defines a name that the query is sure of
	showDeclaration            // it declares the symbol that the query asks for
	showQuote                  // it holds words of what the query quotes
	showMessage                // it holds the message
	showLine                   // the query mentions the line
)

// newClue returns a clue of a value that speaks for no place in its file.
func newClue(signal rank.Signal, value float64) Clue {
	return Clue{Signal: signal, Value: value, Chunk: -1, Definition: -1}
}

// leastNamed is above the rank of whatever is no place that a tool names.
const leastNamed = 3

// Rank returns before what else the file stands, whatever their scores: the more, the
// earlier, 0 for none. IsNamed says of one whether a tool names it or the text stands in it.
func (c *Clue) Rank() int {
	switch {
	case c.Named > 0:
		return max(leastNamed, leastNamed+2*report.MaxDiagnostics-c.Named)
	case !c.First:
		return 0
	case c.Quotes:
		return 1
	}
	return 2
}

// IsNamed reports whether a rank is that of a file which a tool names or the text stands in.
func IsNamed(rank int) bool { return rank >= leastNamed }

// Text says how the text of a query stands in the line.
func (c *Clue) Text() string {
	if c.Filled {
		return fmt.Sprintf("%s but for its values, line %d", hit.ExactText, c.Line)
	}
	return fmt.Sprintf("%s, line %d", hit.ExactText, c.Line)
}

// better reports whether c is kept rather than another clue of its finder.
func (c *Clue) better(other *Clue) bool {
	return cmp.Or(cmp.Compare(c.Value, other.Value), cmp.Compare(other.Tie, c.Tie)) > 0
}

// Found is what was found in the files of a corpus, by segment.
type Found []Files

func newFound(in *corpus.Corpus) Found { return make(Found, len(in.Segments)) }

// Files are the clues to the files of one segment: of each file a list, in
// the order of the finders.
type Files struct {
	all   []listed
	heads map[int]int // by file: the first of its list in all
}

// listed is a clue in the list of its file.
type listed struct {
	Clue
	finder int
	next   int // in all; 0 for none, as the first of all is no next one
}

// add adds what a finder found in a file.
func (f *Files) add(finder, file int, c Clue) {
	at, ok := f.heads[file]
	if !ok {
		if f.heads == nil {
			f.heads = map[int]int{}
		}
		f.heads[file] = len(f.all)
		f.all = append(f.all, listed{Clue: c, finder: finder})
		return
	}
	for f.all[at].finder != finder {
		if f.all[at].next == 0 {
			f.all[at].next = len(f.all)
			f.all = append(f.all, listed{Clue: c, finder: finder})
			return
		}
		at = f.all[at].next
	}
	switch old := &f.all[at].Clue; {
	case c.better(old):
		*old = c
	case c.Named > 0 && c.Line != old.Line && !slices.Contains(old.Also, c.Line):
		old.Also = append(old.Also, c.Line)
	}
}

// Also returns the lines of a file that a tool names behind the first one.
func (f *Files) Also(file int) []int {
	for c := range f.Of(file) {
		if len(c.Also) > 0 {
			return c.Also
		}
	}
	return nil
}

// Lines returns the lines of a file that the clues to it want shown.
func (f *Files) Lines(file int) (lines []int) {
	for c := range f.Of(file) {
		if c.Line > 0 && c.Shows >= showQuote {
			lines = append(lines, c.Line)
		}
	}
	return lines
}

// Most returns the most of a value of the clues to a file.
func (f *Files) Most(file int, value func(*Clue) float64) (most float64) {
	for c := range f.Of(file) {
		most = max(most, value(c))
	}
	return most
}

// manyWords is how many words of a message leave no doubt.
const manyWords = 8

// Held returns how many words of a message the file holds by a clue, none 0, many 1.
func (c *Clue) Held() float64 {
	if !c.First {
		return 0
	}
	return min(1, c.Value/manyWords)
}

// Of yields the clues to a file.
func (f *Files) Of(file int) iter.Seq[*Clue] {
	return func(yield func(*Clue) bool) {
		at, ok := f.heads[file]
		for ok && yield(&f.all[at].Clue) {
			at = f.all[at].next
			ok = at != 0
		}
	}
}

// shows reports whether a clue to a file wants its chunk shown just so much.
func (f *Files) shows(file, much int) bool {
	for c := range f.Of(file) {
		if c.Shows == much {
			return true
		}
	}
	return false
}

// HoldMessage reports whether some file holds the text as a message.
func (f Found) HoldMessage() bool {
	return f.any(func(l listed) bool { return l.finder == byMessage })
}

// LeadsToLines reports whether a tool names a place that is here, whose message is its own, or
// the text stands somewhere.
func (f Found) LeadsToLines() bool { return f.any(func(l listed) bool { return l.Named > 0 }) }

// Strong yields each file that a clue makes a candidate, in any order.
func (f *Files) Strong() iter.Seq[int] {
	return func(yield func(int) bool) {
		for file := range f.heads {
			for c := range f.Of(file) {
				if !c.Strong {
					continue
				}
				if !yield(file) {
					return
				}
				break
			}
		}
	}
}
