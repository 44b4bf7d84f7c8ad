package outline

import "espy/internal/code"

var kotlinSyntax = syntax{line: kotlinLine, act: table(curly, actions{"/": nestedSlash, "\"": tripleRaw, "'": charQuote})}

func kotlinLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	kind := code.KindClass
	value := code.KindVar
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "public", "private", "protected", "internal", "open", "abstract", "final", "sealed", "data", "inner", "inline", "value",
			"override", "suspend", "operator", "infix", "tailrec", "external", "lateinit", "expect", "actual", "annotation", "noinline", "crossinline":
			continue
		case "companion":
			s.pending = class
			continue
		case "enum":
			kind = code.KindEnum
			continue
		case "const":
			value = code.KindConst
			continue
		case "class":
			s.container(&c, kind, class)
		case "interface":
			s.container(&c, code.KindInterface, class)
		case "object":
			if letter[c.peek()] != 0 {
				s.container(&c, code.KindClass, class)
			} else if c.peek() == '{' || c.peek() == ':' {
				s.pending = class
			}
		case "typealias":
			s.container(&c, code.KindType, noScope)
		case "fun":
			if c.has("interface ") {
				continue
			}
			kotlinFunction(s, &c)
		case "val", "var":
			kotlinValue(s, &c, value)
		case "init", "constructor":
			s.pending = function
		}
		return
	}
}

// kotlinFunction finds the name in fun <T> Receiver<T>.name(.
func kotlinFunction(s *scanner, c *cursor) {
	if start, end := receiverName(c, '('); end > start {
		s.callable(code.KindFunc, start, end)
	}
}

// receiverName skips type parameters and a receiver type, and finds the name before stop.
func receiverName(c *cursor, stop byte) (start, end int) {
	if c.peek() == '<' {
		c.balanced()
		c.skip()
	}
	if c.peek() == '(' { // a receiver in brackets
		c.balanced()
	}
	for c.i < c.end {
		switch b := c.peek(); {
		case letter[b] != 0:
			start = c.i
			if len(c.word()) == 0 {
				return 0, 0
			}
			end = c.i
		case b == '`':
			name := c.quoted('`')
			start, end = c.i-1-len(name), c.i-1
		case b == '<':
			if !c.balanced() {
				return 0, 0
			}
		case b == '.' || b == '?' || isBlank(b):
			c.i++
		default:
			if b == stop || stop == 0 {
				return start, end
			}
			return 0, 0
		}
	}
	return start, end
}

func kotlinValue(s *scanner, c *cursor, k code.Kind) {
	if !s.outermost() && !s.member() || c.peek() == '(' {
		return
	}
	if c.peek() == '<' {
		c.balanced()
		c.skip()
	}
	var name []byte
	for { // an extension property has its receiver before the name
		name = c.word()
		if c.peek() == '<' {
			end := c.i
			if c.balanced(); c.peek() != '.' {
				c.i = end
			}
		}
		if c.peek() == '?' && c.at(1) == '.' {
			c.i++
		}
		if !c.take('.') {
			break
		}
	}
	if s.member() && k == code.KindVar {
		k = code.KindField
	}
	if len(name) > 0 {
		s.define(k, c.i-len(name), c.i)
	}
}
