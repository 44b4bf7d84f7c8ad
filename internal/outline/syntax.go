package outline

import (
	"sync"

	"espy/internal/code"
)

// syntax is how a language is scanned.
type syntax struct {
	act        acts                // what a byte may begin; nil: nothing
	line       func(s *scanner)    // looks at a line of code from s.first; may be nil
	everywhere bool                // line is called inside brackets too
	dialect    *dialect            // not nil: definitions are found by statement
	names      string              // bytes that names hold beside letters and digits
	stray      func(b []byte) bool // reports a line that no literal holds; may be nil
	begin      action              // not nil: the text does not start with code; skips to the code
}

// action handles the byte at i and returns the place to go on, after i.
type action func(s *scanner, i int) int

// actions lists actions by the bytes that begin them.
type actions map[string]action

// acts gives the actions of a language by byte. They are laid out when a text of the
// language is first read: few programs read all languages.
type acts func() *[256]action

// table lays lists of actions over each other. The last one that names a byte counts.
func table(layers ...actions) acts {
	return sync.OnceValue(func() *[256]action {
		t := [256]action{'\n': newline}
		for _, layer := range layers {
			layer.over(&t)
		}
		return &t
	})
}

// with is a table with another list laid over it.
func (a acts) with(layer actions) acts {
	return sync.OnceValue(func() *[256]action {
		t := *a()
		layer.over(&t)
		return &t
	})
}

// over sets the actions of the bytes that a list names.
func (l actions) over(t *[256]action) {
	for bytes, f := range l {
		for _, b := range []byte(bytes) {
			t[b] = f
		}
	}
}

// curly are the actions of languages read by line whose blocks stand in braces.
var curly = actions{"{": openBrace, "}": closeBrace, "([": openParen, ")]": closeParen, ";": semicolon}

// clauses are the actions of languages read by statement.
var clauses = actions{"{": openBody, "}": closeBody, "([": openParen, ")]": closeParen, ";": endStatement}

// dialect tells the languages read by statement apart.
type dialect struct {
	types    func(word []byte) (code.Kind, scopeKind) // keywords of types
	c        bool                                     // C and C++: preprocessor, typedef, global variables
	ctors    bool                                     // methods may be declared without a result
	records  bool                                     // a type may have parameters: record R(int x)
	sharp    bool                                     // C#: properties, => bodies, delegates
	members  bool                                     // members without a body count in interfaces and where abstract
	trailing bool                                     // => bodies of functions end with ; (Dart)
	texts    bool                                     // functions may have texts as names: def "it works"() (Groovy)
	blocks   bool                                     // version (x) { and private { hold declarations of the scope around them (D)
}
