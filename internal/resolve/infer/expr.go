package infer

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Expr is an expression of a file, read in an environment.
type Expr struct {
	File *File
	At   int32 // None for no expression
	Env  *Env  // nil where no type parameter stands for anything
}

// Env says what the type parameters of a type or function stand for.
type Env struct {
	Of       corpus.Ref
	Args     Expr         // an OpTuple
	Inferred [][]Thing    // instead of Args: what follows from a call, by type parameter; nil where nothing does
	Params   []corpus.Ref // instead of Of, with Inferred: the type parameters of a function without a name
	Outer    *Env         // of the function around a function, nil where that has none
	Self     *Thing       // instead of Args: what self is in a method that a type below Of inherits
}

// Generic is an environment where it says what type parameters stand for, else nil.
func (in *Env) Generic() *Env {
	if in == nil || in.Self != nil {
		return nil
	}
	return in
}

// Up returns the environment to look in next for a type parameter of another symbol.
func (in *Env) Up() *Env {
	if in.Outer != nil {
		return in.Outer
	}
	return in.Args.Env
}

// Node returns the row of the expression, which must be one.
func (x Expr) Node() facts.Expr { return x.File.Facts.Expr(int(x.At)) }

// To returns another expression of the same file and environment.
func (x Expr) To(at int32) Expr {
	x.At = at
	return x
}

// Tuple lists the expressions of an OpTuple; nil of another expression.
func (x Expr) Tuple() []int32 {
	var all []int32
	for x.At != facts.None {
		n := x.Node()
		if n.Op != facts.OpTuple {
			break
		}
		all = append(all, n.X)
		x.At = n.Y
	}
	return all
}

// Last returns the last expression of a tuple, None of none.
func (x Expr) Last() Expr {
	for {
		if x.At == facts.None {
			return x
		}
		n := x.Node()
		if n.Op != facts.OpTuple {
			return x
		}
		if n.Y == facts.None {
			return x.To(n.X)
		}
		x.At = n.Y
	}
}

// Repeated is the type of an element where the expression is that of a list which is
// written; no expression elsewhere.
func (x Expr) Repeated() Expr {
	if x.At == facts.None {
		return x
	}
	n := x.Node()
	if n.Op == facts.OpValue {
		n = x.To(n.X).Node()
	}
	if n.Op != facts.OpLiteral || n.X != facts.LiteralList {
		return x.To(facts.None)
	}
	return x.To(n.Y)
}

// isNull reports whether an expression is null or nothing.
func (x Expr) isNull() bool {
	n := x.Node()
	return n.Op == facts.OpLiteral && n.X == facts.LiteralNull
}

// Count counts the expressions of a tuple; another expression counts as one.
func (x Expr) Count() int {
	n := 0
	for ; x.At != facts.None; n++ {
		node := x.Node()
		if node.Op != facts.OpTuple {
			return n + 1
		}
		x.At = node.Y
	}
	return n
}
