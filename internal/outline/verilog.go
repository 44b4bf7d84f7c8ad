package outline

import (
	"bytes"

	"espy/internal/code"
)

var verilogSyntax = syntax{line: verilogLine, everywhere: true, act: table(actions{"/": slash, "\"": quote})}

// verilogNamed are the words that a name follows.
var verilogNamed = map[string]code.Kind{
	"module": code.KindClass, "macromodule": code.KindClass, "program": code.KindClass, "class": code.KindClass, "checker": code.KindClass, "primitive": code.KindClass,
	"interface": code.KindInterface, "package": code.KindModule, "covergroup": code.KindType, "constraint": code.KindField, "clocking": code.KindField,
	"property": code.KindFunc, "sequence": code.KindFunc,
}

// verilogTyped are the words that a type and then a name follow.
var verilogTyped = map[string]code.Kind{
	"function": code.KindFunc, "task": code.KindFunc, "typedef": code.KindType, "parameter": code.KindConst, "localparam": code.KindConst,
}

// verilogLine finds modules, classes, routines, types, parameters and macros.
func verilogLine(s *scanner) {
	c := s.cursor()
	switch {
	case c.take('`'):
		if string(c.word()) == "define" && c.skip() {
			verilogNext(s, &c, code.KindMacro)
		}
		return
	case s.group == code.KindType && c.peek() == '}' && s.column() <= s.indents[0].indent: // typedef struct { ... } name;
		s.group = code.KindUnknown
		c.i++
		c.skip()
		verilogNext(s, &c, code.KindType)
		return
	}
	for {
		word := string(c.word())
		if word == "" || !c.skip() {
			return
		}
		switch word {
		case "virtual", "static", "protected", "local", "pure", "default", "extern":
			continue
		}
		if kind, ok := verilogNamed[word]; ok {
			for c.has("automatic ") || c.has("static ") || c.has("class ") {
				c.word()
				c.skip()
			}
			verilogNext(s, &c, kind)
		} else if kind, ok := verilogTyped[word]; ok {
			verilogLast(s, &c, kind)
		}
		return
	}
}

// verilogNext defines the name at the cursor.
func verilogNext(s *scanner, c *cursor, kind code.Kind) {
	name := c.word()
	verilogDefine(s, kind, c.i-len(name), c.i)
}

// verilogLast defines the last name before a bracket, an = or the end.
func verilogLast(s *scanner, c *cursor, kind code.Kind) {
	if kind == code.KindType && bytes.HasSuffix(bytes.TrimRight(c.rest(), " \t\r"), []byte("{")) {
		s.group, s.indents = code.KindType, append(s.indents[:0], level{indent: s.column()})
		return
	}
	start, end := 0, 0
	for c.i < c.end {
		b := c.peek()
		if letter[b]&1 != 0 {
			start = c.i
			c.word()
			end = c.i
		} else if b == '[' {
			c.balanced()
		} else if isBlank(b) || b == ':' {
			c.i++
		} else {
			break
		}
	}
	if kind == code.KindFunc && c.peek() != '(' && c.peek() != ';' || c.peek() == '#' {
		return // the name stands on a later line
	}
	verilogDefine(s, kind, start, end)
}

// verilogDefine defines a name. Macros and parameters come in runs: no chunk begins with one.
func verilogDefine(s *scanner, kind code.Kind, start, end int) {
	if end > start {
		s.define(kind, start, end)
	}
	if kind == code.KindMacro || kind == code.KindConst {
		s.current().flags &^= startLine
	}
}
