package tree

import (
	"espy/internal/code"
	"espy/internal/facts"
)

// jsValue reads a value that must be of a type, or None. The type says which
// fields the keys of a literal set, and what a function without types takes.
func jsValue(w *walk, n, typ int32) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "object":
		return jsObject(w, n, typ)
	case "array":
		return jsArray(w, n, typ)
	case "arrow_function", "function_expression", "generator_function":
		return jsFunctionExpression(w, n, typ)
	case "parenthesized_expression":
		return jsValue(w, w.only(n), typ)
	case "ternary_expression":
		return jsTernary(w, n, typ)
	case "binary_expression":
		return jsBinary(w, n, typ)
	case "call_expression":
		return jsCallGiving(w, n, typ)
	}
	return w.visit(n)
}

// jsArguments reads the arguments of a call of f, which may be None, and returns
// their values. Those after a spread have no type.
func jsArguments(w *walk, list, f int32) (values []int32) {
	if !w.is(list, "arguments") {
		w.visit(list)
		return nil
	}
	spread := false
	for a := range w.kids(list) {
		if w.is(a, "spread_element") {
			f, spread = facts.None, true
		}
		values = append(values, jsValue(w, a, w.of(facts.OpArgument, f, int32(len(values)))))
	}
	if spread {
		return nil
	}
	return values
}

// maxGiven bounds the arguments that a call is kept with.
const maxGiven = 5

// jsGiven keeps what call n of f is given, where that may tell what a type parameter
// of f stands for: its result is used, or a function among the arguments takes what
// comes of the others.
func jsGiven(w *walk, n, f int32, values []int32) {
	if f < 0 || w.exprs[f].Op != facts.OpUse || len(values) == 0 || len(values) > maxGiven {
		return
	}
	tells, takes := 0, 0
	for _, v := range values {
		switch {
		case v < 0:
		case w.exprs[v].Op == facts.OpFunc:
			takes++
		case w.exprs[v].Op == facts.OpShaped:
			tells++
			if w.js().holding[v] {
				takes++
			}
		case w.exprs[v].Op != facts.OpLiteral || w.exprs[v].X == facts.LiteralList:
			tells++
		}
	}
	up := w.up(n)
	for w.is(up, "await_expression") || w.is(up, "parenthesized_expression") {
		up = w.up(up)
	}
	if used := !w.is(up, "expression_statement"); used && tells+takes > 0 || tells > 0 && takes > 0 {
		w.given(f, values)
	}
}

// maxPlaces bounds the elements of an array that are told apart.
const maxPlaces = 8

// jsArray reads an array literal that must be of a type, or None.
func jsArray(w *walk, n, typ int32) int32 {
	of := w.of(facts.OpElem, typ, 0)
	var elements []int32
	tells := 0
	for c := range w.kids(n) {
		v := jsValue(w, c, of)
		if w.is(c, "spread_element") {
			v = w.of(facts.OpElem, v, 0)
			tells -= maxPlaces // its elements have no places
		}
		if v >= 0 && w.exprs[v].Op != facts.OpLiteral {
			tells++
		}
		elements = append(elements, v)
	}
	switch {
	case typ >= 0 && w.exprs[typ].Op != facts.OpArgument: // what a call is given says more
		return typ
	case tells > 1 && len(elements) <= maxPlaces:
		return w.tuple(elements)
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, firstOf(elements))
}

// jsObject reads an object literal that must be of a type, or None. Its keys are
// uses.
func jsObject(w *walk, n, typ int32) int32 {
	this := receiver{symbol: facts.None}
	if typ >= 0 && w.exprs[typ].Op == facts.OpValue { // which is written for it
		this = receiver{facts.OpValue, typ}
	}
	of, constants := jsShaped(w, n, typ)
	if typ >= 0 {
		typ = of
	}
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "pair":
			member := jsLiteralKey(w, w.child(c, "key"), of)
			if has, ok := constants[c]; ok {
				w.exprs[has].X = w.exprs[member].X
			}
			if typ < 0 {
				member = facts.None
			}
			value := jsValue(w, w.child(c, "value"), member)
			jsHoldsFunction(w, typ, value)
			jsKeyed(w, typ, member, value)
		case "method_definition":
			member := jsLiteralKey(w, w.child(c, "name"), of)
			if typ < 0 {
				member = facts.None
			}
			result := jsBody(w, c, facts.None, member, jsRunsOn(w, member, this))
			if taken := w.js().taken; !w.has(c, "get") && !w.has(c, "set") {
				result = w.expr(facts.OpFunc, result, taken)
				jsHoldsFunction(w, typ, result)
			}
			jsKeyed(w, typ, member, result)
		case "shorthand_property_identifier":
			member := int32(facts.None)
			if typ >= 0 {
				member = w.member(c, typ, facts.RoleWrite, facts.None)
			}
			jsKeyed(w, typ, member, w.visit(c))
		default:
			w.visit(c)
		}
	}
	if typ >= 0 {
		return typ
	}
	return w.expr(facts.OpLiteral, facts.LiteralMap, facts.None)
}

// jsHoldsFunction notes that a literal of a type, or None, has a value that is a function or
// holds one, as a call is given them.
func jsHoldsFunction(w *walk, typ, value int32) {
	if typ < 0 || value < 0 || w.exprs[value].Op != facts.OpFunc && !w.js().holding[value] {
		return
	}
	if w.js().holding == nil {
		w.js().holding = map[int32]bool{}
	}
	w.js().holding[typ] = true
}

// jsKeyed keeps the value of a key of a literal of type typ that is given to a call, itself
// or within one: what a type parameter stands for may follow from it. That of a constant
// says nothing.
func jsKeyed(w *walk, typ, key, value int32) {
	if key < 0 || value < 0 || w.exprs[value].Op == facts.OpLiteral && w.exprs[value].X != facts.LiteralList {
		return
	}
	for at := typ; at >= 0; {
		switch x := w.exprs[at]; {
		case x.Op == facts.OpArgument:
			w.expr(facts.OpKeyed, w.exprs[key].X, value)
			return
		case x.Op == facts.OpShaped:
			at = x.X
		case x.Op == facts.OpUse && w.uses[x.X].Role == facts.RoleWrite && w.uses[x.X].Bind == facts.BindMember:
			at = w.uses[x.X].Target
		default:
			return
		}
	}
}

// jsLiteralKey reads the key of an object literal of a type, or None, and returns
// the type of its value.
func jsLiteralKey(w *walk, key, typ int32) int32 {
	name := jsName(w, key)
	if name < 0 {
		return facts.None
	}
	member := w.member(name, typ, facts.RoleWrite, facts.None)
	if typ < 0 {
		return facts.None
	}
	return member
}

// isShort reports whether a member is declared by the name of its value, as in {a}.
func isShort(w *walk, y *facts.Symbol) bool {
	if y.Kind != code.KindField || y.Type < 0 || w.exprs[y.Type].Op != facts.OpUse {
		return false
	}
	return w.uses[w.exprs[y.Type].X].At == y.At
}
