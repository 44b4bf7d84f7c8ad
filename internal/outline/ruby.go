package outline

import (
	"bytes"

	"espy/internal/code"
)

var rubySyntax = syntax{line: rubyLine, everywhere: true, stray: rubyStray, act: table(actions{
	"#": lineComment, "\"'`": rubyQuote, "/": rubySlash, "<": rubyLess, "%": rubyPercent, "=": rubyEqual, "_": endsAt("__END__"),
})}

func rubyLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		start := c.i - len(word)
		gap := c.skip()
		switch string(word) {
		case "private", "protected", "public", "module_function", "private_class_method", "public_class_method", "memoize", "private_constant":
			if gap && c.has("def ") {
				continue
			}
			return
		case "module", "class":
			if gap && isUpper(c.peek()) {
				k := code.KindClass
				if string(word) == "module" {
					k = code.KindModule
				}
				s.enter(column, true)
				s.module(&c, ':', k)
			}
		case "def":
			if gap {
				rubyMethod(s, &c)
			}
		case "define_method", "alias_method", "alias":
			c.take('(')
			if c.take(':') {
				name := rubyName(&c)
				s.define(code.KindMethod, c.i-len(name), c.i)
			}
		default:
			if isUpper(word[0]) && c.peek() == '=' && c.at(1) != '=' && c.at(1) != '~' && c.at(1) != '>' {
				c.i++
				c.skip()
				k := code.KindConst
				if c.has("Struct.new") || c.has("Class.new") || c.has("Data.define") {
					k = code.KindClass
				} else if c.has("Module.new") {
					k = code.KindModule
				}
				s.define(k, start, start+len(word))
			}
		}
		return
	}
}

func rubyMethod(s *scanner, c *cursor) {
	column := s.column()
	k := code.KindFunc
	if s.atMembers(column) && len(s.indents) > 0 {
		k = code.KindMethod
	}
	name := rubyName(c)
	if c.peek() == '.' { // def self.name
		c.i++
		k = code.KindMethod
		name = rubyName(c)
	}
	if len(name) > 0 {
		s.define(k, c.i-len(name), c.i)
	}
}

// rubyName reads the name of a method with its ? or !, but without the = of a setter.
func rubyName(c *cursor) []byte {
	name := c.word()
	if len(name) == 0 {
		return nil
	}
	start := c.i - len(name)
	if b := c.peek(); (b == '?' || b == '!') && c.at(1) != '=' {
		c.i++
	}
	return c.text[start:c.i]
}

// rubyStray reports whether a line is code.
func rubyStray(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	return bytes.HasPrefix(b, []byte("def ")) || bytes.HasPrefix(b, []byte("class ")) || bytes.HasPrefix(b, []byte("module ")) || string(bytes.TrimRight(b, " \r")) == "end"
}

// rubyQuote handles quotes. ?" is a character and $' a variable.
func rubyQuote(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == '$' || s.text[i-1] == '?' && (i < 2 || letter[s.text[i-2]] == 0)) {
		return i + 1
	}
	return longQuote(s, i)
}

// rubySlash tells regular expressions from divisions.
func rubySlash(s *scanner, i int) int {
	isCall := i > 0 && isBlank(s.text[i-1]) && i+1 < len(s.text) && !isBlank(s.text[i+1]) && s.text[i+1] != '='
	if !isCall && !s.valueMayBegin(i) {
		return i + 1
	}
	for p := i + 1; p < len(s.text) && s.text[p] != '\n'; p++ {
		switch s.text[p] {
		case '\\':
			p++
		case '/':
			return p + 1
		}
	}
	return i + 1
}

// rubyLess handles heredocs. Before a blank, << is an operator.
func rubyLess(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '<' {
		return i + 1
	}
	if i > 0 && letter[s.text[i-1]] != 0 { // an appending operator
		return i + 2
	}
	if n := s.heredocAt(i, "-~", false, false); n >= 0 {
		return n
	}
	return i + 2
}

// rubyPercent handles %q{...}, %w[...] and the like.
func rubyPercent(s *scanner, i int) int {
	p := i + 1
	if p < len(s.text) && bytes.IndexByte([]byte("qQwWiIrsx"), s.text[p]) >= 0 {
		p++
	} else if !s.valueMayBegin(i) {
		return i + 1
	}
	if p >= len(s.text) || letter[s.text[p]] != 0 || isBlank(s.text[p]) || s.text[p] == '\n' || s.text[p] == '=' || s.text[p] == ',' {
		return i + 1
	}
	return s.delimited(i, p)
}

// rubyEqual handles =begin comments.
func rubyEqual(s *scanner, i int) int {
	if i == int(s.current().start) && bytes.HasPrefix(s.text[i:], []byte("=begin")) {
		s.markComment(i)
		if n := s.find(i, "\n=end"); n >= 0 {
			return s.lineEnd(s.pass(i, n+5, insideLine|attachedLine))
		}
	}
	return i + 1
}
