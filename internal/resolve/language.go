package resolve

import "espy/internal/facts"

// family numbers the languages that share rules and see each other's files.
type family int

const (
	familyGo family = iota
	familyPython
	familyScript
	familyRust
	familyJava
	familyC
	familyPHP
	numLanguages
)

// language is the rules of one family of languages.
type language struct {
	family  family
	dynamic bool // what follows from a first value is likely rather than certain

	// module finds what an import takes.
	module func(q *Question, f *file, m *facts.Import) meaning
	// free looks up a name that no scope of its file declares.
	free func(q *Question, f *file, u *facts.Use) meaning
	// exported finds what a module has under a name.
	exported func(q *Question, m *module, name string) meaning
	// same reports whether a type that a symbol names as its Owner is the type t.
	same func(q *Question, owned Ref, t Ref) bool
	// one reports whether two symbols of a name are declarations of one thing.
	one func(q *Question, a, b Ref) bool
	// constructor names the methods that a call of a type calls.
	constructor string
	// hierarchy tells that a method and those it overrides are renamed together.
	hierarchy bool
	// overloads tells that functions of one name may differ by their arguments.
	overloads bool
	// changed names the types from elsewhere that are their first argument with
	// other modifiers or fewer members.
	changed map[string]bool
	// element says what the methods of a value's type make of it: its element,
	// its key, what await gives or what a with statement enters.
	// ok is false where the type has no such method.
	element func(q *Question, t thing, which int32, depth int) (things []thing, ok bool)
}

// languages are the rules by the name of the language.
var languages = func() map[string]*language {
	script, c := scriptLanguage(), cLanguage()
	return map[string]*language{
		"go": goLanguage(), "python": pythonLanguage(),
		"javascript": script, "typescript": script, "vue": script, "svelte": script,
		"java": javaLanguage(), "php": phpLanguage(), "rust": rustLanguage(), "c": c, "cpp": c,
	}
}()
