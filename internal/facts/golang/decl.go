package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

func (w *walker) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		w.funcDecl(d)
	case *ast.GenDecl:
		w.genDecl(d)
	}
}

func (w *walker) genDecl(d *ast.GenDecl) {
	var group constGroup
	for _, s := range d.Specs {
		start, doc := s.Pos(), specDoc(s)
		if !d.Lparen.IsValid() {
			start = d.Pos()
			if doc == nil {
				doc = d.Doc
			}
		}
		switch s := s.(type) {
		case *ast.ImportSpec:
			w.importSpec(s)
		case *ast.TypeSpec:
			w.typeSpec(s, start, doc)
		case *ast.ValueSpec:
			w.valueSpec(s, d.Tok, start, doc, &group)
		}
	}
}

func specDoc(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Doc
	case *ast.ValueSpec:
		return s.Doc
	}
	return nil
}

func (w *walker) importSpec(s *ast.ImportSpec) {
	module, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return
	}
	m := facts.Import{Module: module, Local: packageName(module), Place: facts.Place{At: w.at(s.Path.Pos() + 1)}, In: facts.None}
	if s.Name != nil {
		m.Local, m.At = s.Name.Name, w.at(s.Name.Pos())
	}
	switch m.Local {
	case "_", "C":
		m.Local = ""
	case ".":
		m.Local, m.Name = "", "*"
	}
	w.facts.Imports = append(w.facts.Imports, m)
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// packageName guesses the name of the package at an import path by the rule
// of goimports: the last element that is not a version, without "go-" before
// it and from the first byte on that no identifier has.
func packageName(module string) string {
	base := path.Base(module)
	if majorVersion.MatchString(base) {
		if dir := path.Dir(module); dir != "." {
			base = path.Base(dir)
		}
	}
	base = strings.TrimPrefix(base, "go-")
	if i := strings.IndexFunc(base, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	}); i >= 0 {
		base = base[:i]
	}
	return base
}

// declared makes the symbol of a name that stands alone: a variable, a field, a parameter.
func (w *walker) declared(name *ast.Ident, kind code.Kind, start, end token.Pos) facts.Symbol {
	s := facts.Symbol{
		Name: name.Name, Kind: kind, Place: facts.Place{At: w.at(name.Pos())}, Parent: w.parent, Type: facts.None,
		Start: w.at(start), End: w.at(end), SigStart: w.at(start), SigEnd: w.at(end),
	}
	if w.local {
		s.Flags |= facts.Local
	} else if name.IsExported() {
		s.Flags |= facts.Exported
	}
	return s
}

func (w *walker) add(s facts.Symbol) int32 {
	w.facts.Symbols = append(w.facts.Symbols, s)
	return int32(len(w.facts.Symbols) - 1)
}

func (w *walker) document(s *facts.Symbol, doc *ast.CommentGroup) {
	if doc != nil {
		s.DocStart, s.DocEnd = w.at(doc.Pos()), w.at(doc.End())
	}
}

// inside runs a walk whose declarations and uses belong to a symbol.
func (w *walker) inside(symbol int32, walk func()) {
	parent, in, holder := w.parent, w.in, w.holder
	w.parent, w.in, w.holder = symbol, symbol, symbol
	walk()
	w.parent, w.in, w.holder = parent, in, holder
}

// holding runs a walk whose unnamed structs belong to a symbol.
func (w *walker) holding(symbol int32, walk func() int32) int32 {
	if symbol == facts.None {
		return walk()
	}
	holder := w.holder
	w.holder = symbol
	e := walk()
	w.holder = holder
	return e
}

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

// typeBody walks what a type is declared as: the members of a struct or an
// interface, which need no expression, or another type.
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

// constGroup is what a constant without a value repeats.
type constGroup struct{ typ int32 }

func (w *walker) valueSpec(s *ast.ValueSpec, tok token.Token, start token.Pos, doc *ast.CommentGroup, group *constGroup) {
	kind := code.KindVar
	if tok == token.CONST {
		kind = code.KindConst
	}
	symbols := w.declareAll(s.Names, func(name *ast.Ident) facts.Symbol {
		if name != s.Names[0] {
			start = name.Pos()
		}
		sym := w.declared(name, kind, start, s.End())
		sym.SigEnd = w.valueSignature(s, sym.SigStart)
		w.document(&sym, doc)
		return sym
	})
	if w.local {
		w.valueTypes(s, tok, symbols, group)
		w.bind(s.Names, symbols)
	} else {
		w.inside(symbols[0], func() { w.valueTypes(s, tok, symbols, group) })
	}
}

// declareAll adds the symbols of names that stand together; None is the index of a blank.
func (w *walker) declareAll(names []*ast.Ident, symbol func(*ast.Ident) facts.Symbol) []int32 {
	all := make([]int32, len(names))
	for i, name := range names {
		all[i] = facts.None
		if name.Name != "_" && w.stands(name) {
			all[i] = w.add(symbol(name))
		}
	}
	return all
}

// bind makes names mean their symbols from here on.
func (w *walker) bind(names []*ast.Ident, symbols []int32) {
	for i, s := range symbols {
		if s != facts.None {
			w.scope.declare(names[i].Name, bound(s))
		}
	}
}

func (w *walker) setType(symbols []int32, typ int32) {
	for _, s := range symbols {
		if s != facts.None {
			w.facts.Symbols[s].Type = typ
		}
	}
}

// valueSignature ends the signature of variables before values that go over
// several lines.
func (w *walker) valueSignature(s *ast.ValueSpec, start uint32) uint32 {
	end := w.at(s.End())
	if len(s.Values) == 0 || bytes.IndexByte(w.text[start:max(start, end)], '\n') < 0 {
		return end
	}
	if s.Type != nil {
		return w.at(s.Type.End())
	}
	return w.at(s.Names[len(s.Names)-1].End())
}

func (w *walker) valueTypes(s *ast.ValueSpec, tok token.Token, symbols []int32, group *constGroup) {
	typ := int32(facts.None)
	if s.Type != nil {
		typ = w.holding(symbols[0], func() int32 { return w.typ(s.Type) })
	}
	if s.Type != nil || len(s.Values) > 0 {
		group.typ = typ
	}
	if tok == token.CONST && len(s.Values) == 0 {
		typ = group.typ
	}
	w.setType(symbols, typ)
	w.holding(symbols[0], func() int32 {
		w.values(s.Values, symbols, typ == facts.None)
		return facts.None
	})
}

// values walks the values of new symbols, and gives these their types where
// none is written.
func (w *walker) values(values []ast.Expr, symbols []int32, infer bool) {
	for i, v := range values {
		e := w.visit(v, facts.RoleRead, infer)
		if infer {
			w.inferParts(v, e, i, len(values), symbols)
		}
	}
}

// inferParts gives the symbols that get something of the i-th of n values their types.
func (w *walker) inferParts(v ast.Expr, e int32, i, n int, symbols []int32) {
	if n == len(symbols) {
		w.infer(symbols[i], e)
		return
	}
	for j, s := range symbols {
		if i == 0 && s != facts.None {
			w.infer(s, w.part(v, e, j))
		}
	}
}

// part is what the n-th of several variables gets from one expression.
func (w *walker) part(v ast.Expr, e int32, n int) int32 {
	if _, call := ast.Unparen(v).(*ast.CallExpr); call {
		if e == facts.None {
			return facts.None
		}
		return w.expr(facts.OpResult, e, int32(n))
	}
	if n == 0 {
		return e
	}
	return w.expr(facts.OpLiteral, facts.LiteralBool, facts.None) // v, ok = m[k], x.(T), <-c
}

func (w *walker) infer(symbol, e int32) {
	if symbol == facts.None {
		return
	}
	s := &w.facts.Symbols[symbol]
	s.Type = e
	s.Flags |= facts.Inferred
}

func (w *walker) funcDecl(d *ast.FuncDecl) {
	if !w.stands(d.Name) {
		return
	}
	s := w.declared(d.Name, code.KindFunc, d.Pos(), d.End())
	s.SigEnd = w.at(d.Type.End())
	s.MinArgs, s.MaxArgs = arity(d.Type.Params)
	s.Complexity = 1
	w.document(&s, d.Doc)
	if d.Recv != nil {
		s.Kind = code.KindMethod
		s.Owner = receiver(d.Recv)
	}
	if d.Body == nil {
		s.Flags |= facts.Abstract
	}
	i := w.add(s)
	mark := w.scope.mark()
	w.inside(i, func() {
		w.function, w.local = i, true
		w.receiver(d.Recv)
		w.typeParams(d.Type.TypeParams)
		w.facts.Symbols[i].Type = w.signature(d.Type)
		w.body(d.Body, mark)
		w.function, w.local = facts.None, false
	})
	w.scope.leave(mark)
}

// receiver is the name of the type that a method is declared on.
func receiver(recv *ast.FieldList) string {
	if len(recv.List) == 0 {
		return ""
	}
	t := recv.List[0].Type
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
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// receiver declares a method's receiver and the names that it gives the
// parameters of the receiver's type.
func (w *walker) receiver(recv *ast.FieldList) {
	if recv == nil {
		return
	}
	for _, f := range recv.List {
		symbols := w.declareParams(f, code.KindParam)
		w.setType(symbols, w.receiverType(f.Type))
		w.bind(f.Names, symbols)
	}
}

func (w *walker) receiverType(t ast.Expr) int32 {
	switch t := t.(type) {
	case *ast.StarExpr:
		return w.receiverType(t.X)
	case *ast.ParenExpr:
		return w.receiverType(t.X)
	case *ast.IndexExpr:
		typ := w.typ(t.X)
		w.receiverParams(t.Index)
		return typ
	case *ast.IndexListExpr:
		typ := w.typ(t.X)
		w.receiverParams(t.Indices...)
		return typ
	}
	return w.typ(t)
}

func (w *walker) receiverParams(names ...ast.Expr) {
	for _, n := range names {
		if id, ok := n.(*ast.Ident); ok && id.Name != "_" && w.stands(id) {
			s := w.add(w.declared(id, code.KindTypeParam, id.Pos(), id.End()))
			w.scope.declare(id.Name, bound(s))
		}
	}
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

// signature declares parameters and named results in the scope of their
// function, and returns what it returns.
func (w *walker) signature(t *ast.FuncType) int32 {
	w.params(t.Params)
	return w.results(t.Results)
}

func (w *walker) params(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		symbols := w.declareParams(f, code.KindParam)
		holder := int32(facts.None)
		if len(symbols) > 0 {
			holder = symbols[0]
		}
		w.setType(symbols, w.holding(holder, func() int32 { return w.typ(f.Type) }))
		w.bind(f.Names, symbols)
	}
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

// embedded declares the field that an embedded type makes, at the type's name.
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

// interfaceBody declares the methods of an interface and reads what it embeds.
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

// constraint walks what an interface or a type parameter is made of: a type
// that is used in a role, or a union of types.
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
