package tree

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// template reads the expressions that stand between the tags of a component, as a
// part of its script.
type template struct {
	w        *walk
	m        markup
	elements []element // that are open
	read     int       // expressions so far
}

// element is one that is open. Its scopes end with it.
type element struct {
	name   string
	scopes int
}

// Bounds of one template.
const (
	maxExpressions = 10_000
	maxElements    = 500 // open at once: those within more have no names of their own
)

// spend counts an expression and reports whether it is to be read.
func (t *template) spend(at uint32) bool {
	if t.read++; t.read == maxExpressions {
		t.w.errors = append(t.w.errors, located{at, "more expressions than the limit of 10000: what follows was left out"})
	}
	return t.read < maxExpressions
}

// expression reads the text of a span as one expression.
func (t *template) expression(s span) int32 {
	value := int32(facts.None)
	if strings.TrimSpace(t.w.src[s.start:s.end]) == "" || s.start == 0 || !t.spend(s.start) {
		return value
	}
	t.w.embeddedAs(s.start-1, []byte("("+t.w.src[s.start:s.end]+"\n)"), func(root int32) {
		if statement := t.w.only(root); statement >= 0 {
			value = t.w.visit(t.w.only(statement))
		}
	})
	return value
}

// statements reads the text of a span as statements.
func (t *template) statements(s span) {
	if s.end > s.start && t.spend(s.start) {
		t.w.embedded(s.start, s.end, func(root int32) { t.w.visit(root) })
	}
}

// pattern declares the names of the parameters in a span, which may stand in
// brackets. The first is of a value, which may be None.
func (t *template) pattern(s span, value int32) {
	s = t.trim(s)
	if s.end <= s.start || s.start < 1 || !t.spend(s.start) {
		return
	}
	start, text := s.start-1, "("+t.w.src[s.start:s.end]+")=>0"
	if t.w.src[s.start] == '(' {
		start, text = s.start, t.w.src[s.start:s.end]+"=>0"
	}
	t.w.embeddedAs(start, []byte(text), func(root int32) {
		arrow := t.w.only(t.w.only(root))
		if !t.w.is(arrow, "arrow_function") {
			return
		}
		for p := range t.w.kids(t.w.child(arrow, "parameters")) {
			if t.w.is(p, "required_parameter") || t.w.is(p, "optional_parameter") {
				if written := t.w.value(t.w.visitType(t.w.child(p, "type"))); written >= 0 {
					value = written
				}
				t.w.visit(t.w.child(p, "value"))
				p = t.w.child(p, "pattern")
			}
			jsPattern(t.w, p, p, value, code.KindVar, t.w.top(), facts.Local)
			value = facts.None
		}
	})
}

func (t *template) trim(s span) span {
	for s.start < s.end && isMarkupBlank(t.w.src[s.start]) {
		s.start++
	}
	for s.start < s.end && isMarkupBlank(t.w.src[s.end-1]) {
		s.end--
	}
	return s
}

// name reads a span as the name of something that is used.
func (t *template) name(at uint32, name string, role facts.Role) int32 {
	return t.w.useIn(t.w.top(), name, at, role, facts.None)
}

// component reads the name of a tag where it is that of a component: Name, a.b, or
// a-name of what the script calls AName.
func (t *template) component(p *piece, role facts.Role) {
	switch w := t.w; {
	case strings.Contains(p.name, "."):
		t.expression(span{p.nameAt, p.nameAt + uint32(len(p.name))})
	case !jsIntrinsic(p.name):
		t.name(p.nameAt, p.name, role)
	case strings.Contains(p.name, "-"):
		d, ok := w.declaredIn(0, camel(p.name, true))
		if !ok {
			d, ok = w.declaredIn(0, camel(p.name, false))
		}
		if ok && d.bind == facts.BindImport {
			t.alias(p, role, d.target)
		}
	}
}

// alias reads a tag that names an import by another name than the script.
func (t *template) alias(p *piece, role facts.Role, target int32) {
	w := t.w
	d, ok := w.declaredIn(0, p.name)
	if !ok {
		m := w.imports[target]
		m.Local, m.At = p.name, p.nameAt
		w.imports = append(w.imports, m)
		w.declare(0, p.name, p.nameAt, 0, facts.BindImport, int32(len(w.imports)-1))
		d.target = int32(len(w.imports) - 1)
	}
	u := w.add(p.name, p.nameAt, role, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, d.target
}

// camel is a name of words between hyphens as one word.
func camel(name string, upper bool) string {
	var b strings.Builder
	for i, word := range strings.Split(name, "-") {
		if word != "" && (i > 0 || upper) {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// isVoid reports whether an element of HTML has no end.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// enter opens an element with scopes of its own.
func (t *template) enter(p *piece, scopes int) {
	if p.closed || isVoid(p.name) {
		t.leaveScopes(scopes)
		return
	}
	t.elements = append(t.elements, element{p.name, scopes})
}

func (t *template) scope() int {
	if len(t.elements) >= maxElements {
		return 0
	}
	t.w.open(scopeBlock)
	return 1
}

func (t *template) leaveScopes(n int) {
	for range n {
		t.w.close()
	}
}

// leave ends the innermost element of a name and those within.
func (t *template) leave(name string) {
	for i := len(t.elements) - 1; i >= 0 && i >= len(t.elements)-maxElements; i-- {
		if t.elements[i].name != name {
			continue
		}
		for _, e := range t.elements[i:] {
			t.leaveScopes(e.scopes)
		}
		t.elements = t.elements[:i]
		return
	}
}

// end ends all elements.
func (t *template) end() {
	for _, e := range t.elements {
		t.leaveScopes(e.scopes)
	}
	t.elements = nil
}
