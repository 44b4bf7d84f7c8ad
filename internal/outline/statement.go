package outline

import (
	"bytes"

	"espy/internal/code"
)

// openBody is the action of '{'.
func openBody(s *scanner, i int) int {
	if d := s.syntax.dialect; d.members && !d.sharp && s.anonymous(i) {
		return i + 1
	}
	if s.paren > 0 {
		s.push(opaque, s.current().indent)
		return i + 1
	}
	start := s.wordStart(s.statement, i)
	from := s.lineAt(start)
	k := block
	switch s.scope() {
	case noScope, namespace, class, iface:
		k = s.body(start, i, from)
	case opaque:
		k = opaque
	}
	s.push(k, s.lines[from].indent)
	if k != opaque {
		s.statement = i + 1
	}
	if s.typedef && len(s.scopes) > 0 {
		s.scopes[len(s.scopes)-1].typedef = true
	}
	s.typedef = false
	return i + 1
}

// anonymous reports whether the brace at i opens an anonymous class that is the
// value of a member or constant, and enters its body. Functions are not searched.
func (s *scanner) anonymous(i int) bool {
	k := s.scope()
	if k == function || k == block || k == noScope || k == namespace || len(s.scopes) >= maxScopes {
		return false
	}
	if !(k == enum && s.paren == 0) && !s.newBefore(i) {
		return false
	}
	start := s.statement
	s.push(class, s.current().indent)
	s.scopes[len(s.scopes)-1].resume = int32(min(start, 1<<30)) + 1
	s.statement = i + 1
	return true
}

// newBefore reports whether the code before the brace at i is new Type(...).
func (s *scanner) newBefore(i int) bool {
	text := s.text[max(0, i-maxLook, s.statement):i]
	p := len(bytes.TrimRight(text, " \t\r\n")) - 1
	if p < 0 || text[p] != ')' {
		return false
	}
	depth := 0
	for ; p >= 0; p-- {
		if text[p] == ')' {
			depth++
		} else if text[p] == '(' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if p < 0 {
		return false
	}
	for p--; p >= 0 && (letter[text[p]] != 0 || bytes.IndexByte([]byte(".<>,?&[] "), text[p]) >= 0); p-- {
	}
	return bytes.HasPrefix(bytes.TrimLeft(text[p+1:], " "), []byte("new ")) || bytes.Contains(text[p+1:], []byte(" new "))
}

// closeBody is the action of '}'.
func closeBody(s *scanner, i int) int {
	top := s.pop(i)
	if top.resume > 0 {
		s.statement = int(top.resume) - 1
		return i + 1
	}
	if top.kind != opaque {
		s.statement = i + 1
		s.typedef = top.typedef
	}
	return i + 1
}

// endStatement is the action of ';'.
func endStatement(s *scanner, i int) int {
	if s.paren > 0 {
		return i + 1
	}
	switch s.scope() {
	case enum:
		if d := s.syntax.dialect; !d.c && !d.sharp && len(s.scopes) > 0 && s.deeper == 0 {
			s.scopes[len(s.scopes)-1].kind = class // Java: members follow the constants
		}
	case noScope, namespace, class, iface:
		if start := s.wordStart(s.statement, i); start < i {
			s.declaration(start, i, s.lineAt(start))
		}
	}
	s.statement = i + 1
	s.typedef = false
	return i + 1
}

// body adds the definition that the statement before the brace at end makes, and tells the scope the brace opens.
func (s *scanner) body(start, end, from int) scopeKind {
	if start == end {
		return block
	}
	d := s.syntax.dialect
	if d.blocks && s.transparent(start, end) {
		if s.member() {
			return class
		}
		return namespace
	}
	h := s.readHead(start, end)
	switch {
	case h.control:
		return block
	case h.assigned:
		return opaque
	case h.getter && !h.call && !h.last.empty():
		s.defineSpan(code.KindMethod, h.last, from)
		return function
	case h.kind != code.KindUnknown && !h.call:
		s.typedef = h.typedef
		if !h.typeName.empty() {
			s.defineSpan(h.kind, h.typeName, from)
		}
		return h.scope
	case h.call && !h.name.empty():
		return s.functionBody(&h, from)
	case h.extern && h.last.empty():
		return namespace
	case d.blocks && string(s.text[h.last.start:h.last.end]) == "unittest":
		s.lines[from].flags |= startLine
	case d.sharp && s.member() && h.words >= 1 && !h.last.empty():
		s.defineSpan(code.KindField, h.last, from)
	}
	return block
}

// transparent reports whether a block of D holds declarations of the scope around it:
// version (x), debug, static if (x), else, extern (C), private, @safe.
func (s *scanner) transparent(start, end int) bool {
	c := cursor{s.text, start, min(end, start+maxHead)}
	for {
		c.take('@')
		word := string(c.word())
		for c.i < c.end && (isBlank(c.peek()) || c.peek() == '\n') {
			c.i++
		}
		switch word {
		case "version", "debug", "if", "extern", "package", "align", "deprecated":
			if c.peek() == '(' && !c.balanced() {
				return false
			}
		case "else", "static", "private", "public", "protected", "export", "pure", "nothrow", "safe", "system", "trusted", "nogc", "const", "immutable":
		case "":
			return c.i == c.end
		default:
			return false
		}
		for c.i < c.end && (isBlank(c.peek()) || c.peek() == '\n') {
			c.i++
		}
	}
}

func (s *scanner) functionBody(h *head, from int) scopeKind {
	d := s.syntax.dialect
	if h.words == 0 && !h.qualified && !(d.ctors && s.member()) {
		return s.macroBody(h, from)
	}
	if h.arrow && d.trailing {
		return opaque
	}
	s.defineSpan(s.functionKind(h), h.name, from)
	return function
}

// macroBody handles MACRO(name) { ... }, and functions of C without a result type.
func (s *scanner) macroBody(h *head, from int) scopeKind {
	d := s.syntax.dialect
	name := h.name
	if isUpperName(s.text[name.start:name.end]) {
		if name = h.argument; name.empty() || !d.c {
			return block
		}
		if !h.second.empty() && bytes.HasPrefix(s.text[h.name.start:h.name.end], []byte("TEST")) {
			name = h.second // TEST(Suite, Name)
		}
	} else if !d.c && !d.trailing {
		return block
	}
	s.defineSpan(code.KindFunc, name, from)
	return function
}

func (s *scanner) functionKind(h *head) code.Kind {
	if h.qualified || s.member() {
		return code.KindMethod
	}
	return code.KindFunc
}

// declaration adds the definition that the statement before the semicolon at end makes.
func (s *scanner) declaration(start, end, from int) {
	d := s.syntax.dialect
	if s.typedef {
		s.typedefNames(start, end)
		return
	}
	h := s.readHead(start, end)
	k := s.scope()
	switch {
	case h.control:
	case h.typedef:
		s.typedefName(&h, from)
	case h.using:
		if h.assigned && d.c {
			s.defineSpan(code.KindType, h.last, from)
		}
	case h.getter && !h.call && !h.last.empty():
		s.defineSpan(code.KindMethod, h.last, from)
	case h.delegate && h.call:
		s.defineSpan(code.KindType, h.name, from)
	case h.kind != code.KindUnknown && !h.call:
		s.typeDeclaration(&h, from)
	case h.call && !h.name.empty() && h.pointer.empty():
		if s.declares(&h, k) {
			s.defineSpan(s.functionKind(&h), h.name, from)
		}
	case h.arrow && d.sharp && k != noScope && !h.last.empty() && h.words >= 1:
		s.defineSpan(code.KindField, h.last, from)
	default:
		s.variable(&h, from)
	}
}

// typeDeclaration handles a type without a body: C# namespaces and records, and C variables of a struct type.
func (s *scanner) typeDeclaration(h *head, from int) {
	d := s.syntax.dialect
	switch {
	case d.sharp && (h.kind == code.KindModule || h.kind == code.KindClass):
		if !h.typeName.empty() {
			s.defineSpan(h.kind, h.typeName, from)
		}
	case d.c && h.words >= 1 && h.kind != code.KindModule && h.kind != code.KindClass:
		s.variable(h, from)
	}
}

// declares reports whether a function that ends with a semicolon is a definition.
func (s *scanner) declares(h *head, k scopeKind) bool {
	d := s.syntax.dialect
	switch {
	case h.arrow && (d.sharp || d.trailing):
		return h.words > 0 || s.member()
	case d.c:
		return h.pure
	}
	return d.members && h.words > 0 && (k == iface || k == class && (h.abstract || d.trailing && h.words > 0 && !h.assigned))
}

// variable adds a global variable of C, or a constant of a type.
func (s *scanner) variable(h *head, from int) {
	d := s.syntax.dialect
	name := h.last
	if h.call && !h.pointer.empty() {
		name = h.pointer
	}
	if name.empty() || h.words == 0 || h.call && h.pointer.empty() {
		return
	}
	k := code.KindVar
	if h.constant {
		k = code.KindConst
	}
	switch {
	case s.member() && !(h.constant && (h.static || d.sharp || s.scope() == iface)):
		return
	case !s.member() && (h.extern && !h.assigned || !d.c && !d.trailing):
		return
	}
	s.defineSpan(k, name, from)
}

// typedefName adds the name of a typedef without a body.
func (s *scanner) typedefName(h *head, from int) {
	switch {
	case !h.pointer.empty():
		s.defineSpan(code.KindType, h.pointer, from)
	case h.call && !h.name.empty():
		s.defineSpan(code.KindType, h.name, from)
	case !h.last.empty() && (h.words > 0 || h.kind != code.KindUnknown || h.assigned && s.syntax.dialect.trailing):
		s.defineSpan(code.KindType, h.last, from)
	}
}

// typedefNames adds the names after the body of a typedef: } Name, *Pointer;
func (s *scanner) typedefNames(start, end int) {
	c := cursor{s.text, start, min(end, start+maxLook)}
	for c.i < c.end {
		switch b := c.peek(); {
		case letter[b]&1 != 0:
			name := c.word()
			p := span{c.i - len(name), c.i}
			if c.skip(); c.peek() == '(' { // __attribute__((packed))
				c.balanced()
				continue
			}
			if bytes.HasPrefix(name, []byte("__")) || s.isTag(name) {
				continue
			}
			at := s.lineAt(p.start)
			s.defineAt(code.KindStruct, p.start, p.end, at, at)
			s.lines[at].flags &^= startLine
		case b == '[' || b == '(':
			c.balanced()
		default:
			c.i++
		}
	}
}

// isTag reports whether a recent definition is a type of this name: the tag of a typedef.
func (s *scanner) isTag(name []byte) bool {
	for n := len(s.defs) - 1; n >= 0 && n > len(s.defs)-50; n-- {
		if d := s.defs[n]; d.kind.IsType() && bytes.Equal(s.text[d.start:d.end], name) {
			return true
		}
	}
	return false
}

// defineSpan adds the definition of p, in a statement that starts on line from.
func (s *scanner) defineSpan(k code.Kind, p span, from int) {
	s.defineAt(k, p.start, p.end, s.lineAt(p.start), from)
}

func objectTypes(word []byte) (code.Kind, scopeKind) {
	switch string(word) {
	case "class", "record", "mixin", "extension":
		return code.KindClass, class
	case "interface":
		return code.KindInterface, iface
	case "enum":
		return code.KindEnum, enum
	case "struct":
		return code.KindStruct, class
	case "trait":
		return code.KindTrait, class
	case "namespace":
		return code.KindModule, namespace
	}
	return code.KindUnknown, noScope
}
