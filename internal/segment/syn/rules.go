package syn

import (
	"fmt"

	"espy/internal/facts"
)

// check holds that facts keep the rules of facts.File that a reader relies on.
func check(f *facts.File) error {
	n := counts{tableSymbols: len(f.Symbols), tableUses: len(f.Uses), tableImports: len(f.Imports), tableExprs: len(f.Exprs)}
	if len(f.Errors) > facts.MaxFaults {
		return fmt.Errorf("%d faults, at most %d are kept", len(f.Errors), facts.MaxFaults)
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if i > 0 && s.Start < f.Symbols[i-1].Start {
			return fmt.Errorf("symbol %d %q begins before the one in front of it", i, s.Name)
		}
		if why := n.symbol(i, s); why != "" {
			return fmt.Errorf("symbol %d %q: %s", i, s.Name, why)
		}
	}
	for i := range f.Uses {
		u := &f.Uses[i]
		if i > 0 && u.At < f.Uses[i-1].At {
			return fmt.Errorf("use %d %q stands before the one in front of it", i, u.Name)
		}
		if why := n.use(u); why != "" {
			return fmt.Errorf("use %d %q: %s", i, u.Name, why)
		}
	}
	for i := range f.Imports {
		if m := &f.Imports[i]; !n.some(m.In, tableSymbols) {
			return fmt.Errorf("import %d of %q: its scope is symbol %d of %d", i, m.Module, m.In, n[tableSymbols])
		}
	}
	for i, x := range f.Exprs {
		if why := n.expr(i, x); why != "" {
			return fmt.Errorf("expression %d: %s", i, why)
		}
	}
	return nil
}

func (n *counts) has(i int32, table int) bool { return i >= 0 && int(i) < n[table] }

func (n *counts) some(i int32, table int) bool { return i == facts.None || n.has(i, table) }

func (n *counts) symbol(i int, s *facts.Symbol) string {
	switch {
	case s.Parent < facts.None || int(s.Parent) >= i:
		return laterParent(int(s.Parent))
	case !n.some(s.Type, tableExprs):
		return fmt.Sprintf("its type is expression %d of %d", s.Type, n[tableExprs])
	case s.End < s.Start || s.SigEnd < s.SigStart || s.DocEnd < s.DocStart:
		return "it ends before it begins"
	}
	return ""
}

func laterParent(p int) string {
	return fmt.Sprintf("its parent is symbol %d, which does not stand before it", p)
}

func (n *counts) use(u *facts.Use) string {
	table := tableSymbols
	switch u.Bind {
	case facts.BindFree:
		table = -1
	case facts.BindSymbol:
	case facts.BindImport:
		table = tableImports
	case facts.BindMember:
		table = tableExprs
	default:
		return fmt.Sprintf("bind %d is not known", u.Bind)
	}
	switch {
	case u.Role >= 1<<bindShift:
		return fmt.Sprintf("role %d is not known", u.Role)
	case !n.some(u.In, tableSymbols):
		return fmt.Sprintf("it stands in symbol %d of %d", u.In, n[tableSymbols])
	case table >= 0 && !n.has(u.Target, table) && (u.Bind != facts.BindMember || u.Target != facts.None):
		return fmt.Sprintf("its target is number %d of %d", u.Target, n[table])
	case u.Args < facts.None:
		return fmt.Sprintf("%d arguments", u.Args)
	}
	return ""
}

// expr holds that an expression follows those it is made of.
func (n *counts) expr(i int, x facts.Expr) string {
	before := func(e int32) bool { return e >= 0 && int(e) < i }
	maybe := func(e int32) bool { return e == facts.None || before(e) }
	ok := false
	switch x.Op {
	case facts.OpUse, facts.OpHas:
		ok = n.has(x.X, tableUses)
	case facts.OpSymbol, facts.OpThis, facts.OpSuper:
		ok = n.has(x.X, tableSymbols)
	case facts.OpMembers:
		ok = n.some(x.X, tableSymbols) && (maybe(x.Y) || x.Y == 0) // 0 of parsers that knew no extents
	case facts.OpTyped, facts.OpTakes, facts.OpExtends:
		ok = n.has(x.X, tableSymbols) && before(x.Y)
	case facts.OpExtent:
		ok = n.some(x.X, tableSymbols) && n.some(x.Y, tableSymbols)
	case facts.OpValue, facts.OpCall, facts.OpElem, facts.OpItself, facts.OpPredicate, facts.OpGuarded, facts.OpBlock, facts.OpSelf:
		ok = before(x.X)
	case facts.OpResult, facts.OpArgument:
		ok = before(x.X) && x.Y >= 0
	case facts.OpGiven, facts.OpKeyed, facts.OpBehind, facts.OpAhead:
		ok = n.has(x.X, tableUses) && before(x.Y)
	case facts.OpTuple, facts.OpApply, facts.OpUnion, facts.OpBoth, facts.OpFunc, facts.OpNarrow, facts.OpExcept, facts.OpElse, facts.OpShaped, facts.OpGives, facts.OpInfer, facts.OpOn:
		ok = maybe(x.X) && maybe(x.Y)
	case facts.OpWithin:
		ok = x.X >= 0 && x.X < x.Y
	case facts.OpTop:
		ok = x.X == 0 || x.X == 1
	case facts.OpLiteral:
		of := x.X == facts.LiteralList || x.X == facts.LiteralMap || x.X == facts.LiteralPointer
		ok = x.X >= 0 && (!of || maybe(x.Y)) && (x.X != facts.LiteralKeyed || before(x.Y))
	default:
		return fmt.Sprintf("operator %d is not known", x.Op)
	}
	if !ok {
		return fmt.Sprintf("operator %d is given %d and %d", x.Op, x.X, x.Y)
	}
	return ""
}
