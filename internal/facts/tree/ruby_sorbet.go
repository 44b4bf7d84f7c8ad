package tree

import (
	"espy/internal/facts"
	"espy/internal/wordset"
)

// rubySignature is what sig says of the method behind it (https://sorbet.org/docs/sigs):
// values of its types.
type rubySignature struct {
	returns int32 // None where it does not say
	params  map[string]int32
}

func noSignature() rubySignature { return rubySignature{returns: facts.None} }

// rubySig reads sig { params(a: A).returns(B) }, and reports whether a call is one.
func rubySig(w *walk, n int32) bool {
	block := w.child(n, "block")
	body := w.child(block, "body")
	if w.text(w.child(n, "method")) != "sig" || body < 0 || w.only(body) != w.last(body) {
		return false
	}
	rubySelf(w, w.child(n, "method"), 0)
	w.visit(w.child(n, "arguments"))
	w.ruby().signature = noSignature()
	rubySigned(w, w.only(body))
	return true
}

// rubySigned reads the calls on each other by which a signature says what it says.
func rubySigned(w *walk, n int32) {
	method, list := w.child(n, "method"), w.child(n, "arguments")
	if !w.is(n, "call") || method < 0 {
		w.visit(n)
		return
	}
	if on := w.child(n, "receiver"); on >= 0 {
		rubySigned(w, on)
	}
	w.member(method, facts.None, facts.RoleCall, rubyCount(w, list))
	for a := range w.kids(list) {
		key := w.child(a, "key")
		switch {
		case w.text(method) == "returns" && !w.token(a):
			w.ruby().signature.returns = rubyTypeOf(w, a)
		case w.text(method) == "params" && w.is(key, "hash_key_symbol"):
			w.member(key, facts.None, facts.RoleWrite, facts.None)
			if w.ruby().signature.params == nil {
				w.ruby().signature.params = map[string]int32{}
			}
			w.ruby().signature.params[w.text(key)] = rubyTypeOf(w, w.child(a, "value"))
		default:
			w.visit(a)
		}
	}
}

// parameters says the types of the parameters of a method, which follow its symbol.
func (s *rubySignature) parameters(w *walk, method int32) {
	for y := method + 1; int(y) < len(w.symbols) && s.params != nil; y++ {
		if t, ok := s.params[w.symbols[y].Name]; ok && t >= 0 && w.symbols[y].Parent == method {
			w.symbols[y].Flags &^= facts.Inferred
			setType(w, y, t, facts.None)
		}
	}
}

// rubyLists are the types of Sorbet that hold what stands in brackets behind them.
var rubyLists = wordset.Of(`T::Array T::Set T::Enumerable T::Enumerator T::Range T::Enumerator::Lazy`)

// rubyTypeOf reads a type as Sorbet writes it, and returns a value of it: None where that may
// be anything.
func rubyTypeOf(w *walk, n int32) int32 {
	object, method, list := w.child(n, "receiver"), w.child(n, "method"), w.child(n, "arguments")
	switch {
	case n < 0:
		return facts.None
	case rubyIsType(w, n):
		v := w.visit(n)
		if scope := w.child(n, "scope"); w.text(scope) == "T" {
			return facts.None
		}
		return w.value(v)
	case w.is(n, "call") && w.text(object) == "T" && method >= 0:
		w.member(method, w.visit(object), facts.RoleCall, rubyCount(w, list))
		either, known := int32(facts.None), true
		for a := range w.kids(list) {
			if !w.token(a) {
				t := rubyTypeOf(w, a)
				either, known = w.union(either, t), known && t >= 0
			}
		}
		if name := w.text(method); !known || name != "nilable" && name != "any" {
			return facts.None
		}
		return either
	case w.is(n, "element_reference"):
		of := w.child(n, "object")
		w.visit(of)
		held := int32(facts.None)
		for c := range w.kids(n) {
			if c != of && !w.token(c) {
				held = rubyTypeOf(w, c)
			}
		}
		switch name := w.text(of); {
		case rubyLists[name]:
			return w.expr(facts.OpLiteral, facts.LiteralList, held)
		case name == "T::Hash":
			return w.expr(facts.OpLiteral, facts.LiteralMap, held)
		}
		return facts.None
	}
	w.visit(n)
	return facts.None
}

// rubyAsserts are the methods of T that give their first argument, true for those that say
// its type second.
var rubyAsserts = map[string]bool{"let": true, "cast": true, "assert_type!": true, "must": false, "unsafe": false}

// rubyAsserted reads T.let(value, A) and the like.
func rubyAsserted(w *walk, n int32) (value int32, ok bool) {
	object, method, list := w.child(n, "receiver"), w.child(n, "method"), w.child(n, "arguments")
	typed, ok := rubyAsserts[w.text(method)]
	if !ok || w.text(object) != "T" || list < 0 {
		return facts.None, false
	}
	w.member(method, w.visit(object), facts.RoleCall, rubyCount(w, list))
	value = facts.None
	for a := range w.kids(list) {
		switch {
		case w.token(a):
		case a == w.only(list):
			value = w.visit(a)
		case typed:
			if t := rubyTypeOf(w, a); t >= 0 {
				value = t
			}
		default:
			w.visit(a)
		}
	}
	return value, true
}
