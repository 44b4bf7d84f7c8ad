package cpp

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
	"espy/internal/resolve/rules/include"
)

// cpp is the rules of C and C++, with what they have looked up for one question.
type cpp struct {
	corpus    *corpus.Corpus
	read      *corpus.Reader
	infer     *meaning.Evaluator
	inherited Inherited
	lines     *include.Lines
	includes  *include.Graph
	programs  map[namesake]*include.Namesakes
	frees     map[string][]corpus.Ref             // by name: what bears it outside of types
	macros    map[string]bool                     // names by whether a macro opens a namespace of them
	mentioned map[string]bool                     // names by whether the text of a macro has them
	scoping   map[string]bool                     // names by whether a macro writes :: before what it is given
	opened    map[string]map[corpus.FileID]uint32 // by namespace: where files open it by a macro
	fields    map[string][]corpus.Ref             // by name: those that macros declare
	splices   map[splice]bool
	ends      map[namedAt]map[string][]corpus.Ref // what has a name, by the innermost name of its space
}

// Inherited looks a name up in the types that a use stands in, the innermost first.
type Inherited func(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer
