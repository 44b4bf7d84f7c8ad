package outline

import (
	"bytes"

	"espy/internal/code"
)

// span is a range of the text.
type span struct{ start, end int }

func (p span) empty() bool { return p.end <= p.start }

// head is what the start of a statement says.
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

	typedef, using, extern, constant, static, abstract, delegate, getter, control bool
}

// maxHead is how far a statement is read.
const maxHead = 4000

// readHead reads the words of the statement text[start:end].
func (s *scanner) readHead(start, end int) head {
	r := headReader{s: s, d: s.syntax.dialect, c: cursor{s.text, start, min(end, start+maxHead)}}
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
	isAfter bool // a bracket has closed: the words that follow only qualify the function
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
	case b == '"' || b == '\'':
		r.text(b)
	case b == '#':
		c.i = min(r.s.lineEnd(c.i), c.end)
	case b == '@':
		return r.annotation()
	case b == '~':
		c.i++
		r.tilde = c.i
	case b == '!' && r.d.blocks:
		r.instance()
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

// text skips a text in quotes. Behind def or void it is the name of a function, in a language that
// has such names.
func (r *headReader) text(quote byte) {
	start := r.c.i + 1
	inner := r.c.quoted(quote)
	if r.d.texts && !r.call && isDef(r.s.text[r.last.start:r.last.end]) {
		r.last = span{start, start + len(inner)}
		r.words++
	}
}

// isDef reports whether a word says that a function without another type follows.
func isDef(word []byte) bool { return string(word) == "def" || string(word) == "void" }

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
	case '+':
		if n := bytes.LastIndex(c.text[c.i:c.end], []byte("+/")); r.d.blocks && n >= 0 {
			c.i += n
		}
		c.i += 2
	default:
		c.i++
	}
}

// annotation skips @Name(...); @interface is the keyword of a type.
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

// angle skips type arguments, where the < opens any.
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

// colon handles A::b, the labels of C++ members, base classes and initialisers.
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
		c.i++
		c.skip()
		r.pure = c.peek() == '0'
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
		return c.paired(!r.d.blocks)
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
	return c.paired(!r.d.blocks)
}

// instance skips what a template of D is filled in with: !int, !(a, b).
func (r *headReader) instance() {
	c := &r.c
	c.i++
	switch b := c.peek(); {
	case b == '(':
		c.paired(false)
	case letter[b] != 0:
		for c.i < c.end && letter[c.peek()] != 0 {
			c.i++
		}
	case b == '"':
		c.quoted('"')
	}
}

// typeBracket reports whether the bracket belongs to a type: the parameters of a
// record, or a macro between the keyword and the name.
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

// afterWord handles a word after the brackets of a function. After MACRO(...)
// alone, the declaration itself begins here.
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

// keyword handles words that are not names and reports whether word is one of them.
func (r *headReader) keyword(word []byte) bool {
	if r.d.blocks && r.attribute(word) {
		return true
	}
	switch string(word) {
	case "typedef":
		r.typedef = true
	case "export":
		if r.d.trailing { // export 'a.dart' show A;
			r.control = true
			return true
		}
		return r.modifier(word)
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
	case "get": // Dart
		if next := r.c; !r.d.trailing || !next.skip() || letter[next.peek()]&1 == 0 {
			return false
		}
		r.getter = true
	case "inline", "virtual", "explicit", "implicit", "friend", "mutable", "register", "volatile", "consteval", "thread_local", "_Thread_local", "__inline", "__inline__",
		"__forceinline", "_Noreturn", "restrict", "override", "sealed", "public", "private", "protected", "internal", "default", "synchronized",
		"transient", "strictfp", "async", "unsafe", "required", "event", "fixed", "new", "file", "late", "covariant", "non", "typename", "noexcept", "ref":
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

// attribute reports whether a word is an attribute of D, and skips what it has in brackets:
// package(name), const(type), deprecated("reason"), static if (x). A type in brackets stands for a word.
func (r *headReader) attribute(word []byte) bool {
	typed := false
	switch string(word) {
	case "const", "immutable", "inout", "shared", "typeof":
		typed = true
	case "package", "align", "deprecated", "scope", "delegate":
	case "version", "extern", "debug", "pragma":
		r.c.skip()
	case "else", "pure", "nothrow":
		return r.last.empty()
	case "if": // static if (x) before one declaration
		if !r.static || !r.last.empty() {
			return false
		}
		r.static = false
		r.c.skip()
	default:
		return false
	}
	if r.c.peek() == '(' {
		from := r.c.i - len(word)
		if r.c.paired(false); typed && r.last.empty() {
			r.last = span{from, from + len(word)}
		}
	}
	return true
}

// modifier reports whether a word that may also be a name is a modifier here.
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

// wordStart is the first byte of a statement outside of blanks and comments, at most end.
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
		case b == '/' && i+1 < end && s.text[i+1] == '+' && s.syntax.dialect != nil && s.syntax.dialect.blocks:
			n := bytes.LastIndex(s.text[i+2:end], []byte("+/"))
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
