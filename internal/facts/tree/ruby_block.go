package tree

import (
	"espy/internal/facts"
	"espy/internal/wordset"
)

// rubyBlock reads the block of a call of f, which is likely to give its only parameter a
// value. Both may be None.
func rubyBlock(w *walk, n, f, value int32) int32 {
	w.open(scopeFunction)
	rubyBlockParameters(w, w.child(n, "parameters"), w.of(facts.OpBlock, f, 0), value)
	v := rubyRun(w, w.child(n, "body"))
	w.close()
	return v
}

// rubyBlockParameters declares the parameters of a block that a call takes as block.
func rubyBlockParameters(w *walk, list, block, value int32) {
	if list < 0 {
		return
	}
	from, takes := len(w.symbols), w.ruby().takes
	rubyParameters(w, list)
	w.ruby().takes.name = takes.name
	only := from+1 == len(w.symbols)
	for y := from; y < len(w.symbols); y++ {
		if w.symbols[y].Type >= 0 {
			continue
		}
		given := w.of(facts.OpArgument, block, int32(y-from))
		if only && value >= 0 {
			given = w.expr(facts.OpElse, given, value)
		}
		w.symbols[y].Type = given
	}
}

// rubyRunsOn is what a block around runs on, else self.
func rubyRunsOn(w *walk) int32 {
	if on := w.ruby().runs; on >= 0 {
		return on
	}
	if selfClass(w) < 0 && w.this.op != facts.OpValue {
		return w.expr(facts.OpElse, facts.None, facts.None)
	}
	return w.expr(facts.OpElse, thisValue(w, 0), facts.None)
}

// rubyTaken is what a method does with its block.
type rubyTaken struct {
	name   int32   // the parameter that it is, a symbol; None of one without a name
	values []int32 // what it is given, by place
	any    bool    // it is called
	on     int32   // what it runs on, None for where it is written
	passed int32   // the function that takes it as its own block, None where none does
}

func noBlock() rubyTaken { return rubyTaken{name: facts.None, on: facts.None, passed: facts.None} }

// gives notes the values that a call of the block gives it.
func (t *rubyTaken) gives(w *walk, values []int32) {
	t.any = true
	for i, v := range values {
		if i < len(t.values) {
			if t.values[i] < 0 {
				t.values[i] = v
			}
		} else if i < maxTuple {
			t.values = append(t.values, v)
		}
	}
}

// rubyYield reads yield a, b.
func rubyYield(w *walk, n int32) int32 {
	w.ruby().takes.gives(w, rubyValues(w, w.only(n)))
	return facts.None
}

// rubyValues reads values side by side.
func rubyValues(w *walk, list int32) (values []int32) {
	for a := range w.kids(list) {
		if !w.token(a) {
			values = append(values, w.visit(a))
		}
	}
	return values
}

// rubyRunners are the calls that run a block which they are passed on their receiver.
var rubyRunners = wordset.Of(`instance_eval instance_exec class_eval class_exec module_eval module_exec`)

// rubyGives notes what a call does with the block of the method that it stands in: it calls
// it, runs it on something, or passes it on.
func rubyGives(w *walk, n, of, callee, first int32) {
	takes := &w.ruby().takes
	if takes.name < 0 {
		return
	}
	method, list := w.text(w.child(n, "method")), w.child(n, "arguments")
	if object := w.child(n, "receiver"); object >= 0 && rubyIsBlock(w, object) && (method == "call" || method == "") {
		takes.gives(w, []int32{first})
		return
	}
	passed := int32(facts.None)
	for a := range w.kids(list) {
		if w.is(a, "block_argument") && (w.only(a) < 0 || rubyIsBlock(w, w.only(a))) {
			passed = a
		}
	}
	switch {
	case passed < 0:
	case rubyRunners[method]:
		takes.gives(w, []int32{first})
		if takes.on = w.of(facts.OpItself, of, 0); of < 0 {
			takes.on = w.of(facts.OpItself, thisValue(w, n), 0)
		}
	case method == "define_method" && of < 0:
		takes.any, takes.on = true, w.value(thisValue(w, n))
	case takes.passed < 0:
		takes.passed = callee
	}
}

// rubyIsBlock reports whether a node names the block of the method around.
func rubyIsBlock(w *walk, n int32) bool {
	symbol, ok := rubyVariable(w, w.text(n))
	return w.is(n, "identifier") && ok && symbol == w.ruby().takes.name
}

// rubyTakes says what the block of a method is given and what it runs on.
func rubyTakes(w *walk, f int32) {
	takes := w.ruby().takes
	switch {
	case takes.any:
		block := w.expr(facts.OpFunc, facts.None, w.tuple(takes.values))
		if takes.on >= 0 {
			block = w.expr(facts.OpOn, block, takes.on)
		}
		w.expr(facts.OpTakes, f, block)
	case takes.passed >= 0:
		w.expr(facts.OpTakes, f, w.of(facts.OpBlock, takes.passed, 0))
	}
}
