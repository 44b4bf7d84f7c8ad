// Package infer has the words for what the uses and expressions of files stand for.
//
// An Answer says what a name means: symbols or modules. A Thing says what an
// expression stands for: a type, a value of it, a function, a list. What differs
// between languages is a Language: rules for modules and free names, and a set of
// traits. Package meaning works out the answers.
//
// Every look-up is given a Budget, so that hostile or circular code ends: what
// takes more is not known.
package infer

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// State says what is known of a name.
type State uint8

// The states.
const (
	Unknown State = iota // nothing
	Found                // which symbols or modules it means
	Outside              // it means something that the repository does not declare
	Absent               // there is no such thing
)

// Answer says what a use or an import means.
type Answer struct {
	Refs       []corpus.Ref
	Modules    []*Module
	State      State
	Confidence facts.Confidence
	Reason     string
	Via        string       // Outside: the type from elsewhere that the receiver is of, where known
	Generic    bool         // Outside: what comes of it may be of the repository all the same
	Lacking    bool         // Absent: a type lacks the member, but its language lets others add some
	Lacks      []corpus.Ref // Absent: the types of the receiver, which have no such member
}

// Module is a file, a package or a namespace that names are taken from.
type Module struct {
	Files  []corpus.FileID
	Path   string // tells it from other modules
	Family corpus.Family
	Inside int32 // of a module within a file: one more than the number of its symbol
	Home   int   // of a module without files: the number of the repository whose rules know it
}

// Member is what a thing has under a name: a symbol, or a module within a module.
type Member struct {
	Ref    corpus.Ref
	Module *Module // instead of Ref
	Env    *Env
	Guess  bool
	Partly bool // found through a utility type that may leave it out
	Doubt  bool // of some alternatives of a union: it cannot be told of which

	Apart   bool // of the type itself, while values of it have none
	Untaken bool // named like an argument that the constructor of its type does not take
	Method  bool // a field that is read or set through a method which an annotation makes
	Stored  bool // of what a generic type from elsewhere is given as a type argument
}

// AnswerOf is the answer that members found by a path are.
func AnswerOf(found []Member) Answer {
	a := Answer{State: Found, Reason: "named by its path"}
	for _, m := range found {
		if m.Module != nil {
			a.Modules = append(a.Modules, m.Module)
		} else {
			a.Refs = append(a.Refs, m.Ref)
		}
	}
	return a
}

// Add adds members of one receiver to an answer.
func (a *Answer) Add(found []Member) {
	for _, m := range found {
		if m.Module != nil {
			a.Modules = append(a.Modules, m.Module)
			continue
		}
		if !slices.Contains(a.Refs, m.Ref) {
			a.Refs = append(a.Refs, m.Ref)
		}
		switch {
		case m.Doubt, m.Untaken, m.Apart:
			a.Confidence = facts.Possible
		case m.Guess:
			a.Confidence = max(a.Confidence, facts.Likely)
		}
	}
}

// IsOf reports whether an answer is just these members, as that of two receivers of one
// type is.
func (a *Answer) IsOf(found []Member) bool {
	return len(found) > 0 && len(found) == len(a.Refs) &&
		!slices.ContainsFunc(found, func(m Member) bool { return m.Module != nil || !slices.Contains(a.Refs, m.Ref) })
}

// Doubts says why members are not certainly meant, behind another reason.
func Doubts(found []Member) string {
	switch {
	case slices.ContainsFunc(found, func(m Member) bool { return m.Untaken }):
		return ", whose constructor takes no such argument"
	case slices.ContainsFunc(found, func(m Member) bool { return m.Apart }):
		return ", whose class has it, not its values"
	case slices.ContainsFunc(found, func(m Member) bool { return m.Doubt }):
		return ", and only some of the types that it stands for have such a member"
	case slices.ContainsFunc(found, func(m Member) bool { return m.Stored }):
		return ", as its type argument says"
	}
	return ""
}

// Apart are members of a type itself that a value of it was asked for.
func Apart(found []Member) []Member {
	found = slices.Clone(found)
	for i := range found {
		found[i].Apart = true
	}
	return found
}

// Untaken are members that bear the name of an argument which their type's constructor
// does not take.
func Untaken(found []Member) []Member {
	found = slices.Clone(found)
	for i := range found {
		found[i].Untaken = true
	}
	return found
}

// Functions are members as functions.
func Functions(found []Member) (all []Thing) {
	for _, m := range found {
		all = append(all, Thing{Kind: AFunc, Ref: m.Ref, Env: m.Env, Guess: m.Guess})
	}
	return all
}
