// Package query turns the text of a keyword query into a tree and prints a
// tree back as text. It is pure: no I/O, no clock, and the same text gives the
// same tree.
//
// # The language
//
//	token session            words side by side: ranked, at least one must occur
//	"open the file"          a phrase: the words in this order, required
//	symbol:ServeHTTP         a definition of this name, required
//	a AND b    a OR b        both, either; upper case only
//	NOT a      -a            not in the file
//	( ... )                  a group
//	path:net/**  lang:go     filters of the whole query, wherever they stand;
//	scope:test   repo:api    several of one kind: a file passes when it fits one
//	kind:method  kind:func   only what stands in a symbol of this kind, or of one of several
//	-path:vendor -lang:css   files that do not fit
//	language:go  file:x.go   what other searches call the prefixes (ext: sym: def: dir:)
//
// NOT binds tightest, then AND, then OR, then standing side by side. A query
// speaks of files: And holds in a file where all its nodes hold, Or and Any
// where at least one does, Not where its node does not. Of the things that
// stand side by side the plain words form one Any; everything else (phrases,
// symbols, negations, operators and groups with operators) is a condition that
// must hold as well: `open file "not found" -test` is
// And{Any{open file} Phrase{not found} Not{test}}.
//
// Odd text is words, never a failure, for queries are often pasted code:
//
//   - a word is kept as written, up to the next space; package token splits it later;
//   - a parenthesis opens a group only at the start of a word, so `foo(bar)` is one
//     word; one that closes nothing is dropped where it is glued to a word;
//   - a quote opens a phrase only at the start of a word; in it \" and \\ stand for " and \;
//   - a minus negates only before a letter, an underscore, a quote or a parenthesis:
//     `-1`, `->` and `--flag` are words;
//   - an unknown prefix (`http:`) and one with a second colon (`path::Path`) are words;
//   - an operator that lacks an operand is a word.
//
// What remains is a *SyntaxError: a quote or parenthesis without its partner,
// a filter without a value or with one that cannot be (an unknown scope or kind,
// a negated scope, repository or kind), and the limits.
package query

import (
	"fmt"

	"espy/internal/code"
)

// Limits of a query.
const (
	maxBytes   = 10_000 // length of the text
	maxClauses = 256    // phrases, symbols and filters together; words have no limit of their own
	maxDepth   = 100    // groups within groups
)

// Operators are the words that are operators where they have operands.
var Operators = []string{"AND", "OR", "NOT"}

// Query is a parsed query.
type Query struct {
	Root    Node // nil where the query has only filters, or nothing
	Filters Filters
}

// Filters limit the files that a query looks at.
type Filters struct {
	Paths, NotPaths []string // globs
	Extensions      []string // globs too, of which one must match besides
	Langs, NotLangs []string // names of languages as written, not checked
	Scope           code.Scope
	Repos           []string
	Kinds           []code.Kind // distinct, in the order of Kinds
	Sentence        bool        // the query is prose: an unknown repository in it is none
}

// Kinds lists the kinds of symbols that a query can name.
var Kinds = []code.Kind{
	code.KindFunc, code.KindMethod, code.KindType, code.KindClass, code.KindInterface, code.KindStruct, code.KindEnum,
	code.KindTrait, code.KindConst, code.KindVar, code.KindField, code.KindMacro, code.KindModule,
}

// Node is one of And, Or, Not, Any, Word, Phrase and Symbol.
type Node interface{ node() }

// And holds where all its nodes hold; it has at least two, none of them And.
type And struct{ Nodes []Node }

// Or holds where one of its nodes holds; it has at least two, none of them Or.
type Or struct{ Nodes []Node }

// Not holds where its node, which is not a Not, does not hold.
type Not struct{ Node Node }

// Any is plain words side by side, at least two: it holds where one of them
// occurs, and files with more and rarer ones rank higher.
type Any struct{ Nodes []Node } // Words only

// Word is text without spaces, as written.
type Word struct {
	Text string
	Pos  int // offset of the text in the query, bytes
}

// Phrase is quoted text, without its quotes.
type Phrase struct {
	Text string
	Pos  int // offset of the opening quote
}

// Symbol is the name of a definition.
type Symbol struct {
	Name string
	Pos  int // offset of the prefix
}

func (And) node()    {}
func (Or) node()     {}
func (Not) node()    {}
func (Any) node()    {}
func (Word) node()   {}
func (Phrase) node() {}
func (Symbol) node() {}

// SyntaxError says why a text is not a query.
type SyntaxError struct {
	Pos  int    // where, in bytes from the start of the text
	Msg  string // what is wrong
	Hint string // what would work

	Unpaired bool // a quote or a parenthesis lacks its partner
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("bad query at byte %d: %s; %s", e.Pos, e.Msg, e.Hint)
}
