package tree

import (
	"slices"

	"espy/internal/facts"
)

// flow is what the statements above a place say of a name: its last value, or
// the type that a test found. text may have dots where a test named it so.
type flow struct {
	text   string
	expr   int32 // None where the value is not known
	tested bool  // expr is a type that the name's value is of
	not    bool  // a test that failed: expr is a type that it is not of
	partly bool  // only on some ways to the place
	before int   // number of the flow of the text before it, 0 for none
}

// flows are the flows that stand at a place, the last one last.
type flows struct {
	all  []flow
	last map[string]int // number of the last flow of a text, from 1
}

func (f *flows) push(x flow) {
	if f.last == nil {
		f.last = map[string]int{}
	}
	x.before = f.last[x.text]
	f.all = append(f.all, x)
	f.last[x.text] = len(f.all)
}

// cut removes the flows from number n on and returns them.
func (f *flows) cut(n int) []flow {
	gone := slices.Clone(f.all[n:])
	for _, x := range slices.Backward(gone) {
		f.last[x.text] = x.before
	}
	f.all = f.all[:n]
	return gone
}

// assigned is the number of the last flow up to number n that is the value of a text.
func (f *flows) assigned(n int) int {
	for n > 0 && f.all[n-1].tested {
		n = f.all[n-1].before
	}
	return n
}

// assign notes the value that a name gets. Where that is all that is known of the symbol,
// its uses say enough.
func (f *flows) assign(w *walk, name string, symbol, value int32) {
	if symbol >= 0 && w.symbols[symbol].Type == value {
		value = facts.None
	}
	f.push(flow{text: name, expr: value})
}

// isolated reads a function, whose names get their values at another time.
func (f *flows) isolated(read func()) {
	outer := *f
	*f = flows{}
	read()
	*f = outer
}

// block reads statements that may not run. What they assign holds on some of the
// ways to what follows, if they do not end before it.
func (f *flows) block(w *walk, read func(), ends bool) {
	from := len(f.all)
	read()
	inner := f.cut(from)
	if ends || len(inner) > maxJoined {
		return
	}
	joined := map[string]bool{}
	for _, x := range slices.Backward(inner) {
		if !x.tested && !joined[x.text] {
			joined[x.text] = true
			f.join(w, x.text, x.expr)
		}
	}
}

// maxJoined bounds the names whose values are followed out of a block.
const maxJoined = 200

// join adds a value that a name may have had before the place.
func (f *flows) join(w *walk, text string, value int32) {
	i := f.assigned(f.last[text])
	if i == 0 {
		f.push(flow{text: text, expr: value, partly: true})
		return
	}
	before := f.all[i-1]
	joined := flow{text: text, partly: before.partly, expr: facts.None}
	if value >= 0 && before.expr >= 0 {
		joined.expr = w.union(before.expr, value)
	}
	f.push(joined)
}

// branch reads what runs where a condition holds, then what runs where not. test notes
// the tests of the condition; leaves says that what follows runs only where it does not
// hold.
func (f *flows) branch(w *walk, test func(holds bool), body, otherwise func(), leaves bool) {
	from := len(f.all)
	test(true)
	tests := len(f.all)
	body()
	said := f.cut(tests)
	f.cut(from)
	test(false)
	tests = len(f.all)
	otherwise()
	if leaves {
		return
	}
	other := f.cut(tests)
	f.cut(from)
	for _, x := range said {
		f.push(x)
	}
	for _, x := range other {
		f.join(w, x.text, x.expr)
	}
}

// under reads a value where a condition holds, or does not, whose tests test notes.
func (f *flows) under(w *walk, test func(holds bool), holds bool, value int32) int32 {
	from := len(f.all)
	test(holds)
	v := w.visit(value)
	f.cut(from)
	return v
}

// flowing is an expression of a name or of a dotted one, with what the statements
// above it say.
func flowing(w *walk, f *flows, text string, e int32) int32 {
	n := f.last[text]
	if n == 0 {
		return e
	}
	for i := range len(text) {
		if text[i] == '.' && f.assigned(f.last[text[:i]]) > n {
			return e // of another value now
		}
	}
	var tests []flow
	for f.all[n-1].tested {
		if tests = append(tests, f.all[n-1]); f.all[n-1].before == 0 || len(tests) == maxTests {
			break
		}
		n = f.all[n-1].before
	}
	if !f.all[n-1].tested {
		e = flowed(w, f.all[n-1], e)
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

// tellsBoth reports whether two conditions that an operator joins both hold where the
// whole does, or both do not where that does not.
func tellsBoth(op string, holds bool) bool {
	switch op {
	case "&&", "and":
		return holds
	case "||", "or":
		return !holds
	}
	return false
}

// maxTests bounds the tests of one name that are followed.
const maxTests = 8

func flowed(w *walk, f flow, e int32) int32 {
	switch {
	case f.expr < 0:
		return e
	case f.partly:
		return w.expr(facts.OpUnion, f.expr, e)
	}
	return w.expr(facts.OpElse, f.expr, e)
}
