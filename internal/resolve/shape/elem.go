package shape

import (
	"bytes"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// shapeOfElem is the shape of an element of a variable that is declared as an array, or
// of what one that is declared as a pointer leads to: a[i], *p. Of iterators and
// containers nothing is told.
func (v *Choice) shapeOfElem(x infer.Expr, depth int, b infer.Budget) shape {
	steps := 0
	for ; x.At != facts.None && x.Node().Op == facts.OpElem; x = x.To(x.Node().X) {
		steps++
	}
	if x.At == facts.None || x.Node().Op != facts.OpUse {
		return shape{}
	}
	x = x.To(x.Node().X)
	r, ok := v.oneMeant(x, b)
	if !ok || v.read.Symbol(r).Kind.IsFunc() || v.read.Symbol(r).Flags&facts.Inferred != 0 {
		return shape{}
	}
	of, left := v.shapeOfSymbol(r, depth, b), v.levels(r)-steps
	if of.kind == noShape || of.flags&facts.Pointer == 0 || left < 0 {
		return shape{}
	}
	if of.deep = left > 1; left == 0 {
		of.flags &^= facts.Pointer
	}
	of.flags &^= facts.Reference
	of.moved = false
	return of
}

// levels counts the pointers and arrays that the declarator of a variable is written
// with, -1 where parentheses say in which order.
func (v *Choice) levels(r corpus.Ref) int {
	s := v.read.Symbol(r)
	at := s.At + uint32(len(s.Name))
	after, err := v.read.Corpus().TextRange(r.File, int(at), int(max(at, min(s.End, at+maxDeclared))), nil)
	if after = trim(after); err != nil || bytes.HasPrefix(after, []byte(")")) {
		return -1
	}
	n := bytes.Count(v.declarator(r), []byte("*"))
	for ; bytes.HasPrefix(after, []byte("[")); n++ {
		end := bytes.IndexByte(after, ']')
		if end < 0 {
			return -1
		}
		after = trim(after[end+1:])
	}
	return n
}

// trim is a text without the white space that it begins with.
func trim(text []byte) []byte { return bytes.TrimLeft(text, " \t\r\n") }
