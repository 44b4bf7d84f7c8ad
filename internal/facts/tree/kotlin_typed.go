package tree

import (
	"strings"

	"espy/internal/facts"
)

// kotlinTypedCall is a call with a type argument that the grammar takes for two comparisons:
// a<T>(x) for (a < T) > (x), a<T> { } for (a < T) > { }. What stands round it may be drawn into
// either side: of !b ?: a<T>(x).c the left one is !b ?: a, and the right one (x).c.
type kotlinTypedCall struct {
	left, callee int32 // the side on the left, and what is called: its end
	typ          int32 // the type argument
	right        int32
	call         int32 // the beginning of the right side: the argument, the block, or both as a call
	argument     int32 // None where a block alone is given
	block        int32 // None where there is none
}

// maxKotlinSide bounds the nodes at the edge of a side.
const maxKotlinSide = 200

// kotlinTyped finds a call with a type argument in a comparison. People write blanks round the
// signs of a comparison, and none round those of type arguments.
func kotlinTyped(w *walk, n int32) (t kotlinTypedCall, ok bool) {
	less := w.child(n, "left")
	if !w.is(less, "binary_expression") {
		return t, false
	}
	t = kotlinTypedCall{left: w.child(less, "left"), typ: w.child(less, "right"), right: w.child(n, "right"), argument: facts.None, block: facts.None}
	if t.left < 0 || t.typ < 0 || t.right < 0 || w.src[w.end(t.left):w.start(t.typ)] != "<" || !kotlinIsName(w, t.typ) {
		return t, false
	}
	sign := w.src[w.end(t.typ):w.start(t.right)] // which stands in no tree
	if strings.TrimSpace(sign) != ">" || sign[0] != '>' {
		return t, false
	}
	above := int32(facts.None)
	first := t.right
	for range maxKotlinSide {
		if w.is(first, "parenthesized_expression") || w.is(first, "lambda_literal") || first < 0 {
			break
		}
		above, first = first, w.only(first)
	}
	switch t.call = first; {
	case w.is(first, "lambda_literal"):
		t.block = first
	case w.is(first, "parenthesized_expression") && sign == ">":
		t.argument = w.only(first)
		if block := w.childOf(above, "annotated_lambda"); block >= 0 && w.is(above, "call_expression") && w.only(above) == first && w.childOf(above, "value_arguments") < 0 {
			t.call, t.block = above, block
		}
	default:
		return t, false
	}
	t.callee = t.left
	for range maxKotlinSide {
		switch w.kind(max(t.callee, 0)) {
		case "identifier", "navigation_expression":
			return t, true
		case "binary_expression", "infix_expression", "in_expression", "range_expression", "unary_expression":
			t.callee = w.last(t.callee)
		default:
			return t, false
		}
	}
	return t, false
}

// kotlinIsName reports whether an expression is a name or one with dots, as that of a type is.
func kotlinIsName(w *walk, n int32) bool {
	for range maxKotlinPath {
		switch {
		case w.is(n, "identifier"):
			return true
		case !w.is(n, "navigation_expression") || w.has(n, "::"):
			return false
		}
		n = w.only(n)
	}
	return false
}

// kotlinReadTyped reads such a comparison: the call stands at the end of its left side, and its
// value at the beginning of the right one.
func kotlinReadTyped(w *walk, t kotlinTypedCall) int32 {
	s := w.kotlin()
	if s.typed == nil {
		s.typed, s.instead = map[int32]kotlinTypedCall{}, map[int32]int32{}
	}
	s.typed[t.callee] = t
	left := w.visit(t.left)
	delete(s.typed, t.callee)
	if t.right == t.call {
		return left
	}
	return w.visit(t.right)
}

// orInstead is a visitor of nodes that may be such a place.
func orInstead(visit visitor) visitor {
	return func(w *walk, n int32) int32 {
		if v, ok := kotlinInstead(w, n); ok {
			return v
		}
		return visit(w, n)
	}
}

// kotlinInstead is the value of what stands at the callee of a call with a type argument, or
// behind it, where a node is such a place.
func kotlinInstead(w *walk, n int32) (value int32, ok bool) {
	s := w.kotlin()
	if value, ok = s.instead[n]; ok {
		delete(s.instead, n)
		return value, true
	}
	t, ok := s.typed[n]
	if !ok {
		return facts.None, false
	}
	delete(s.typed, n)
	value = kotlinCallTyped(w, t)
	if t.right != t.call {
		s.instead[t.call] = value
	}
	return value, true
}

// kotlinCallTyped reads the call itself.
func kotlinCallTyped(w *walk, t kotlinTypedCall) int32 {
	count := 0
	for _, given := range []int32{t.argument, t.block} {
		if given >= 0 {
			count++
		}
	}
	of, f, name := kotlinCallee(w, t.callee, count)
	typ := kotlinTypeNamed(w, t.typ, facts.RoleType)
	if f >= 0 && typ >= 0 {
		f = w.expr(facts.OpApply, f, w.tuple([]int32{typ}))
	}
	var given []int32
	if t.argument >= 0 {
		given = []int32{kotlinValue(w, t.argument, w.of(facts.OpArgument, f, 0))}
	}
	w.given(f, given)
	if t.block >= 0 {
		return kotlinWithBlock(w, t.block, kotlinBlockCall{name: name, of: of, f: f, given: given})
	}
	return w.of(facts.OpCall, f, 0)
}

// kotlinTypeNamed reads a type that the grammar takes for an expression.
func kotlinTypeNamed(w *walk, n int32, role facts.Role) int32 {
	if w.is(n, "navigation_expression") {
		of := kotlinTypeNamed(w, w.only(n), facts.RoleRead)
		return kotlinMemberUse(w, w.last(n), of, role, facts.None)
	}
	e := kotlinUse(w, n, role, facts.None)
	if kind, ok := kotlinPrimitives[w.text(n)]; ok && role == facts.RoleType {
		return w.literal(kind)
	}
	return e
}
