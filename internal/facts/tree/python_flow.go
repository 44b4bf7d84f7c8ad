package tree

import (
	"slices"

	"espy/internal/facts"
)

// pyTest is a call of isinstance: what it asks about, and the type.
type pyTest struct {
	text string
	typ  int32
}

// pyAssigned notes the value that a name gets. Where that is all that is known of
// the symbol, its uses say enough.
func pyAssigned(w *walk, name string, symbol, value int32) {
	if symbol >= 0 && w.symbols[symbol].Type == value {
		value = facts.None
	}
	w.py().flows.push(flow{text: name, expr: value})
}

// pyIsolated reads a function, whose names get their values at another time.
func pyIsolated(w *walk, read func()) {
	outer := w.py().flows
	w.py().flows = flows{}
	read()
	w.py().flows = outer
}

// pyBlock reads statements that may not run. What they assign holds on some of
// the ways to what follows.
func pyBlock(w *walk, n int32) int32 {
	f := &w.py().flows
	from := len(f.all)
	w.visitAll(n)
	inner := f.cut(from)
	if pyEnds(w, n) || len(inner) > maxJoined {
		return facts.None
	}
	joined := map[string]bool{}
	for _, x := range slices.Backward(inner) {
		if !x.tested && !joined[x.text] {
			joined[x.text] = true
			pyJoin(w, x.text, x.expr)
		}
	}
	return facts.None
}

// maxJoined bounds the names whose values are followed out of a block.
const maxJoined = 200

// pyJoin adds a value that a name may have had before the place.
func pyJoin(w *walk, name string, value int32) {
	f := &w.py().flows
	i := f.assigned(f.last[name])
	if i == 0 {
		f.push(flow{text: name, expr: value, partly: true})
		return
	}
	before := f.all[i-1]
	joined := flow{text: name, partly: before.partly, expr: facts.None}
	if value >= 0 && before.expr >= 0 {
		joined.expr = w.union(before.expr, value)
	}
	f.push(joined)
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
	f := &w.py().flows
	from := len(f.all)
	pyTested(w, condition, true)
	said := pyUnder(w, from, func() { w.visit(body) })
	pyTested(w, condition, false)
	tests := len(f.all)
	w.visitOther(n, condition, body)
	if w.is(n, "if_statement") && pyEnds(w, max(body, 0)) {
		return facts.None // what follows runs where the condition does not hold
	}
	otherwise := f.cut(tests)
	f.cut(from)
	for _, x := range said {
		f.push(x)
	}
	for _, x := range otherwise {
		pyJoin(w, x.text, x.expr)
	}
	return facts.None
}

// pyUnder reads something under tests that stand from flow from on, and returns
// what it says of names after it.
func pyUnder(w *walk, from int, read func()) []flow {
	tests := len(w.py().flows.all)
	read()
	said := w.py().flows.cut(tests)
	w.py().flows.cut(from)
	return said
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
