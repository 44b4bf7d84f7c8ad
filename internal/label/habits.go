package label

import (
	"bytes"

	"espy/internal/lang"
	"espy/internal/pattern"
)

// habits are what the lines of a language are like that stand at its margin.
type habits struct {
	forms     bool // what is outermost is in parentheses or a comment; the rest is text of literals
	equations bool // a function is a signature, and below it equations that begin with its name
	requires  bool // what a function requires stands between its name and its body: if (x), in (x)
}

// habitsOf returns those of a language.
func habitsOf(language string) habits {
	switch language {
	case "clojure", "lisp", "racket", "scheme":
		return habits{forms: true}
	case "elm", "haskell", "purescript":
		return habits{equations: true}
	case "d":
		return habits{requires: true}
	}
	return habits{}
}

// goesOn reports whether a line is part of what stands above it, however little it is
// indented.
func (h habits) goesOn(line []byte) bool {
	if h.forms && indentation(line) == 0 {
		return line[0] != '(' && line[0] != ';'
	}
	if h.requires && indentation(line) == 0 && (bytes.HasPrefix(line, []byte("if (")) || bytes.HasPrefix(line, []byte("in ")) || bytes.HasPrefix(line, []byte("out "))) {
		return true
	}
	return closes(line) || lang.IsDirective(line)
}

// closes reports whether a line starts with a bracket that ends, or carries
// on, what stands above it, or ends a literal of several lines.
func closes(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && bytes.IndexByte([]byte(")]}{"), line[0]) >= 0 || endsLiteral(line)
}

// ends reports whether a line ends by a keyword what it stands in.
func ends(line []byte) bool { return ending().Match(bytes.TrimLeft(line, " \t")) }

// ending is how a line begins that ends what stands above it by a keyword: end, end function f.
var ending = pattern.New(`(?i)^end(?:function|subroutine|module|program|procedure|type|interface|class|task|package|macro|if|do|case)?(?:[ \t;.(]|$)`)

// endsLiteral reports whether a line is the mark that ends a literal of several lines: a word
// in capitals, as END of <<END, or that of PowerShell.
func endsLiteral(line []byte) bool {
	if bytes.HasPrefix(line, []byte(`"@`)) || bytes.HasPrefix(line, []byte(`'@`)) {
		return true
	}
	line = bytes.TrimRight(line, ";\r")
	return len(line) > 2 && bytes.IndexFunc(line, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') }) < 0
}
