package outline

import (
	"bytes"

	"espy/internal/code"
)

var phpSyntax = syntax{line: phpLine, begin: outsideTag, act: table(curly, actions{
	"/": slash, "#": phpHash, "\"'": longQuote, "<": phpLess, "?": phpQuestion,
})}

// phpHash handles # comments. #[ begins an attribute.
func phpHash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '[' {
		return i + 1
	}
	return lineComment(s, i)
}

// phpLess handles <<<WORD.
func phpLess(s *scanner, i int) int {
	if bytes.HasPrefix(s.text[i:], []byte("<<<")) {
		p := i + 3
		for p < len(s.text) && s.text[p] == ' ' {
			p++
		}
		if n := s.heredocAt(p-2, "", true, true); n >= 0 {
			return n
		}
	}
	return i + 1
}

// phpQuestion handles ?>, which ends the code.
func phpQuestion(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '>' {
		return outsideTag(s, i+2)
	}
	return i + 1
}

// outsideTag skips from i to the code after the next <?php or <?= tag.
func outsideTag(s *scanner, i int) int {
	n := bytes.Index(s.text[i:], []byte("<?"))
	if n < 0 {
		return s.pass(i, len(s.text), insideLine)
	}
	end := i + n + 2
	if bytes.HasPrefix(s.text[end:], []byte("php")) {
		end += 3
	}
	return s.pass(i, end, insideLine)
}

func phpLine(s *scanner) {
	c := s.cursor()
	if c.has("#[") && !attributes(&c) {
		return
	}
	for {
		start := c.i
		word := c.word()
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		switch string(word) {
		case "abstract", "final", "public", "private", "protected", "static", "readonly":
			continue
		case "function":
			phpFunction(s, &c)
		case "class":
			s.container(&c, code.KindClass, class)
		case "interface":
			s.container(&c, code.KindInterface, iface)
		case "trait":
			s.container(&c, code.KindTrait, class)
		case "enum":
			if gap {
				s.container(&c, code.KindEnum, class)
			}
		case "namespace":
			s.module(&c, '\\', code.KindModule)
		case "const":
			phpConst(s, &c)
		case "define":
			if c.take('(') && (c.peek() == '\'' || c.peek() == '"') {
				name := c.quoted(c.peek())
				s.define(code.KindConst, c.i-1-len(name), c.i-1)
			}
		default:
			c.i = start
		}
		return
	}
}

func phpFunction(s *scanner, c *cursor) {
	c.take('&')
	c.skip()
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '(' {
		s.callable(code.KindFunc, end-len(name), end)
	}
}

// phpConst finds NAME in const NAME = and const type NAME =.
func phpConst(s *scanner, c *cursor) {
	for range 2 {
		name := c.word()
		end := c.i
		if c.skip(); c.peek() == '=' && len(name) > 0 {
			s.define(code.KindConst, end-len(name), end)
			return
		}
	}
}
