package tree

import (
	"espy/internal/code"
	"espy/internal/facts"
)

// jsTest is a test of the type of a value: instanceof, or a call of a function that
// may be a type guard.
type jsTest struct {
	text string
	typ  int32
	not  bool // the test holds where the value is not of the type
}

// jsKnown is the expression e of a name or of a dotted one that is read in node n,
// with what the tests above say of it.
func jsKnown(w *walk, n int32, role facts.Role, e int32) int32 {
	if f := &w.js().flows; len(f.all) > 0 && role == facts.RoleRead && e >= 0 {
		return flowing(w, f, w.text(n), e)
	}
	return e
}

// jsForgets notes that a name is of another value from here on: one that is declared
// within, or that is given a new value.
func jsForgets(w *walk, name string) {
	if f := &w.js().flows; f.last[name] > 0 {
		f.push(flow{text: name, expr: facts.None})
	}
}

// jsScoped reads what may return early, whose tests hold to its end.
func jsScoped(w *walk, read func()) {
	from := len(w.js().flows.all)
	read()
	w.js().flows.cut(from)
}

// jsBlock reads statements with names of their own.
func jsBlock(w *walk, n int32) int32 {
	jsScoped(w, func() { blockScope(w, n) })
	return facts.None
}

// jsIf reads a condition, what runs where it holds, and what runs where not.
func jsIf(w *walk, n int32) int32 {
	condition, body := w.child(n, "condition"), w.child(n, "consequence")
	if body < 0 {
		body = w.child(n, "body")
	}
	jsCondition(w, condition)
	f := &w.js().flows
	from := len(f.all)
	jsTested(w, condition, true, maxTested)
	w.visit(body)
	f.cut(from)
	jsTested(w, condition, false, maxTested)
	tests := len(f.all)
	w.visitOther(n, condition, body)
	if w.is(n, "if_statement") && jsEnds(w, body) {
		f.cut(tests) // what follows runs where the condition does not hold
	} else {
		f.cut(from)
	}
	return facts.None
}

// jsEnds reports whether nothing that follows a statement runs after it.
func jsEnds(w *walk, n int32) bool {
	if w.is(n, "statement_block") {
		n = w.last(n)
	}
	switch w.kind(max(n, 0)) {
	case "return_statement", "throw_statement", "continue_statement", "break_statement":
		return true
	}
	return false
}

// jsCondition reads a value that is tested, and notes the tests in it.
func jsCondition(w *walk, n int32) int32 {
	w.js().testing++
	v := w.visit(n)
	w.js().testing--
	return v
}

// jsUnder reads a value where a condition holds, or does not.
func jsUnder(w *walk, condition int32, holds bool, value, typ int32) (v int32) {
	jsScoped(w, func() {
		jsTested(w, condition, holds, maxTested)
		v = jsValue(w, value, typ)
	})
	return v
}

// jsTernary reads condition ? value : value, which must be of a type, or None.
func jsTernary(w *walk, n, typ int32) int32 {
	condition := w.child(n, "condition")
	jsCondition(w, condition)
	yes := jsUnder(w, condition, true, w.child(n, "consequence"), typ)
	return w.union(yes, jsUnder(w, condition, false, w.child(n, "alternative"), typ))
}

// jsTested notes the tests of a condition that holds, or that does not.
func jsTested(w *walk, n int32, holds bool, levels int) {
	if n < 0 || levels == 0 || len(w.js().tests) == 0 {
		return
	}
	levels--
	switch w.kind(n) {
	case "parenthesized_expression":
		jsTested(w, w.only(n), holds, levels)
	case "unary_expression":
		if w.is(w.child(n, "operator"), "!") {
			jsTested(w, w.child(n, "argument"), !holds, levels)
		}
	case "binary_expression":
		operator := w.child(n, "operator")
		if w.is(operator, "&&") && holds || w.is(operator, "||") && !holds {
			jsTested(w, w.child(n, "left"), holds, levels)
			jsTested(w, w.child(n, "right"), holds, levels)
		} else if !w.is(operator, "&&") && !w.is(operator, "||") && !w.is(operator, "??") {
			jsTestOf(w, n, holds)
		}
	case "call_expression":
		jsTestOf(w, n, holds)
	case "member_expression":
		jsTestOf(w, w.child(n, "property"), holds)
	}
}

func jsTestOf(w *walk, n int32, holds bool) {
	if n < 0 {
		return
	}
	if t, ok := w.js().tests[w.start(n)]; ok {
		w.js().flows.push(flow{text: t.text, expr: t.typ, tested: true, not: holds == t.not})
	}
}

// jsTests notes that node n tests whether the value in node of is of a type.
func jsTests(w *walk, n, of, typ int32) {
	j := w.js()
	if j.testing == 0 || typ < 0 || !w.is(of, "identifier") && !w.is(of, "member_expression") {
		return
	}
	if j.tests == nil {
		j.tests = map[uint32]jsTest{}
	}
	j.tests[w.start(n)] = jsTest{text: w.text(of), typ: typ}
}

// jsHolding notes that the member in node n, whose expression is v, is a condition by
// itself: that tells which of several types its object is of. The test is that of the node
// with its name.
func jsHolding(w *walk, n int32, role facts.Role, v int32) {
	if role != facts.RoleRead || v < 0 || w.js().testing == 0 || w.exprs[v].Op != facts.OpUse || !jsIsCondition(w, n) {
		return
	}
	jsTests(w, w.child(n, "property"), w.child(n, "object"), w.expr(facts.OpHas, w.exprs[v].X, facts.Truthy))
}

// jsIsCondition reports whether the node around a node takes it as true or false.
func jsIsCondition(w *walk, n int32) bool {
	switch up := w.up(n); w.kind(up) {
	case "parenthesized_expression":
		return true
	case "unary_expression":
		return w.is(w.child(up, "operator"), "!")
	case "binary_expression":
		operator := w.child(up, "operator")
		return w.is(operator, "&&") || w.is(operator, "||")
	case "ternary_expression":
		return w.child(up, "condition") == n
	}
	return false
}

// jsLater gives a variable that has no type yet, or null, that of a value which it is
// given later.
func jsLater(w *walk, target, value int32) {
	if value < 0 || w.literalKind(value) == facts.LiteralNull || !w.is(target, "identifier") {
		return
	}
	name := w.text(target)
	jsForgets(w, name)
	for s := w.top(); s >= 0; s-- {
		d, ok := w.declaredIn(s, name)
		if !ok {
			continue
		}
		if d.bind == facts.BindSymbol && w.symbols[d.target].Kind == code.KindVar {
			jsGains(w, d.target, value)
		}
		return
	}
}

// jsGains gives a symbol without a type, or of null, the type of a value.
func jsGains(w *walk, symbol, value int32) {
	y := &w.symbols[symbol]
	if y.Type >= 0 && w.literalKind(y.Type) != facts.LiteralNull || value < 0 || w.literalKind(value) == facts.LiteralNull {
		return
	}
	x := w.exprs[value]
	if x.Op == facts.OpShaped && x.X >= 0 {
		x = w.exprs[x.X]
	}
	if x.Op == facts.OpUse && w.uses[x.X].Role == facts.RoleWrite {
		return // a literal, which is of the type of its target
	}
	y.Type = facts.None
	setType(w, symbol, facts.None, value)
}
