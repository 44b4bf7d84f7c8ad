package outline

import (
	"bytes"

	"espy/internal/code"
)

// assemblySyntax is that of GNU as and nasm. The signs of comments differ by machine, so
// that only those that all share are skipped.
var assemblySyntax = syntax{line: assemblyLine, act: table(actions{"/": slash, "\"": quote, ";": assemblySemicolon})}

// assemblyLine finds labels at the start of a line, macros, and the names that the macros
// of Linux and of nasm give: SYM_FUNC_START(name), ENTRY(name), cglobal name.
func assemblyLine(s *scanner) {
	c := s.cursor()
	kind := code.KindFunc
	if c.has(".macro ") || c.has("%macro ") {
		c.i += len(".macro ")
		c.skip()
		kind = code.KindMacro
	} else {
		word := nameWith(&c, ".@")
		end := c.i
		switch {
		case len(word) == 0:
			return
		case c.peek() == '(' && (bytes.HasPrefix(word, []byte("SYM_")) && bytes.Contains(word, []byte("START")) || string(word) == "ENTRY"):
			c.i++
		case string(word) == "cglobal":
			c.skip()
		case c.peek() == ':' && c.at(1) != ':' && s.column() == 0 && word[0] != '.':
			s.define(kind, end-len(word), end)
			return
		default:
			return
		}
	}
	if name := nameWith(&c, "."); len(name) > 0 {
		s.define(kind, c.i-len(name), c.i)
	}
}

// assemblySemicolon handles the comments of nasm; in GNU as it ends a statement.
func assemblySemicolon(s *scanner, i int) int {
	if i == s.first || i+1 < len(s.text) && isBlank(s.text[i+1]) && i > 0 && isBlank(s.text[i-1]) {
		return lineComment(s, i)
	}
	return i + 1
}
