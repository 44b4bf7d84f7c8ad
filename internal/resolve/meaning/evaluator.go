// Package meaning works out what the uses and expressions of files stand for, from
// their facts (facts.File) and the rules of each language (infer.Language).
//
// An Evaluator serves one question and remembers what it has found. Its answers
// come in two forms: what a name means (infer.Answer), and what an expression
// stands for (infer.Thing). The two depend on each other: the meaning of a.b
// needs the type of a, and the type of f() the meaning of f.
package meaning

import (
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/shape"
)

// onSelf is a method, and what it is called on: a type, or a value of it.
type onSelf struct {
	fn, of corpus.Ref
	kind   infer.Kind
}

// Evaluator answers for one question. It belongs to one goroutine.
type Evaluator struct {
	read       *corpus.Reader
	languages  []infer.Languages // by the repository of a file
	open       corpus.ByFile[infer.File]
	last       *infer.File // opened
	memory     infer.Memory
	symbols    infer.Book[corpus.Ref, []infer.Thing]
	groups     map[corpus.Ref][]corpus.Ref          // declarations of one thing
	overridden infer.Book[corpus.Ref, []corpus.Ref] // members that a member overrides, directly or not
	members    infer.Book[memberKey, memberAnswer]  // of types that are asked for often: typeMember
	basesOf    infer.Book[corpus.Ref, baseAnswer]   // of the first parts of these
	onSelf     infer.Book[onSelf, []infer.Thing]    // what methods give that are called on types below their own
	shapes     *shape.Choice
}

// New returns an evaluator with the rules that bind makes for it, those of each
// repository whose files are read.
func New(read *corpus.Reader, bind func(*Evaluator) []infer.Languages) *Evaluator {
	e := &Evaluator{read: read, groups: map[corpus.Ref][]corpus.Ref{}}
	e.symbols, e.overridden = infer.NewBook[corpus.Ref, []infer.Thing](&e.memory, nil), infer.NewBook[corpus.Ref, []corpus.Ref](&e.memory, nil)
	e.members, e.basesOf = infer.NewBook[memberKey](&e.memory, memberAnswer{state: infer.Absent}), infer.NewBook[corpus.Ref](&e.memory, baseAnswer{})
	e.onSelf = infer.NewBook[onSelf, []infer.Thing](&e.memory, nil)
	e.shapes = shape.New(e, read)
	e.languages = bind(e)
	return e
}

// Shapes compares functions of one name by what is written of their types.
func (e *Evaluator) Shapes() *shape.Choice { return e.shapes }

// Size is how much is remembered, in answers.
func (e *Evaluator) Size() int { return e.memory.Size() }

// Memory is what the guards of rules belong to.
func (e *Evaluator) Memory() *infer.Memory { return &e.memory }

// Language returns the language of a file, nil where it has no rules.
func (e *Evaluator) Language(id corpus.FileID) *infer.Language { return e.File(id).Language }

// File returns a file with what is known of it.
func (e *Evaluator) File(id corpus.FileID) *infer.File {
	if e.last != nil && e.last.ID == id {
		return e.last
	}
	f := e.open.At(id)
	if f == nil {
		opened := e.read.File(id)
		f = infer.Open(opened, e.languages[e.read.Corpus().Home(id)][opened.Family].Of(opened.Path), &e.memory)
		e.open.Set(id, f)
	}
	e.last = f
	return f
}

// memberKey is a look-up of a member in a type, as far as it is remembered.
type memberKey struct {
	typ   corpus.Ref
	name  string
	kind  infer.Kind
	super bool
}

type memberAnswer struct {
	found []infer.Member
	state infer.State
}

// baseAnswer are the bases of a type that may be declared in many parts.
type baseAnswer struct {
	all   []infer.Thing
	known bool
}
