package infer

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// expr is an expression of a file, read in an environment.
type expr struct {
	file *file
	at   int32 // None for no expression
	env  *env  // nil where no type parameter stands for anything
}

// env says what the type parameters of a type or function stand for.
type env struct {
	of   corpus.Ref
	args expr // an OpTuple
}

func (x expr) node() facts.Expr { return x.file.Facts.Expr(int(x.at)) }

// to returns another expression of the same file and environment.
func (x expr) to(at int32) expr {
	x.at = at
	return x
}

// tuple lists the expressions of an OpTuple; nil of another expression.
func (x expr) tuple() []int32 {
	var all []int32
	for x.at != facts.None {
		n := x.node()
		if n.Op != facts.OpTuple {
			break
		}
		all = append(all, n.X)
		x.at = n.Y
	}
	return all
}

// last returns the last expression of a tuple.
func (x expr) last() expr {
	for {
		n := x.node()
		if n.Op != facts.OpTuple {
			return x
		}
		if n.Y == facts.None {
			return x.to(n.X)
		}
		x.at = n.Y
	}
}

// isNull reports whether an expression is null or nothing.
func (x expr) isNull() bool {
	n := x.node()
	return n.Op == facts.OpLiteral && n.X == facts.LiteralNull
}

// count counts the expressions of a tuple; another expression counts as one.
func (x expr) count() int {
	n := 0
	for ; x.at != facts.None; n++ {
		node := x.node()
		if node.Op != facts.OpTuple {
			return n + 1
		}
		x.at = node.Y
	}
	return n
}
