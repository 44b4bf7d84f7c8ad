package tree

import (
	"slices"

	"espy/internal/facts"
)

// expr adds an expression.
func (b *builder) expr(op facts.Op, x, y int32) int32 {
	b.exprs = append(b.exprs, facts.Expr{Op: op, X: x, Y: y})
	return int32(len(b.exprs) - 1)
}

// of adds an expression that depends on x, which may be None.
func (b *builder) of(op facts.Op, x, y int32) int32 {
	if x < 0 {
		return facts.None
	}
	return b.expr(op, x, y)
}

// value is a value of a type. An expression for both a type and its value stays as
// it is.
func (b *builder) value(typ int32) int32 {
	if typ >= 0 {
		switch b.exprs[typ].Op {
		case facts.OpLiteral, facts.OpFunc, facts.OpMembers, facts.OpValue, facts.OpThis, facts.OpTuple, facts.OpItself, facts.OpPredicate:
			return typ
		}
	}
	return b.of(facts.OpValue, typ, 0)
}

func (b *builder) literal(kind int32) int32 { return b.expr(facts.OpLiteral, kind, facts.None) }

// given notes what a call gives to the use of a name, which is what expression
// callee ends in.
func (b *builder) given(callee int32, arguments []int32) {
	if callee >= 0 && b.exprs[callee].Op == facts.OpApply {
		callee = b.exprs[callee].X
	}
	if callee >= 0 && b.exprs[callee].Op == facts.OpUse && len(arguments) > 0 {
		b.expr(facts.OpGiven, b.exprs[callee].X, b.tuple(arguments))
	}
}

// behind notes that a block stands behind the arguments of a call, of which it is not known
// how many there are.
func (b *builder) behind(callee int32) {
	at := callee
	if at >= 0 && b.exprs[at].Op == facts.OpApply {
		at = b.exprs[at].X
	}
	if at >= 0 && b.exprs[at].Op == facts.OpUse {
		b.expr(facts.OpBehind, b.exprs[at].X, callee)
	}
}

// literalKind is the built-in type of an expression that is a literal or of such
// a type, else None.
func (b *builder) literalKind(e int32) int32 {
	if e < 0 || b.exprs[e].Op != facts.OpLiteral {
		return facts.None
	}
	return b.exprs[e].X
}

// union adds x or y, either of which may be None.
func (b *builder) union(x, y int32) int32 {
	if x < 0 {
		return y
	}
	if y < 0 {
		return x
	}
	return b.expr(facts.OpUnion, x, y)
}

// tuple adds the expressions together. Unknown ones are None.
func (b *builder) tuple(list []int32) int32 {
	tail := int32(facts.None)
	for _, x := range slices.Backward(list) {
		tail = b.expr(facts.OpTuple, x, tail)
	}
	return tail
}

// bases sets the type of a symbol to its bases, where type arguments say more than
// the names.
func (b *builder) bases(symbol int32, list []int32) {
	if slices.ContainsFunc(list, func(e int32) bool { return e >= 0 && b.exprs[e].Op == facts.OpApply }) {
		b.symbols[symbol].Type = b.tuple(list)
	}
}
