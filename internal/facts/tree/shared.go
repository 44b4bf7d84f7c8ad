package tree

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/facts"
)

// readRole is the role of a name that is only read.
func readRole(w *walk) facts.Role {
	if w.inType {
		return facts.RoleType
	}
	return facts.RoleRead
}

// thisValue reads this.
func thisValue(w *walk, n int32) int32 {
	if w.this.symbol < 0 {
		return facts.None
	}
	if w.this.op == facts.OpValue {
		return w.this.symbol
	}
	return w.expr(w.this.op, w.this.symbol, facts.None)
}

// newOf is the constructor of a type which the keyword new at a place names.
func newOf(w *walk, at uint32, typ int32, role facts.Role, args int) int32 {
	u := w.add("new", at, role, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindMember, typ
	return w.expr(facts.OpUse, u, 0)
}

// superValue reads super: this, seen as its base types.
func superValue(w *walk, n int32) int32 {
	if w.this.symbol < 0 || w.this.op != facts.OpThis {
		return facts.None
	}
	return w.expr(facts.OpSuper, w.this.symbol, 0)
}

// fieldKey is a class and the number of a name.
type fieldKey struct{ class, name int32 }

// literalOf reads a literal of one of the built-in types, such as facts.LiteralString.
func literalOf(kind int32) visitor {
	return func(w *walk, n int32) int32 {
		w.visitAll(n)
		return w.literal(kind)
	}
}

// eitherBut reads an expression whose value is that of any of its parts but those of a
// kind: try with its clauses.
func eitherBut(kind string) visitor {
	return func(w *walk, n int32) int32 {
		either := int32(facts.None)
		for c := range w.kids(n) {
			if v := w.visit(c); !w.is(c, kind) {
				either = w.union(either, v)
			}
		}
		return either
	}
}

// firstOf is the first value of a list that is known.
func firstOf(values []int32) int32 {
	for _, v := range values {
		if v >= 0 {
			return v
		}
	}
	return facts.None
}

// listOf reads a list literal. Its type is that of its first element with one.
func listOf(w *walk, n int32) int32 {
	element := int32(facts.None)
	for c := range w.kids(n) {
		if v := w.visit(c); element < 0 {
			element = v
		}
	}
	return w.expr(facts.OpLiteral, facts.LiteralList, element)
}

// tupleOf reads values side by side.
func tupleOf(w *walk, n int32) int32 {
	var values []int32
	for c := range w.kids(n) {
		values = append(values, w.visit(c))
	}
	return w.tuple(values)
}

// arrayOf is an array of elements of a type.
func arrayOf(w *walk, element int32) int32 {
	return w.expr(facts.OpLiteral, facts.LiteralList, w.value(element))
}

// typeList reads the list of type arguments.
func typeList(w *walk, n int32) int32 {
	var list []int32
	for c := range w.kids(n) {
		list = append(list, w.visitType(c))
	}
	return w.tuple(list)
}

// unionOf reads types of which a value has one.
func unionOf(w *walk, n int32) int32 {
	either := int32(facts.None)
	for c := range w.kids(n) {
		if !w.token(c) {
			either = w.union(either, w.visit(c))
		}
	}
	return either
}

// apply is the generic type base with the type arguments that a node holds, which may be None.
func apply(w *walk, base, arguments int32) int32 {
	if arguments < 0 {
		return base
	}
	list := w.visitType(arguments)
	if base < 0 || list < 0 {
		return base
	}
	return w.expr(facts.OpApply, base, list)
}

// blockScope reads a node whose names are known within it only.
func blockScope(w *walk, n int32) int32 {
	w.open(scopeBlock)
	w.visitAll(n)
	w.close()
	return facts.None
}

// switchLabel reads the label of a switch: a case is a branch.
func switchLabel(w *walk, n int32) int32 {
	if w.has(n, "case") {
		w.branches++
	}
	return w.visitAll(n)
}

// ternary reads condition ? consequence : alternative.
func ternary(w *walk, n int32) int32 {
	w.visit(w.child(n, "condition"))
	yes := w.visit(w.child(n, "consequence"))
	return w.union(yes, w.visit(w.child(n, "alternative")))
}

// binary reads two operands. Most operators give a value of the type of the left one.
func binary(w *walk, n int32) int32 {
	operator := w.child(n, "operator")
	left := w.visit(w.child(n, "left"))
	w.visit(w.child(n, "right"))
	if operator < 0 {
		return w.literal(facts.LiteralBool)
	}
	switch w.kind(operator) {
	case "&&", "||":
		w.branches++
		return w.literal(facts.LiteralBool)
	case "==", "!=", "<=", ">=":
		return w.literal(facts.LiteralBool)
	}
	return left
}

// setType sets the type of a symbol: the one that is written, else that of its value.
func setType(w *walk, symbol, typ, value int32) {
	y := &w.symbols[symbol]
	y.Type = typ
	if typ < 0 && value >= 0 {
		y.Type, y.Flags = value, y.Flags|facts.Inferred
	}
}

// countArguments counts the arguments in a list, which may be None.
func countArguments(w *walk, list int32) int {
	count := 0
	if list >= 0 {
		for range w.kids(list) {
			count++
		}
	}
	return count
}

// withoutBlanks is the text of a qualified name without blanks.
func withoutBlanks(w *walk, n int32) string {
	if n < 0 {
		return ""
	}
	return strings.Join(strings.Fields(w.text(n)), "")
}

// cover returns a copy of the text with the spans overwritten. Line ends stay
// unless the cover is a semicolon.
func cover(text []byte, spans []span, with byte) []byte {
	if len(spans) == 0 {
		return text
	}
	text = bytes.Clone(text)
	for _, s := range spans {
		for i := s.start; i < s.end; i++ {
			if with == ';' || text[i] != '\n' && text[i] != '\r' {
				text[i] = with
			}
		}
	}
	return text
}

// lettersBeyond returns the letters beyond ASCII but those that are a literal alone.
func lettersBeyond(text []byte) (letters []span) {
	for at := 0; at < len(text); at++ {
		if text[at] < utf8.RuneSelf {
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		alone := at > 0 && at+size < len(text) && text[at-1] == '\'' && text[at+size] == '\''
		if unicode.IsLetter(r) && !alone {
			letters = append(letters, span{uint32(at), uint32(at + size)})
		}
		at += size - 1
	}
	return letters
}
