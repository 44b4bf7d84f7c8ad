package site

import (
	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// maxConstants bounds the constants that a text is followed through.
const maxConstants = 4

// Texts are the texts that an argument is: a literal, a list of them, a constant, or
// such parts with + between. filled says that a part is filled in when the program
// runs; an argument that is so as a whole is none.
func (f *Finder) Texts(id corpus.FileID, a written.Argument) (all []string, filled bool) {
	if v, filled, ok := written.Literal(a.Text); ok {
		return []string{v}, filled
	}
	if list := written.Literals(a.Text); len(list) > 0 {
		return list, false
	}
	v, filled, ok := f.text(id, a, maxConstants)
	if !ok {
		return nil, false
	}
	return []string{v}, filled
}

// text is what the parts of an argument make; ok is false where none of them is
// known.
func (f *Finder) text(id corpus.FileID, a written.Argument, steps int) (whole string, filled, ok bool) {
	for _, part := range written.Sum(a) {
		if v, open, isLiteral := written.Literal(part.Text); isLiteral {
			whole, filled, ok = whole+v, filled || open, true
		} else if v, open, isConstant := f.constant(id, part, steps); isConstant {
			whole, filled, ok = whole+v, filled || open, true
		} else {
			whole, filled = whole+"{}", true
		}
	}
	return whole, filled, ok
}

// constant is the text of a constant that an argument names.
func (f *Finder) constant(id corpus.FileID, a written.Argument, steps int) (v string, filled, ok bool) {
	if steps == 0 || !written.IsChain(a.Text) {
		return "", false, false
	}
	u := f.File(id).UseAt(uint32(a.To - len(written.LastOf(a.Text))))
	if u == facts.None {
		return "", false, false
	}
	all, _ := f.Tell(id, u)
	if len(all) != 1 {
		return "", false, false
	}
	d := f.Symbol(all[0].Ref)
	if d.Kind.IsFunc() || d.Kind.IsType() {
		return "", false, false
	}
	text, err := f.Text(all[0].File)
	if err != nil {
		return "", false, false
	}
	value, ok := written.Value(text, int(d.At)+len(d.Name))
	if !ok {
		return "", false, false
	}
	return f.text(all[0].File, value, steps-1)
}

// UsesIn are the uses in an argument.
func (f *Finder) UsesIn(id corpus.FileID, a written.Argument) (uses []int) {
	file := f.File(id)
	for i := file.UsesFrom(uint32(a.From)); i < file.NumUses() && int(f.Use(id, i).At) < a.To; i++ {
		if f.Use(id, i).Name != "as_view" { // of Django: the view is the type
			uses = append(uses, i)
		}
	}
	return uses
}
