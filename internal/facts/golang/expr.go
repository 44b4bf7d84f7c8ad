package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// ident adds the use of a plain name, and returns its expression if wanted.
func (w *walker) ident(id *ast.Ident, role facts.Role, args int16, want bool) int32 {
	if id.Name == "_" || !w.stands(id) {
		return facts.None
	}
	m, ok := w.scope.find(id.Name)
	bind, target := facts.BindFree, int32(facts.None)
	if ok {
		bind, target = facts.BindSymbol, m.symbol
	}
	u := w.use(id, role, bind, target, args)
	switch {
	case !want:
		return facts.None
	case ok && m.as != facts.None:
		return m.as
	}
	return w.expr(facts.OpUse, u, 0)
}

func (w *walker) selector(x *ast.SelectorExpr, role facts.Role, args int16, want bool) int32 {
	base := w.visit(x.X, facts.RoleRead, true)
	if x.Sel.Name == "_" || !w.stands(x.Sel) {
		return facts.None
	}
	u := w.use(x.Sel, role, facts.BindMember, base, args)
	if !want {
		return facts.None
	}
	return w.expr(facts.OpUse, u, 0)
}

// visit walks an expression and returns its expression in the facts, if wanted and
// known.
func (w *walker) visit(x ast.Expr, role facts.Role, want bool) int32 {
	switch x := x.(type) {
	case *ast.Ident:
		return w.ident(x, role, facts.None, want)
	case *ast.SelectorExpr:
		return w.selector(x, role, facts.None, want)
	case *ast.CallExpr:
		return w.call(x, want)
	case *ast.BasicLit:
		return w.basic(x, want)
	case *ast.CompositeLit:
		return w.composite(x, nil, facts.None)
	case *ast.FuncLit:
		return w.funcLit(x)
	case *ast.ParenExpr:
		return w.visit(x.X, role, want)
	case *ast.StarExpr:
		return w.visit(x.X, facts.RoleRead, want)
	case *ast.UnaryExpr:
		return w.unary(x, want)
	case *ast.BinaryExpr:
		return w.binary(x, want)
	case *ast.IndexExpr:
		e := w.visit(x.X, facts.RoleRead, want)
		w.visit(x.Index, facts.RoleRead, false)
		return w.elem(e, 0)
	case *ast.IndexListExpr:
		e := w.visit(x.X, facts.RoleRead, want)
		for _, t := range x.Indices {
			w.typ(t)
		}
		return e
	case *ast.SliceExpr:
		e := w.visit(x.X, facts.RoleRead, want)
		for _, i := range []ast.Expr{x.Low, x.High, x.Max} {
			if i != nil {
				w.visit(i, facts.RoleRead, false)
			}
		}
		return e
	case *ast.TypeAssertExpr:
		w.visit(x.X, facts.RoleRead, false)
		if x.Type == nil {
			return facts.None
		}
		return w.value(w.typ(x.Type))
	case *ast.KeyValueExpr:
		w.visit(x.Key, facts.RoleRead, false)
		return w.visit(x.Value, facts.RoleRead, want)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.Ellipsis:
		return w.typ(x)
	}
	return facts.None
}

func (w *walker) basic(x *ast.BasicLit, want bool) int32 {
	if !want {
		return facts.None
	}
	if x.Kind == token.STRING {
		return w.expr(facts.OpLiteral, facts.LiteralString, facts.None)
	}
	return w.expr(facts.OpLiteral, facts.LiteralNumber, facts.None)
}

func (w *walker) unary(x *ast.UnaryExpr, want bool) int32 {
	e := w.visit(x.X, facts.RoleRead, want)
	switch {
	case x.Op == token.ARROW:
		return w.elem(e, 0)
	case x.Op == token.NOT && want:
		return w.expr(facts.OpLiteral, facts.LiteralBool, facts.None)
	}
	return e
}

// binary walks a chain of operators. It loops over left operands: long sums of
// strings lean that way.
func (w *walker) binary(x *ast.BinaryExpr, want bool) int32 {
	if x.Op == token.LAND || x.Op == token.LOR {
		w.branch()
	}
	compares := x.Op.Precedence() <= 3
	left := w.visit(x.X, facts.RoleRead, want && !compares)
	right := w.visit(x.Y, facts.RoleRead, want && !compares)
	switch {
	case !want:
		return facts.None
	case compares:
		return w.expr(facts.OpLiteral, facts.LiteralBool, facts.None)
	case left == facts.None || w.facts.Exprs[left].Op == facts.OpLiteral && x.Op != token.SHL:
		return right
	}
	return left
}

func (w *walker) funcLit(x *ast.FuncLit) int32 {
	mark, local, holder := w.scope.mark(), w.local, w.holder
	w.local = true
	w.holder = w.in
	result := w.signature(x.Type)
	w.body(x.Body, mark)
	w.scope.leave(mark)
	w.local, w.holder = local, holder
	return w.expr(facts.OpFunc, result, facts.None)
}

func (w *walker) call(x *ast.CallExpr, want bool) int32 {
	if name, ok := w.builtin(x.Fun); ok {
		return w.builtinCall(x, name, want)
	}
	callee := w.callee(x.Fun, argCount(x), want)
	known := want && callee != facts.None
	tells := known && !w.isStandard(x.Fun)
	given := make([]int32, len(x.Args))
	for i, a := range x.Args {
		given[i] = w.visit(a, facts.RoleRead, tells)
	}
	if !known {
		return facts.None
	}
	if tells {
		w.given(x, callee, given)
	}
	return w.expr(facts.OpCall, callee, 0)
}

// given notes what a call is given whose value is of interest, for functions whose type
// parameters that tells.
func (w *walker) given(x *ast.CallExpr, callee int32, args []int32) {
	if last := len(args) - 1; x.Ellipsis.IsValid() { // a list instead of its elements
		args[last] = w.elem(args[last], 0)
	}
	tells := func(e int32) bool { return e != facts.None && w.facts.Exprs[e].Op != facts.OpLiteral }
	if n := w.facts.Exprs[callee]; n.Op == facts.OpUse && slices.ContainsFunc(args, tells) {
		w.expr(facts.OpGiven, n.X, w.args(args))
	}
}

// isStandard reports whether a call is of a function of the standard library that has no
// type parameters: all but those of slices and maps.
func (w *walker) isStandard(fun ast.Expr) bool {
	f, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := f.X.(*ast.Ident)
	if !ok {
		return false
	}
	if _, shadowed := w.scope.find(pkg.Name); shadowed {
		return false
	}
	for i := range w.facts.Imports {
		if m := &w.facts.Imports[i]; m.Local == pkg.Name {
			first, _, _ := strings.Cut(m.Module, "/")
			return !strings.Contains(first, ".") && m.Module != "slices" && m.Module != "maps"
		}
	}
	return false
}

// callee walks the callee of a call with args arguments.
func (w *walker) callee(fun ast.Expr, args int16, want bool) int32 {
	switch f := fun.(type) {
	case *ast.Ident:
		return w.ident(f, facts.RoleCall, args, want)
	case *ast.SelectorExpr:
		return w.selector(f, facts.RoleCall, args, want)
	case *ast.ParenExpr:
		return w.callee(f.X, args, want)
	case *ast.StarExpr:
		return w.callee(f.X, args, want)
	case *ast.IndexExpr:
		if w.isType(f.Index) {
			return w.apply(w.callee(f.X, args, true), f.Index)
		}
	case *ast.IndexListExpr:
		return w.apply(w.callee(f.X, args, true), f.Indices...)
	}
	return w.visit(fun, facts.RoleRead, want)
}

// isType reports whether the index in a call looks like the type argument of a
// generic function, not like the index of a list of functions.
func (w *walker) isType(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		m, ok := w.scope.find(x.Name)
		if !ok || m.symbol == facts.None {
			return true
		}
		k := w.facts.Symbols[m.symbol].Kind
		return k.IsType() || k == code.KindTypeParam
	case *ast.SelectorExpr:
		return ast.IsExported(x.Sel.Name)
	case *ast.StarExpr:
		return w.isType(x.X)
	case *ast.IndexExpr:
		return w.isType(x.X)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.IndexListExpr:
		return true
	}
	return false
}

// argCount is the number of arguments of a call, None if it is not known: for the
// results of another call, or a slice for variadic ones.
func argCount(x *ast.CallExpr) int16 {
	if x.Ellipsis.IsValid() {
		return facts.None
	}
	if len(x.Args) == 1 {
		if _, several := ast.Unparen(x.Args[0]).(*ast.CallExpr); several {
			return facts.None
		}
	}
	return int16(min(len(x.Args), 1<<15-1))
}

// builtin reports whether a call is of one of the predeclared functions.
func (w *walker) builtin(fun ast.Expr) (string, bool) {
	id, ok := fun.(*ast.Ident)
	if !ok {
		return "", false
	}
	switch id.Name {
	case "append", "make", "new", "min", "max", "len", "cap", "copy", "recover":
		_, shadowed := w.scope.find(id.Name)
		return id.Name, !shadowed
	}
	return "", false
}

func (w *walker) builtinCall(x *ast.CallExpr, name string, want bool) int32 {
	w.ident(x.Fun.(*ast.Ident), facts.RoleCall, argCount(x), false)
	first := int32(facts.None)
	for i, a := range x.Args {
		if i == 0 && (name == "make" || name == "new") {
			first = w.value(w.typ(a))
			continue
		}
		e := w.visit(a, facts.RoleRead, want && i == 0)
		if i == 0 {
			first = e
		}
	}
	switch name {
	case "len", "cap", "copy":
		if want {
			return w.expr(facts.OpLiteral, facts.LiteralNumber, facts.None)
		}
	case "recover":
		return facts.None
	}
	return first
}

// composite walks a literal. Without a type of its own it has that of the literal
// around it: typ as written, if known, and its value.
func (w *walker) composite(x *ast.CompositeLit, typ ast.Expr, value int32) int32 {
	if x.Type != nil {
		typ = x.Type
		value = w.value(w.literalType(x.Type))
	}
	l := literal{value: value, parts: [2]int32{facts.None, facts.None}}
	l.types[1], l.types[0] = literalParts(typ)
	keyed := w.isKeyed(typ)
	for _, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			w.element(&l, e, 0)
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); !ok || keyed {
			w.element(&l, kv.Key, 1)
		} else if id.Name != "_" && w.stands(id) {
			w.use(id, facts.RoleWrite, facts.BindMember, value, facts.None)
		}
		w.element(&l, kv.Value, 0)
	}
	return value
}

// literal is a composite literal. Its elements and keys (numbered as by OpElem)
// may leave out their type.
type literal struct {
	value int32
	types [2]ast.Expr
	parts [2]int32 // expression of a value of each; None until needed
}

// element walks an element (which is 0) or a key (1) of a literal.
func (w *walker) element(l *literal, x ast.Expr, which int32) {
	inner, ok := x.(*ast.CompositeLit)
	if !ok || inner.Type != nil {
		w.visit(x, facts.RoleRead, false)
		return
	}
	if l.parts[which] == facts.None {
		l.parts[which] = w.elem(l.value, which)
	}
	w.composite(inner, l.types[which], l.parts[which])
}

// literalType walks the type of a literal, a named one being called.
func (w *walker) literalType(t ast.Expr) int32 {
	if a, ok := t.(*ast.ArrayType); ok {
		if _, dots := a.Len.(*ast.Ellipsis); dots {
			return w.list(a.Elt)
		}
	}
	return w.named(t, facts.RoleCall)
}

// isKeyed reports whether the keys of a literal of this type are values, not
// fields.
func (w *walker) isKeyed(t ast.Expr) bool {
	if id, ok := t.(*ast.Ident); ok && w.keyed[id.Name] {
		_, shadowed := w.scope.find(id.Name)
		return !shadowed
	}
	return isKeyed(t)
}

// literalParts are the types of keys and elements that the type of a literal
// writes.
func literalParts(t ast.Expr) (key, elem ast.Expr) {
	switch t := t.(type) {
	case *ast.MapType:
		return pointed(t.Key), pointed(t.Value)
	case *ast.ArrayType:
		return nil, pointed(t.Elt)
	}
	return nil, nil
}

func pointed(t ast.Expr) ast.Expr {
	if p, ok := t.(*ast.StarExpr); ok {
		return p.X
	}
	return t
}
