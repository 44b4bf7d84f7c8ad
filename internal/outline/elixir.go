package outline

import "espy/internal/code"

var elixirSyntax = syntax{line: elixirLine, everywhere: true, act: table(actions{
	"#": lineComment, "\"": elixirQuote, "'": elixirChars, "~": elixirTilde, "?": elixirQuestion,
})}

func elixirLine(s *scanner) {
	c := s.cursor()
	if c.take('@') {
		elixirAttribute(s, &c)
		return
	}
	k := code.KindFunc
	switch word := c.word(); string(word) {
	case "defmodule":
		k = code.KindModule
	case "defprotocol":
		k = code.KindInterface
	case "defimpl":
		s.mark()
		return
	case "def", "defp", "defdelegate", "defguard", "defguardp", "defn", "defnp":
	case "defmacro", "defmacrop":
		k = code.KindMacro
	default:
		return
	}
	if !c.skip() {
		return
	}
	if k.IsType() {
		s.module(&c, '.', k)
		return
	}
	name := c.word()
	if len(name) == 0 || string(name) == "unquote" {
		return
	}
	if b := c.peek(); (b == '?' || b == '!') && c.at(1) != '=' {
		c.i++
		name = c.text[c.i-len(name)-1 : c.i]
	}
	if s.again(k, name) {
		s.mark()
		return
	}
	s.define(k, c.i-len(name), c.i)
}

// elixirAttribute handles @type name and @callback name.
func elixirAttribute(s *scanner, c *cursor) {
	k := code.KindType
	switch string(c.word()) {
	case "type", "typep", "opaque":
	case "callback", "macrocallback":
		k = code.KindMethod
	default:
		return
	}
	if !c.skip() {
		return
	}
	name := c.word()
	if len(name) > 0 && (c.peek() == '(' || c.skip() && c.has("::")) {
		for c.text[c.i-1] == ' ' || c.text[c.i-1] == '\t' {
			c.i--
		}
		s.define(k, c.i-len(name), c.i)
	}
}

// elixirQuote handles " and """. The character ?" is neither (elixirQuestion).
func elixirQuote(s *scanner, i int) int {
	if s.opensTriple(i) {
		return s.toTripleDoc(i)
	}
	return longQuote(s, i)
}

// toTripleDoc skips a """ literal. The lines of an @doc belong to the definition
// below.
func (s *scanner) toTripleDoc(i int) int {
	flags := len(s.lines)
	isDoc := s.first < len(s.text) && s.text[s.first] == '@'
	n := s.toTriple(i, i+3, '"', true)
	if isDoc {
		for k := flags; k < len(s.lines); k++ {
			s.lines[k].flags |= attachedLine
		}
	}
	return n
}

func elixirChars(s *scanner, i int) int {
	if s.opensTriple(i) {
		return s.toTriple(i, i+3, '\'', true)
	}
	return quote(s, i)
}

// elixirQuestion handles ?x characters.
func elixirQuestion(s *scanner, i int) int {
	if i > 0 && letter[s.text[i-1]] != 0 {
		return i + 1
	}
	return character(s, i)
}

// elixirTilde handles sigils: ~s(...), ~H""" ... """.
func elixirTilde(s *scanner, i int) int {
	p := i + 1
	for p < len(s.text) && letter[s.text[p]]&1 != 0 && p-i < 10 {
		p++
	}
	if p == i+1 || p >= len(s.text) {
		return i + 1
	}
	switch q := s.text[p]; q {
	case '"', '\'':
		if p+2 < len(s.text) && s.text[p+1] == q && s.text[p+2] == q {
			return s.toTriple(i, p+3, q, isLower(s.text[i+1]))
		}
		return s.delimited(i, p)
	case '(', '[', '{', '<', '/', '|':
		return s.delimited(i, p)
	}
	return i + 1
}
