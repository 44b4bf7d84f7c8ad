package outline

import (
	"bytes"

	"espy/internal/code"
)

// This file holds the languages whose functions have no keyword: C, C++, C#,
// Java and their kin. The text between two of ; { } is a statement. Directly
// within the file, a namespace or a type, the statement before a { or ; is
// read word by word; anywhere else it is not looked at.

// dialect is what tells these languages apart.
type dialect struct {
	types    func(word []byte) (code.Kind, scopeKind) // keywords of types
	c        bool                                     // C and C++: preprocessor, typedef, global variables
	ctors    bool                                     // methods may be declared without a result
	records  bool                                     // a type may have parameters: record R(int x)
	sharp    bool                                     // C#: properties, => bodies, delegates
	members  bool                                     // members without a body count in interfaces and where abstract
	trailing bool                                     // => bodies of functions end with ; (Dart)
}

func init() {
	c := &dialect{c: true, types: cTypes}
	cpp := &dialect{c: true, ctors: true, types: cTypes}
	java := &dialect{ctors: true, records: true, members: true, types: javaTypes}
	csharp := &dialect{ctors: true, records: true, sharp: true, members: true, types: javaTypes}
	dart := &dialect{ctors: true, members: true, trailing: true, types: javaTypes}
	groovy := &dialect{ctors: true, members: true, types: javaTypes}

	statements := func(d *dialect, m map[string]action) *syntax {
		m["{"], m["}"], m[";"], m["(["], m[")]"] = openBody, closeBody, endStatement, openParen, closeParen
		return &syntax{statements: d, act: actions(m)}
	}
	syntaxes["c"] = statements(c, map[string]action{"/": slash, "#": directive, "\"": quote, "'": charQuote})
	syntaxes["cpp"] = statements(cpp, map[string]action{"/": slash, "#": directive, "\"": cppQuote, "'": charQuote})
	syntaxes["cuda"] = syntaxes["cpp"]
	objc := *syntaxes["cpp"]
	objc.line = objcLine
	syntaxes["objective-c"] = &objc
	syntaxes["java"] = statements(java, map[string]action{"/": slash, "\"": tripleEscaped, "'": charQuote})
	syntaxes["csharp"] = statements(csharp, map[string]action{"/": slash, "#": skipDirective, "\"": csharpQuote, "'": charQuote})
	syntaxes["dart"] = statements(dart, map[string]action{"/": slash, "\"'": tripleEscaped})
	syntaxes["groovy"] = statements(groovy, map[string]action{"/": slash, "\"'": tripleEscaped})
	syntaxes["groovy"].act['\n'] = lineStatement
}

func cTypes(word []byte) (code.Kind, scopeKind) {
	switch string(word) {
	case "class":
		return code.KindClass, class
	case "struct", "union":
		return code.KindStruct, class
	case "enum":
		return code.KindEnum, enum
	case "namespace":
		return code.KindModule, namespace
	}
	return code.KindUnknown, noScope
}

func javaTypes(word []byte) (code.Kind, scopeKind) {
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

// cppQuote handles " with R before it: R"tag( ... )tag".
func cppQuote(s *scanner, i int) int {
	if i == 0 || s.text[i-1] != 'R' || i > 1 && letter[s.text[i-2]] != 0 && s.text[i-2] != 'u' && s.text[i-2] != 'U' && s.text[i-2] != 'L' && s.text[i-2] != '8' {
		return quote(s, i)
	}
	n := bytes.IndexByte(s.text[i:min(i+20, len(s.text))], '(')
	if n < 0 {
		return quote(s, i)
	}
	end := ")" + string(s.text[i+1:i+n]) + "\""
	p := s.find(i+n, end)
	if p < 0 {
		return s.lineEnd(i)
	}
	return s.pass(i, p+len(end), insideLine)
}

// csharpQuote handles ", @" with doubled quotes, and """.
func csharpQuote(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == '@' || i > 1 && s.text[i-1] == '$' && s.text[i-2] == '@') {
		return rawQuote(s, i)
	}
	return tripleRaw(s, i)
}

// skipDirective passes over a line that starts with #.
func skipDirective(s *scanner, i int) int {
	if i != s.first {
		return i + 1
	}
	end := s.lineEnd(i)
	for end > i && s.text[end-1] == '\\' && end < len(s.text) {
		s.addLine(end+1, insideLine)
		end = s.lineEnd(end + 1)
	}
	if s.wordStart(s.statement, i) >= i {
		s.statement = end
	}
	return end
}

// directive handles a line that starts with #: macros are definitions, and
// what stands in #if 0 is a comment.
func directive(s *scanner, i int) int {
	if i != s.first {
		return i + 1
	}
	c := cursor{s.text, i + 1, s.lookEnd(i)}
	c.skip()
	word := c.word()
	c.skip()
	switch string(word) {
	case "ifndef":
		name := c.word()
		s.guard = [2]int{c.i - len(name), c.i}
		s.enterBranch(i)
	case "define":
		name := c.word()
		if guard := s.text[s.guard[0]:s.guard[1]]; len(name) > 0 && !(c.i == c.end && bytes.Equal(guard, name)) {
			at := len(s.lines) - 1
			s.defineAt(code.KindMacro, c.i-len(name), c.i, at, at)
			s.lines[at].flags &^= startLine // macros come in runs
		}
		s.guard = [2]int{}
	case "if":
		if string(bytes.TrimRight(c.rest(), " \t\r")) == "0" {
			s.enterBranch(i)
			return s.passDisabled(i)
		}
		s.enterBranch(i)
	case "ifdef":
		s.enterBranch(i)
	case "else", "elif":
		s.nextBranch(i)
	case "endif":
		s.leaveBranch()
	}
	return skipDirective(s, i)
}

// maxBranches bounds nested conditions; deeper ones are read as one text.
const maxBranches = 32

// enterBranch keeps the scopes before a condition.
func (s *scanner) enterBranch(i int) {
	b := branch{at: i, kept: len(s.kept), paren: s.paren, deeper: s.deeper}
	if len(s.branches) < maxBranches {
		s.kept = append(s.kept, s.scopes...)
	}
	s.branches = append(s.branches, b)
}

// nextBranch goes back to the scopes before the condition: only one of its
// parts counts, and both may open or close the same brace.
func (s *scanner) nextBranch(i int) {
	n := len(s.branches)
	if n == 0 || n > maxBranches {
		return
	}
	b := s.branches[n-1]
	s.scopes = append(s.scopes[:0], s.kept[b.kept:]...)
	s.paren, s.deeper = b.paren, b.deeper
	if s.statement > b.at {
		s.statement = i
	}
}

func (s *scanner) leaveBranch() {
	if n := len(s.branches); n > 0 {
		s.kept = s.kept[:s.branches[n-1].kept]
		s.branches = s.branches[:n-1]
	}
}

// passDisabled passes over the code between #if 0 at i and its #else or #endif.
func (s *scanner) passDisabled(i int) int {
	depth := 0
	for p := s.lineEnd(i); p < len(s.text) && s.unclosed < maxUnclosed; p = s.lineEnd(p + 1) {
		c := cursor{s.text, p + 1, len(s.text)}
		if c.skip(); !c.take('#') {
			continue
		}
		c.skip()
		switch string(c.word()) {
		case "if", "ifdef", "ifndef":
			depth++
			continue
		case "endif":
			if depth--; depth >= 0 {
				continue
			}
		case "else", "elif":
			if depth > 0 {
				continue
			}
		default:
			continue
		}
		n := s.pass(i, p, insideLine)
		s.statement = p
		return n
	}
	s.unclosed++
	return s.lineEnd(i)
}

// wordStart is the first byte of a statement that is neither blank nor comment, at most end.
func (s *scanner) wordStart(i, end int) int {
	for i < end {
		switch b := s.text[i]; {
		case isBlank(b) || b == '\n':
			i++
		case b == '/' && i+1 < end && s.text[i+1] == '/':
			i = s.lineEnd(i)
		case b == '/' && i+1 < end && s.text[i+1] == '*':
			n := bytes.Index(s.text[i+2:end], []byte("*/"))
			if n < 0 {
				return end
			}
			i += n + 4
		default:
			return i
		}
	}
	return end
}

// openBody is the action of '{'.
func openBody(s *scanner, i int) int {
	if d := s.syntax.statements; d.members && !d.sharp && s.anonymous(i) {
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

// anonymous enters the body of an anonymous class that is the value of a
// member or constant, and reports whether the brace at i opens one. Those
// within functions are not looked at.
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
		if d := s.syntax.statements; !d.c && !d.sharp && len(s.scopes) > 0 && s.deeper == 0 {
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

// lineStatement is the action of '\n' where it ends a statement, as in Groovy.
func lineStatement(s *scanner, i int) int {
	if p := s.wordStart(i, min(i+maxLook, len(s.text))); p >= len(s.text) || s.text[p] != '{' {
		endStatement(s, i)
	}
	return newline(s, i)
}

// span is a range of the text.
type span struct{ start, end int }

func (p span) empty() bool { return p.end <= p.start }

// head is what the words of a statement say.
type head struct {
	kind  code.Kind // of the type the statement defines, if any
	scope scopeKind

	typeName span // after the keyword of a type
	name     span // before the first bracket
	last     span // last word before a bracket, = or the end
	words    int  // before the name: modifiers do not count

	call      bool // a bracket follows the name
	argument  span // first word in the brackets
	second    span // second argument in the brackets
	pointer   span // name in (*name)
	qualified bool
	assigned  bool // = after a variable
	arrow     bool // => after a function or property
	pure      bool // = 0 after a function

	typedef, using, extern, constant, static, abstract, delegate, control bool
}

// maxHead is how far a statement is read.
const maxHead = 4000

// body tells what the brace at end opens by the statement before it, and adds its definition.
func (s *scanner) body(start, end, from int) scopeKind {
	if start == end {
		return block
	}
	d := s.syntax.statements
	h := s.readHead(start, end)
	switch {
	case h.control:
		return block
	case h.assigned:
		return opaque
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
	case d.sharp && s.member() && h.words >= 1 && !h.last.empty():
		s.defineSpan(code.KindField, h.last, from)
	}
	return block
}

func (s *scanner) functionBody(h *head, from int) scopeKind {
	d := s.syntax.statements
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
	d := s.syntax.statements
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

// declaration adds what the statement before the semicolon at end defines.
func (s *scanner) declaration(start, end, from int) {
	d := s.syntax.statements
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
	d := s.syntax.statements
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
	d := s.syntax.statements
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
	d := s.syntax.statements
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
	case !h.last.empty() && (h.words > 0 || h.kind != code.KindUnknown):
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

// isTag reports whether one of the last definitions is a type of the same name, the tag of a typedef.
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

// readHead reads the words of the statement text[start:end].
func (s *scanner) readHead(start, end int) head {
	r := headReader{s: s, d: s.syntax.statements, c: cursor{s.text, start, min(end, start+maxHead)}}
	for r.c.i < r.c.end && r.step() {
	}
	return r.head
}

// headReader reads a statement.
type headReader struct {
	head
	s       *scanner
	d       *dialect
	c       cursor
	tilde   int  // place of a ~ before the next word, plus 1
	colons  bool // the last token was ::
	isAfter bool // a bracket has closed: what follows only qualifies the function
}

// step reads one token and reports whether to go on.
func (r *headReader) step() bool {
	c := &r.c
	switch b := c.peek(); {
	case letter[b]&1 != 0:
		return r.word()
	case isBlank(b) || b == '\n':
		c.i++
	case b == '(':
		return r.bracket()
	case b == ':':
		return r.colon()
	case b == '=':
		return r.equals()
	case b == '<':
		r.angle()
	case b == '[':
		c.balanced()
	case b == '/':
		r.slash()
	case b == '"':
		c.quoted('"')
	case b == '\'':
		c.quoted('\'')
	case b == '#':
		c.i = min(r.s.lineEnd(c.i), c.end)
	case b == '@':
		return r.annotation()
	case b == '~':
		c.i++
		r.tilde = c.i
	case b == ',':
		if !r.call && r.kind == code.KindUnknown { // int a, b; or the rest of an initialiser
			return false
		}
		c.i++
	case b == '?' && r.last.empty() && r.words == 0:
		return false
	default:
		c.i++
	}
	return true
}

func (r *headReader) slash() {
	c := &r.c
	switch c.at(1) {
	case '/':
		c.i = min(r.s.lineEnd(c.i), c.end)
	case '*':
		if n := bytes.Index(c.text[c.i:c.end], []byte("*/")); n >= 0 {
			c.i += n + 2
			return
		}
		c.i = c.end
	default:
		c.i++
	}
}

// annotation passes over @Name(...); @interface is the keyword of a type.
func (r *headReader) annotation() bool {
	c := &r.c
	c.i++
	if c.has("interface ") {
		return r.word()
	}
	for len(c.word()) > 0 && c.take('.') {
	}
	if c.peek() == '(' || c.skip() && c.peek() == '(' {
		return c.balanced()
	}
	return true
}

// angle passes over type arguments, where the < opens any.
func (r *headReader) angle() {
	c := &r.c
	at := c.i
	depth := 0
	for ; c.i < c.end; c.i++ {
		switch c.peek() {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				c.i++
				return
			}
		case '(':
			if !c.balanced() {
				c.i = at + 1
				return
			}
			c.i--
		case ';', '{':
			c.i = at + 1
			return
		}
	}
	c.i = at + 1
}

// colon handles A::b, the label of C++ members, and what follows a single colon.
func (r *headReader) colon() bool {
	c := &r.c
	if c.at(1) == ':' {
		c.i += 2
		r.colons = true
		return true
	}
	c.i++
	if r.kind != code.KindUnknown || r.call {
		return false // base classes; initialisers
	}
	if r.words <= 1 && isLabel(r.s.text[r.last.start:r.last.end]) {
		*r = headReader{s: r.s, d: r.d, c: r.c}
	}
	return true
}

func isLabel(word []byte) bool {
	switch string(word) {
	case "", "slots", "signals", "Q_SLOTS", "Q_SIGNALS":
		return true
	}
	return false
}

// equals handles the = of variables, => bodies and = 0.
func (r *headReader) equals() bool {
	c := &r.c
	if c.at(1) == '>' {
		r.arrow = true
		return false
	}
	if r.call {
		if c.i++; c.skip() || true {
			r.pure = c.peek() == '0'
		}
		return false
	}
	if c.at(1) == '=' {
		c.i += 2
		return true
	}
	r.assigned = true
	return false
}

// bracket handles the brackets after a name.
func (r *headReader) bracket() bool {
	c := &r.c
	if r.call || r.kind != code.KindUnknown && r.typeBracket() || r.words == 0 && r.last.empty() {
		r.isAfter = true
		return c.balanced()
	}
	inner := cursor{c.text, c.i + 1, c.end}
	inner.skip()
	for inner.take('*') || inner.take('^') || inner.take('&') {
		inner.skip()
		if name := inner.word(); len(name) > 0 && r.pointer.empty() && inner.i < inner.end {
			r.pointer = span{inner.i - len(name), inner.i}
		}
	}
	r.call = true
	r.name = r.last
	if word := inner.word(); len(word) > 0 {
		r.argument = span{inner.i - len(word), inner.i}
		inner.skip()
		if inner.take(',') {
			inner.skip()
			if word := inner.word(); len(word) > 0 {
				r.second = span{inner.i - len(word), inner.i}
			}
		}
	}
	r.isAfter = true
	return c.balanced()
}

// typeBracket reports whether the bracket belongs to a type: a record's
// parameters, or a macro between the keyword and the name.
func (r *headReader) typeBracket() bool {
	if !r.d.c {
		return true
	}
	if isUpperName(r.s.text[r.typeName.start:r.typeName.end]) && r.words <= 1 {
		r.typeName, r.last, r.words = span{}, span{}, 0
		return true
	}
	return false
}

// word handles a keyword, a modifier or a name.
func (r *headReader) word() bool {
	c := &r.c
	word := c.word()
	p := span{c.i - len(word), c.i}
	if r.isAfter {
		return r.afterWord(word)
	}
	if k, scope := r.d.types(word); k != code.KindUnknown && !r.colons {
		if r.isType(word) {
			if r.kind == code.KindUnknown {
				r.kind, r.scope = k, scope
			}
			return true
		}
	}
	if !r.colons && r.keyword(word) {
		return !r.control
	}
	if string(word) == "operator" && (r.d.c || r.d.sharp) {
		r.operator(p)
		return true
	}
	if r.tilde == p.start && r.tilde > 0 && r.d.c {
		p.start--
	}
	if r.colons && !r.last.empty() {
		r.qualified = true
	} else if !r.last.empty() {
		r.words++
		r.qualified = false
	}
	r.colons = false
	r.last = p
	if r.kind != code.KindUnknown {
		if r.typeName.empty() || r.words < 8 {
			r.typeName = p
		}
	}
	return true
}

// isType reports whether a word that may be the keyword of a type is one here.
func (r *headReader) isType(word []byte) bool {
	switch string(word) {
	case "record", "mixin", "extension", "trait", "struct", "namespace":
		if r.d.c {
			return true
		}
		next := r.c
		if !next.skip() || letter[next.peek()]&1 == 0 {
			return false
		}
		return r.last.empty() && (string(word) != "record" || r.d.records)
	}
	return true
}

// afterWord handles the words after the brackets of a function. After
// MACRO(...) alone, they begin the declaration itself.
func (r *headReader) afterWord(word []byte) bool {
	if r.d.c && r.call && r.words == 0 && !r.qualified && isUpperName(r.s.text[r.name.start:r.name.end]) && !isUpperName(word) {
		*r = headReader{s: r.s, d: r.d, c: r.c}
		r.c.i -= len(word)
		return r.word()
	}
	switch string(word) {
	case "where", "throws", "requires":
		r.c.i = r.c.end
	}
	return true
}

// keyword handles the words that are no names and reports whether word is one.
func (r *headReader) keyword(word []byte) bool {
	switch string(word) {
	case "typedef":
		r.typedef = true
	case "using":
		r.using = true
	case "extern", "native", "external":
		r.extern = true
		r.abstract = r.abstract || !r.d.c
	case "const", "constexpr", "constinit", "final":
		r.constant = true
	case "readonly":
		r.constant = r.static
	case "static":
		r.static = true
	case "abstract", "partial":
		r.abstract = true
	case "delegate":
		r.delegate = true
	case "inline", "virtual", "explicit", "implicit", "friend", "mutable", "register", "volatile", "consteval", "thread_local", "_Thread_local", "__inline", "__inline__",
		"__forceinline", "_Noreturn", "restrict", "override", "sealed", "public", "private", "protected", "internal", "default", "synchronized",
		"transient", "strictfp", "async", "unsafe", "required", "event", "fixed", "new", "file", "late", "covariant", "non", "typename", "export", "noexcept", "ref":
		return r.modifier(word)
	case "template", "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "decltype", "requires", "__extension__", "asm", "__asm__":
		if r.c.skip(); r.c.peek() == '(' {
			r.c.balanced()
		}
	case "extends", "implements", "permits", "where", "with", "on":
		if r.kind == code.KindUnknown {
			return false
		}
		r.c.i = r.c.end
	case "if", "for", "while", "switch", "return", "else", "do", "goto", "case", "try", "catch", "finally", "throw", "foreach", "lock", "import", "package",
		"static_assert", "_Static_assert", "yield", "await", "delete", "break", "continue", "assert", "library", "part":
		r.control = !(r.d.sharp && (string(word) == "part" || string(word) == "library" || string(word) == "package" || string(word) == "import"))
		return r.control
	default:
		return false
	}
	return true
}

// modifier handles words that are modifiers unless a name is due.
func (r *headReader) modifier(word []byte) bool {
	switch string(word) {
	case "file", "late", "ref", "required", "event", "async", "fixed", "non", "new", "export", "internal", "default", "override", "register", "covariant":
		b := r.c
		b.skip()
		if b.peek() == '(' || b.peek() == '=' || b.i >= b.end {
			if r.d.c {
				return string(word) == "override" || string(word) == "default"
			}
			return false
		}
	}
	return true
}

// operator takes operator== and the like as one name, up to its brackets.
func (r *headReader) operator(p span) {
	c := &r.c
	for c.i < c.end && c.peek() != '(' {
		c.i++
	}
	if c.at(1) == ')' && c.i == p.end { // operator()
		c.i += 2
		c.skip()
	}
	end := c.i
	for end > p.end && isBlank(c.text[end-1]) {
		end--
	}
	r.qualified = r.colons
	r.colons = false
	if !r.last.empty() || r.qualified {
		r.words++
	}
	r.words = max(r.words, 1)
	r.last = span{p.start, end}
}

// objcLine handles the lines that only Objective-C has: @interface, @protocol,
// @implementation, and methods.
func objcLine(s *scanner) {
	c := s.cursor()
	switch b := c.peek(); {
	case b == '@':
		c.i++
		k := code.KindUnknown
		switch string(c.word()) {
		case "interface":
			k = code.KindClass
		case "protocol":
			k = code.KindInterface
		case "implementation":
			s.mark()
		case "property", "class":
			s.statement = c.end
			return
		}
		c.skip()
		if name := c.word(); k != code.KindUnknown && len(name) > 0 {
			end := c.i
			if c.skip(); c.peek() != ';' && (c.peek() != '(' || k == code.KindInterface) && c.peek() != ',' {
				s.define(k, end-len(name), end)
			}
		}
		s.statement = c.end
	case (b == '-' || b == '+') && s.scope() == noScope:
		objcMethod(s, &c)
	}
}

// objcMethod finds the first part of the name of - (type)name:(type)argument, when a body follows.
func objcMethod(s *scanner, c *cursor) {
	c.i++
	if c.skip(); c.peek() != '(' || !c.balanced() {
		return
	}
	c.skip()
	name := c.word()
	end := bytes.IndexAny(s.text[c.i:min(c.i+maxHead, len(s.text))], ";{")
	if len(name) > 0 && end >= 0 && s.text[c.i+end] == '{' {
		s.define(code.KindMethod, c.i-len(name), c.i)
	}
	s.statement = c.i
}
