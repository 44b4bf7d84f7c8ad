// Package infer works out what the uses and expressions of files stand for, from
// their facts (facts.File) and the rules of each language.
//
// An Evaluator serves one question and remembers what it has found. Its answers
// come in two forms. An Answer says what a name means: symbols or modules. A
// Thing says what an expression stands for: a type, a value of it, a function, a
// list. The two depend on each other: the meaning of a.b needs the type of a,
// and the type of f() the meaning of f.
//
// What differs between languages is a Language: rules for modules and free
// names, and a set of traits.
//
// Every look-up is given a Budget, so that hostile or circular code ends: what
// takes more is not known.
package infer

import (
	"espy/internal/resolve/corpus"
)

// Evaluator answers for one question. It belongs to one goroutine.
type Evaluator struct {
	read       *corpus.Reader
	languages  Languages
	open       map[corpus.FileID]*file
	last       *file // opened
	symbols    map[corpus.Ref][]Thing
	groups     map[corpus.Ref][]corpus.Ref // declarations of one thing
	overridden map[corpus.Ref][]corpus.Ref // members that a member overrides, directly or not
}

// New returns an evaluator with the rules that bind makes for it.
func New(read *corpus.Reader, bind func(*Evaluator) Languages) *Evaluator {
	e := &Evaluator{read: read, open: map[corpus.FileID]*file{}, symbols: map[corpus.Ref][]Thing{},
		groups: map[corpus.Ref][]corpus.Ref{}, overridden: map[corpus.Ref][]corpus.Ref{}}
	e.languages = bind(e)
	return e
}

// Language returns the language of a file, nil where it has no rules.
func (e *Evaluator) Language(id corpus.FileID) *Language { return e.file(id).language }

func (e *Evaluator) file(id corpus.FileID) *file {
	if e.last != nil && e.last.ID == id {
		return e.last
	}
	f, ok := e.open[id]
	if !ok {
		opened := e.read.File(id)
		f = &file{File: opened, language: e.languages[opened.Family], uses: map[int32]Answer{},
			imports: map[int32]Answer{}, bases: map[int32][]int32{}, values: map[int32][]Thing{}}
		e.open[id] = f
	}
	e.last = f
	return f
}
