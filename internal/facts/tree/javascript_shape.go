package tree

import (
	"strings"

	"espy/internal/facts"
)

// maxConstants bounds the constants of one literal that tell of which type it is.
const maxConstants = 3

// jsShaped is a type that literal n must be of, or None, as its keys narrow it, and the
// tests for its constants, by their pairs. What they test is set when the keys are read.
// A test that is None stands for keys that are not written.
func jsShaped(w *walk, n, typ int32) (shaped int32, constants map[int32]int32) {
	var tests []int32
	keys, more := false, false
	for c := range w.kids(n) {
		more = more || w.is(c, "spread_element") || w.is(w.child(c, "key"), "computed_property_name")
		keys = keys || w.is(c, "pair") || w.is(c, "method_definition") || w.is(c, "shorthand_property_identifier")
		key := w.child(c, "key")
		if !w.is(c, "pair") || !w.is(key, "property_identifier") || w.text(key) == "" || len(tests) == maxConstants {
			continue
		}
		if number := jsConstant(w, w.child(c, "value")); number >= 0 {
			if constants == nil {
				constants = map[int32]int32{}
			}
			constants[c] = w.expr(facts.OpHas, facts.None, number)
			tests = append(tests, constants[c])
		}
	}
	if !keys {
		return typ, nil
	}
	if more {
		tests = append(tests, facts.None)
	}
	return w.expr(facts.OpShaped, typ, w.tuple(tests)), constants
}

// jsConstant is the number of the constant in node n, or None: a text, a number, true or
// false, or a member of what is written as a type is.
func jsConstant(w *walk, n int32) int32 {
	if n < 0 {
		return facts.None
	}
	switch w.kind(n) {
	case "string":
		if text := w.childOf(n, "string_fragment"); text >= 0 && !w.has(n, "escape_sequence") {
			return facts.TextNumber(w.text(text))
		}
	case "number", "true", "false":
		return facts.TextNumber(w.text(n))
	case "as_expression", "parenthesized_expression":
		return jsConstant(w, w.only(n))
	case "member_expression":
		object := w.child(n, "object")
		if w.is(object, "member_expression") {
			object = w.child(object, "property")
		}
		if text := w.text(max(object, 0)); object >= 0 && text != "" && text[0] >= 'A' && text[0] <= 'Z' {
			return facts.MemberNumber(w.text(max(w.child(n, "property"), 0)))
		}
	}
	return facts.None
}

// tsConstant is the type of one value, in node n.
func tsConstant(w *walk, n int32) int32 {
	of := w.visitValue(w.only(n))
	if number := jsConstant(w, w.only(n)); number >= 0 && of >= 0 && w.exprs[of].Op == facts.OpLiteral {
		return w.expr(facts.OpLiteral, w.exprs[of].X, number)
	}
	return of
}

// jsCompares notes that node n compares a member of a value with a constant.
func jsCompares(w *walk, n int32, operator string) {
	left, right := w.child(n, "left"), w.child(n, "right")
	number := jsConstant(w, right)
	if number < 0 {
		left, number = right, jsConstant(w, left)
	}
	if w.js().testing == 0 || number < 0 || !w.is(left, "member_expression") {
		return
	}
	if use := jsUseOf(w, left); use >= 0 {
		jsTests(w, n, w.child(left, "object"), w.expr(facts.OpHas, use, number))
		if t, ok := w.js().tests[w.start(n)]; ok && strings.HasPrefix(operator, "!") {
			t.not = true
			w.js().tests[w.start(n)] = t
		}
	}
}

// jsUseOf is the use of the member in node n, which is read, or None.
func jsUseOf(w *walk, n int32) int32 {
	at := w.start(max(w.child(n, "property"), 0))
	for i := len(w.uses) - 1; i >= max(0, len(w.uses)-maxBehind); i-- {
		if w.uses[i].At == at {
			return int32(i)
		}
	}
	return facts.None
}

// maxBehind bounds the uses between the member that a test compares and its end.
const maxBehind = 8

// jsSwitch reads the cases of a switch, each with what it says of the value.
func jsSwitch(w *walk, n int32) int32 {
	value := w.only(w.child(n, "value"))
	w.visit(w.child(n, "value"))
	body := w.child(n, "body")
	if body < 0 {
		return facts.None
	}
	object, compared := int32(facts.None), int32(facts.None)
	if w.is(value, "member_expression") {
		object, compared = w.child(value, "object"), jsUseOf(w, value)
	}
	jsScoped(w, func() {
		w.open(scopeBlock)
		defer w.close()
		test := int32(facts.None)
		for c := range w.kids(body) {
			label := w.child(c, "value")
			w.visit(label)
			if number := jsConstant(w, label); compared >= 0 && number >= 0 {
				test = w.union(test, w.expr(facts.OpHas, compared, number))
			} else {
				test = facts.None
			}
			jsScoped(w, func() {
				if test >= 0 && (w.is(object, "identifier") || w.is(object, "member_expression")) {
					w.js().flows.push(flow{text: w.text(object), expr: test, tested: true})
				}
				w.visitOther(c, label)
			})
			if jsEnds(w, w.last(c)) {
				test = facts.None
			}
		}
	})
	return facts.None
}
