package outline

import "espy/internal/code"

var rSyntax = syntax{line: rLine, names: rNames, everywhere: true, act: table(actions{"#": lineComment, "\"'": rQuote})}

// rNames are the bytes of names beside letters and digits.
const rNames = "."

// rLine finds values and functions of the file, and the methods of classes.
func rLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	start := c.i
	var name []byte
	if c.peek() == '`' || c.peek() == '"' && column == 0 {
		start++
		name = c.quoted(c.peek())
	} else {
		name = nameWith(&c, rNames)
	}
	end := start + len(name)
	if len(name) == 0 {
		return
	}
	if c.peek() == '(' {
		rCall(s, &c, string(name))
		return
	}
	c.skip()
	equal := c.peek() == '=' && c.at(1) != '='
	switch {
	case c.has("<<-"):
		c.i += 3
	case c.has("<-"):
		c.i += 2
	case equal:
		c.i++
	default:
		return
	}
	c.skip()
	switch {
	case c.has("function(") || c.has("function ") || c.has("\\("):
		switch {
		case column == 0:
			s.indents = s.indents[:0]
			s.level(code.KindFunc, start, end)
		case equal && s.atMembers(column) && len(s.indents) > 0:
			s.level(code.KindMethod, start, end)
		}
	case c.has("R6Class(") || c.has("setRefClass(") || c.has("R6::R6Class("):
		s.enter(column, true)
		s.define(code.KindClass, start, end)
	case equal && c.has("list(") && (string(name) == "public" || string(name) == "private" || string(name) == "active" || string(name) == "methods"):
		s.enter(column, true)
	case column == 0:
		s.indents = s.indents[:0]
		s.define(code.KindVar, start, end)
	}
}

// rCall finds the name that setClass("Name") and the like define.
func rCall(s *scanner, c *cursor, called string) {
	kind := code.KindUnknown
	switch called {
	case "setClass", "setClassUnion", "new_class":
		kind = code.KindClass
	case "setGeneric":
		kind = code.KindFunc
	case "setMethod":
		kind = code.KindMethod
	default:
		return
	}
	c.i++
	c.skip()
	if b := c.peek(); b == '"' || b == '\'' {
		at := c.i + 1
		if name := c.quoted(b); len(name) > 0 && s.column() == 0 {
			s.define(kind, at, at+len(name))
		}
	}
}

// rQuote handles quotes, and r"(raw)" ones.
func rQuote(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == 'r' || s.text[i-1] == 'R') && (i == 1 || letter[s.text[i-2]] == 0) && i+1 < len(s.text) && s.text[i+1] == '(' {
		if n := s.find(i, ")"+string(s.text[i])); n >= 0 {
			return s.pass(i, n+2, insideLine)
		}
	}
	return longQuote(s, i)
}
