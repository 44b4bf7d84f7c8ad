// Package mention finds the places that have a word, and the symbols that they stand in.
package mention

import (
	"bytes"

	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// Most bounds the places of one word that are looked at.
const Most = 200

// farBytes are so many that reading them would displace the text around a place, where
// the next one may be.
const farBytes = 4 << 10

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
	at    counted
	far   segment.TextCache // of the text before a place
}

// New makes a finder for one question.
func New(ask *locate.Ask, g *graph.Graph) *Finder {
	return &Finder{ask: ask, graph: g, known: map[string]Places{}}
}

// Of finds the places of a word, as far as the time suffices.
func (f *Finder) Of(word string) Places {
	if known, ok := f.known[word]; ok {
		return known
	}
	places := 0
	var all []Place
	_ = f.ask.Mentions(word, func(id corpus.FileID, at uint32, line string) bool { // a damaged part shows in the state of the index
		if places++; places > Most || f.ask.Late() {
			return false
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
// read. It counts on from the line before that is known, or from the last place.
func (f *Finder) lineOf(id corpus.FileID, at uint32) int {
	line, start := f.ask.File(id).LineBefore(at)
	if f.at.line == 0 || f.at.file != id || f.at.to < start || f.at.to > at {
		f.at = counted{id, start, int(line)}
	}
	read := f.ask.TextRange
	if at-f.at.to > farBytes {
		read = func(id corpus.FileID, from, to int) ([]byte, error) {
			return f.ask.Corpus.TextRange(id, from, to, &f.far)
		}
	}
	text, err := read(id, int(f.at.to), int(at))
	if err != nil {
		return 0
	}
	f.at.to, f.at.line = at, f.at.line+bytes.Count(text, []byte{'\n'})
	return f.at.line
}

// counted is a place up to which lines were counted.
type counted struct {
	file corpus.FileID
	to   uint32
	line int // that holds it; 0 for no place
}
