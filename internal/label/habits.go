package label

import (
	"bytes"

	"espy/internal/lang"
)

// habits are what the lines of a language are like that stand at its margin.
type habits struct {
	forms     bool // what is outermost is in parentheses or a comment; the rest is text of literals
	equations bool // a function is a signature, and below it equations that begin with its name
}

// habitsOf returns those of a language.
func habitsOf(language string) habits {
	switch language {
	case "clojure", "lisp", "racket", "scheme":
		return habits{forms: true}
	case "elm", "haskell", "purescript":
		return habits{equations: true}
	}
	return habits{}
}

// goesOn reports whether a line is part of what stands above it, however little it is
// indented.
func (h habits) goesOn(line []byte) bool {
	if h.forms && indentation(line) == 0 {
		return line[0] != '(' && line[0] != ';'
	}
	return closes(line) || lang.IsDirective(line)
}

// closes reports whether a line starts with a bracket that ends, or carries
// on, what stands above it, or ends a literal of several lines.
func closes(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && bytes.IndexByte([]byte(")]}{"), line[0]) >= 0 || endsLiteral(line)
}

// endsLiteral reports whether a line is the mark that ends a literal of several lines: a word
// in capitals, as END of <<END, or that of PowerShell.
func endsLiteral(line []byte) bool {
	if bytes.HasPrefix(line, []byte(`"@`)) || bytes.HasPrefix(line, []byte(`'@`)) {
		return true
	}
	line = bytes.TrimRight(line, ";\r")
	return len(line) > 2 && bytes.IndexFunc(line, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') }) < 0
}
