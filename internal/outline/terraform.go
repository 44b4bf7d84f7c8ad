package outline

import "espy/internal/code"

var terraformSyntax = syntax{line: terraformLine, act: table(actions{
	"#": startComment, "/": slash, "\"": quote, "<": terraformLess, "{": openBrace, "}": closeBrace, "([": openParen, ")]": closeParen,
})}

// terraformLine finds the blocks: resource "type" "name" {, by their last label.
func terraformLine(s *scanner) {
	c := s.cursor()
	if len(s.scopes) > 0 || s.column() > 0 {
		return
	}
	word := c.word()
	if len(word) == 0 {
		return
	}
	start, end := c.i-len(word), c.i
	for c.skip(); c.peek() == '"'; c.skip() {
		name := c.quoted('"')
		start, end = c.i-1-len(name), c.i-1
	}
	switch c.peek() {
	case '{':
		s.mark()
		if string(word) == "module" && end-start > 0 {
			s.define(code.KindModule, start, end)
			return
		}
		s.key(start, end)
	case '=':
		s.key(start, end)
	}
}

// terraformLess handles <<EOT and <<-EOT.
func terraformLess(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '<' {
		if n := s.heredocAt(i, "-~", true, false); n >= 0 {
			return n
		}
	}
	return i + 1
}
