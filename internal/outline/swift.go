package outline

import "espy/internal/code"

var swiftSyntax = syntax{line: swiftLine, act: table(curly, actions{"/": nestedSlash, "\"": swiftQuote})}

// swiftQuote handles ", """ and #" literals.
func swiftQuote(s *scanner, i int) int {
	if n := s.hashes(i); n >= 0 {
		return n
	}
	return tripleEscaped(s, i)
}

func swiftLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		switch string(word) {
		case "public", "private", "internal", "fileprivate", "open", "final", "static", "mutating", "nonmutating", "override", "required", "convenience",
			"lazy", "weak", "unowned", "indirect", "dynamic", "optional", "nonisolated", "distributed", "prefix", "postfix", "infix", "package", "consuming", "borrowing":
			if c.peek() == '(' {
				c.balanced()
				c.skip()
			}
			continue
		case "class":
			if c.has("func ") || c.has("var ") || c.has("let ") || c.has("override ") || c.has("subscript") {
				continue
			}
			s.container(&c, code.KindClass, class)
		case "actor":
			s.container(&c, code.KindClass, class)
		case "struct":
			s.container(&c, code.KindStruct, class)
		case "enum":
			s.container(&c, code.KindEnum, class)
		case "protocol":
			s.container(&c, code.KindInterface, iface)
		case "extension":
			s.mark()
			s.pending = class
		case "func":
			if name := swiftName(&c); len(name) > 0 {
				s.callable(code.KindFunc, c.i-len(name), c.i)
				c.take('`')
			}
		case "macro":
			s.container(&c, code.KindMacro, noScope)
		case "init":
			if b := c.peek(); s.member() && (b == '(' || b == '?' || b == '!' || b == '<') {
				end := c.i
				for isBlank(c.text[end-1]) {
					end--
				}
				s.callable(code.KindFunc, end-4, end)
			}
		case "deinit", "subscript":
			s.pending = function
		case "typealias", "associatedtype":
			s.container(&c, code.KindType, noScope)
		case "let":
			swiftValue(s, &c, code.KindConst, gap)
		case "var":
			swiftValue(s, &c, code.KindVar, gap)
		}
		return
	}
}

func swiftName(c *cursor) []byte {
	c.take('`')
	return c.word()
}

func swiftValue(s *scanner, c *cursor, k code.Kind, gap bool) {
	name := swiftName(c)
	if len(name) == 0 || !gap || !s.outermost() && !s.member() {
		return
	}
	if s.member() {
		k = code.KindField
	}
	s.define(k, c.i-len(name), c.i)
	s.pending = function
}
