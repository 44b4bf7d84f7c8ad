package outline

import (
	"bytes"

	"espy/internal/code"
)

var matlabSyntax = syntax{line: matlabLine, act: table(actions{"%": matlabPercent, "#": lineComment, "\"": quote, "'": juliaTick})}

// matlabLine finds classdef Name, and function name, function y = name and function [x, y] = name.
func matlabLine(s *scanner) {
	c := s.cursor()
	kind := code.KindFunc
	switch string(c.word()) {
	case "function":
	case "classdef":
		kind = code.KindClass
	default:
		return
	}
	for c.skip(); c.peek() == '(' || c.peek() == '['; c.skip() {
		if !c.balanced() {
			return
		}
	}
	at := c
	if at.word(); kind == code.KindFunc && at.skip() || at.peek() == '=' {
		if at.skip(); at.take('=') {
			at.skip()
			c = at
		}
	}
	if c.take('=') {
		c.skip()
	}
	name := c.word()
	for c.take('.') { // function set.Name
		name = c.word()
	}
	if len(name) > 0 {
		s.define(kind, c.i-len(name), c.i)
	}
}

// matlabPercent handles % and %{ %} comments.
func matlabPercent(s *scanner, i int) int {
	if i == s.first && bytes.Equal(bytes.TrimRight(s.text[i:s.lookEnd(i)], " \t\r"), []byte("%{")) {
		return s.blockComment(i, "%}")
	}
	return lineComment(s, i)
}
