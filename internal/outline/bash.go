package outline

import (
	"bytes"

	"espy/internal/code"
)

var bashSyntax = syntax{line: bashLine, everywhere: true, act: table(actions{
	"#": bashHash, "\"": longQuote, "'": bashTick, "<": bashLess, "\\": bashEscape,
})}

func bashLine(s *scanner) {
	c := s.cursor()
	if letter[c.peek()]&1 == 0 {
		return
	}
	isKeyword := false
	if c.has("function ") {
		isKeyword = true
		c.i += len("function ")
		c.skip()
	}
	start := c.i
	for c.i < c.end && (letter[c.peek()] != 0 || c.peek() == '-' || c.peek() == ':' || c.peek() == '.' || c.peek() == '@' && c.i > start) {
		c.i++
	}
	end := c.i
	if end == start {
		return
	}
	c.skip()
	isFunction := isKeyword
	if c.take('(') {
		c.skip()
		isFunction = c.peek() == ')'
	}
	if isFunction {
		s.define(code.KindFunc, start, end)
		return
	}
	switch string(s.text[start:end]) {
	case "readonly":
		bashConst(s, &c)
	case "declare", "typeset", "local":
		if c.has("-r") || c.has("-gr") {
			bashConst(s, &c)
		}
	case "alias":
		if name := c.word(); len(name) > 0 && c.peek() == '=' && s.column() == 0 {
			s.define(code.KindFunc, c.i-len(name), c.i)
		}
	}
}

// bashConst finds NAME in readonly -a NAME=value.
func bashConst(s *scanner, c *cursor) {
	if s.column() > 0 {
		return
	}
	for c.peek() == '-' {
		for c.i < c.end && !isBlank(c.peek()) {
			c.i++
		}
		c.skip()
	}
	if name := c.word(); len(name) > 0 && c.peek() == '=' {
		s.define(code.KindConst, c.i-len(name), c.i)
	}
}

// bashHash handles comments. $# and ${#x} are no comments.
func bashHash(s *scanner, i int) int {
	if i > 0 && !isBlank(s.text[i-1]) && s.text[i-1] != '\n' && s.text[i-1] != ';' && s.text[i-1] != '(' && s.text[i-1] != '&' && s.text[i-1] != '|' {
		return i + 1
	}
	return lineComment(s, i)
}

// bashTick handles '...' without escapes and $'...' with them.
func bashTick(s *scanner, i int) int {
	return s.toQuote(i, '\'', i > 0 && s.text[i-1] == '$')
}

// bashLess handles heredocs: <<WORD and <<-WORD. <<< and $((1 << 2)) start none.
func bashLess(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '<' {
		return i + 1
	}
	if i+2 < len(s.text) && s.text[i+2] == '<' {
		return i + 3
	}
	if bytes.Contains(s.text[max(int(s.current().start), i-maxLook):i], []byte("((")) {
		return i + 2
	}
	p := i + 2
	if p < len(s.text) && s.text[p] == '-' {
		p++
	}
	for p < len(s.text) && s.text[p] == ' ' {
		p++
	}
	if n := s.heredocAt(i, "- ", true, false); n >= 0 {
		return n
	}
	return i + 2
}

// bashEscape skips the byte after a backslash.
func bashEscape(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] != '\n' {
		return i + 2
	}
	return i + 1
}
