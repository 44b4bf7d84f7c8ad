package outline

import (
	"bytes"

	"espy/internal/code"
	"espy/internal/wordset"
)

var pascalSyntax = syntax{line: pascalLine, everywhere: true, act: table(actions{
	"/": slashes, "{": pascalBrace, "(": ocamlParen, "'": quote,
})}

var pascalWords = &keywords{fold: true, path: '.', modifiers: wordset.Of("class generic"), kinds: map[string]code.Kind{
	"procedure": code.KindFunc, "function": code.KindFunc, "constructor": code.KindMethod, "destructor": code.KindMethod, "operator": code.KindFunc,
	"unit": code.KindModule, "program": code.KindModule, "library": code.KindModule, "package": code.KindModule,
}}

// pascalLine finds routines and units, and types by Name = class.
func pascalLine(s *scanner) {
	c := s.cursor()
	name := c.word()
	start, end := c.i-len(name), c.i
	if c.peek() == '<' {
		c.balanced()
	}
	c.skip()
	if len(name) == 0 || c.peek() != '=' {
		pascalWords.line(s)
		return
	}
	c.i++
	c.skip()
	kind := code.KindUnknown
	for kind == code.KindUnknown {
		word := string(bytes.ToLower(c.word()))
		switch word {
		case "class", "object", "objcclass":
			kind = code.KindClass
		case "record":
			kind = code.KindStruct
		case "interface", "dispinterface":
			kind = code.KindInterface
		case "procedure", "function", "reference", "set", "array", "type":
			kind = code.KindType
		case "packed", "bitpacked":
			c.skip()
			continue
		case "":
			if c.peek() == '(' {
				kind = code.KindEnum
			} else if c.peek() == '^' {
				kind = code.KindType
			}
		}
		break
	}
	if kind == code.KindUnknown {
		return
	}
	rest := bytes.TrimRight(c.rest(), " \t\r")
	if kind == code.KindClass && (string(rest) == ";" || bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("of "))) {
		return // announced; the type of a class
	}
	s.enter(s.column(), true)
	s.define(kind, start, end)
}

// pascalBrace handles { comments }.
func pascalBrace(s *scanner, i int) int {
	s.markComment(i)
	if n := s.find(i, "}"); n >= 0 {
		return s.pass(i, n+1, insideLine|attachedLine)
	}
	return s.lineEnd(i)
}

// adaSyntax is that of Ada and VHDL.
var adaSyntax = syntax{line: adaLine, everywhere: true, act: table(actions{"-": haskellDash, "\"": quote, "'": haskellTick})}

var adaWords = &keywords{fold: true, path: '.', modifiers: wordset.Of("overriding not generic private separate body protected pure impure shared"), kinds: map[string]code.Kind{
	"procedure": code.KindFunc, "function": code.KindFunc, "entry": code.KindFunc, "task": code.KindClass, "package": code.KindModule,
	"type": code.KindType, "subtype": code.KindType, "entity": code.KindClass, "architecture": code.KindModule, "component": code.KindInterface, "configuration": code.KindModule,
	"protected": code.KindClass,
}}

// adaLine finds packages, types, routines and entities. After package, task and
// protected the word body or type may stand before the name.
func adaLine(s *scanner) {
	c := s.cursor()
	for {
		word := adaWords.word(&c)
		if len(word) == 0 || !c.skip() {
			return
		}
		kind, ok := adaWords.kinds[string(word)]
		if !ok {
			if !adaWords.modifiers[string(word)] {
				return
			}
			continue
		}
		for {
			at := c
			if next := string(adaWords.word(&at)); next != "body" && next != "type" || !at.skip() {
				break
			}
			c = at
		}
		if name := adaWords.name(&c); len(name) > 0 && string(name) != "is" && !s.again(kind, name) {
			s.define(kind, c.i-len(name), c.i)
		}
		return
	}
}
