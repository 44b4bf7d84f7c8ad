package tree

import (
	"strconv"

	"espy/internal/facts"
)

// jsSubscript reads object[index]: a text is the name of a member, and so is a key that
// no function declares, with its brackets.
func jsSubscript(w *walk, n int32, role facts.Role) int32 {
	object, index := w.visit(w.child(n, "object")), w.child(n, "index")
	if name := w.childOf(index, "string_fragment"); w.is(index, "string") && name >= 0 {
		return w.union(w.member(name, object, role, facts.None), w.of(facts.OpElem, object, 0))
	}
	w.visit(index)
	if place, ok := jsPlace(w, index); ok {
		return w.of(facts.OpResult, object, place)
	}
	element := w.of(facts.OpElem, object, 0)
	if object < 0 || !jsIsKey(w, index) {
		return element
	}
	u := w.add(jsKeyName(w, index), w.start(index)-1, role, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindMember, object
	return w.union(w.expr(facts.OpUse, u, 0), element)
}

// maxIndex bounds the numbers in brackets that are read as places of a tuple.
const maxIndex = 64

// jsPlace is the place that a number in brackets names.
func jsPlace(w *walk, index int32) (int32, bool) {
	if !w.is(index, "number") {
		return 0, false
	}
	place, err := strconv.Atoi(w.text(index))
	return int32(place), err == nil && place < maxIndex
}

// jsIsKey reports whether the key in brackets of a member is one that other files can
// name, too: one that no function declares, or one of Symbol.
func jsIsKey(w *walk, n int32) bool {
	if n < 0 || jsKeyName(w, n) == "" {
		return false
	}
	switch w.kind(n) {
	case "identifier":
		return !jsIsLocal(w, w.text(n))
	case "member_expression":
		return w.text(w.child(n, "object")) == "Symbol"
	}
	return false
}

// jsKeyName is a key with the brackets that stand next to it, empty where none do.
func jsKeyName(w *walk, n int32) string {
	from, to := int(w.start(n))-1, int(w.end(n))+1
	if from < 0 || to > len(w.src) || w.src[from] != '[' || w.src[to-1] != ']' {
		return ""
	}
	return w.src[from:to]
}

// jsIsLocal reports whether a function that is read declares a name, as far as it is read.
func jsIsLocal(w *walk, name string) bool {
	for s := w.top(); s >= 0; s-- {
		if _, ok := w.declaredIn(s, name); ok {
			return w.isLocal(s)
		}
	}
	return false
}
