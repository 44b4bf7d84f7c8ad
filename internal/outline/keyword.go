package outline

import (
	"bytes"
	"strings"

	"espy/internal/code"
)

// keywords tells the languages apart whose declarations say their kind by a word
// before the name: fn name, type Name, abstract class Name.
type keywords struct {
	kinds     map[string]code.Kind // by the word before the name
	modifiers map[string]bool      // words that may stand before that word
	names     string               // bytes that names may hold beside letters and digits
	path      byte                 // stands between the parts of a name, of which the last counts; 0: none
	fold      bool                 // the words are known in any case
	braces    bool                 // bodies stand in braces; else they are known by their indentation
}

// line looks for a declaration on the current line.
func (k *keywords) line(s *scanner) {
	c := s.cursor()
	if !k.braces {
		s.atMembers(s.column())
	}
	for {
		if c.peek() == '#' && s.syntax.act()['#'] != nil || !attributes(&c) { // a comment
			return
		}
		word := k.word(&c)
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		kind, ok := k.kinds[string(word)]
		if ok && c.peek() == '<' { // var<storage, read_write> lights
			gap = c.balanced() && c.skip()
		}
		if ok && gap {
			k.declare(s, &c, kind)
			return
		}
		if !k.modifiers[string(word)] {
			return
		}
		if c.peek() == '(' && (!c.balanced() || !c.skip()) {
			return
		}
	}
}

// word reads a word of the language, in small letters where case does not count.
func (k *keywords) word(c *cursor) []byte {
	word := c.word()
	if k.fold {
		return bytes.ToLower(word)
	}
	return word
}

// declare defines the name at the cursor.
func (k *keywords) declare(s *scanner, c *cursor, kind code.Kind) {
	name := k.name(c)
	if len(name) == 0 {
		return
	}
	if !k.braces {
		s.level(kind, c.i-len(name), c.i)
		return
	}
	if kind.IsFunc() {
		s.callable(kind, c.i-len(name), c.i)
		return
	}
	if !kind.IsType() && !s.outermost() && !s.member() {
		return
	}
	s.define(kind, c.i-len(name), c.i)
	switch kind {
	case code.KindModule:
		s.pending = namespace
	case code.KindStruct, code.KindEnum, code.KindType:
		s.pending = block
	case code.KindClass, code.KindInterface, code.KindTrait:
		s.pending = class
	default:
		s.pending = function
	}
}

// name reads the name at the cursor, the last part of a path.
func (k *keywords) name(c *cursor) []byte {
	for {
		name := nameWith(c, k.names)
		if k.path == 0 || len(name) == 0 || c.peek() != k.path {
			return name
		}
		for c.peek() == k.path {
			c.i++
		}
		if letter[c.peek()]&1 == 0 && strings.IndexByte(k.names, c.peek()) < 0 {
			return nil
		}
	}
}

// nameWith reads an identifier that may hold and begin with more bytes than letters.
func nameWith(c *cursor, more string) []byte {
	start := c.i
	for c.i < c.end {
		b := c.text[c.i]
		if letter[b] == 0 && strings.IndexByte(more, b) < 0 || c.i == start && isDigit(b) {
			break
		}
		c.i++
	}
	return c.text[start:c.i]
}

// level defines text[start:end] in a language whose bodies end where the
// indentation does, by layout or by custom. What stands within a function is local.
func (s *scanner) level(kind code.Kind, start, end int) {
	column := s.column()
	if !s.atMembers(column) {
		return
	}
	if n := len(s.indents); n > 0 && kind == code.KindFunc && !s.indents[n-1].module {
		kind = code.KindMethod
	}
	if kind.IsType() || kind.IsFunc() {
		s.indents = append(s.indents, level{indent: column, class: kind.IsType(), module: kind == code.KindModule})
	}
	s.define(kind, start, end)
}
