package csharp

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// replaces reports whether a method takes as many type parameters as one above it, and
// the same types, as they are written. What a type parameter of a class stands for may
// be any type.
func (c *csharp) replaces(member, above corpus.Ref) bool {
	x, y := c.read.Symbol(member), c.read.Symbol(above)
	if !x.Kind.IsFunc() || !y.Kind.IsFunc() {
		return true
	}
	a, b := c.taken(member), c.taken(above)
	if len(a.params) != len(b.params) || len(a.own) != len(b.own) {
		return false
	}
	both := comparison{a, b, c.isValue}
	for i := range a.params {
		if !both.alike(a.params[i], b.params[i]) {
			return false
		}
	}
	return true
}

func (c *csharp) taken(method corpus.Ref) taken {
	t := taken{own: map[string]int{}, around: map[string]bool{}}
	f := c.read.File(method.File)
	for i := method.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(method.Index).End; i++ {
		s := f.Symbol(i)
		if s.Parent == method.Index && s.Kind == code.KindTypeParam {
			t.own[s.Name] = len(t.own)
		}
	}
	s := f.Symbol(method.Index)
	if text, err := c.corpus.TextRange(f.ID, int(s.At), int(s.SigEnd), nil); err == nil {
		t.params = parameters(string(text))
	}
	for typ := f.Symbol(method.Index).Parent; typ != facts.None; typ = f.Symbol(typ).Parent {
		for i := typ + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(typ).SigEnd; i++ {
			if s := f.Symbol(i); s.Parent == typ && s.Kind == code.KindTypeParam {
				t.around[s.Name] = true
			}
		}
	}
	return t
}

// isValue reports whether a type of a name is one whose values are never null.
func (c *csharp) isValue(name string) bool {
	if values[name] {
		return true
	}
	for _, r := range c.read.Named(name) {
		if k := c.read.Symbol(r).Kind; c.corpus.Family(r.File) == corpus.CSharp && (k == code.KindStruct || k == code.KindEnum) {
			return true
		}
	}
	return false
}
