package outline

import (
	"bytes"

	"espy/internal/code"
)

var perlSyntax = syntax{line: perlLine, act: table(curly, actions{
	"#": perlHash, "\"'`": perlQuote, "=": perlPod, "<": perlLess, "qmsyt": perlOperator, "/": rubySlash, "_": endsAt("__END__", "__DATA__"), "$": perlVariable,
})}

func perlLine(s *scanner) {
	c := s.cursor()
	if s.group == code.KindConst { // use constant { NAME => value, ... }
		name := c.word()
		end := c.i
		if c.skip(); len(name) > 0 && c.has("=>") {
			s.define(code.KindConst, end-len(name), end)
			return
		}
		c.i = s.first
	}
	s.group = code.KindUnknown
	word := c.word()
	if string(word) == "async" || string(word) == "my" || string(word) == "our" {
		c.skip()
		if c.has("sub ") || c.has("method ") {
			word = c.word()
		}
	}
	if len(word) == 0 || !c.skip() {
		return
	}
	switch string(word) {
	case "sub", "method", "fun", "func":
		for {
			name := c.word()
			if len(name) == 0 {
				return
			}
			if c.has("::") {
				c.i += 2
				continue
			}
			if b := bytes.TrimLeft(c.rest(), " \t\r"); len(b) > 0 && bytes.IndexByte([]byte("{(:;#"), b[0]) < 0 {
				return
			}
			s.define(code.KindFunc, c.i-len(name), c.i)
			s.pending, s.tentative = function, true
			return
		}
	case "package", "class", "role":
		s.module(&c, ':', code.KindModule)
	case "use":
		if c.has("constant ") {
			c.i += len("constant ")
			c.skip()
			if c.take('{') {
				s.group = code.KindConst
				c.skip()
			}
			if name := c.word(); len(name) > 0 {
				s.define(code.KindConst, c.i-len(name), c.i)
			}
		}
	case "our":
		if b := c.peek(); s.column() == 0 && (b == '$' || b == '@' || b == '%') {
			c.i++
			if name := c.word(); len(name) > 0 {
				s.define(code.KindVar, c.i-len(name), c.i)
			}
		}
	}
}

// perlHash handles comments. $# and the # of a delimiter are none.
func perlHash(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == '$' || letter[s.text[i-1]] != 0) {
		return i + 1
	}
	return lineComment(s, i)
}

// perlVariable skips the name of a variable, such as $s, $' and $#.
func perlVariable(s *scanner, i int) int {
	c := cursor{s.text, i + 1, s.lookEnd(i + 1)}
	if letter[c.peek()] != 0 {
		for letter[c.peek()] != 0 {
			c.i++
		}
		return c.i
	}
	if b := c.peek(); b == '\'' || b == '"' || b == '`' || b == '/' || b == ';' || b == '&' || b == '#' && c.at(1) != '{' {
		return c.i + 1
	}
	return i + 1
}

// perlQuote handles quotes. In a name, ' is an old ::.
func perlQuote(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == '$' || s.text[i] == '\'' && letter[s.text[i-1]] != 0) {
		return i + 1
	}
	return longQuote(s, i)
}

// perlPod handles the documentation from =word to =cut.
func perlPod(s *scanner, i int) int {
	if i != int(s.current().start) || i+1 >= len(s.text) || letter[s.text[i+1]]&1 == 0 {
		return i + 1
	}
	s.markComment(i)
	if n := s.find(i, "\n=cut"); n >= 0 {
		return s.lineEnd(s.pass(i, n+5, insideLine))
	}
	return s.pass(i, len(s.text), insideLine)
}

// perlLess handles heredocs: <<"END", <<~END.
func perlLess(s *scanner, i int) int {
	if i+2 >= len(s.text) || s.text[i+1] != '<' {
		return i + 1
	}
	if b := s.text[i+2]; b != '"' && b != '\'' && b != '~' && !isUpper(b) && b != '_' {
		return i + 2
	}
	if n := s.heredocAt(i, "~", true, false); n >= 0 {
		return n
	}
	return i + 2
}

// perlOperator handles q(), qq{}, qw//, m//, qr//, s///, y///, tr///.
func perlOperator(s *scanner, i int) int {
	c := cursor{s.text, i, s.lookEnd(i)}
	for c.i < c.end && letter[c.peek()] != 0 {
		c.i++
	}
	word, end := string(s.text[i:c.i]), c.i
	if i > 0 && (letter[s.text[i-1]] != 0 || bytes.IndexByte([]byte("$@%&>:-{"), s.text[i-1]) >= 0) {
		return end
	}
	halves := 1
	switch word {
	case "q", "qq", "qw", "qr", "m", "qx":
	case "s", "y", "tr":
		halves = 2
	default:
		return end
	}
	if c.skip(); c.i >= c.end {
		return end
	}
	open := c.peek()
	if letter[open] != 0 || open == ',' || open == ';' || open == ')' || open == '=' && (c.at(1) == '>' || c.at(1) == ' ' || c.at(1) == '=') || open == '#' && c.i > end || open == '-' && c.at(1) == '>' || open == '.' && c.i > end {
		return end
	}
	p := s.delimited(i, c.i)
	if halves == 1 || p <= i || p >= len(s.text) {
		return p
	}
	if bytes.IndexByte([]byte("([{<"), open) >= 0 {
		for p < len(s.text) && (isBlank(s.text[p]) || s.text[p] == '\n') && p-i < maxLook {
			p++
		}
		if p < len(s.text) && bytes.IndexByte([]byte("([{<"), s.text[p]) >= 0 {
			return s.delimited(p, p)
		}
		return p
	}
	return s.delimited(p-1, p-1)
}
