// Package facts says what the grammar of a language shows of one file. It holds
// data only. Extractors make facts (facts/golang, facts/tree), the syntax part
// stores them (segment/syn), and questions about names read them (resolve).
//
// No extractor looks at a second file. What needs one (the meaning of an import,
// the type of the result of a call) stays an expression until a question is
// asked, so that an edit never changes the facts of other files.
//
// The tables of a file refer to each other by index; None stands for no index.
package facts

import "espy/internal/code"

// File holds the facts of one file.
type File struct {
	Package string   // the name that the file gives its package or namespace; empty where its language has none
	Symbols []Symbol // by Start, so that a symbol follows those that hold it
	Uses    []Use    // by At
	Imports []Import // by the place of their statement
	Exprs   []Expr   // an expression follows those it is made of
	Errors  []Fault  // what the grammar could not read, at most MaxFaults; the rest of the facts stands
}

// MaxFaults bounds the faults that are kept of a file.
const MaxFaults = 20

// None is the index of nothing.
const None = -1

// Fault is text that the grammar could not read.
type Fault struct {
	Line    uint32
	Message string
}

// Place is the place of a name: a byte offset in the searchable text, its line and
// the byte column in that line. Lines and columns count from 1.
type Place struct {
	At, Line, Column uint32
}

// Symbol is a declaration of a name.
type Symbol struct {
	Name   string
	Kind   code.Kind
	Flags  Flags
	Place         // of the name
	Parent int32  // the symbol that holds it (the class of a method, the function of a variable); None at the top of the file
	Owner  string // the type that holds it as written outside of that type (receiver, impl, A::f), without its type parameters; empty where Parent says it

	Start, End       uint32 // bytes of the whole declaration, decorators and attributes included, documentation not
	EndLine          uint32
	SigStart, SigEnd uint32 // bytes of its signature: the declaration without body and documentation
	DocStart, DocEnd uint32 // bytes of its documentation, comment marks included; equal where it has none

	Type       int32  // expression: the type of a value, field or parameter as written, else its first value; what a function returns; what an alias stands for; of a class or an interface an OpTuple of its bases where they have type arguments, and of what an interface is when it is called; None where not known
	MinArgs    uint8  // arguments a call must give, the receiver not counted; of a type parameter of TypeScript its place among the others, from 0
	MaxArgs    uint8  // arguments a call may give; ManyArgs for no bound or 255 and more, and of a type parameter that no type arguments of its symbol stand for
	Complexity uint16 // cyclomatic, of functions: 1 + branches (if, loops, case, catch, && and ||, ?:), nested functions counted too; 0 of everything else
}

// ManyArgs is the MaxArgs of a function that takes any number.
const ManyArgs = 255

// Flags are traits of a symbol.
type Flags uint16

// The traits. Their bits are stored: append, never reorder.
const (
	Exported  Flags = 1 << iota // visible outside its file, package or module, as its language has it
	Local                       // a parameter or a name inside a function: no other file can mean it
	Static                      // belongs to the type, not to its values
	Abstract                    // declared without a body: method of an interface, prototype, forward declaration
	Inferred                    // Type is that of its first value, not one that is written
	Embedded                    // a field whose members are promoted
	Overrides                   // says that it overrides
	Reexport                    // a name that is passed on from another file
	Accessor                    // a getter, setter or property: used without a call
	Virtual                     // says that others may override it
	Pointer                     // declared as a pointer to its type, or a function that gives one
	Constant                    // of C++: a method of values that do not change, or a value that does not
	Reference                   // of C++: declared as a reference to its type
	Partial                     // of C#: one of several declarations that are one thing
	Optional                    // of TypeScript: a property that values need not have
)

// Role says how a use uses the name.
type Role uint8

// The roles. Their numbers are stored: append, never reorder.
const (
	RoleRead  Role = iota
	RoleCall       // also the construction of a value: new T, T(...) and T{...}
	RoleWrite      // also a key of a literal that sets a field
	RoleType
	RoleImport
	RoleInherit
	RoleImplement
)

var roleNames = [...]string{"read", "call", "write", "type", "import", "inherit", "implement"}

// String returns the word for the role that every answer uses.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return roleNames[RoleRead]
}

// Use is an identifier other than the name of a declaration.
type Use struct {
	Name string
	Role Role
	Bind Bind
	Place
	In     int32 // the innermost function, method, type or top-level variable that it stands in; None at the top of the file
	Target int32 // by Bind: a symbol, an import or an expression of this file, None for a member of something that is not known
	Args   int16 // arguments of a call; None where it is not one or has a spread; MacroArgs of a macro of Rust
}

// MacroArgs is the Args of a use that calls a macro of Rust, name!(...): what it is
// given is no list of values, and no function is called so.
const MacroArgs = ManyArgs

// Bind says how much of the meaning of a use the file itself tells.
type Bind uint8

// The ways. Their numbers are stored: append, never reorder.
const (
	BindFree   Bind = iota // declared nowhere in the file's scopes: of the package, a wildcard import, an include, or built in
	BindSymbol             // Target is the symbol, found by the scopes of the language
	BindImport             // Target is the import that brings the name
	BindMember             // a member of the value or type that the expression Target stands for
)

// Import is one name that a file takes from elsewhere.
type Import struct {
	Module string // as written, quotes aside: path, dotted name or header; empty where the file passes on a name of its own under the name Local
	Name   string // the name in the module; empty for the module itself, "*" for all of its names
	Local  string // the name in this file; empty where it brings none (side effects, includes, wildcards)
	Place         // of Local's declaration where one is written, else of the name or module
	In     int32  // the symbol whose scope it is in; None for the whole file
	Flags  Flags  // Exported or Reexport where the file passes the name on
}

// WholeModule is the Name of an import of the one value that a module gives away
// (module.exports of CommonJS), which is the module itself where it gives away
// names. It is the Local of an import that says what that value is.
const WholeModule = "export="

// Expr is one step of the computation of a type.
type Expr struct {
	Op   Op
	X, Y int32 // operands, by Op
}

// Op is the operator of an expression.
type Op uint8

// The operators. Their numbers are stored: append, never reorder.
const (
	OpUse       Op = iota // what use X names: a value, a function or a type
	OpValue               // a value of the type that expression X names: annotations, new, composite literals
	OpSymbol              // what symbol X names
	OpThis                // the value that a method of symbol X is called on
	OpSuper               // the same, seen as its base types
	OpCall                // the result of calling expression X
	OpElem                // an element, key or awaited value of expression X: x[i], range, for, *x, await; Y is 0 for the element, 1 for the key, 2 for what await gives, 3 for what a with statement enters, 4 for what a loop takes where that may be a key and 5 for what a loop takes of a value that says what it goes through, which are X itself where that has no way to tell
	OpResult              // result Y of expression X, which gives several
	OpTuple               // expressions X and Y together, Y being None at the end
	OpApply               // type X given type arguments Y, an OpTuple
	OpUnion               // X or Y
	OpLiteral             // a value of the built-in type X, one of the literals below
	OpFunc                // a function whose result is expression X, and which takes the values of the OpTuple Y; either may be None
	OpMembers             // the unnamed type whose fields and methods are symbols that symbol X holds, None in a function without a name: struct{...}, {a: T}; Y is its OpExtent where X holds those of several, else None, for those that stand in none
	OpArgument            // what a call of expression X must give as argument Y, which counts from 0 without the receiver
	OpNarrow              // expression X, known to be of the type of the value Y: after isinstance
	OpExcept              // expression X, known not to be of the type of the value Y
	OpElse                // expression X, or Y where nothing is known of it: the last value of a variable, or the variable
	OpGiven               // no step, but what a use is given, the values of the OpTuple Y: the arguments of a call in languages whose functions differ by them, or what the label of a switch is compared with
	OpTop                 // of C++: what stands outside of all namespaces, as ::x does; X is 1 where only macros count, as in #ifdef x
	OpBoth                // X and Y at once: an intersection of types
	OpItself              // what expression X stands for and no value of it: typeof a class
	OpPredicate           // what a function gives that tells whether its argument is a value X
	OpGuarded             // the value of which an argument is known to be where a call of expression X holds, if X gives an OpPredicate
	OpHas                 // no step, but a test: the member that use X names is the constant of number Y; that of a text is its TextNumber, that of a member of something its MemberNumber, and Truthy that of all that holds as a condition
	OpShaped              // what expression X stands for, as a literal is whose keys are members of it; Y is an OpTuple of OpHas for its constants, with a None where it has keys that are not written, or None
	OpGives               // the function of expression X, whose call must give the value Y
	OpInfer               // no step, but where a type that is inferred comes from: expression X, compared with the pattern Y that holds it
	OpExtent              // no step, but the first and the last of the members of an unnamed type, symbols X and Y, with all between them that no other one in it holds; None for no members
	OpTyped               // no step, but the type that function X, a symbol, is declared with as a value: expression Y
	OpOn                  // the function X, as one that runs on the value Y: A.(B) -> C of Kotlin
	OpBlock               // what a call of expression X must give as its last argument: the block behind it
	OpSelf                // what the function of expression X runs on
	OpTakes               // no step, but the block that function X, a symbol, takes: expression Y
	OpKeyed               // no step, but the value of a key of a literal that is given to a call: use X is given expression Y
	OpWithin              // no step, but where the body of a function without a name stands that has unnamed types: from byte X to before byte Y
	OpExtends             // no step, but the type that function or property X, a symbol, is written for outside of it: a value of expression Y
	OpBehind              // no step, but a block stands behind the arguments that use X gives with a list of any number: expression Y is what is called
	OpAhead               // no step, but the base that use X names, which is expression Y, has its members before the type that names it: prepend of Ruby
)

// Literals of OpLiteral. Append, never reorder.
const (
	LiteralString = iota // Y of it, of a number and of a bool is the TextNumber of the one value that a type has, or None
	LiteralNumber
	LiteralBool
	LiteralNull
	LiteralList // Y is the expression of an element, or None
	LiteralMap  // Y is the expression of a value, or None
	LiteralByte // a number of that type, as the following
	LiteralShort
	LiteralChar
	LiteralInt
	LiteralLong
	LiteralFloat
	LiteralDouble
	LiteralClass // a type itself, as a value
	LiteralLongDouble
	LiteralWide    // a text of wide characters
	LiteralPointer // Y is the expression of what it leads to, or None
	LiteralUnsignedByte
	LiteralUnsignedShort
	LiteralUnsigned
	LiteralUnsignedLong
	LiteralMirror // a type itself, as Kotlin's reflection has it
	LiteralKeyed  // a LiteralMap whose Y is an OpTuple: the expressions of a key and of a value
)

// Confidence says how certain it is that a use means a symbol.
type Confidence uint8

// The confidences, the best first.
const (
	Certain  Confidence = iota // the scopes, imports and written types of the language say so
	Likely                     // inferred: nothing else in the repository fits
	Possible                   // it may as well be something else; no part of the answer proper
)

var confidenceNames = [...]string{"certain", "likely", "possible"}

// String returns the word for the confidence that every answer uses.
func (c Confidence) String() string {
	if int(c) < len(confidenceNames) {
		return confidenceNames[c]
	}
	return confidenceNames[Possible]
}
