package narrow

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Tagged is what a key of a literal means by the constants beside it, where the literal is
// given to a function of which is not known that it takes such a key: the member of the
// type, nearest above in the functions around it, that has just such keys and one of the
// constants.
func Tagged(e Evaluator, f *infer.File, u *facts.Use, known *infer.Answer, b infer.Budget) (a infer.Answer, ok bool) {
	if !f.IsKey(u) || known.State == infer.Outside && (f.Language == nil || !f.Language.Utilities[known.Via]) || known.State == infer.Found && known.Confidence != facts.Possible {
		return a, false
	}
	if !f.IsGivenKey(u) || !f.TypesField(u.Name) {
		return a, false
	}
	x := f.Expr(u.Target, nil)
	p := &picker{e: e, b: b}
	keys, whole := keysOf(x)
	member := int32(facts.None)
	for _, tag := range keys {
		if tag.constant == facts.None {
			continue
		}
		for i := range f.Facts.SymbolsNamed(tag.name) {
			s := f.Symbol(int32(i))
			if s.Kind != code.KindField || s.Flags&facts.Inferred != 0 || s.At > u.At || member != facts.None && s.At < f.Symbol(member).Start {
				continue
			}
			all, known := p.constants(f.Expr(s.Type, nil), 0)
			if !known || !slices.ContainsFunc(all, func(c int32) bool { return facts.SameText(c, tag.constant) }) {
				continue
			}
			if m := keyed(f, int32(i), keys, whole, u.Name); m != facts.None && f.AreTogether(s.At, u.At) {
				member = m
			}
		}
	}
	if member == facts.None || isElsewhere(e, x, b) {
		return a, false
	}
	a = infer.Answer{State: infer.Found, Confidence: facts.Likely, Reason: "the type above that has these keys and constants"}
	a.Refs = []corpus.Ref{{File: f.ID, Index: member}}
	return a, true
}

// Forbids reports whether a field says that values of its type have none of the name: it
// is declared as undefined or never.
func Forbids(f *infer.File, s *facts.Symbol) bool {
	if s.Kind != code.KindField || s.Flags&(facts.Optional|facts.Inferred) != facts.Optional || s.Type == facts.None {
		return false
	}
	x := f.Facts.Expr(int(s.Type))
	if x.Op == facts.OpValue && x.X != facts.None {
		x = f.Facts.Expr(int(x.X))
	}
	return x.Op == facts.OpLiteral && x.X == facts.LiteralNull
}

// keyed is the member of a name of the type that member i is of, None where the type lacks
// one of the keys of a literal or, of a literal whose keys are all written, must have another.
func keyed(f *infer.File, i int32, keys []has, whole bool, name string) int32 {
	s, part := f.Symbol(i), f.PartOf(i)
	member, had := int32(facts.None), 0
	first, end := f.Held(infer.Thing{Ref: corpus.Ref{File: f.ID, Index: s.Parent}, Part: part})
	for k := first; k < end; k++ {
		o := f.Symbol(k)
		if o.Parent != s.Parent || o.Kind != code.KindField && o.Kind != code.KindMethod || f.PartOf(k) != part {
			continue
		}
		switch {
		case slices.ContainsFunc(keys, func(h has) bool { return h.name == o.Name }):
			had++
		case whole && o.Flags&facts.Optional == 0:
			return facts.None
		}
		if o.Name == name {
			member = k
		}
	}
	if had < len(keys) {
		return facts.None
	}
	return member
}

// isElsewhere reports whether a literal is given to a function from elsewhere, or to what
// such a function gives.
func isElsewhere(e Evaluator, x infer.Expr, b infer.Budget) bool {
	for x.At != facts.None {
		switch n := x.Node(); n.Op {
		case facts.OpUse:
			u := x.File.Use(n.X)
			if u.Bind != facts.BindMember {
				a := e.Meaning(corpus.Ref{File: x.File.ID, Index: n.X}, b)
				return a.State != infer.Found
			}
			x = x.To(u.Target)
		case facts.OpShaped, facts.OpElem, facts.OpArgument, facts.OpCall, facts.OpResult, facts.OpApply, facts.OpValue:
			x = x.To(n.X)
		default:
			return true
		}
	}
	return true
}
