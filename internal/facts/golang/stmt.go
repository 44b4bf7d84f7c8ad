package golang

import (
	"go/ast"
	"go/token"

	"espy/internal/code"
	"espy/internal/facts"
)

// block walks statements in a scope of their own.
func (w *walker) block(b *ast.BlockStmt) {
	if b == nil {
		return
	}
	mark := w.scope.mark()
	w.stmts(b.List, mark)
	w.scope.leave(mark)
}

// body walks the statements of a function. Its block is that of the parameters.
func (w *walker) body(b *ast.BlockStmt, mark int) {
	if b != nil {
		w.stmts(b.List, mark)
	}
}

// stmts walks statements of the block that began at mark.
func (w *walker) stmts(list []ast.Stmt, mark int) {
	for _, s := range list {
		w.stmt(s, mark)
	}
}

// stmt walks a statement of the block that began at mark.
func (w *walker) stmt(s ast.Stmt, mark int) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		w.visit(s.X, facts.RoleRead, false)
	case *ast.AssignStmt:
		w.assign(s, mark)
	case *ast.IncDecStmt:
		w.visit(s.X, facts.RoleWrite, false)
	case *ast.DeclStmt:
		w.decl(s.Decl)
	case *ast.ReturnStmt:
		w.exprs(s.Results)
	case *ast.IfStmt:
		w.ifStmt(s)
	case *ast.ForStmt:
		w.forStmt(s)
	case *ast.RangeStmt:
		w.rangeStmt(s)
	case *ast.SwitchStmt:
		w.switchStmt(s)
	case *ast.TypeSwitchStmt:
		w.typeSwitch(s)
	case *ast.SelectStmt:
		w.selectStmt(s)
	case *ast.BlockStmt:
		w.block(s)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt, mark)
	case *ast.GoStmt:
		w.visit(s.Call, facts.RoleRead, false)
	case *ast.DeferStmt:
		w.visit(s.Call, facts.RoleRead, false)
	case *ast.SendStmt:
		w.visit(s.Chan, facts.RoleRead, false)
		w.visit(s.Value, facts.RoleRead, false)
	}
}

func (w *walker) exprs(list []ast.Expr) {
	for _, x := range list {
		w.visit(x, facts.RoleRead, false)
	}
}

func (w *walker) assign(s *ast.AssignStmt, mark int) {
	if s.Tok == token.DEFINE {
		w.define(s, mark)
		return
	}
	for _, x := range s.Lhs {
		w.visit(x, facts.RoleWrite, false)
	}
	w.exprs(s.Rhs)
}

// define walks a short declaration. It writes names that the block has already;
// new ones are known from the end of the statement on.
func (w *walker) define(s *ast.AssignStmt, mark int) {
	symbols := make([]int32, len(s.Lhs))
	holder := int32(facts.None)
	for i, x := range s.Lhs {
		symbols[i] = facts.None
		id, ok := x.(*ast.Ident)
		if !ok || w.scope.declaredSince(mark, id.Name) {
			w.visit(x, facts.RoleWrite, false)
		} else if id.Name != "_" && w.stands(id) {
			symbols[i] = w.newLocal(id)
			if holder == facts.None {
				holder = symbols[i]
			}
		}
	}
	w.holding(holder, func() int32 {
		for i, x := range s.Rhs {
			e := w.visit(x, facts.RoleRead, holder != facts.None)
			w.inferParts(x, e, i, len(s.Rhs), symbols)
		}
		return 0
	})
	for i, sym := range symbols {
		if sym != facts.None {
			w.scope.declare(s.Lhs[i].(*ast.Ident).Name, bound(sym))
		}
	}
}

func (w *walker) newLocal(id *ast.Ident) int32 {
	return w.add(w.declared(id, code.KindVar, id.Pos(), id.End()))
}

func (w *walker) ifStmt(s *ast.IfStmt) {
	mark := w.scope.mark()
	for {
		w.branch()
		if s.Init != nil {
			w.stmt(s.Init, w.scope.mark())
		}
		if s.Cond != nil {
			w.visit(s.Cond, facts.RoleRead, false)
		}
		w.block(s.Body)
		next, ok := s.Else.(*ast.IfStmt)
		if !ok {
			break
		}
		s = next
	}
	if s.Else != nil {
		w.stmt(s.Else, w.scope.mark())
	}
	w.scope.leave(mark)
}

func (w *walker) forStmt(s *ast.ForStmt) {
	w.branch()
	mark := w.scope.mark()
	if s.Init != nil {
		w.stmt(s.Init, mark)
	}
	if s.Cond != nil {
		w.visit(s.Cond, facts.RoleRead, false)
	}
	if s.Post != nil {
		w.stmt(s.Post, mark)
	}
	w.block(s.Body)
	w.scope.leave(mark)
}

func (w *walker) rangeStmt(s *ast.RangeStmt) {
	w.branch()
	mark := w.scope.mark()
	symbols := [2]int32{facts.None, facts.None}
	targets := [2]ast.Expr{s.Key, s.Value}
	for i, x := range targets {
		if x == nil {
			continue
		}
		id, ok := x.(*ast.Ident)
		if s.Tok != token.DEFINE || !ok {
			w.visit(x, facts.RoleWrite, false)
		} else if id.Name != "_" && w.stands(id) {
			symbols[i] = w.newLocal(id)
		}
	}
	x := w.holding(max(symbols[0], symbols[1]), func() int32 { return w.visit(s.X, facts.RoleRead, true) })
	for i, sym := range symbols {
		if sym != facts.None {
			w.infer(sym, w.elem(x, int32(1-i)))
			w.scope.declare(targets[i].(*ast.Ident).Name, bound(sym))
		}
	}
	w.block(s.Body)
	w.scope.leave(mark)
}

func (w *walker) switchStmt(s *ast.SwitchStmt) {
	mark := w.scope.mark()
	if s.Init != nil {
		w.stmt(s.Init, mark)
	}
	if s.Tag != nil {
		w.visit(s.Tag, facts.RoleRead, false)
	}
	for _, c := range clauses(s.Body) {
		w.clause(c)
		w.exprs(c.List)
		inner := w.scope.mark()
		w.stmts(c.Body, inner)
		w.scope.leave(inner)
	}
	w.scope.leave(mark)
}

func clauses(b *ast.BlockStmt) []*ast.CaseClause {
	var all []*ast.CaseClause
	for _, s := range b.List {
		if c, ok := s.(*ast.CaseClause); ok {
			all = append(all, c)
		}
	}
	return all
}

func (w *walker) clause(c *ast.CaseClause) {
	if c.List != nil {
		w.branch()
	}
}

// typeSwitch walks a type switch. In a clause with one type its variable has that
// type, in others the type of the operand.
func (w *walker) typeSwitch(s *ast.TypeSwitchStmt) {
	mark := w.scope.mark()
	if s.Init != nil {
		w.stmt(s.Init, mark)
	}
	name, symbol := w.switched(s.Assign)
	for _, c := range clauses(s.Body) {
		w.clause(c)
		m := bound(symbol)
		for _, t := range c.List {
			typ := w.typ(t)
			if len(c.List) == 1 && typ != facts.None {
				m.as = w.value(typ)
			}
		}
		inner := w.scope.mark()
		if symbol != facts.None {
			w.scope.declare(name, m)
		}
		body := w.scope.mark()
		w.stmts(c.Body, body)
		w.scope.leave(inner)
	}
	w.scope.leave(mark)
}

// switched walks the operand of a type switch and declares its variable.
func (w *walker) switched(s ast.Stmt) (name string, symbol int32) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		if s != nil {
			w.stmt(s, w.scope.mark())
		}
		return "", facts.None
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	symbol = facts.None
	if ok && id.Name != "_" && w.stands(id) {
		name, symbol = id.Name, w.newLocal(id)
	}
	x := a.Rhs[0]
	if t, ok := x.(*ast.TypeAssertExpr); ok {
		x = t.X
	}
	e := w.visit(x, facts.RoleRead, symbol != facts.None)
	if symbol != facts.None {
		w.infer(symbol, e)
	}
	return name, symbol
}

func (w *walker) selectStmt(s *ast.SelectStmt) {
	for _, c := range s.Body.List {
		c, ok := c.(*ast.CommClause)
		if !ok {
			continue
		}
		mark := w.scope.mark()
		if c.Comm != nil {
			w.branch()
			w.stmt(c.Comm, mark)
		}
		w.stmts(c.Body, mark)
		w.scope.leave(mark)
	}
}
