package outline

import (
	"bytes"

	"espy/internal/code"
)

var fortranSyntax = syntax{line: fortranLine, everywhere: true, act: table(actions{"!": lineComment, "\"'": quote})}

var fortranWords = &keywords{fold: true, kinds: map[string]code.Kind{
	"subroutine": code.KindFunc, "function": code.KindFunc, "module": code.KindModule, "submodule": code.KindModule, "program": code.KindModule,
	"interface": code.KindInterface, "type": code.KindStruct,
}, modifiers: "pure elemental impure recursive integer real logical character complex double precision module abstract non_recursive type class"}

// fortranLine finds modules, procedures, interfaces and types: type, attributes :: name.
func fortranLine(s *scanner) {
	c := s.cursor()
	if s.column() == 0 && (c.peek() == '*' || (c.peek() == 'c' || c.peek() == 'C') && !isBlank(c.at(1)) && letter[c.at(1)] == 0) {
		return // a comment of the fixed form
	}
	for {
		word := fortranWords.word(&c)
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		if c.peek() == '(' { // real(8) function, submodule (parent) name
			if !fortranWords.modifies(word) && string(word) != "submodule" || !c.balanced() {
				return
			}
			c.skip()
			gap = true
			if string(word) == "type" {
				continue
			}
		}
		kind, ok := fortranWords.kinds[string(word)]
		if ok && string(word) == "module" && (fortranIs(c, "procedure") || fortranIs(c, "subroutine") || fortranIs(c, "function") || fortranIs(c, "pure") || fortranIs(c, "elemental")) {
			ok = false
		}
		switch {
		case ok && string(word) == "type":
			if n := bytes.Index(c.rest(), []byte("::")); n >= 0 {
				c.i += n + 2
				c.skip()
			} else if !gap || c.peek() == ',' {
				return
			}
		case !ok && fortranWords.modifies(word) && (gap || c.i < c.end):
			if c.peek() == '*' { // real*8
				c.i++
				for isDigit(c.peek()) {
					c.i++
				}
				c.skip()
			}
			continue
		case !ok || !gap:
			return
		}
		if name := c.word(); len(name) > 0 && !fortranOperator(bytes.ToLower(name)) {
			s.define(kind, c.i-len(name), c.i)
		}
		return
	}
}

// fortranIs reports whether a word, in any case, is next.
func fortranIs(c cursor, word string) bool { return string(bytes.ToLower(c.word())) == word }

// fortranOperator reports whether the word after interface or type is no name:
// interface operator(+), interface assignment(=), type is (integer).
func fortranOperator(word []byte) bool {
	return string(word) == "operator" || string(word) == "assignment" || string(word) == "is"
}
