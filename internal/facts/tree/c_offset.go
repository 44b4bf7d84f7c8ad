package tree

import (
	"strings"

	"espy/internal/facts"
)

// cOffsetOf reads offsetof(type, member).
func cOffsetOf(w *walk, n int32) int32 {
	cFieldOf(w, w.child(n, "member"), w.value(w.visitType(w.child(n, "type"))))
	return facts.None
}

// cTagged is the value of the type that an argument names as struct job, which the
// grammar reads as the name struct and an error that holds the tag.
func cTagged(w *walk, c int32) int32 {
	return w.value(w.use(w.childOf(c, "identifier"), facts.RoleType, facts.None))
}

// cTypeArgument is the value of the type that argument c of a call, read as x, names:
// only macros take types. None where it names none, as far as the file shows.
func cTypeArgument(w *walk, c, x int32) int32 {
	switch {
	case x < 0 || w.is(c, "type_descriptor"):
		return w.value(x)
	case !w.is(c, "identifier"):
		return facts.None
	}
	name := w.text(c)
	if d, ok := w.declaredAround(name); ok && (d.bind != facts.BindSymbol || !w.symbols[d.target].Kind.IsType()) || !ok && !cTypeName(name) {
		return facts.None
	}
	return w.value(x)
}

// cOffset reads an argument behind one that names a type, container_of(p, type, member),
// as a member of that: where the type has none of the name it is what it says by itself.
// Names that the function declares are members only where they are given twice, as in
// container_of(work, struct job, work). It reports whether the argument is read.
func cOffset(w *walk, list, c, typ int32) bool {
	first := c
	for w.is(first, "field_expression") {
		first = w.child(first, "argument")
	}
	if !w.is(first, "identifier") {
		return false
	}
	if d, ok := w.declaredAround(w.text(first)); ok && (d.bind != facts.BindSymbol || w.symbols[d.target].Flags&facts.Local != 0) && !cGivenBefore(w, list, c) {
		return false
	}
	cFieldOf(w, c, w.expr(facts.OpElse, typ, facts.None))
	return true
}

// cObjects are the values that a macro is given before a name which may be that of a member
// of one: TAILQ_INSERT_TAIL(&jobs, job, entry).
type cObjects struct {
	of    int32 // the values so far, or None
	count int
	macro bool // such names may follow
}

// maxObjects bounds the values that are looked at.
const maxObjects = 3

// cTakesMembers reports whether a call may be that of a macro which is given the names of
// members: it is written in capitals, or as a loop.
func cTakesMembers(name string) bool {
	return cUpper(name) && strings.Contains(name, "_") || strings.Contains(name, "for_each") || strings.Contains(name, "foreach")
}

// add notes the value x of argument c.
func (o *cObjects) add(w *walk, c, x int32) {
	if !o.macro || x < 0 || o.count == maxObjects {
		return
	}
	switch w.kind(c) {
	case "identifier", "field_expression", "pointer_expression", "subscript_expression":
	default:
		return
	}
	if o.count++; o.count == 1 {
		o.of = x
	} else {
		o.of = w.expr(facts.OpUnion, x, o.of)
	}
}

// have reads argument c as a member of what stands before it, where it is a name that the
// file does not declare so far. Where none has it, it is what it says by itself.
func (o *cObjects) have(w *walk, c int32) bool {
	if !o.macro || o.of < 0 || !w.is(c, "identifier") || cUpper(w.text(c)) {
		return false
	}
	if _, ok := w.declaredAround(w.text(c)); ok {
		return false
	}
	cFieldOf(w, c, w.expr(facts.OpElse, o.of, facts.None))
	return true
}

// cFieldOf reads a member of a value, a or a.b.
func cFieldOf(w *walk, n, of int32) int32 {
	if w.is(n, "field_expression") {
		return cMember(w, w.child(n, "field"), cFieldOf(w, w.child(n, "argument"), of), facts.RoleRead, facts.None)
	}
	return cMember(w, n, of, facts.RoleRead, facts.None)
}

// cGivenBefore reports whether an argument before c is the same name.
func cGivenBefore(w *walk, list, c int32) bool {
	for o := range w.kids(list) {
		if o == c {
			return false
		}
		if w.is(o, "identifier") && w.text(o) == w.text(c) {
			return true
		}
	}
	return false
}

// declaredAround finds the declaration of a name in the innermost scope that has one
// so far.
func (b *builder) declaredAround(name string) (declared, bool) {
	for s := b.top(); s >= 0; s-- {
		if d, ok := b.declaredIn(s, name); ok {
			return d, true
		}
	}
	return declared{}, false
}

// cTypeName reports whether a name is written as those of types are: size_t, GtkWidget.
func cTypeName(name string) bool {
	return strings.HasSuffix(name, "_t") || name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name
}
