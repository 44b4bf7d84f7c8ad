package outline

import "espy/internal/code"

var nimSyntax = syntax{line: nimLine, act: table(actions{
	"#": nestedOr("#[", "]#", lineComment), "\"": nimQuote, "'": haskellTick, "([{": openParen, ")]}": closeParen,
})}

var nimKinds = map[string]code.Kind{
	"proc": code.KindFunc, "func": code.KindFunc, "method": code.KindMethod, "iterator": code.KindFunc, "converter": code.KindFunc,
	"template": code.KindMacro, "macro": code.KindMacro, "type": code.KindType, "const": code.KindConst, "let": code.KindVar, "var": code.KindVar,
}

// nimLine finds routines, and the names of the type, const, let and var sections of the file.
func nimLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	if column > 0 && s.group != code.KindUnknown {
		if len(s.indents) == 0 {
			s.indents = append(s.indents, level{indent: column})
		}
		if s.indents[0].indent == column {
			nimName(s, &c, s.group)
		}
		return
	}
	if column == 0 {
		s.group, s.indents = code.KindUnknown, s.indents[:0]
	}
	kind, ok := nimKinds[string(c.word())]
	if !ok {
		return
	}
	if c.skip(); c.i == c.end || c.peek() == '#' {
		if column == 0 && !kind.IsFunc() {
			s.group = kind
		}
		return
	}
	if column == 0 || kind.IsFunc() && s.atMembers(column) {
		nimName(s, &c, kind)
		s.indents = append(s.indents, level{indent: column})
	}
}

// nimName defines name, name*, `name`.
func nimName(s *scanner, c *cursor, kind code.Kind) {
	quoted := c.take('`')
	start := c.i
	if quoted {
		for c.i < c.end && c.peek() != '`' {
			c.i++
		}
	} else {
		c.word()
	}
	end := c.i
	if quoted {
		c.take('`')
	}
	c.take('*')
	c.skip()
	switch c.peek() {
	case '(', '[', ':', '=', '{', ',', 0:
		s.define(kind, start, end)
	}
}

// nimQuote handles "...", r"..." and """...""".
func nimQuote(s *scanner, i int) int {
	if s.opensTriple(i) {
		return s.toTriple(i, i+3, '"', false)
	}
	if i > 0 && letter[s.text[i-1]] != 0 {
		return rawQuote(s, i)
	}
	return quote(s, i)
}
