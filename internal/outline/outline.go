// Package outline turns the bytes of one file into its outline: the definitions
// that a look without a grammar finds, and chunks of whole lines cut where
// definitions start.
//
// A file is read once, from the front (scan.go). Each language has a syntax: a
// table that says which bytes begin something (a comment, a literal, a brace)
// and a function that looks at the first words of every line of code. Literals
// and comments (literal.go) are passed over, so that nothing in them is taken
// for a definition. Brackets keep a stack of scopes, so that a local variable
// is not taken for a global one, nor a call for a method. Languages whose
// definitions carry no keyword (C, C++, Java, C#) are read statement by
// statement instead (statement.go). Only names, kinds and lines are kept.
//
// The outline is a heuristic: code that does not compile, macros and unusual
// layout may hide or add a definition, never a byte of the text.
package outline

import (
	"sync"

	"espy/internal/code"
	"espy/internal/lang"
)

// Limits of an outline.
const (
	MaxChunkBytes  = 1500   // of a chunk of more than one line, give or take the lines before a cut
	MaxDefinitions = 20_000 // of one file; later ones are left out
	MaxNameBytes   = 200    // longer names are left out
	MaxKeys        = 200    // KindKey definitions of one file
)

// File is what one file shows without a grammar.
type File struct {
	Definitions []code.Definition // sorted by line
	Chunks      []code.Chunk      // in order, apart, whole lines, together covering every line that is not blank
}

// Parse outlines text, which is in language l; a nil language, or one without
// an outline, gives chunks cut at blank lines. Any bytes are accepted and
// nothing fails. Lines end at '\n' only. Text must be shorter than 4 GiB.
//
// Parse may be called from several goroutines at once.
func Parse(l *lang.Language, text []byte) File {
	if len(text) == 0 {
		return File{}
	}
	s := scanners.Get().(*scanner)
	s.reset(text, syntaxOf(l))
	s.run()
	o := File{Definitions: s.definitions(), Chunks: s.chunks()}
	s.text = nil
	if cap(s.lines) <= 1<<18 {
		scanners.Put(s)
	}
	return o
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func syntaxOf(l *lang.Language) *syntax {
	if l != nil {
		if y, ok := syntaxes[l.Name]; ok {
			return y
		}
	}
	return &plain
}
