package ranked

import (
	"cmp"
	"iter"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// clue is what a finder found in one file beside the score of its terms. Where a
// field has no say it is 0, but for chunk and definition.
type clue struct {
	value  float64     // how much it says; of two clues of a finder the one with more is kept,
	tie    int         // and of those with the same value the one with the lesser tie
	signal rank.Signal // the signal whose value that is; noSignal for none

	strong bool // the file is a candidate whatever its terms score
	first  bool // the file stands before all others

	shows    int     // how much it wants its chunk shown: see showPhrase and the others
	chunk    int     // -1 where the line says it
	line     int     // the line it speaks of
	emphasis float64 // worth of that line among those of its chunk, see excerpt.New

	definition int             // of the outline, which the file is found by; -1 for none
	symbol     code.Definition // which the file is found by, where it is none of the outline
}

// noSignal is the signal of a clue that is none for the model.
const noSignal = rank.NumSignals

// How much the clues want their chunk shown rather than the best one: the most wins.
const (
	showPhrase      = 1 + iota // a condition is met there
	showDefinition             // it defines a name that the query is sure of
	showDeclaration            // it declares the symbol that the query asks for
	showQuote                  // it holds what the query quotes
	showLine                   // the query mentions the line
)

// newClue returns a clue of a value that speaks for no place in its file.
func newClue(signal rank.Signal, value float64) clue {
	return clue{signal: signal, value: value, chunk: -1, definition: -1}
}

// better reports whether c is kept rather than another clue of its finder.
func (c *clue) better(other *clue) bool {
	return cmp.Or(cmp.Compare(c.value, other.value), cmp.Compare(other.tie, c.tie)) > 0
}

// clues are what was found in the files of a corpus, by segment.
type clues []fileClues

func newClues(in *corpus.Corpus) clues { return make(clues, len(in.Segments)) }

// fileClues are the clues to the files of one segment: of each file a list, in
// the order of the finders.
type fileClues struct {
	all   []listed
	heads map[int]int // by file: the first of its list in all
}

// listed is a clue in the list of its file.
type listed struct {
	clue
	finder int
	next   int // in all; 0 for none, as the first of all is no next one
}

// add adds what a finder found in a file.
func (f *fileClues) add(finder, file int, c clue) {
	at, ok := f.heads[file]
	if !ok {
		if f.heads == nil {
			f.heads = map[int]int{}
		}
		f.heads[file] = len(f.all)
		f.all = append(f.all, listed{clue: c, finder: finder})
		return
	}
	for f.all[at].finder != finder {
		if f.all[at].next == 0 {
			f.all[at].next = len(f.all)
			f.all = append(f.all, listed{clue: c, finder: finder})
			return
		}
		at = f.all[at].next
	}
	if old := &f.all[at].clue; c.better(old) {
		*old = c
	}
}

// of returns the first clue to a file, nil for none. More follow by next.
func (f *fileClues) of(file int) *listed {
	if at, ok := f.heads[file]; ok {
		return &f.all[at]
	}
	return nil
}

func (f *fileClues) next(c *listed) *listed {
	if c.next == 0 {
		return nil
	}
	return &f.all[c.next]
}

// shows reports whether a clue to a file wants its chunk shown just so much.
func (f *fileClues) shows(file, much int) bool {
	for c := f.of(file); c != nil; c = f.next(c) {
		if c.shows == much {
			return true
		}
	}
	return false
}

// holdMessage reports whether some file holds the text as a message.
func (c clues) holdMessage() bool {
	for i := range c {
		for _, l := range c[i].all {
			if l.finder == byMessage {
				return true
			}
		}
	}
	return false
}

// files yields each file with the first clue to it, in any order.
func (f *fileClues) files() iter.Seq2[int, *listed] {
	return func(yield func(int, *listed) bool) {
		for file, at := range f.heads {
			if !yield(file, &f.all[at]) {
				return
			}
		}
	}
}
