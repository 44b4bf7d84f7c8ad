package tree

import "espy/internal/facts"

// pyTest is a call of isinstance: what it asks about, and the type.
type pyTest struct {
	text string
	typ  int32
}

// pyBlock reads statements that may not run.
func pyBlock(w *walk, n int32) int32 {
	w.py().flows.block(w, func() { w.visitAll(n) }, pyEnds(w, n))
	return facts.None
}

// pyEnds reports whether nothing that follows a block runs after it.
func pyEnds(w *walk, block int32) bool {
	switch w.kind(max(w.last(block), 0)) {
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		return true
	}
	return false
}

// pyIf reads a condition and what runs where it holds, then what runs where not.
func pyIf(w *walk, n int32) int32 {
	condition, body := w.child(n, "condition"), w.child(n, "consequence")
	if body < 0 {
		body = w.child(n, "body")
	}
	w.visit(condition)
	w.py().flows.branch(w, func(holds bool) { pyTested(w, condition, holds) }, func() { w.visit(body) },
		func() { w.visitOther(n, condition, body) }, w.is(n, "if_statement") && pyEnds(w, max(body, 0)))
	return facts.None
}

// pyTested notes the tests of a condition that holds, or that does not.
func pyTested(w *walk, n int32, holds bool) { pyTestedTo(w, n, holds, maxTested) }

// maxTested bounds the operators within each other that tests are looked for in:
// each operand of a chain asks for the tests of those before it.
const maxTested = 20

func pyTestedTo(w *walk, n int32, holds bool, levels int) {
	if n < 0 || levels == 0 {
		return
	}
	levels--
	switch w.kind(n) {
	case "parenthesized_expression":
		pyTestedTo(w, w.only(n), holds, levels)
	case "not_operator":
		pyTestedTo(w, w.child(n, "argument"), !holds, levels)
	case "boolean_operator":
		if w.is(w.child(n, "operator"), "and") == holds {
			pyTestedTo(w, w.child(n, "left"), holds, levels)
			pyTestedTo(w, w.child(n, "right"), holds, levels)
		}
	case "call":
		if t, ok := w.py().tests[w.start(n)]; ok {
			w.py().flows.push(flow{text: t.text, expr: t.typ, tested: true, not: !holds})
		}
	}
}

// pyIsinstance notes a call of isinstance with a name and a type.
func pyIsinstance(w *walk, call int32, given []int32, values []int32) {
	if len(given) != 2 || values[1] < 0 || !w.is(given[0], "identifier") && !w.is(given[0], "attribute") {
		return
	}
	if w.py().tests == nil {
		w.py().tests = map[uint32]pyTest{}
	}
	w.py().tests[w.start(call)] = pyTest{w.text(given[0]), w.value(pyEither(w, given[1], values[1]))}
}

func pyAssert(w *walk, n int32) int32 {
	w.visitAll(n)
	pyTested(w, w.only(n), true)
	return facts.None
}
