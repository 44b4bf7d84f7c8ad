package infer

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Literal is what a literal stands for.
func Literal(x Expr, n facts.Expr) []Thing {
	switch n.X {
	case facts.LiteralList:
		return []Thing{{Kind: AList, Expr: x.To(n.Y)}}
	case facts.LiteralMap:
		return []Thing{{Kind: AMap, Expr: x.To(n.Y)}}
	case facts.LiteralKeyed:
		parts := x.To(n.Y)
		return []Thing{{Kind: AMap, Expr: parts.Last(), Params: parts.Node().X + 1}}
	case facts.LiteralNull:
		return nil
	}
	return []Thing{{Kind: ABuiltin, Argument: n.X}}
}

// Held are the types that stand in one which a thing is, those alone that do not inherit
// from another of them: which one is meant is not known. There are none where they are many.
func Held(l *Language, t Thing) []Thing {
	if l == nil || l.Held == nil || t.Kind != AType {
		return nil
	}
	var all []Thing
	for _, r := range l.Held(t.Ref) {
		all = append(all, TypeOf(r))
	}
	if len(all) > maxThings {
		return nil
	}
	return Guesses(all)
}

// Beside are the bases of a type that it does not name.
func Beside(l *Language, typ corpus.Ref) []Thing {
	if l == nil || l.Besides == nil {
		return nil
	}
	return l.Besides(typ)
}

// Extended marks bases whose members are those of the type below them.
func Extended(bases []Thing) []Thing {
	all := slices.Clone(bases)
	for i := range all {
		all[i].Extends = true
	}
	return all
}
