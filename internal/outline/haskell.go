package outline

import (
	"bytes"

	"espy/internal/code"
)

var haskellSyntax = syntax{line: haskellLine, names: "'", everywhere: true, act: table(actions{
	"-": haskellDash, "{": nestedOr("{-", "-}", nil), "\"": quote, "'": haskellTick,
})}

func haskellLine(s *scanner) {
	c := s.cursor()
	if s.column() > 0 {
		if s.group == code.KindInterface {
			haskellSignature(s, &c, code.KindMethod)
		}
		return
	}
	s.group = code.KindUnknown
	if c.peek() == '(' {
		return
	}
	start := c.i
	word := c.word()
	c.skip()
	switch string(word) {
	case "module":
		s.module(&c, '.', code.KindModule)
	case "data", "newtype":
		haskellType(s, &c, code.KindStruct)
	case "type":
		haskellType(s, &c, code.KindType)
	case "class":
		haskellType(s, &c, code.KindInterface)
		s.group = code.KindInterface
	case "pattern":
		haskellSignature(s, &c, code.KindConst)
	case "instance", "deriving", "foreign":
		s.mark()
	case "import", "infixl", "infixr", "infix", "default", "":
	default:
		c.i = start
		haskellSignature(s, &c, code.KindFunc)
	}
}

// haskellType finds the name after keywords and a context: class (Eq a) => Ord a where.
func haskellType(s *scanner, c *cursor, k code.Kind) {
	for c.has("family ") || c.has("instance ") {
		if c.has("instance ") {
			s.mark()
			return
		}
		c.i += len("family ")
		c.skip()
	}
	line := c.rest()
	if n := bytes.Index(line, []byte("=>")); n >= 0 && (bytes.IndexByte(line[:n], '=') < 0) {
		c.i += n + 2
		c.skip()
	}
	if isUpper(c.peek()) {
		s.container(c, k, noScope)
	}
}

// haskellSignature finds the names in name, name :: Type. An equation defines
// its name only where no signature stands above it.
func haskellSignature(s *scanner, c *cursor, k code.Kind) {
	type span struct{ start, end int }
	var names [4]span
	n := 0
	for {
		start := c.i
		if len(c.word()) == 0 {
			return
		}
		for c.peek() == '\'' || letter[c.peek()] != 0 {
			c.i++
		}
		if n < len(names) {
			names[n] = span{start, c.i}
			n++
		}
		c.skip()
		if !c.take(',') {
			break
		}
		c.skip()
	}
	name := s.text[names[0].start:names[0].end]
	switch {
	case c.has("::") && c.at(2) != ':':
		for _, x := range names[:n] {
			s.define(k, x.start, x.end)
		}
	case k == code.KindFunc && n == 1 && isLower(name[0]) && haskellEquation(c) && !s.signed(name):
		s.define(k, names[0].start, names[0].end)
	}
}

// signed reports whether a signature just above names this function. One signature may name several.
func (s *scanner) signed(name []byte) bool {
	for n := len(s.defs) - 1; n >= 0 && n > len(s.defs)-5; n-- {
		if d := s.defs[n]; d.kind == code.KindFunc && bytes.Equal(s.text[d.start:d.end], name) {
			return true
		}
	}
	return false
}

// haskellEquation reports whether the rest of a line has an = of its own.
func haskellEquation(c *cursor) bool {
	b := c.rest()
	if bytes.HasPrefix(b, []byte("= ")) || string(b) == "=" {
		return true
	}
	return bytes.Contains(b, []byte(" = ")) || bytes.HasSuffix(bytes.TrimRight(b, " \r"), []byte(" ="))
}

// haskellDash handles -- comments. --> and the like are operators.
func haskellDash(s *scanner, i int) int {
	p := i
	for p < len(s.text) && s.text[p] == '-' {
		p++
	}
	if p-i < 2 {
		return i + 1
	}
	if p < len(s.text) && bytes.IndexByte([]byte("!#$%&*+./<=>?@\\^|~:"), s.text[p]) >= 0 || i > 0 && bytes.IndexByte([]byte("!#$%&*+./<=>?@\\^|~:"), s.text[i-1]) >= 0 {
		return p
	}
	return lineComment(s, i)
}

// haskellTick tells the quote of a character from the prime of a name.
func haskellTick(s *scanner, i int) int {
	if i > 0 && (letter[s.text[i-1]] != 0 || s.text[i-1] == '\'') {
		return i + 1
	}
	return tick(s, i)
}
