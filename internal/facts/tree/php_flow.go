package tree

import (
	"strings"

	"espy/internal/facts"
)

// phpTest is an instanceof: what it asks about, and the type.
type phpTest struct {
	text string
	typ  int32
}

func (w *walk) php() *phpState { return w.state.(*phpState) }

// phpPath separates the members of a variable by dots, as flows want.
var phpPath = strings.NewReplacer("?->", ".", "->", ".", "::", ".", "[", ".[")

// phpKey is what flows call a variable, a property or an element of a written index;
// empty for what else may have another value when it is read again.
func phpKey(w *walk, n int32) string {
	switch w.kind(max(n, 0)) {
	case "parenthesized_expression":
		return phpKey(w, w.only(n))
	case "assignment_expression":
		return phpKey(w, w.child(n, "left"))
	case "variable_name":
		return w.text(n)
	case "member_access_expression", "nullsafe_member_access_expression", "scoped_property_access_expression":
		object := w.child(n, "object")
		if object >= 0 && phpKey(w, object) == "" {
			return ""
		}
		return phpPath.Replace(w.text(n))
	case "subscript_expression":
		if index := w.last(n); phpKey(w, w.only(n)) == "" || !w.is(index, "integer") && !w.is(index, "string") {
			return ""
		}
		return phpPath.Replace(w.text(n))
	}
	return ""
}

// phpKnown is the expression e of node n, with what the statements above say of it.
func phpKnown(w *walk, n, e int32) int32 {
	f := &w.php().flows
	if len(f.all) == 0 || e < 0 {
		return e
	}
	if key := phpKey(w, n); key != "" {
		return flowing(w, f, key, e)
	}
	return e
}

// phpForgets notes that a property may be of another type from here on.
func phpForgets(w *walk, n int32) {
	f := &w.php().flows
	if key := phpKey(w, n); f.last[key] > 0 {
		f.push(flow{text: key, expr: facts.None})
	}
}

// phpBlock reads statements that may not run.
func phpBlock(w *walk, n int32) int32 {
	w.php().flows.block(w, func() { w.visitAll(n) }, phpEnds(w, n))
	return facts.None
}

// phpRun reads the body of a statement.
func phpRun(w *walk, body int32) int32 {
	if body < 0 || w.is(body, "compound_statement") || w.is(body, "colon_block") {
		return w.visit(body)
	}
	w.php().flows.block(w, func() { w.visit(body) }, phpEnds(w, body))
	return facts.None
}

// phpEnds reports whether nothing that follows a statement runs after it.
func phpEnds(w *walk, n int32) bool {
	switch w.kind(max(n, 0)) {
	case "compound_statement", "colon_block", "case_statement", "default_statement":
		last := w.last(n)
		return last >= 0 && last != n && phpEnds(w, last)
	case "expression_statement":
		return w.is(w.only(n), "throw_expression")
	case "return_statement", "continue_statement", "break_statement", "exit_statement":
		return true
	}
	return false
}

// phpIf reads a condition, what runs where it holds, and what runs where not.
func phpIf(w *walk, n int32) int32 {
	condition, body := w.child(n, "condition"), w.child(n, "body")
	w.visit(condition)
	w.php().flows.branch(w, func(holds bool) { phpTested(w, condition, holds, maxTested) }, func() { phpRun(w, body) },
		func() { w.visitOther(n, condition, body) }, w.is(n, "if_statement") && phpEnds(w, body))
	return facts.None
}

// phpTested notes the tests of a condition that holds, or that does not.
func phpTested(w *walk, n int32, holds bool, levels int) {
	if n < 0 || levels == 0 || len(w.php().tests) == 0 {
		return
	}
	levels--
	switch w.kind(n) {
	case "parenthesized_expression":
		phpTested(w, w.only(n), holds, levels)
	case "unary_op_expression":
		if w.src[w.start(n)] == '!' {
			phpTested(w, w.child(n, "argument"), !holds, levels)
		}
	case "binary_expression":
		switch op := w.kind(max(w.child(n, "operator"), 0)); {
		case op == "instanceof":
			if t, ok := w.php().tests[w.start(n)]; ok {
				w.php().flows.push(flow{text: t.text, expr: t.typ, tested: true, not: !holds})
			}
		case tellsBoth(op, holds):
			phpTested(w, w.child(n, "left"), holds, levels)
			phpTested(w, w.child(n, "right"), holds, levels)
		}
	}
}

// phpInstanceof reads a test of a type.
func phpInstanceof(w *walk, n, left, right int32) int32 {
	w.visit(left)
	typ := phpRef(w, right, facts.RoleType, facts.None)
	if key := phpKey(w, left); key != "" && typ >= 0 && (w.is(right, "name") || w.is(right, "qualified_name")) {
		if w.php().tests == nil {
			w.php().tests = map[uint32]phpTest{}
		}
		w.php().tests[w.start(n)] = phpTest{key, w.value(typ)}
	}
	return w.literal(facts.LiteralBool)
}

// phpBoth reads operands of which the right one is worked out only where the left one
// holds, or does not.
func phpBoth(w *walk, left, right int32, holds bool) int32 {
	w.visit(left)
	w.php().flows.under(w, func(holds bool) { phpTested(w, left, holds, maxTested) }, holds, right)
	return w.literal(facts.LiteralBool)
}

func phpConditional(w *walk, n int32) int32 {
	condition := w.child(n, "condition")
	f, test := &w.php().flows, func(holds bool) { phpTested(w, condition, holds, maxTested) }
	yes := w.visit(condition) // a ?: b
	if body := w.child(n, "body"); body >= 0 {
		yes = f.under(w, test, true, body)
	}
	return w.union(yes, f.under(w, test, false, w.child(n, "alternative")))
}

// phpAsserted notes what assert(...) tests.
func phpAsserted(w *walk, callee, list int32) {
	if strings.TrimPrefix(w.text(callee), `\`) == "assert" {
		phpTested(w, w.only(w.only(list)), true, maxTested)
	}
}

// phpAssertedType notes what a call of f tests that ends the test where it fails:
// $this->assertInstanceOf(A::class, $x), Assert::isInstanceOf($x, A::class), A::assertInstanceOf($x).
func phpAssertedType(w *walk, n, list, f int32) {
	if name := w.text(w.child(n, "name")); f < 0 || name != "assertInstanceOf" && name != "isInstanceOf" {
		return
	}
	key, typ, count := "", int32(facts.None), 0
	for a := range w.kids(list) {
		if of := w.only(a); of >= 0 && count < 2 {
			if t, ok := w.php().classes[w.start(of)]; ok {
				typ = t
			} else {
				key = phpKey(w, of)
			}
			count++
		}
	}
	if count == 1 && w.is(n, "scoped_call_expression") {
		typ = w.uses[w.exprs[f].X].Target
	}
	if key != "" && typ >= 0 {
		w.php().flows.push(flow{text: key, expr: w.value(typ), tested: true})
	}
}

// phpCase reads a case of switch. That of switch (true) runs where its value holds.
func phpCase(w *walk, n int32) int32 {
	value, last := w.child(n, "value"), w.last(n)
	w.visit(value)
	w.php().flows.block(w, func() {
		if of := w.up(w.up(n)); phpAlways(w, w.child(of, "condition")) {
			phpTested(w, value, true, maxTested)
		}
		w.visitOther(n, value)
	}, !w.is(last, "break_statement") && phpEnds(w, n))
	return facts.None
}

// phpAlways reports whether the subject of match or switch is true.
func phpAlways(w *walk, subject int32) bool { return strings.EqualFold(w.text(subject), "(true)") }

// phpArm reads the value of an arm of match. That of match (true) is worked out where
// what stands before it holds.
func phpArm(w *walk, arm int32, always bool) int32 {
	conditions := w.child(arm, "conditional_expressions")
	w.visit(conditions)
	return w.php().flows.under(w, func(bool) {
		if only := w.only(conditions); always && only == w.last(conditions) {
			phpTested(w, only, true, maxTested)
		}
	}, true, w.child(arm, "return_expression"))
}

// phpMatch reads match (...) {...}, whose value is that of any arm.
func phpMatch(w *walk, n int32) int32 {
	condition := w.child(n, "condition")
	w.visit(condition)
	either := int32(facts.None)
	body := w.child(n, "body")
	if body < 0 {
		return facts.None
	}
	for arm := range w.kids(body) {
		if w.is(arm, "match_conditional_expression") {
			w.branches++
		}
		either = w.union(either, phpArm(w, arm, phpAlways(w, condition)))
	}
	return either
}
