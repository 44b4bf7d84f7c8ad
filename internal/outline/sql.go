package outline

import (
	"bytes"

	"espy/internal/code"
)

var sqlSyntax = syntax{line: sqlLine, everywhere: true, stray: sqlStray, act: table(actions{
	"-": sqlDash, "/": slash, "'": rawQuote, "\"`": quote, "$": sqlDollar,
})}

// sqlLine finds CREATE statements.
func sqlLine(s *scanner) {
	c := s.cursor()
	if !hasFold(c.rest(), "create") {
		return
	}
	c.end = min(c.i+maxLook, len(c.text)) // the name may stand on a later line
	c.i += len("create")
	k := code.KindUnknown
	for k == code.KindUnknown {
		sqlBlanks(&c)
		word := c.word()
		if len(word) == 0 {
			if c.peek() == '=' || c.peek() == '@' || c.peek() == '`' || c.peek() == '\'' { // DEFINER=`a`@`b`
				c.i++
				continue
			}
			return
		}
		if k = sqlKind(word); k == code.KindUnknown && len(word) > 20 {
			return
		}
	}
	sqlBlanks(&c)
	for _, p := range []string{"if ", "not ", "exists ", "only ", "concurrently "} {
		if hasFold(c.rest(), p) {
			c.i += len(p)
			sqlBlanks(&c)
		}
	}
	if start, end := sqlName(&c); end > start {
		at := len(s.lines) - 1 + bytes.Count(s.text[s.first:start], []byte{'\n'})
		s.defineAt(k, start, end, at, len(s.lines)-1)
	}
}

func sqlBlanks(c *cursor) {
	for c.i < c.end && (isBlank(c.text[c.i]) || c.text[c.i] == '\n') {
		c.i++
	}
}

func sqlKind(word []byte) code.Kind {
	var b [16]byte
	if len(word) > len(b) {
		return code.KindUnknown
	}
	n := copy(b[:], word)
	for i := range b[:n] {
		b[i] |= 0x20
	}
	switch string(b[:n]) {
	case "table":
		return code.KindStruct
	case "view", "type", "domain":
		return code.KindType
	case "function", "procedure", "trigger", "aggregate":
		return code.KindFunc
	case "macro":
		return code.KindMacro
	case "schema", "package", "database":
		return code.KindModule
	case "index", "sequence":
		return code.KindVar
	}
	return code.KindUnknown
}

// sqlName finds the last part of schema."Name".
func sqlName(c *cursor) (start, end int) {
	for {
		switch q := c.peek(); q {
		case '"', '`':
			name := c.quoted(q)
			start, end = c.i-1-len(name), c.i-1
		case '[':
			c.i++
			start = c.i
			for c.i < c.end && c.peek() != ']' {
				c.i++
			}
			end = c.i
			c.take(']')
		default:
			name := c.word()
			start, end = c.i-len(name), c.i
		}
		if !c.take('.') {
			return start, end
		}
	}
}

// sqlStray reports whether a line begins a statement.
func sqlStray(b []byte) bool {
	return hasFold(b, "create ") || hasFold(b, "insert into ") || hasFold(b, "alter table ")
}

// hasFold reports whether b starts with the lower-case prefix p in any case.
func hasFold(b []byte, p string) bool {
	return len(b) >= len(p) && bytes.EqualFold(b[:len(p)], []byte(p))
}

// sqlDash handles -- comments.
func sqlDash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '-' {
		return lineComment(s, i)
	}
	return i + 1
}

// sqlDollar handles $$ ... $$ and $tag$ ... $tag$ literals.
func sqlDollar(s *scanner, i int) int {
	p := i + 1
	for p < len(s.text) && letter[s.text[p]] != 0 && s.text[p] != '$' && p-i < 64 {
		p++
	}
	if p >= len(s.text) || s.text[p] != '$' {
		return i + 1
	}
	tag := string(s.text[i : p+1])
	n := s.find(p+1, tag)
	if n < 0 {
		return p + 1
	}
	return s.pass(i, n+len(tag), insideLine)
}
