package outline

import "espy/internal/code"

var fsharpSyntax = syntax{line: fsharpLine, names: "'", everywhere: true, act: table(actions{
	"/": slashes, "(": ocamlParen, "\"": fsharpQuote, "'": haskellTick,
})}

// fsharpLine finds what modules and types hold, by indentation. What stands within a
// function is local.
func fsharpLine(s *scanner) {
	c := s.cursor()
	s.atMembers(s.column())
	for c.has("[<") {
		for c.i < c.end && !c.has(">]") {
			c.i++
		}
		c.i = min(c.i+2, c.end)
		c.skip()
	}
	kind := code.KindUnknown
	switch string(c.word()) {
	case "let", "use":
		kind = code.KindFunc
	case "type", "and":
		kind = code.KindType
	case "exception":
		kind = code.KindType
	case "module", "namespace":
		kind = code.KindModule
	case "member", "override", "default", "abstract", "static":
		kind = code.KindMethod
	default:
		return
	}
	if !c.skip() {
		return
	}
	for {
		before := c.i
		switch string(c.word()) {
		case "rec", "inline", "mutable", "private", "internal", "public", "member", "val", "global":
			if c.skip() {
				continue
			}
		case "let":
			if kind == code.KindMethod && c.skip() { // static let
				kind = code.KindVar
				continue
			}
		}
		c.i = before
		break
	}
	fsharpName(s, &c, kind)
}

// fsharpName defines the name at the cursor: name, “a name“, this.Name, A.B.
func fsharpName(s *scanner, c *cursor, kind code.Kind) {
	name := fsharpWord(c)
	for c.peek() == '.' && (kind == code.KindMethod || kind == code.KindModule || kind == code.KindType) {
		c.i++
		name = fsharpWord(c)
	}
	end := c.i
	if len(name) == 0 || string(name) == "_" {
		return
	}
	if end < c.end && c.text[end] == '`' {
		c.i += 2
	}
	if kind == code.KindFunc {
		if c.skip(); c.peek() == '=' || c.peek() == ':' || c.peek() == ',' {
			kind = code.KindVar
		}
	}
	column := s.column()
	if !s.atMembers(column) {
		return
	}
	s.indents = append(s.indents, level{indent: column, class: kind.IsType(), module: kind == code.KindModule})
	s.define(kind, end-len(name), end)
}

// fsharpWord reads a name; between double backticks it may hold anything.
func fsharpWord(c *cursor) []byte {
	if !c.has("``") {
		return nameWith(c, "'")
	}
	c.i += 2
	start := c.i
	for c.i < c.end && c.peek() != '`' {
		c.i++
	}
	return c.text[start:c.i]
}

// fsharpQuote handles "...", @"..." and """...""".
func fsharpQuote(s *scanner, i int) int {
	if s.opensTriple(i) {
		return s.toTriple(i, i+3, '"', false)
	}
	if i > 0 && s.text[i-1] == '@' {
		return rawQuote(s, i)
	}
	return longQuote(s, i)
}
