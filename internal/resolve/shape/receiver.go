package shape

import (
	"bytes"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// isConstant reports whether the receiver of a call of one of some methods is a value
// that does not change.
func (v *Choice) isConstant(use corpus.Ref, refs []corpus.Ref, b infer.Budget) (constant, known bool) {
	f := v.e.File(use.File)
	u := f.Use(use.Index)
	if u.Bind != facts.BindMember {
		return inConstant(f, u.In)
	}
	x := f.Expr(u.Target, nil)
	if x.At == facts.None {
		return false, false
	}
	switch n := x.Node(); n.Op {
	case facts.OpThis:
		return inConstant(f, u.In)
	case facts.OpCall:
		return v.isGivenConstant(x, u, refs, b)
	case facts.OpUse:
		return v.isNamedConstant(x.To(n.X), refs, b)
	}
	return false, false
}

// isNamedConstant is isConstant of a receiver that is a variable or a field.
func (v *Choice) isNamedConstant(x infer.Expr, refs []corpus.Ref, b infer.Budget) (constant, known bool) {
	f := x.File
	of := f.Use(x.At)
	if of.Bind == facts.BindMember && of.Target != facts.None && f.Expr(of.Target, nil).Node().Op != facts.OpThis {
		return false, false // of another object
	}
	r := corpus.Ref{File: f.ID, Index: of.Target}
	if of.Bind != facts.BindSymbol {
		field, ok := v.oneMeant(x, b)
		if !ok || v.read.Symbol(field).Kind != code.KindField {
			return false, false
		}
		r = field
	}
	s := v.read.Symbol(r)
	switch {
	case s.Kind == code.KindField && s.Flags&(facts.Inferred|facts.Constant|facts.Static) == 0:
		return v.isFieldConstant(f, of, r, refs, b)
	case s.Flags&facts.Inferred != 0 || s.Flags&facts.Local == 0:
		constant := s.Flags&facts.Constant != 0
		return constant, constant
	}
	to := v.shapeOfSymbol(r, 0, b)
	return s.Flags&facts.Constant != 0, to.kind == declared && (!to.generic || v.areOf(refs, to.ref))
}

// isFieldConstant is isConstant of a field of the object that a method is called on,
// which is what that object is. What a field leads to may change.
func (v *Choice) isFieldConstant(f *infer.File, of *facts.Use, r corpus.Ref, refs []corpus.Ref, b infer.Budget) (constant, known bool) {
	to := v.shapeOfSymbol(r, 0, b)
	if !v.isDirect(to, refs) {
		return false, false
	}
	if to.flags&(facts.Pointer|facts.Reference) != 0 {
		return false, true
	}
	constant, known = inConstant(f, of.In)
	return constant && !mutable().Match(v.before(r)), known
}

// isGivenConstant is isConstant of a receiver that a call gives: a cast, or a function of
// which it is written what it gives.
func (v *Choice) isGivenConstant(x infer.Expr, u *facts.Use, refs []corpus.Ref, b infer.Budget) (constant, known bool) {
	callee := x.To(x.Node().X)
	switch n := callee.Node(); n.Op {
	case facts.OpFunc: // which is written before the use
		if !v.isDirect(v.shapeOf(callee.To(n.X), 0, b), refs) {
			return false, false
		}
		return castBefore(v.textBefore(x.File.ID, u.At))
	case facts.OpUse:
		r, ok := v.oneMeant(callee.To(n.X), b)
		if !ok || !v.read.Symbol(r).Kind.IsFunc() {
			return false, false
		}
		to := v.shapeOfSymbol(r, 0, b)
		head := v.before(r)
		if !v.isDirect(to, refs) || bytes.ContainsAny(head, "<>()") {
			return false, false
		}
		return to.flags&(facts.Pointer|facts.Reference) != 0 && constWord().Match(head), true
	}
	return false, false
}

// isDirect reports whether a value of a shape has methods itself: what it may lead to has
// others.
func (v *Choice) isDirect(to shape, refs []corpus.Ref) bool {
	return to.kind == declared && (!to.generic && !to.deep && to.flags&facts.Pointer != 0 || v.areOf(refs, to.ref))
}

// areOf reports whether methods are those of a type itself, and not of what a value of
// it leads to.
func (v *Choice) areOf(refs []corpus.Ref, typ corpus.Ref) bool {
	return !slices.ContainsFunc(refs, func(r corpus.Ref) bool {
		s := v.read.Symbol(r)
		of := corpus.Ref{File: r.File, Index: s.Parent}
		return (s.Parent == facts.None || v.e.Defined(of) != typ) && corpus.LastName(s.Owner) != v.read.Symbol(typ).Name
	})
}

// inConstant reports whether a symbol is or stands in a method of values that do
// not change; known is false where it is no method.
func inConstant(f *infer.File, i int32) (constant, known bool) {
	for ; i != facts.None; i = f.Symbol(i).Parent {
		if s := f.Symbol(i); s.Kind == code.KindMethod {
			return s.Flags&facts.Constant != 0, s.Flags&facts.Static == 0
		}
	}
	return false, false
}

var (
	constWord = pattern.New(`\bconst\b`)
	mutable   = pattern.New(`\bmutable\b`)
	castTo    = pattern.New(`(?:const|static|reinterpret|dynamic)_cast\s*<([\w\s:*&]+)>\s*$`)
)

// before is the text of a declaration in front of its name.
func (v *Choice) before(r corpus.Ref) []byte {
	s := v.read.Symbol(r)
	text, err := v.read.Corpus().TextRange(r.File, int(max(s.Start, s.At-min(s.At, maxDeclared))), int(s.At), nil)
	if err != nil {
		return nil
	}
	return text
}

// textBefore is the text in front of a byte of a file, of bounded length.
func (v *Choice) textBefore(file corpus.FileID, at uint32) []byte {
	text, err := v.read.Corpus().TextRange(file, int(at-min(at, maxDeclared)), int(at), nil)
	if err != nil {
		return nil
	}
	return text
}

// castBefore reports whether the cast that a text ends with, and a dot or arrow, is one
// to what does not change; known is false where it ends with no cast.
func castBefore(text []byte) (constant, known bool) {
	text = bytes.TrimRight(text, " \t\r\n->.")
	if !bytes.HasSuffix(text, []byte(")")) {
		return false, false
	}
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth > 0 {
				continue
			}
			m := castTo().FindSubmatch(text[:i])
			return m != nil && constWord().Match(m[1]), m != nil
		}
	}
	return false, false
}
