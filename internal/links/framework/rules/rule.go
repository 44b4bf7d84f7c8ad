// Package rules is the table of frameworks: what each joins by a text or by a
// convention, and how it puts a prefix before routes. A row says which names to look
// for, which modules must be imported, and where the key and the target stand.
package rules

import (
	"espy/internal/links/edge"
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// Framework is what a rule belongs to.
type Framework struct {
	Name    string   // as people call it
	Modules []string // what uses it imports one of them, or what is below it; none where the names alone tell
}

// Rule is what frameworks join in one way.
type Rule struct {
	By      []Framework // those that share the rule: what a file imports tells which it is
	Kind    edge.Kind
	Role    edge.Role
	In      corpus.Family
	Names   []string // of functions, methods, decorators, annotations, types or fields; words, of Stated; those before a key, of a rule about known keys
	Of      string   // what the name is a member of, by its last part; empty for anything
	Shape   Shape
	Files   string            // a glob of their paths, for Stated, Lined and Paged; empty is any file
	Pattern pattern.Pattern   // of Stated, Lined and Paged: group key is the key, group to the name of the target
	Also    []pattern.Pattern // other forms of the pattern
	Key     written.Position  // of the literal that is the key
	Verb    Verb              // of a route
	Target  Target
	Handler written.Position // of the target, for InArgument and File
	Bare    bool             // a path may lack the / before it
	Takes   Takes            // of an injection
	Member  bool             // the name must be a member of something
	From    bool             // what the name is a member of must come from a module of its framework
	Long    bool             // the arguments may be many
	Options bool             // an object among the arguments names some of them
	Final   string           // the annotation of functions whose keys are whole; who calls others may put more before theirs
	Known   bool             // only keys that another rule of the kind declares, or reads if they are settings
}

// Shape is what stands round the name of a rule.
type Shape uint8

// The shapes.
const (
	Called    Shape = iota // name(arguments)
	Marking                // @name(arguments), #[name(arguments)], which marks a declaration
	Indexed                // name[key] or name.KEY
	Assigned               // name = key
	Stated                 // a text round the word name that the pattern matches, in any language
	Lined                  // a line of a file that the pattern matches
	Paged                  // a text of a file, of any lines, that the pattern matches, of Target File the address of a file: a route has the method in group verb or after, else GET
	Drawn                  // name do: a block of Ruby that draws routes
	Routed                 // a word in the line of use, in a file of Elixir that draws routes
	Schema                 // the fields of a schema of GraphQL, and what resolves them
	Blocked                // name(arguments) { ... }, of Kotlin
	Inherited              // class X(name), whose fields are the keys
	Nested                 // keys of YAML, with those that they stand below
)

// Target says what a link leads to.
type Target uint8

// The targets.
const (
	Itself     Target = iota // the code that holds the place
	InArgument               // what the argument names
	Marked                   // the declaration that is marked
	Holder                   // the type that holds the place
	File                     // the file that a literal names
	Grouped                  // the symbol that a group of the pattern names
	Beside                   // what an argument names that is a function, else what stands behind the call as the next argument
	Typed                    // the last of the type arguments of a call
	Behind                   // what the first argument of a call names that stands in the chain behind: .Handler(h), .HandlerFunc(f)
)

// Takes says what of a marked declaration is given a value of its type.
type Takes uint8

// What is given a value.
const (
	Nothing     Takes = iota
	Parameters        // those of the only constructor of the type
	FinalFields       // those of a type that is marked as a component too
	Own               // the field, or the parameters of the function
)

// Verb says which method of HTTP a route answers.
type Verb uint8

// Where the method stands.
const (
	AnyVerb      Verb = iota
	NameVerb          // the name of the rule: get, GET, GetMapping, HandlePost
	VerbInKey         // the key may begin with it: "GET /x"
	ListVerb          // the argument methods, or a call .Methods("GET") behind it
	FirstVerb         // the first argument lists them
	CallVerb          // the name of the rule: query, mutation; the path is that of names, a.b
	MethodVerbs       // those of the calls in the last argument, of Rust: get(a).post(b), web::get().to(a)
	ResourceVerb      // of Laravel: those of the actions of a resource
	RestVerb          // of Django REST framework: those of the actions of a class
)

// Mount is a way to put a prefix before routes.
type Mount struct {
	Rule
	How How
}

// How says which routes a prefix stands before.
type How uint8

// The ways.
const (
	OfArgument   How = iota // those of the router in an argument
	OfProperties            // those in the object in an argument: each stands below its name
	OfElements              // those of the routers in any argument, without a path
	OfResult                // those of the router that the call gives
	OfChain                 // those of the calls behind the arguments, which name no path
	OfBlock                 // those within the block behind the arguments
	OfType                  // those of the class that is marked
	OfMarked                // those of the class or the method that is marked
	OfFile                  // those of the module that a text names
	OfFolder                // those of the files of a folder, by where they stand in it
	OfGroup                 // of Laravel: those within the arguments, with what the calls before it say
)
