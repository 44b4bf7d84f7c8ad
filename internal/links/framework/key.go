package framework

import (
	"espy/internal/facts"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// key is a key as it is read at a site.
type key struct {
	text       string
	confidence facts.Confidence
}

// keys are the keys of a site.
func (f *finder) keys(s *site) (all []key) {
	arg, ok := written.At(s.list, s.rule.key)
	if s.rule.kind == Inject {
		return f.injected(s, arg)
	}
	var values []string
	confidence := facts.Certain
	switch {
	case s.rule.kind == Route && s.rule.shape == called && f.prefixes.chained(s) != nil:
		values = []string{""}
	case ok:
		var filled bool
		if values, filled = f.texts(s.file, arg); filled {
			confidence = facts.Likely
		}
	case s.rule.kind == Route && (s.rule.shape == marking || s.rule.shape == blocked && f.prefixes.of(s)[0] != ""):
		values = []string{""}
	}
	for _, v := range values {
		if s.rule.kind == Setting {
			v = written.Placeholder(v)
		}
		switch {
		case s.rule.kind == Route:
			all = append(all, f.routes(s, v, confidence)...)
		case v != "":
			all = append(all, key{v, confidence})
		}
	}
	return all
}

// maxConstants bounds the constants that a text is followed through.
const maxConstants = 4

// texts are the texts that an argument is: a literal, a list of them, a constant, or
// such parts with + between. filled says that a part is filled in when the program
// runs; an argument that is so as a whole is none.
func (f *finder) texts(id corpus.FileID, a written.Argument) (all []string, filled bool) {
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
func (f *finder) text(id corpus.FileID, a written.Argument, steps int) (whole string, filled, ok bool) {
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
func (f *finder) constant(id corpus.FileID, a written.Argument, steps int) (v string, filled, ok bool) {
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
