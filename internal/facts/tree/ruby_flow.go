package tree

import (
	"strconv"

	"espy/internal/facts"
	"espy/internal/wordset"
)

// rubyTest is a call of is_a?: what it asks about, and the type.
type rubyTest struct {
	text string
	typ  int32
}

// rubyTests are the methods that tell whether a value is of a class.
var rubyTests = wordset.Of(`is_a? kind_of? instance_of?`)

// rubyVariable is the local variable of a name that is known here; ok is false of none.
func rubyVariable(w *walk, name string) (symbol int32, ok bool) {
	for i := w.top(); i > 0; i-- {
		if d, ok := w.declaredIn(i, name); ok {
			return d.target, true
		}
		if w.scopes[i].closed {
			return facts.None, false
		}
	}
	d, ok := w.declaredIn(0, name)
	return d.target, ok && !w.symbols[d.target].Kind.IsFunc()
}

// rubyKey is what flows call a local variable: blocks may have one of the same name.
func rubyKey(name string, symbol int32) string { return name + "#" + strconv.Itoa(int(symbol)) }

// rubyKeyOf is rubyKey of a node; empty for what is no local variable.
func rubyKeyOf(w *walk, n int32) string {
	if !w.is(n, "identifier") {
		return ""
	}
	if symbol, ok := rubyVariable(w, w.text(n)); ok {
		return rubyKey(w.text(n), symbol)
	}
	return ""
}

// rubyAssigned notes the value that a local variable gets. Where it first gets nil, what it
// is comes later.
func rubyAssigned(w *walk, name string, symbol, value int32) {
	if value < 0 || !rubyIsNil(w, value) {
		w.ruby().flows.assign(w, rubyKey(name, symbol), symbol, value)
		return
	}
	w.ruby().flows.push(flow{text: rubyKey(name, symbol), expr: value})
}

// rubyFlowing is what the statements above say of a variable. A value that it has on only
// some of the ways is no more than likely: nothing tells what it is on the others.
func rubyFlowing(w *walk, key string, e int32) int32 {
	f := &w.ruby().flows
	value := flowing(w, f, key, e)
	if n := f.assigned(f.last[key]); n > 0 && f.all[n-1].partly && value != e {
		return w.expr(facts.OpElse, value, e)
	}
	return value
}

// rubyIsNil reports whether an expression is nil.
func rubyIsNil(w *walk, e int32) bool {
	return e >= 0 && w.exprs[e].Op == facts.OpLiteral && w.exprs[e].X == facts.LiteralNull
}

// rubyRun reads statements that may not run.
func rubyRun(w *walk, n int32) (value int32) {
	w.ruby().flows.block(w, func() { value = w.visit(n) }, rubyEnds(w, n))
	return value
}

// rubyLeaving are the calls behind which nothing runs.
var rubyLeaving = wordset.Of(`raise fail exit abort throw`)

// rubyEnds reports whether nothing that follows a statement runs after it.
func rubyEnds(w *walk, n int32) bool {
	if n < 0 {
		return false
	}
	switch w.kind(n) {
	case "then", "else", "do", "block_body", "body_statement", "begin", "parenthesized_statements":
		last := int32(facts.None)
		for c := range w.kids(n) {
			if !w.token(c) {
				last = c
			}
		}
		return rubyEnds(w, last)
	case "return", "next", "break", "redo", "retry":
		return true
	case "call":
		return w.child(n, "receiver") < 0 && rubyLeaving[w.text(w.child(n, "method"))]
	case "identifier":
		return rubyLeaving[w.text(n)]
	}
	return false
}

// rubyTested notes the tests of a condition that holds, or that does not.
func rubyTested(w *walk, n int32, holds bool, levels int) {
	if n < 0 || levels == 0 || len(w.ruby().tests) == 0 {
		return
	}
	levels--
	switch w.kind(n) {
	case "parenthesized_statements":
		rubyTested(w, w.only(n), holds, levels)
	case "unary":
		if op := w.text(w.child(n, "operator")); op == "!" || op == "not" {
			rubyTested(w, w.child(n, "operand"), !holds, levels)
		}
	case "binary", "call":
		if t, ok := w.ruby().tests[n]; ok {
			w.ruby().flows.push(flow{text: t.text, expr: t.typ, tested: true, not: !holds})
			return
		}
		if tellsBoth(w.text(w.child(n, "operator")), holds) {
			rubyTested(w, w.child(n, "left"), holds, levels)
			rubyTested(w, w.child(n, "right"), holds, levels)
		}
	}
}

// rubyTestOf notes that a node tests whether a local variable is of a type.
func rubyTestOf(w *walk, n, subject, typ int32) {
	key := rubyKeyOf(w, subject)
	if key == "" || typ < 0 {
		return
	}
	if w.ruby().tests == nil {
		w.ruby().tests = map[int32]rubyTest{}
	}
	w.ruby().tests[n] = rubyTest{key, w.value(typ)}
}

// rubyIf reads a condition, what runs where it holds, and what runs where not.
func rubyIf(w *walk, n int32) int32 {
	condition, body, other := w.child(n, "condition"), w.child(n, "consequence"), w.child(n, "alternative")
	w.visit(condition)
	holds := !w.is(n, "unless")
	yes, no := int32(facts.None), int32(facts.None)
	w.ruby().flows.branch(w, func(then bool) { rubyTested(w, condition, then == holds, maxTested) },
		func() { yes = rubyRun(w, body) }, func() { no = rubyRun(w, other) }, rubyEnds(w, body))
	return w.union(yes, no)
}

// rubyModified reads a statement before its condition: return unless ready.
func rubyModified(w *walk, n int32) int32 {
	condition, body := w.child(n, "condition"), w.child(n, "body")
	holds := !w.is(n, "unless_modifier")
	value := int32(facts.None)
	w.visit(condition)
	w.ruby().flows.branch(w, func(then bool) { rubyTested(w, condition, then == holds, maxTested) },
		func() { value = rubyRun(w, body) }, func() {}, rubyEnds(w, body))
	return value
}

// rubyChoice reads condition ? yes : no.
func rubyChoice(w *walk, n int32) int32 {
	condition := w.child(n, "condition")
	w.visit(condition)
	f, test := &w.ruby().flows, func(holds bool) { rubyTested(w, condition, holds, maxTested) }
	yes := f.under(w, test, true, w.child(n, "consequence"))
	return w.union(yes, f.under(w, test, false, w.child(n, "alternative")))
}

// rubyCase reads case, whose value is that of any clause.
func rubyCase(w *walk, n int32) int32 {
	either, subject := int32(facts.None), w.ruby().subject
	value := w.child(n, "value")
	w.visit(value)
	w.ruby().subject = rubyKeyOf(w, value)
	for c := range w.kids(n) {
		switch {
		case c == value:
		case w.is(c, "else"):
			either = w.union(either, rubyRun(w, c))
		default:
			either = w.union(either, w.visit(c))
		}
	}
	w.ruby().subject = subject
	return either
}

// rubyClause reads a clause of case, which runs where the value is of one of its classes.
func rubyClause(w *walk, n int32) (value int32) {
	body, either, types := w.child(n, "body"), int32(facts.None), w.is(n, "when") && w.ruby().subject != ""
	for c := range w.kids(n) {
		switch {
		case c == body || w.token(c):
		case w.is(n, "in_clause") && w.field(c) == "pattern":
			rubyPattern(w, c)
		default:
			v := w.visit(c)
			name := w.only(c)
			types = types && v >= 0 && (w.is(name, "constant") || w.is(name, "scope_resolution"))
			either = w.union(either, v)
		}
	}
	subject := w.ruby().subject
	w.ruby().flows.block(w, func() {
		if types && either >= 0 {
			w.ruby().flows.push(flow{text: subject, expr: w.value(either), tested: true})
		}
		value = w.visit(body)
	}, rubyEnds(w, body))
	return value
}

// rubyTrue reads an operand that is worked out only where the one before it holds, or
// does not.
func rubyTrue(w *walk, n, left int32, holds bool) int32 {
	return w.ruby().flows.under(w, func(holds bool) { rubyTested(w, left, holds, maxTested) }, holds, n)
}
