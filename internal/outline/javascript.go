package outline

import (
	"bytes"

	"espy/internal/code"
)

var javascriptSyntax = syntax{line: jsLine, act: table(curly, actions{
	"/": jsSlash, "\"'": quote, "`": jsTemplate, "{": jsBrace,
})}

// jsSlash tells comments, divisions and regular expressions apart. A regular
// expression stands where a value may begin.
func jsSlash(s *scanner, i int) int {
	if i+1 < len(s.text) && (s.text[i+1] == '/' || s.text[i+1] == '*') {
		return slash(s, i)
	}
	if !s.valueMayBegin(i) {
		return i + 1
	}
	inClass := false
	for p := i + 1; p < len(s.text); p++ {
		switch s.text[p] {
		case '\\':
			p++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				return p + 1
			}
		case '\n':
			return i + 1
		}
		if p < len(s.text) && s.text[p] == '\n' {
			return i + 1
		}
	}
	return i + 1
}

// jsTemplate skips a template literal with its ${ ... } parts.
func jsTemplate(s *scanner, i int) int {
	if s.unclosed >= maxUnclosed {
		return i + 1
	}
	end := templateEnd(s.text, i+1, 0)
	if end < 0 {
		s.unclosed++
		return s.lineEnd(i)
	}
	return s.pass(i, end, insideLine)
}

// maxTemplates bounds the nesting of template literals.
const maxTemplates = 20

// templateEnd is the place after the backquote that ends the template whose text starts at p, or -1.
func templateEnd(text []byte, p, depth int) int {
	for p < len(text) {
		switch text[p] {
		case '\\':
			p++
		case '`':
			return p + 1
		case '$':
			if p+1 < len(text) && text[p+1] == '{' && depth < maxTemplates {
				if p = substitutionEnd(text, p+2, depth); p < 0 {
					return -1
				}
				continue
			}
		}
		p++
	}
	return -1
}

// substitutionEnd is the place after the brace that ends the ${ whose code starts at p, or -1.
func substitutionEnd(text []byte, p, depth int) int {
	braces := 1
	for p < len(text) {
		switch b := text[p]; b {
		case '{':
			braces++
		case '}':
			if braces--; braces == 0 {
				return p + 1
			}
		case '`':
			if p = templateEnd(text, p+1, depth+1); p < 0 {
				return -1
			}
			continue
		case '"', '\'':
			for p++; p < len(text) && text[p] != b && text[p] != '\n'; p++ {
				if text[p] == '\\' {
					p++
				}
			}
		}
		p++
	}
	return -1
}

// jsBrace tells object literals from blocks.
func jsBrace(s *scanner, i int) int {
	if s.paren == 0 && s.pending != noScope {
		return openBrace(s, i)
	}
	k := block
	if s.objectBefore(i) {
		k = object
		if s.paren > 0 || s.scope() == opaque {
			k = opaque // an argument
		}
	}
	s.push(k, s.current().indent)
	return i + 1
}

func (s *scanner) objectBefore(i int) bool {
	p := i - 1
	for p >= 0 && (isBlank(s.text[p]) || s.text[p] == '\n') && i-p < maxLook {
		p--
	}
	if p < 0 {
		return false
	}
	switch s.text[p] {
	case '=', '(', ',', ':', '[', '?', '|', '&':
		return true
	}
	start := p
	for start >= 0 && letter[s.text[start]] != 0 && p-start < 12 {
		start--
	}
	word := string(s.text[start+1 : p+1])
	return word == "return" || word == "default"
}

// jsLine finds definitions of JavaScript and TypeScript.
func jsLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	switch s.scope() {
	case class:
		jsMember(s, &c, false)
	case iface:
		jsMember(s, &c, true)
	case object, opaque:
		jsProperty(s, &c)
	case enum:
	default:
		jsStatement(s, &c)
	}
}

func jsStatement(s *scanner, c *cursor) {
	begin := c.i
	declared := s.scope() == namespace
	for {
		at := c.i
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "export", "default", "async", "abstract":
			continue
		case "declare":
			declared = true
			continue
		case "function":
			c.take('*')
			c.skip()
			if name := c.word(); len(name) > 0 {
				s.overloadable(code.KindFunc, c.i-len(name), c.i, !declared)
			}
			s.pending = function
		case "class":
			jsClass(s, c)
		case "interface":
			if letter[c.peek()] != 0 {
				s.container(c, code.KindInterface, iface)
			}
		case "enum":
			s.container(c, code.KindEnum, enum)
		case "namespace", "module", "global":
			tsNamespace(s, c, begin)
		case "type":
			tsType(s, c)
		case "const":
			if c.has("enum ") {
				continue
			}
			jsVariable(s, c, code.KindConst, declared)
		case "let", "var":
			jsVariable(s, c, code.KindVar, declared)
		default:
			c.i = at
			jsAssignment(s, c)
		}
		return
	}
}

func jsClass(s *scanner, c *cursor) {
	at := c.i
	name := c.word()
	if string(name) == "extends" || string(name) == "implements" {
		c.i, name = at, nil
	}
	if len(name) > 0 {
		s.define(code.KindClass, c.i-len(name), c.i)
	}
	s.pending = class
}

func jsVariable(s *scanner, c *cursor, k code.Kind, declared bool) {
	name := c.word()
	if len(name) == 0 {
		return
	}
	start, end := c.i-len(name), c.i
	if c.skip(); c.peek() == ':' {
		tsAnnotation(c)
	}
	isValue := c.take('=')
	if isValue {
		c.skip()
		if s.jsFunction(c, start, end, code.KindFunc) {
			return
		}
	}
	if !s.outermost() || c.has("require(") || !isValue && !declared && k == code.KindConst {
		return
	}
	s.define(k, start, end)
}

// jsFunction defines text[start:end] when the value at the cursor is a function or class.
func (s *scanner) jsFunction(c *cursor, start, end int, k code.Kind) bool {
	if c.has("async") && letter[c.at(5)] == 0 {
		c.i += 5
		c.skip()
	}
	switch {
	case c.has("function") && letter[c.at(8)] == 0:
		s.define(k, start, end)
		s.pending = function
		return true
	case c.has("class") && letter[c.at(5)] == 0:
		s.define(code.KindClass, start, end)
		s.pending = class
		return true
	}
	if !s.isArrow(c.i) {
		return false
	}
	s.define(k, start, end)
	s.pending = function
	return true
}

// maxParameters bounds the search for the end of a parameter list, in bytes.
const maxParameters = 4000

// isArrow reports whether an arrow function starts at i.
func (s *scanner) isArrow(i int) bool {
	c := cursor{s.text, i, min(i+maxParameters, len(s.text))}
	if c.peek() == '<' { // type parameters
		if !c.balanced() {
			return false
		}
		c.skip()
	}
	if c.peek() != '(' {
		if len(c.word()) == 0 {
			return false
		}
		c.skip()
		return c.has("=>")
	}
	if !c.balanced() {
		return false
	}
	if c.skip(); c.has("=>") {
		return true
	}
	if c.peek() != ':' { // a result type
		return false
	}
	for c.i < c.end {
		switch b := c.peek(); {
		case b == '=' && c.at(1) == '>':
			return true
		case b == '=' || b == ';' || b == '\n':
			return false
		case b == '{' || b == '(' || b == '<' || b == '[':
			if !c.balanced() {
				return false
			}
		default:
			c.i++
		}
	}
	return false
}

// jsAssignment handles a.b.c = function and the like.
func jsAssignment(s *scanner, c *cursor) {
	for {
		name := c.word()
		if len(name) == 0 || jsKeyword(name) {
			return
		}
		end := c.i
		if c.take('.') {
			continue
		}
		c.skip()
		if c.peek() != '=' || c.at(1) == '=' || c.at(1) == '>' {
			return
		}
		c.i++
		c.skip()
		s.jsFunction(c, end-len(name), end, code.KindFunc)
		return
	}
}

// jsProperty handles the functions of an object literal: name() {, name: function, 'name': () =>.
func jsProperty(s *scanner, c *cursor) {
	if c.peek() == '.' {
		return
	}
	start, end := jsKey(c)
	if start == end {
		return
	}
	switch c.skip(); c.peek() {
	case ':':
		c.i++
		c.skip()
		if s.scope() == object || c.has("function") || c.has("async function") {
			s.jsFunction(c, start, end, code.KindMethod)
		}
	case '(':
		if !jsKeyword(s.text[start:end]) && s.hasBody(c.i) {
			s.define(code.KindMethod, start, end)
			s.pending = function
		}
	}
}

// jsKey reads the name of a property or member after its modifiers.
func jsKey(c *cursor) (start, end int) {
	for {
		c.take('*')
		c.skip()
		if q := c.peek(); q == '\'' || q == '"' {
			name := c.quoted(q)
			return c.i - 1 - len(name), c.i - 1
		}
		c.take('#')
		word := c.word()
		start, end = c.i-len(word), c.i
		if len(word) == 0 || !jsModifier(word) || !c.skip() {
			return start, end
		}
		if b := c.peek(); letter[b] == 0 && b != '*' && b != '#' && b != '[' && b != '\'' && b != '"' {
			return start, end
		}
	}
}

func jsModifier(word []byte) bool {
	switch string(word) {
	case "static", "async", "get", "set", "public", "private", "protected", "readonly", "override", "abstract", "declare", "accessor":
		return true
	}
	return false
}

func jsKeyword(word []byte) bool {
	switch string(word) {
	case "if", "for", "while", "switch", "return", "catch", "with", "function", "new", "typeof", "await", "else", "do", "case", "throw", "delete", "void", "in", "of", "import", "super", "yield", "try":
		return true
	}
	return false
}

// hasBody reports whether the brackets at i are followed by a body.
func (s *scanner) hasBody(i int) bool {
	c := cursor{s.text, i, min(i+maxParameters, len(s.text))}
	if !c.balanced() {
		return false
	}
	for c.i < c.end && c.peek() != '{' && c.peek() != ';' && c.peek() != ',' && c.peek() != ')' && c.peek() != '}' {
		c.i++
	}
	return c.peek() == '{'
}

// jsMember handles the members of a class or interface. A class member without
// a body is an overload, not a definition.
func jsMember(s *scanner, c *cursor, isInterface bool) {
	begin := c.i
	start, end := jsKey(c)
	if start == end {
		return
	}
	isAbstract := bytes.Contains(s.text[begin:start], []byte("abstract"))
	c.take('?')
	c.take('!')
	c.skip()
	if c.peek() == '<' {
		c.balanced()
		c.skip()
	}
	switch c.peek() {
	case '(':
		if string(s.text[start:end]) == "new" && isInterface || jsKeyword(s.text[start:end]) && !isInterface && !s.hasBody(c.i) {
			return
		}
		s.overloadable(code.KindMethod, start, end, !isInterface && !isAbstract)
		s.pending = function
	case ':':
		if isInterface {
			if c.i++; c.skip() && s.isArrow(c.i) {
				s.define(code.KindMethod, start, end)
			}
			return
		}
		if tsAnnotation(c); c.peek() == '=' {
			jsMemberValue(s, c, start, end)
		}
	case '=':
		jsMemberValue(s, c, start, end)
	}
}

func jsMemberValue(s *scanner, c *cursor, start, end int) {
	c.i++
	c.skip()
	s.jsFunction(c, start, end, code.KindMethod)
}
