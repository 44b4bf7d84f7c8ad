package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
)

func (w *walker) typeSpec(s *ast.TypeSpec, start token.Pos, doc *ast.CommentGroup) {
	if !w.stands(s.Name) {
		return
	}
	sym := w.declared(s.Name, typeKind(s.Type), start, s.End())
	w.document(&sym, doc)
	if open := bodyOf(s.Type); open.IsValid() {
		sym.SigEnd = sym.SigStart + uint32(len(bytes.TrimRight(w.text[sym.SigStart:w.at(open)], " \t\r\n")))
	}
	i := w.add(sym)
	if w.local {
		w.scope.declare(s.Name.Name, bound(i))
	}
	mark := w.scope.mark()
	w.inside(i, func() {
		w.typeParams(s.TypeParams)
		w.facts.Symbols[i].Type = w.typeBody(s.Type)
	})
	w.scope.leave(mark)
}

func typeKind(t ast.Expr) code.Kind {
	switch t.(type) {
	case *ast.StructType:
		return code.KindStruct
	case *ast.InterfaceType:
		return code.KindInterface
	}
	return code.KindType
}

func bodyOf(t ast.Expr) token.Pos {
	switch t := t.(type) {
	case *ast.StructType:
		return t.Fields.Opening
	case *ast.InterfaceType:
		return t.Methods.Opening
	}
	return token.NoPos
}

// typeBody walks the right side of a type declaration: the members of a struct or
// an interface, which need no expression, or another type.
func (w *walker) typeBody(t ast.Expr) int32 {
	switch t := t.(type) {
	case *ast.StructType:
		w.fields(t.Fields)
		return facts.None
	case *ast.InterfaceType:
		w.interfaceBody(t)
		return facts.None
	}
	return w.typ(t)
}

// typ walks a type and returns its expression.
func (w *walker) typ(t ast.Expr) int32 { return w.named(t, facts.RoleType) }

// named walks a type whose name is used in a role.
func (w *walker) named(t ast.Expr, role facts.Role) int32 {
	switch t := t.(type) {
	case *ast.Ident:
		return w.ident(t, role, facts.None, true)
	case *ast.SelectorExpr:
		return w.selector(t, role, facts.None, true)
	case *ast.StarExpr:
		return w.named(t.X, role)
	case *ast.ParenExpr:
		return w.named(t.X, role)
	case *ast.IndexExpr:
		return w.apply(w.named(t.X, role), t.Index)
	case *ast.IndexListExpr:
		return w.apply(w.named(t.X, role), t.Indices...)
	case *ast.ArrayType:
		if t.Len != nil {
			w.visit(t.Len, facts.RoleRead, false)
		}
		return w.list(t.Elt)
	case *ast.Ellipsis:
		return w.list(t.Elt)
	case *ast.ChanType:
		return w.list(t.Value)
	case *ast.MapType:
		key := w.value(w.typ(t.Key))
		return w.expr(facts.OpLiteral, facts.LiteralKeyed, w.args([]int32{key, w.value(w.typ(t.Value))}))
	case *ast.FuncType:
		return w.funcType(t)
	case *ast.StructType:
		return w.members(func() { w.fields(t.Fields) })
	case *ast.InterfaceType:
		return w.members(func() { w.interfaceBody(t) })
	case nil:
		return facts.None
	}
	return w.visit(t, facts.RoleRead, false) // the length of an array, a mistake
}

func (w *walker) list(elem ast.Expr) int32 {
	e := int32(facts.None)
	if elem != nil {
		e = w.value(w.typ(elem))
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, e)
}

func (w *walker) apply(typ int32, args ...ast.Expr) int32 {
	var all []int32
	for _, a := range args {
		all = append(all, w.typ(a))
	}
	if typ == facts.None {
		return facts.None
	}
	return w.expr(facts.OpApply, typ, w.args(all))
}

// members walks an unnamed struct or interface.
func (w *walker) members(walk func()) int32 {
	parent := w.parent
	w.parent = w.holder
	walk()
	w.parent = parent
	if w.holder == facts.None {
		return facts.None
	}
	return w.expr(facts.OpMembers, w.holder, facts.None)
}

// funcType walks the type of a function. Its parameters are known nowhere.
func (w *walker) funcType(t *ast.FuncType) int32 {
	mark, local := w.scope.mark(), w.local
	w.local = true
	takes := w.params(t.Params)
	result := w.results(t.Results)
	w.scope.leave(mark)
	w.local = local
	if len(takes) == 0 {
		return w.expr(facts.OpFunc, result, facts.None)
	}
	return w.expr(facts.OpFunc, result, w.args(takes))
}

// typeParams declares type parameters, which may speak of each other.
func (w *walker) typeParams(list *ast.FieldList) {
	if list == nil {
		return
	}
	local := w.local
	w.local = true
	for _, f := range list.List {
		symbols := w.declareParams(f, code.KindTypeParam)
		w.bind(f.Names, symbols)
		w.setType(symbols, w.constraint(f.Type, facts.RoleType))
	}
	w.local = local
}

func (w *walker) declareParams(f *ast.Field, kind code.Kind) []int32 {
	return w.declareAll(f.Names, func(name *ast.Ident) facts.Symbol {
		return w.declared(name, kind, name.Pos(), f.Type.End())
	})
}

// signature declares parameters and named results in the scope of the function,
// and returns the type of its results.
func (w *walker) signature(t *ast.FuncType) int32 {
	w.params(t.Params)
	return w.results(t.Results)
}

// params declares parameters, and returns a value of each.
func (w *walker) params(list *ast.FieldList) (takes []int32) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		symbols := w.declareParams(f, code.KindParam)
		holder := int32(facts.None)
		if len(symbols) > 0 {
			holder = symbols[0]
		}
		typ := w.holding(holder, func() int32 { return w.typ(f.Type) })
		w.setType(symbols, typ)
		w.bind(f.Names, symbols)
		takes = append(takes, slices.Repeat([]int32{typ}, max(1, len(f.Names)))...)
	}
	return takes
}

func (w *walker) results(list *ast.FieldList) int32 {
	if list == nil {
		return facts.None
	}
	var all []int32
	for _, f := range list.List {
		symbols := w.declareParams(f, code.KindParam)
		typ := w.typ(f.Type)
		w.setType(symbols, typ)
		w.bind(f.Names, symbols)
		for range max(1, len(f.Names)) {
			all = append(all, typ)
		}
	}
	return w.tuple(all)
}

// arity counts the arguments that parameters take.
func arity(list *ast.FieldList) (least, most uint8) {
	if list == nil {
		return 0, 0
	}
	n, variadic := 0, false
	for _, f := range list.List {
		n += max(1, len(f.Names))
		_, variadic = f.Type.(*ast.Ellipsis)
	}
	if variadic {
		return uint8(min(n-1, facts.ManyArgs)), facts.ManyArgs
	}
	return uint8(min(n, facts.ManyArgs)), uint8(min(n, facts.ManyArgs))
}

// fields declares the fields of a struct in the symbol that holds it.
func (w *walker) fields(list *ast.FieldList) {
	for _, f := range list.List {
		if len(f.Names) == 0 {
			w.embedded(f)
			continue
		}
		symbols := w.declareAll(f.Names, func(name *ast.Ident) facts.Symbol {
			s := w.declared(name, code.KindField, name.Pos(), f.End())
			s.SigEnd = w.at(f.Type.End())
			w.document(&s, f.Doc)
			return s
		})
		w.setType(symbols, w.holding(symbols[0], func() int32 { return w.typ(f.Type) }))
	}
}

// embedded declares the field of an embedded type, at the name of the type.
func (w *walker) embedded(f *ast.Field) {
	name := embeddedName(f.Type)
	if name == nil || !w.stands(name) {
		w.typ(f.Type)
		return
	}
	s := w.declared(name, code.KindField, f.Type.Pos(), f.End())
	s.SigEnd = w.at(f.Type.End())
	s.Flags |= facts.Embedded
	w.document(&s, f.Doc)
	i := w.add(s)
	typ := w.named(f.Type, facts.RoleInherit)
	w.facts.Symbols[i].Type = typ
}

func embeddedName(t ast.Expr) *ast.Ident {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.SelectorExpr:
			return x.Sel
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}

// interfaceBody declares the methods of an interface and reads its embedded types.
func (w *walker) interfaceBody(t *ast.InterfaceType) {
	for _, f := range t.Methods.List {
		fn, ok := f.Type.(*ast.FuncType)
		if !ok || len(f.Names) == 0 {
			w.constraint(f.Type, facts.RoleInherit)
			continue
		}
		for _, name := range f.Names {
			if !w.stands(name) {
				continue
			}
			s := w.declared(name, code.KindMethod, name.Pos(), f.End())
			s.Flags |= facts.Abstract
			s.MinArgs, s.MaxArgs = arity(fn.Params)
			s.Complexity = 1
			w.document(&s, f.Doc)
			i := w.add(s)
			w.inside(i, func() {
				mark, local := w.scope.mark(), w.local
				w.local = true
				w.facts.Symbols[i].Type = w.signature(fn)
				w.scope.leave(mark)
				w.local = local
			})
		}
	}
}

// constraint walks an element of an interface or the constraint of a type
// parameter: a type, used in a role, or a union.
func (w *walker) constraint(t ast.Expr, role facts.Role) int32 {
	switch t := t.(type) {
	case *ast.BinaryExpr:
		x, y := w.constraint(t.X, facts.RoleType), w.constraint(t.Y, facts.RoleType)
		if x == facts.None || y == facts.None {
			return max(x, y)
		}
		return w.expr(facts.OpUnion, x, y)
	case *ast.UnaryExpr:
		return w.typ(t.X)
	case *ast.ParenExpr:
		return w.constraint(t.X, role)
	}
	return w.named(t, role)
}
