package resolve

import (
	"espy/internal/code"
	"espy/internal/facts"
)

// given is what a call of a thing must give as argument n.
func (q *Question) given(t thing, n int, depth int) []thing {
	if depth > maxDepth {
		return nil
	}
	switch t.kind {
	case aFunc:
		return q.takes(t, n, depth)
	case aClosure:
		return values(q.argument(t.f, t.params, n, t.env, depth))
	case aType:
		l := q.file(t.ref.File).language
		if l == nil || l.constructor == "" {
			return nil
		}
		if made, st := q.member(t, l.constructor, depth); st == stateFound {
			return q.takes(thing{kind: aFunc, ref: made[0].ref, env: made[0].env}, n, depth)
		}
	case outside:
		if f, ok := calledBack(t); ok && n == 0 {
			return []thing{f}
		}
	case aCallback:
		if n == int(t.expr) {
			return q.element(*t.recv, elemValue, depth)
		}
	case aValue:
		return q.each(q.underlying(t, depth), func(t thing) []thing { return q.given(t, n, depth+1) })
	}
	return nil
}

// takes is what parameter n of a function is, the last one for all that follow
// it where the function takes any number.
func (q *Question) takes(t thing, n int, depth int) []thing {
	f := q.file(t.ref.File)
	fn := f.symbol(t.ref.Index)
	if fn.MaxArgs != facts.ManyArgs && n >= int(fn.MaxArgs) {
		return nil
	}
	at, started := -1, uint32(0)
	for i := t.ref.Index + 1; int(i) < f.NumSymbols(); i++ {
		s := f.symbol(i)
		if s.Start >= fn.End {
			break
		}
		if s.Parent != t.ref.Index || s.Kind != code.KindParam || s.Start == started || isReceiver(f, s, t.ref.Index) {
			continue // also another name of the same pattern
		}
		if at, started = at+1, s.Start; at == n {
			return values(q.eval(f, parameterType(f, s), t.env, depth))
		}
	}
	return nil
}

// isReceiver reports whether a parameter of symbol fn takes what it is called on.
func isReceiver(f *file, s *facts.Symbol, fn int32) bool {
	if s.Type == facts.None || f.language == nil || f.language.family != familyPython {
		return false
	}
	x := f.Expr(int(s.Type))
	return (x.Op == facts.OpThis || x.Op == facts.OpSymbol) && x.X == f.symbol(fn).Parent
}

// parameterType is the expression of what a parameter is: that of the whole
// where the name stands in a pattern.
func parameterType(f *file, s *facts.Symbol) int32 {
	if s.Flags&facts.Inferred == 0 || s.Type == facts.None {
		return s.Type
	}
	if x := f.Expr(int(s.Type)); x.Op == facts.OpUse {
		if u := f.use(x.X); u.Bind == facts.BindMember && u.At <= s.At {
			return u.Target
		}
	}
	return s.Type
}
