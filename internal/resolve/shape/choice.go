// Package shape tells functions of one name apart by what is written of the types
// that they take: built-in types, classes, pointers. Conversions of C++ are many, so
// a function is left out only where it surely cannot be meant, or another one surely
// fits better.
package shape

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Evaluator says what names mean and expressions stand for.
type Evaluator interface {
	// File returns a file with what is known of it.
	File(id corpus.FileID) *infer.File
	// Eval says what an expression may stand for.
	Eval(x infer.Expr, b infer.Budget) []infer.Thing
	// Meaning says what a use means.
	Meaning(use corpus.Ref, b infer.Budget) infer.Answer
	// Together returns a symbol and the other declarations of the same thing.
	Together(r corpus.Ref) []corpus.Ref
	// Defined returns the definition of a type that may be only announced.
	Defined(r corpus.Ref) corpus.Ref
}

// Choice compares functions for one question.
type Choice struct {
	e     Evaluator
	read  *corpus.Reader
	asked map[corpus.Ref][]constraint // of templates
	texts map[corpus.Ref][]string     // what functions take, as it is written
}

// New returns a choice that asks an evaluator.
func New(e Evaluator, read *corpus.Reader) *Choice {
	return &Choice{e: e, read: read, asked: map[corpus.Ref][]constraint{}, texts: map[corpus.Ref][]string{}}
}

// shapeKind says how much of a type is told by what is written.
type shapeKind uint8

const (
	noShape  shapeKind = iota // not known
	builtin                   // a built-in type: literal
	declared                  // a type of the repository: ref
	foreign                   // a type from elsewhere: name
	variable                  // a type parameter
	pointed                   // something that a pointer leads to
	braced                    // a list of values in braces, of no type
)

// shape is a type of C++ as far as it is written: without its type arguments.
type shape struct {
	kind    shapeKind
	literal int32
	ref     corpus.Ref
	name    string      // as written, "" for none
	flags   facts.Flags // Pointer, Reference, Constant
	generic bool        // with type arguments; of a text, of characters of whatever size
	deep    bool        // a pointer to pointers
	written bool        // of a variable with a written type: without Constant its values may change
	moved   bool        // of what a function takes: no value that has a name, T &&
	aliased bool        // of noShape: alias is the name that it is known by
	alias   corpus.Ref
}

func isFloating(literal int32) bool {
	return literal == facts.LiteralFloat || literal == facts.LiteralDouble || literal == facts.LiteralLongDouble
}

// isTemplate reports whether a function has type parameters of its own.
func (v *Choice) isTemplate(r corpus.Ref) bool {
	f := v.e.File(r.File)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(r.Index).At; i++ {
		if f.Symbol(i).Kind == code.KindTypeParam {
			return true
		}
	}
	return false
}

// constraint is what the head of a template asks of a type parameter, or asks not to
// be: std::enable_if_t<!is_pointer<T>::value>, template <std::integral T>.
type constraint struct {
	trait    string
	negative bool
	argument int // that is of the type parameter, from 0
}
