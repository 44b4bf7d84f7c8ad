package infer

import (
	"path"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Rules decide what depends on the language: how modules map to files, and
// which names are visible where.
type Rules interface {
	// Import finds what an import of a file takes.
	Import(f *corpus.File, m *facts.Import, b Budget) Answer
	// Free looks up a name that no scope of its file declares.
	Free(f *corpus.File, u *facts.Use, b Budget) Answer
	// Exported finds what a module has under a name.
	Exported(m *Module, name string, b Budget) Answer
	// Owns reports whether a type is the one that a symbol names as its Owner.
	Owns(typ, owned corpus.Ref, b Budget) bool
	// Same reports whether two symbols of a name are declarations of one thing.
	Same(a, b corpus.Ref) bool
}

// Language is the rules and traits of one family of languages. The zero value
// of a trait is what most languages do.
type Language struct {
	Rules

	Dynamic            bool   // what follows from a first value is likely rather than certain
	Hierarchy          bool   // a method and those it overrides are renamed together
	Structural         bool   // a type satisfies an interface by having its methods
	FolderPrivate      bool   // a symbol that is not exported is visible in its folder only
	Overloads          bool   // functions of one name may differ by their arguments
	Prototypes         bool   // a declaration without a body announces a definition
	ExplicitReceiver   bool   // the first parameter of a method takes its receiver
	NamedArguments     bool   // calls in other files may name parameters
	InheritsAttributes bool   // an attribute without a written type is that of a class above which has one
	LiteralKeys        bool   // a key of a literal may be a free name instead of a field
	ComponentArguments bool   // a function may take its named arguments as members of its first parameter
	Merges             bool   // a name that several bases have means all of these members, not that of the first
	Maker              string // the method of a type that makes a value of it, where the type writes none itself
	Constructor        string // the method that a call of a type calls
	NamedConstructors  bool   // constructors bear the name of their type
	InheritsOverloads  bool   // a function does not hide those of a base that take other arguments
	MethodsApart       bool   // a field and a method may have the same name: a call means the method
	TypesApart         bool   // a type and a value may have the same name
	PassesOn           bool   // a call of what holds a function is a use of that function
	KeysAreMembers     bool   // a member that a type does not declare may be a key of it
	ImportsTell        bool   // of several members a file means that of a file that it imports
	Mixins             bool   // types are given members that their declarations lack
	StaticsApart       bool   // a static member and one of the values may have the same name
	NamedAsType        bool   // a member may bear the name of its type: before a static member that names the type
	Reopens            bool   // a type may be declared in parts, which all add members and bases; it gets the members of what it implements itself
	WholeNames         bool   // a receiver is named like its type only where it has the whole name
	CallsAccessors     bool   // what reads an accessor is a call of it
	OpenResults        bool   // what something from elsewhere gives when it is called may be of the repository

	Twins         bool   // a type may be declared several times, of which each build compiles one
	Variants      bool   // constants of an enumeration may have fields
	Dereference   string // the method that gives what has the members that a value lacks
	Decays        bool   // an array has the members of its first element
	RestsAreLists bool   // what takes any number of arguments is declared as a list of them

	// Calls is the method that a call of a value or of an object, a static class, calls:
	// apply of Scala. Empty where there is none.
	Calls string
	// Dialects are the rules of files of the family that are written in another language,
	// by the ends of their names.
	Dialects map[string]*Language

	// Texts tell functions of one name apart by what is written of the types
	// that they take, where conversions are many: the types that hold texts of
	// the language, by the literal that one is made of. Without them functions
	// differ by the number of their arguments.
	Texts map[string]int32

	// Conversions tell functions of one name apart by what they take. Without
	// them, the number of arguments does.
	Conversions *Conversions
	// Overrides says which members that override each other are one.
	Overrides Overriding
	// Bases says where the uses stand that name the bases of a type.
	Bases BasePlace
	// Utilities are the types from elsewhere that stand for their first argument
	// with other modifiers or fewer members.
	Utilities map[string]bool
	// KeyLoops are the types from elsewhere over whose keys a loop runs.
	KeyLoops map[string]bool
	// Metatypes are the types from elsewhere whose values are types: X of type[X].
	Metatypes map[string]bool
	// Descriptor is the method whose result is read instead of a value that a class
	// holds, empty where there is none.
	Descriptor string
	// Maps are the types from elsewhere that give the last of their arguments for any key.
	Maps map[string]bool
	// Derived are the types from elsewhere that stand for what comes of their first
	// argument.
	Derived map[string]Derivation
	// Containers say what methods of lists, maps and generic types from elsewhere give.
	Containers map[string]Gives
	// Builtins are the members that types of the language have.
	Builtins map[string]bool
	// Everything are the members that values of any type have. Where it is not nil, what
	// else is called on a value of an unknown type tells which one it is of.
	Everything map[string]bool
	// Core are the types from elsewhere that have no members but the Builtins and
	// Everything; a constant is one of its type there, and none of those above. It may be nil.
	Core map[string]bool
	// Pairs are the types from elsewhere a loop over which takes pairs of the first two
	// of their arguments, and the type of such a pair.
	Pairs map[string]bool
	// Inner are the types within generic types from elsewhere whose values are elements of
	// these or lead to them. Where it is not nil, what gives the container itself gives an
	// iterator.
	Inner map[string]bool
	// Halves are the members of a pair: which argument of its type they are, from 0.
	Halves map[string]int
	// Callbacks are the methods of containers that call their argument with an
	// element: which argument of that call it is, from 0, or EachArgument.
	Callbacks map[string]int
	// Seconds are those of which the second argument is called so too.
	Seconds map[string]bool

	// Models say how values of a class come of what it has from elsewhere. It may be nil.
	Models *Models

	// Functional are the types from elsewhere whose values are functions: which of the
	// type's arguments each parameter of such a function is, from 0. Where it is not nil, a
	// function is also a value of an interface that leaves one method to be written, but
	// where functions are components, ComponentArguments.
	Functional map[string][]int

	// Passing are the functions from elsewhere that give their first argument, true for
	// those that do so only as methods of a value.
	Passing map[string]bool

	// Infers has the arguments of a call tell what type parameters stand for.
	Infers bool
	// Spreads has a call that gives several values stand for as many arguments.
	Spreads bool
	// Applies are the methods of a function that call it, or give it.
	Applies map[string]Gives
	// Results are the methods of containers that give what comes of the function that
	// they are given.
	Results map[string]Gives
	// Library are functions from elsewhere, with the name of what they are members of
	// and a dot before theirs: what they make of their first argument.
	Library map[string]Gives
	// Flat are the types from elsewhere of which await gives no value of their own kind.
	Flat map[string]bool
	// Signatures announce a function within another, too.
	Signatures bool

	// Takes are the methods of containers that are given elements: from which of
	// their arguments on, from 0.
	Takes map[string]int

	// Unwraps are the methods of types in Utilities that give what these stand for.
	Unwraps map[string]bool
	// Leading are the generic types from elsewhere whose element is the first of their
	// arguments. Of others it is the last.
	Leading map[string]bool
	// Fulfils finds the members that a member fulfils, where the types do not say. It
	// may be nil.
	Fulfils func(member corpus.Ref, b Budget) []corpus.Ref
	// Replaces reports whether a member of a type takes the place of one of its name
	// above, by what both take. It may be nil: then Conversions say so.
	Replaces func(member, above corpus.Ref) bool
	// Narrow leaves those of several functions that a use can call by what it is
	// written with besides arguments. It may be nil.
	Narrow func(use corpus.Ref, refs []corpus.Ref) []corpus.Ref
	// Nearness is how near a file has a function, 0 the nearest: one that a call fits goes
	// before those that are farther away. It may be nil: then all are as near.
	Nearness func(id corpus.FileID, r corpus.Ref) int
	// Anywhere finds the members of a name that any value has besides those of its
	// type. It may be nil.
	Anywhere func(name string) []corpus.Ref
	// Spliced finds the members of a name that macros declare which are written between the
	// members of a type. It may be nil.
	Spliced func(typ corpus.Ref, name string) []corpus.Ref
	// Implicit are the receivers of members that are written as bare names: one that
	// the receiver lacks may be declared outside of it.
	Implicit []facts.Op
	// Nests says that a bare name which the innermost of these lacks may be a member of
	// those around it.
	Nests bool
	// Held are the types that stand in a module or a class. It may be nil.
	Held func(typ corpus.Ref) []corpus.Ref
	// Besides are the bases of a type apart from those that it names. It may be nil.
	Besides func(typ corpus.Ref) []Thing
	// Extensions finds the members of a name that the repository adds to a type that it
	// does not declare, or to all types of a kind, as a file sees them. It may be nil.
	Extensions func(f *corpus.File, t Thing, name string) []corpus.Ref
	// Generated finds the field that a method of a name reads or sets which the type of a
	// thing does not declare, as an annotation makes it, or the type that it makes a value
	// of. Generates are the names of such methods of a field, or that by which a constructor
	// is called. They may be nil.
	Generated func(t Thing, name string, b Budget) (of corpus.Ref, ok bool)
	Generates func(of corpus.Ref) []string
	// Keyword is the name of the member that a use means which is a keyword instead: super,
	// or self where that makes a value; ok is false for other uses. Keywords are these words.
	// They may be nil.
	Keyword  func(f *corpus.File, u *facts.Use) (name string, ok bool)
	Keywords []string
	// Foreign reports whether a member is one that the repository declares for a type
	// from elsewhere. It may be nil.
	Foreign func(member corpus.Ref) bool
	// Private reports whether only its own file knows a member. It may be nil.
	Private func(member corpus.Ref) bool
	// Suits reports whether a use can mean a symbol of its name by how it is bound, its
	// role and the number of its arguments. It may be nil.
	Suits func(s *facts.Symbol, u *facts.Use) bool
	// Alike are the symbols of a name that may be Same as one, fewer than all where
	// many files declare it. It may be nil.
	Alike func(r corpus.Ref) []corpus.Ref
	// InSight leaves, of the symbols that a use in a file may mean, those that the file
	// knows of. It may be nil.
	InSight func(id corpus.FileID, refs []corpus.Ref) []corpus.Ref
	// Nearer finds what a bare name means that stands nearer than the declaration or the
	// import that the scopes of its file show. It may be nil.
	Nearer func(f *corpus.File, u *facts.Use, b Budget) Answer
	// Element says what the methods of a value's type make of it: its element,
	// its key, its awaited or its entered value. ok is false where the type has
	// no such method. It may be nil.
	Element func(t Thing, which Part, b Budget) (things []Thing, ok bool)
	// Expands returns the steps that lead to the value that a macro stands for, none
	// where they are not known; value is false for a macro that is called. It may be nil.
	Expands func(macro corpus.Ref) (steps []Step, value bool)
	// Namespace finds the module of a symbol that holds names. known is false
	// where the symbol itself is what they belong to. It may be nil.
	Namespace func(r corpus.Ref, s *facts.Symbol) (m *Module, known bool)
}

// Of returns the rules of a file of the family by its name. It may be asked of nil.
func (l *Language) Of(file string) *Language {
	if l == nil || l.Dialects == nil {
		return l
	}
	if other := l.Dialects[path.Ext(file)]; other != nil {
		return other
	}
	return l
}

// Yielding are the types of TypeScript whose first argument is what a loop over them
// gives. The others are what they return, and what they are sent.
var Yielding = map[string]bool{
	"Generator": true, "AsyncGenerator": true, "Iterator": true, "AsyncIterator": true, "Iterable": true, "AsyncIterable": true,
	"IterableIterator": true, "AsyncIterableIterator": true,
}

// Components are the types of components of React, Preact and Solid, which take their
// first argument.
var Components = map[string][]int{
	"FC": {0}, "FunctionComponent": {0}, "FunctionalComponent": {0}, "VFC": {0}, "VoidFunctionComponent": {0}, "ComponentType": {0}, "ComponentClass": {0},
	"Component": {0}, "ParentComponent": {0}, "FlowComponent": {0}, "VoidComponent": {0}, "ExoticComponent": {0}, "NamedExoticComponent": {0}, "ForwardRefExoticComponent": {0},
}

// Models are what a language knows of classes whose values libraries make, those that
// keep them in databases before all.
type Models struct {
	// Gives are the methods that are reached through a class, Class.objects.get: those that
	// give a value of it are AnElement, what holds such values AllElements, and a pair of
	// one and something else AllEntries.
	Gives map[string]Gives
	// Managers has what a class holds make values of it, as its methods from elsewhere do,
	// and what functions from elsewhere make of a class that they are given.
	Managers bool
	// Makers are the functions from elsewhere that make a value of a class that they are given
	// first: get(X::class) of a container.
	Makers map[string]bool
	// Named is the only class of a name that a file may mean. It may be nil.
	Named func(id corpus.FileID, name string) (class corpus.Ref, ok bool)
}

// Conversions are what a language with overloaded functions knows of types that
// its library declares.
type Conversions struct {
	Top     string              // the type above all others
	Text    string              // the type of a text
	Class   string              // the type of a type
	Mirror  string              // the type of a type in Kotlin's reflection
	Boxes   map[string]int32    // the literals that objects of a type hold
	Above   map[string][]string // the types above a type; those that are listed have no others
	Results map[string]string   // of methods of any type: the type that they give, or a literal's
	Numbers map[string]int32    // the literals that methods of any type give
	Limits  map[string]bool     // the constants of a box that are of the literals it holds
	Made    map[string]string   // the types of what functions of the library make, by their names
	Makers  map[string]bool     // the static methods that make a value of the type that they are called of
}

// IsAttribute reports whether a symbol is an attribute that takes its type from
// a class above where it has none.
func (l *Language) IsAttribute(s *facts.Symbol) bool {
	return l != nil && l.InheritsAttributes && !s.Kind.IsFunc() && !s.Kind.IsType() && !(l.Core != nil && s.Kind == code.KindConst)
}

// Retypes reports whether an attribute is only given a value: it is then the one
// of a class above that says its type.
func (l *Language) Retypes(s *facts.Symbol) bool {
	return l.IsAttribute(s) && (s.Type == facts.None || s.Flags&facts.Inferred != 0)
}

// Languages are the languages by family, nil where there are no rules.
type Languages [corpus.NumFamilies]*Language

// Overriding says which members, where some override others, a use of one of them
// is a use of besides.
type Overriding uint8

// The members that a use of one is a use of, too.
const (
	AllAreOne     Overriding = iota // what it overrides, and all that overrides it or these
	SiblingsApart                   // what it overrides, and what overrides it
	AboveApart                      // what it overrides
	AllApart                        // none
)

// BasePlace says where the uses stand that name the bases of a type.
type BasePlace uint8

// The places.
const (
	InSignature BasePlace = iota
	InBody                // signature and body
	InFile                // anywhere: an impl stands apart from its type
)

// Step is a step on the way to a value.
type Step struct {
	Op  StepOp
	Use int32 // of the name or member
}

// StepOp is what a step does.
type StepOp uint8

// The steps.
const (
	StepName    StepOp = iota // to what a name stands for
	StepValue                 // from a type to a value of it
	StepMember                // to a member
	StepCall                  // to what a call gives
	StepElement               // to an element
)

// Part is the second operand of facts.OpElem.
type Part int32

// The parts of a thing.
const (
	ElementPart Part = iota
	KeyPart
	AwaitedPart
	EnteredPart // by a with statement
	LoopPart    // by a loop: the key of a map
	RangePart   // by a loop: what the iterator of the value leads to
	HeldPart    // of a module: a type that stands in it
)

// Derivation says what a type makes of its first argument.
type Derivation uint8

// The derivations.
const (
	ItsInstance   Derivation = iota + 1 // what a call of the class makes
	ItsResult                           // what a call of the function gives
	ItsAwaited                          // what await gives
	ItsParameters                       // what it takes, one after the other
)

// IsOfContainers reports whether a method of lists and maps is one of which it is known
// what it gives or takes.
func (l *Language) IsOfContainers(method string) bool {
	_, called := l.Callbacks[method]
	_, taken := l.Takes[method]
	return called || taken || l.Containers[method] != 0
}

// CallsArgument reports whether a method of a container calls argument n, from 0, with an element.
func (l *Language) CallsArgument(method string, n int) bool {
	_, ok := l.Callbacks[method]
	return ok && (n == 0 || n == 1 && l.Seconds[method])
}

// EachArgument stands for every argument of a call, as those that are compared are.
const EachArgument = -1

// HoldsElements reports whether a type of a repository tells by those above it what it
// holds, and has the methods of containers from elsewhere for it.
func (l *Language) HoldsElements() bool { return l != nil && l.Element != nil && l.Seconds != nil }

// Gives says what a call of a method of a container gives.
type Gives uint8

// What methods of containers give.
const (
	AnElement Gives = iota + 1
	AKey
	AllElements // values()
	AllEntries  // pairs of a key and an element
	AllKeys     // a list of the keys
	TheSame     // the container itself, or another like it
	ItsOutcome  // what a call of the function gives
	Outcomes    // a list of these
	LaterOne    // a promise of it
	AllAwaited  // a promise of what the elements give when they are awaited
)
