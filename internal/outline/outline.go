// Package outline turns the bytes of one file into its outline: the definitions
// that a look without a grammar finds, and chunks of whole lines cut where
// definitions start.
//
// A file is read once, from the front (scan.go). Each language has a syntax
// (languages.go): a table of the bytes that begin something (a comment, a
// literal, a brace), and a function that looks at the first words of every line
// of code. Literals and comments are skipped (literal.go), so that nothing in
// them is taken for a definition. Brackets keep a stack of scopes, so that a
// local variable is not taken for a global one, nor a call for a method.
// Languages whose definitions have no keyword (C, C++, Java, C#) are read
// statement by statement instead (statement.go). Only names, kinds and lines are
// kept.
//
// The outline is a heuristic: code that does not compile, macros and unusual
// layout may hide or add a definition, never a byte of the text. limits.go bounds
// what it keeps of one file.
package outline

import (
	"sync"

	"espy/internal/code"
	"espy/internal/lang"
)

// File is what one file shows without a grammar.
type File struct {
	Definitions []code.Definition // sorted by line
	Chunks      []code.Chunk      // in order, without overlap; whole lines; every line that is neither blank nor data of a notebook is in one
}

// Parse outlines a text in language l. A nil language, or one without an outline,
// gives chunks cut at blank lines. Any bytes are accepted, and nothing fails.
// Lines end at '\n' only. The text must be shorter than 4 GiB.
//
// Parse may be called from several goroutines at once.
func Parse(l *lang.Language, text []byte) File {
	if len(text) == 0 {
		return File{}
	}
	s := scanners.Get().(*scanner)
	s.reset(text, syntaxOf(l))
	s.run(len(text))
	o := File{Definitions: s.definitions(), Chunks: s.chunks()}
	s.text = nil
	if cap(s.lines) <= 1<<18 {
		scanners.Put(s)
	}
	return o
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

// Quiet returns the comments and literals of a text, in order and without
// overlap. Like the outline it is a heuristic. In a language without an outline
// it finds none.
//
// Quiet may be called from several goroutines at once.
func Quiet(l *lang.Language, text []byte) []Span { return QuietTo(l, text, len(text)) }

// QuietTo is Quiet of what begins before a byte of the text: what is open there goes on to
// its end behind it.
func QuietTo(l *lang.Language, text []byte, to int) []Span {
	y := syntaxOf(l)
	if len(text) == 0 {
		return nil
	}
	s := scanners.Get().(*scanner)
	s.reset(text, y)
	s.quiet = []Span{}
	s.run(to)
	spans := s.quiet
	s.text, s.quiet = nil, nil
	if cap(s.lines) <= 1<<18 {
		scanners.Put(s)
	}
	return spans
}

// Names returns the bytes that a name of language l may hold beside letters, digits, _
// and $: - in Lisp, ' in Haskell, ! in Julia. Most languages have none.
func Names(l *lang.Language) string { return syntaxOf(l).names }
