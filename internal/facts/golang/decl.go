package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
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

var majorVersion = pattern.New(`^v[0-9]+$`)

// packageName guesses the package at an import path like goimports: the last
// element except versions, without the prefix "go-", up to the first byte that an
// identifier cannot hold.
func packageName(module string) string {
	base := path.Base(module)
	if majorVersion().MatchString(base) {
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

// constGroup is the type that a constant without a value repeats.
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

// valueSignature ends the signature of variables before values that span lines.
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

// inferParts infers the types of the symbols that get the i-th of n values, or a
// part of it.
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

// part is the n-th result of an expression that sets several variables.
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

// receiver is the name of the type of a receiver, without type parameters.
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

// receiver declares the receiver of a method and its names for the parameters of
// the type.
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

// values walks the values of new symbols. Those without a written type get theirs.
func (w *walker) values(values []ast.Expr, symbols []int32, infer bool) {
	for i, v := range values {
		e := w.visit(v, facts.RoleRead, infer)
		if infer {
			w.inferParts(v, e, i, len(values), symbols)
		}
	}
}
