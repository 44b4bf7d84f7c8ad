package outline

import (
	"bytes"

	"espy/internal/code"
	"espy/internal/wordset"
)

var fortranSyntax = syntax{line: fortranLine, everywhere: true, act: table(actions{"!": lineComment, "\"'": quote})}

var fortranWords = &keywords{fold: true, kinds: map[string]code.Kind{
	"subroutine": code.KindFunc, "function": code.KindFunc, "module": code.KindModule, "submodule": code.KindModule, "program": code.KindModule,
	"interface": code.KindInterface, "type": code.KindStruct,
}, modifiers: wordset.Of("pure elemental impure recursive integer real logical character complex double precision module abstract non_recursive type class")}

// fortranOfModule are the words after module that make it a modifier.
var fortranOfModule = wordset.Of("procedure subroutine function pure elemental")

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
			if !fortranWords.modifiers[string(word)] && string(word) != "submodule" || !c.balanced() {
				return
			}
			c.skip()
			gap = true
			if string(word) == "type" {
				continue
			}
		}
		kind, ok := fortranWords.kinds[string(word)]
		if next := c; string(word) == "module" {
			ok = ok && !fortranOfModule[string(fortranWords.word(&next))]
		}
		switch {
		case ok && string(word) == "type":
			if n := bytes.Index(c.rest(), []byte("::")); n >= 0 {
				c.i += n + 2
				c.skip()
			} else if !gap || c.peek() == ',' {
				return
			}
		case !ok && fortranWords.modifiers[string(word)] && (gap || c.i < c.end):
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

// fortranOperator reports whether the word after interface or type is no name:
// interface operator(+), interface assignment(=), type is (integer).
func fortranOperator(word []byte) bool {
	return string(word) == "operator" || string(word) == "assignment" || string(word) == "is"
}
