package tree

import (
	"slices"

	"espy/internal/facts"
)

// pyFlow is what the statements above a place say of a name: its last value, or
// the type that a test found. text may have dots where a test named it so.
type pyFlow struct {
	text   string
	expr   int32 // None where the value is not known
	tested bool  // expr is a type that the name's value is of
	not    bool  // a test that failed: expr is a type that it is not of
	partly bool  // only on some ways to the place
	before int   // number of the flow of the text before it, 0 for none
}

// pyTest is a call of isinstance: what it asks about, and the type.
type pyTest struct {
	text string
	typ  int32
}

// pyFlows are the flows that stand at a place, the last one last.
type pyFlows struct {
	all  []pyFlow
	last map[string]int // number of the last flow of a text, from 1
}

func (f *pyFlows) push(x pyFlow) {
	if f.last == nil {
		f.last = map[string]int{}
	}
	x.before = f.last[x.text]
	f.all = append(f.all, x)
	f.last[x.text] = len(f.all)
}

// cut removes the flows from number n on and returns them.
func (f *pyFlows) cut(n int) []pyFlow {
	gone := slices.Clone(f.all[n:])
	for _, x := range slices.Backward(gone) {
		f.last[x.text] = x.before
	}
	f.all = f.all[:n]
	return gone
}

// assigned is the number of the last flow up to number n that is the value of a text.
func (f *pyFlows) assigned(n int) int {
	for n > 0 && f.all[n-1].tested {
		n = f.all[n-1].before
	}
	return n
}

// pyKnown is an expression of a name or of a dotted one, with what the statements
// above it say.
func pyKnown(w *walk, text string, e int32) int32 {
	f := &w.py().flows
	n := f.last[text]
	if n == 0 {
		return e
	}
	for i := range len(text) {
		if text[i] == '.' && f.assigned(f.last[text[:i]]) > n {
			return e // of another value now
		}
	}
	var tests []pyFlow
	for f.all[n-1].tested {
		if tests = append(tests, f.all[n-1]); f.all[n-1].before == 0 || len(tests) == maxTests {
			break
		}
		n = f.all[n-1].before
	}
	if !f.all[n-1].tested {
		e = pyFlowing(w, f.all[n-1], e)
	}
	for _, x := range slices.Backward(tests) {
		op := facts.OpNarrow
		if x.not {
			op = facts.OpExcept
		}
		e = w.expr(op, e, x.expr)
	}
	return e
}

// maxTests bounds the tests of one name that are followed.
const maxTests = 8

func pyFlowing(w *walk, f pyFlow, e int32) int32 {
	switch {
	case f.expr < 0:
		return e
	case f.partly:
		return w.expr(facts.OpUnion, f.expr, e)
	}
	return w.expr(facts.OpElse, f.expr, e)
}

// pyAssigned notes the value that a name gets. Where that is all that is known of
// the symbol, its uses say enough.
func pyAssigned(w *walk, name string, symbol, value int32) {
	if symbol >= 0 && w.symbols[symbol].Type == value {
		value = facts.None
	}
	w.py().flows.push(pyFlow{text: name, expr: value})
}

// pyIsolated reads a function, whose names get their values at another time.
func pyIsolated(w *walk, read func()) {
	flows := w.py().flows
	w.py().flows = pyFlows{}
	read()
	w.py().flows = flows
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
		f.push(pyFlow{text: name, expr: value, partly: true})
		return
	}
	before := f.all[i-1]
	joined := pyFlow{text: name, partly: before.partly, expr: facts.None}
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
func pyUnder(w *walk, from int, read func()) []pyFlow {
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
			w.py().flows.push(pyFlow{text: t.text, expr: t.typ, tested: true, not: !holds})
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
