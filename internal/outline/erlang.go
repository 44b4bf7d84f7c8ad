package outline

import (
	"bytes"

	"espy/internal/code"
)

var erlangSyntax = syntax{line: erlangLine, everywhere: true, act: table(actions{
	"%": lineComment, "\"": longQuote, "'": quote, "$": character,
})}

// erlangLine finds attributes such as -record(name, ...) and the first clause of each function.
func erlangLine(s *scanner) {
	if s.column() > 0 {
		return
	}
	c := s.cursor()
	if !c.take('-') {
		name := erlangName(&c)
		start, end := c.i-len(name), c.i
		if len(name) == 0 || !isLower(name[0]) && name[0] != '\'' || c.peek() != '(' {
			return
		}
		if name[0] == '\'' {
			start, end = start+1, end-1
		}
		switch name = s.text[start:end]; {
		case s.again(code.KindFunc, name) && !endsForm(s.text[:s.first]):
			s.mark()
		case bytes.HasSuffix(bytes.TrimRight(c.rest(), " \t\r"), []byte(").")) && !isClause(c.rest()): // a call in a script or a sample
		default:
			s.define(code.KindFunc, start, end)
		}
		return
	}
	kind := code.KindUnknown
	switch string(c.word()) {
	case "module":
		kind = code.KindModule
	case "record":
		kind = code.KindStruct
	case "define":
		kind = code.KindMacro
	case "type", "opaque", "nominal":
		kind = code.KindType
	case "callback":
		kind = code.KindMethod
	default:
		return
	}
	if c.skip(); c.take('(') {
		c.skip()
	}
	if name := erlangName(&c); len(name) > 0 {
		s.define(kind, c.i-len(name), c.i)
	}
}

// isClause reports whether what begins with the arguments of a function goes on as a clause
// of it on the same line.
func isClause(text []byte) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				after := bytes.TrimLeft(text[i+1:], " \t")
				return bytes.HasPrefix(after, []byte("->")) || bytes.HasPrefix(after, []byte("when "))
			}
		case '$': // a character
			i++
		case '"', '\'':
			for quote := text[i]; i+1 < len(text) && text[i+1] != quote; i++ {
				if text[i+1] == '\\' {
					i++
				}
			}
			i++
		}
	}
	return false
}

// endsForm reports whether the code before a clause ends a function or an attribute, so that
// the clause begins another: one of the same name has other numbers of arguments.
func endsForm(text []byte) bool {
	for len(text) > 0 {
		start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
		line := bytes.TrimSpace(text[start:])
		text = text[:start]
		if len(line) == 0 || line[0] == '%' {
			continue
		}
		comment, last := bytes.IndexByte(line, '%'), bytes.LastIndexByte(line, '%') // a text may have the sign too
		return isEnd(line) || comment >= 0 && (isEnd(line[:comment]) || isEnd(line[:last]))
	}
	return false
}

func isEnd(line []byte) bool { return bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte(".")) }

// erlangName reads a name, with its quotes where it has any.
func erlangName(c *cursor) []byte {
	start := c.i
	if c.peek() == '\'' {
		c.quoted('\'')
		return c.text[start:c.i]
	}
	return nameWith(c, "@")
}
