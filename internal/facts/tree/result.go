package tree

import (
	"cmp"
	"slices"

	"espy/internal/facts"
)

// facts sorts all tables and sets lines and columns.
func (w *walk) facts() *facts.File {
	b := &w.builder
	f := &facts.File{Package: b.pkg}
	symbolAt := sorted(b.symbols, func(x, y facts.Symbol) int { return cmp.Compare(x.Start, y.Start) })
	useAt := sorted(b.uses, func(x, y facts.Use) int { return cmp.Compare(x.At, y.At) })
	importAt := sorted(b.imports, func(x, y facts.Import) int { return 0 })
	exprAt, exprs := b.live()
	for i := range b.exprs {
		if exprAt[i] >= 0 {
			e := b.exprs[i]
			e.X, e.Y = rename(e, exprAt, useAt, symbolAt)
			exprs[exprAt[i]] = e
		}
	}
	f.Exprs = exprs
	f.Symbols = place(b.symbols, symbolAt)
	for i := range f.Symbols {
		y := &f.Symbols[i]
		y.Parent, y.Type = at(symbolAt, y.Parent), at(exprAt, y.Type)
	}
	f.Uses = place(b.uses, useAt)
	for i := range f.Uses {
		u := &f.Uses[i]
		u.In = at(symbolAt, u.In)
		switch u.Bind {
		case facts.BindSymbol:
			u.Target = at(symbolAt, u.Target)
		case facts.BindImport:
			u.Target = at(importAt, u.Target)
		case facts.BindMember:
			u.Target = at(exprAt, u.Target)
		}
	}
	f.Imports = b.imports
	for i := range f.Imports {
		f.Imports[i].In = at(symbolAt, f.Imports[i].In)
	}
	locate(b.src, f, b.errors)
	return f
}

// sorted returns where each element goes in a stable sort.
func sorted[T any](list []T, order func(x, y T) int) []int32 {
	byOrder := make([]int32, len(list))
	for i := range byOrder {
		byOrder[i] = int32(i)
	}
	slices.SortStableFunc(byOrder, func(i, j int32) int { return order(list[i], list[j]) })
	to := make([]int32, len(list))
	for n, i := range byOrder {
		to[i] = int32(n)
	}
	return to
}

func place[T any](list []T, to []int32) []T {
	out := make([]T, len(list))
	for i, n := range to {
		out[n] = list[i]
	}
	return out
}

func at(to []int32, i int32) int32 {
	if i < 0 {
		return facts.None
	}
	return to[i]
}

// operands returns which operands of an expression are expressions.
func operands(e facts.Expr) (x, y bool) {
	switch e.Op {
	case facts.OpValue, facts.OpCall, facts.OpElem, facts.OpResult, facts.OpArgument, facts.OpItself, facts.OpPredicate, facts.OpGuarded, facts.OpBlock, facts.OpSelf:
		return true, false
	case facts.OpTuple, facts.OpApply, facts.OpUnion, facts.OpBoth, facts.OpFunc, facts.OpNarrow, facts.OpExcept, facts.OpElse, facts.OpShaped, facts.OpGives, facts.OpInfer, facts.OpOn:
		return true, true
	case facts.OpGiven, facts.OpMembers, facts.OpTyped, facts.OpTakes, facts.OpExtends, facts.OpKeyed, facts.OpBehind, facts.OpAhead:
		return false, true
	case facts.OpLiteral:
		return false, e.X == facts.LiteralList || e.X == facts.LiteralMap || e.X == facts.LiteralPointer
	}
	return false, false
}

// live numbers the expressions that a symbol or a use needs, in order. The others
// get None.
func (b *builder) live() ([]int32, []facts.Expr) {
	to := make([]int32, len(b.exprs))
	need := func(e int32) {
		if e >= 0 {
			to[e] = 1
		}
	}
	for i := range b.symbols {
		need(b.symbols[i].Type)
	}
	for i := range b.uses {
		if b.uses[i].Bind == facts.BindMember {
			need(b.uses[i].Target)
		}
	}
	for i := range b.exprs {
		if o := b.exprs[i].Op; o == facts.OpGiven || o == facts.OpTyped || o == facts.OpTakes || o == facts.OpExtends || o == facts.OpBehind || o == facts.OpAhead || o == facts.OpKeyed || o == facts.OpWithin {
			need(int32(i))
		}
	}
	n := int32(0)
	for i := len(to) - 1; i >= 0; i-- {
		if to[i] == 0 {
			continue
		}
		n++
		e := b.exprs[i]
		x, y := operands(e)
		if x {
			need(e.X)
		}
		if y {
			need(e.Y)
		}
	}
	next := int32(0)
	for i := range to {
		if to[i] == 0 {
			to[i] = facts.None
			continue
		}
		to[i] = next
		next++
	}
	return to, make([]facts.Expr, n)
}

// rename returns the operands of an expression in their sorted tables.
func rename(e facts.Expr, exprs, uses, symbols []int32) (x, y int32) {
	x, y = e.X, e.Y
	switch e.Op {
	case facts.OpUse, facts.OpHas:
		return at(uses, x), y
	case facts.OpGiven, facts.OpKeyed, facts.OpBehind, facts.OpAhead:
		return at(uses, x), at(exprs, y)
	case facts.OpSymbol, facts.OpThis, facts.OpSuper:
		return at(symbols, x), y
	case facts.OpMembers, facts.OpTyped, facts.OpTakes, facts.OpExtends:
		return at(symbols, x), at(exprs, y)
	case facts.OpExtent:
		return at(symbols, x), at(symbols, y)
	}
	isX, isY := operands(e)
	if isX {
		x = at(exprs, x)
	}
	if isY {
		y = at(exprs, y)
	}
	return x, y
}
