package tree

import "espy/internal/facts"

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
		w.visit(w.child(n, "condition"))
		yes := jsValue(w, w.child(n, "consequence"), typ)
		return w.union(yes, jsValue(w, w.child(n, "alternative"), typ))
	case "binary_expression":
		return jsBinary(w, n, typ)
	}
	return w.visit(n)
}

// jsArguments reads the arguments of a call of f, which may be None. Those after a
// spread have no type.
func jsArguments(w *walk, list, f int32) {
	if !w.is(list, "arguments") {
		w.visit(list)
		return
	}
	i := int32(0)
	for a := range w.kids(list) {
		if w.is(a, "spread_element") {
			f = facts.None
		}
		jsValue(w, a, w.of(facts.OpArgument, f, i))
		i++
	}
}

// jsArray reads an array literal that must be of a type, or None.
func jsArray(w *walk, n, typ int32) int32 {
	of := w.of(facts.OpElem, typ, 0)
	element := int32(facts.None)
	for c := range w.kids(n) {
		if v := jsValue(w, c, of); element < 0 {
			element = v
		}
	}
	if typ >= 0 {
		return typ
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, element)
}

// jsObject reads an object literal that must be of a type, or None. Its keys are
// uses.
func jsObject(w *walk, n, typ int32) int32 {
	for c := range w.kids(n) {
		switch w.kind(c) {
		case "pair":
			member := jsLiteralKey(w, w.child(c, "key"), typ)
			jsValue(w, w.child(c, "value"), member)
		case "method_definition":
			member := jsLiteralKey(w, w.child(c, "name"), typ)
			jsBody(w, c, facts.None, member, receiver{symbol: facts.None})
		case "shorthand_property_identifier":
			if typ >= 0 {
				w.member(c, typ, facts.RoleWrite, facts.None)
			}
			w.visit(c)
		default:
			w.visit(c)
		}
	}
	if typ >= 0 {
		return typ
	}
	return w.expr(facts.OpLiteral, facts.LiteralMap, facts.None)
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
