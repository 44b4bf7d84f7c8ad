package framework

import (
	"espy/internal/links/framework/written"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
)

// framework is what a rule belongs to.
type framework struct {
	name    string   // as people call it
	modules []string // what uses it imports one of them, or what is below it; none where the names alone tell
}

// rule is what frameworks join in one way.
type rule struct {
	by      []framework // those that share the rule: what a file imports tells which it is
	kind    Kind
	role    Role
	in      corpus.Family
	names   []string // of functions, methods, decorators, annotations, types or fields; words, of stated; those before a key, of a rule about known keys
	of      string   // what the name is a member of, by its last part; empty for anything
	shape   shape
	files   string            // a glob of their paths, for stated and lined; empty is any file
	pattern pattern.Pattern   // of stated and lined: group key is the key, group to the name of the target
	also    []pattern.Pattern // other forms of the pattern
	key     written.Position  // of the literal that is the key
	verb    verb              // of a route
	target  target
	handler written.Position // of the target, for inArgument and file
	bare    bool             // a path may lack the / before it
	takes   takes            // of an injection
	member  bool             // the name must be a member of something
	from    bool             // what the name is a member of must come from a module of its framework
	known   bool             // only keys that another rule of the kind declares, or reads if they are settings
}

// shape is what stands round the name of a rule.
type shape uint8

const (
	called    shape = iota // name(arguments)
	marking                // @name(arguments), #[name(arguments)], which marks a declaration
	indexed                // name[key] or name.KEY
	assigned               // name = key
	stated                 // a text round the word name that the pattern matches, in any language
	lined                  // a line of a file that the pattern matches
	drawn                  // name do: a block of Ruby that draws routes
	blocked                // name(arguments) { ... }, of Kotlin
	inherited              // class X(name), whose fields are the keys
	nested                 // keys of YAML, with those that they stand below
)

// target says what a link leads to.
type target uint8

const (
	itself     target = iota // the code that holds the place
	inArgument               // what the argument names
	marked                   // the declaration that is marked
	holder                   // the type that holds the place
	file                     // the file that a literal names
	grouped                  // the symbol that a group of the pattern names
	typed                    // the last of the type arguments of a call
)

// takes says what of a marked declaration is given a value of its type.
type takes uint8

const (
	nothing     takes = iota
	parameters        // those of the only constructor of the type
	finalFields       // those of a type that is marked as a component too
	own               // the field, or the parameters of the function
)

// verb says which method of HTTP a route answers.
type verb uint8

const (
	anyVerb      verb = iota
	nameVerb          // the name of the rule: get, GET, GetMapping, HandlePost
	verbInKey         // the key may begin with it: "GET /x"
	listVerb          // the argument methods, or a call .Methods("GET") behind it
	firstVerb         // the first argument lists them
	resourceVerb      // of Laravel: those of the actions of a resource
)

// mount is a way to put a prefix before routes.
type mount struct {
	rule
	how how
}

// how says which routes a prefix stands before.
type how uint8

const (
	ofArgument how = iota // those of the router in an argument
	ofResult              // those of the router that the call gives
	ofSpan                // those within the arguments
	ofChain               // those of the calls behind the arguments, which name no path
	ofBlock               // those within the block behind the arguments
	ofType                // those of the class that is marked
	ofMarked              // those of the class or the method that is marked
	ofFile                // those of the module that a text names
	ofGroup               // of Laravel: those within the arguments, with what the calls before it say
)
