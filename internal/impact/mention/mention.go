// Package mention finds the places that have a word, and the symbols that they stand in.
package mention

import (
	"slices"

	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Most bounds the places of one word that are looked at.
const Most = 200

// Place has a word.
type Place struct {
	File corpus.FileID
	In   corpus.Ref // the symbol that it stands in, or the file
	Text string     // its line
	Line int        // 0 where the file cannot be read
}

// Places are those that have a word, by file and place.
type Places struct {
	All  []Place
	More bool // there are more than Most
}

// Finder finds the places of words. Many changes of one file ask for the same ones.
type Finder struct {
	ask   *locate.Ask
	graph *graph.Graph
	known map[string]Places
}

// New makes a finder for one question.
func New(ask *locate.Ask, g *graph.Graph) *Finder { return &Finder{ask, g, map[string]Places{}} }

// Of finds the places of a word, as far as the time suffices.
func (f *Finder) Of(word string) Places {
	if known, ok := f.known[word]; ok {
		return known
	}
	places := 0
	var all []Place
	_ = f.ask.Corpus.Mentions(word, func(id corpus.FileID, at uint32) bool { // a damaged part shows in the state of the index
		if places++; places > Most || f.ask.Late() {
			return false
		}
		line, err := f.ask.Line(id, at)
		if err != nil {
			return true
		}
		in := f.graph.Holder(id, int32(f.ask.File(id).Enclosing(at)))
		all = append(all, Place{id, in, line, f.lineOf(id, at)})
		return true
	})
	found := Places{all, places > Most}
	f.known[word] = found
	return found
}

// lineOf is the number of the line that holds a byte of a file, 0 where it cannot be
// read.
func (f *Finder) lineOf(id corpus.FileID, at uint32) int {
	starts, err := f.ask.LineStarts(id)
	if err != nil {
		return 0
	}
	line, ok := slices.BinarySearch(starts, int(at))
	if ok {
		line++
	}
	return line
}
