package framework

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/route"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/links/framework/written"
	"espy/internal/resolve/corpus"
)

// injected is the name of what is injected: that of a function in an argument, the
// type that a call registers another for, or those that a marked declaration stands
// for.
func (f *finder) injected(s *site.Site, a written.Argument) (all []route.Path) {
	if s.Rule.Target == rules.Typed {
		types := f.typeArguments(s)
		f.stand(types[0], types[len(types)-1])
		return []route.Path{{Text: f.Symbol(types[0]).Name, Confidence: facts.Certain}}
	}
	if s.Rule.Shape == rules.Called {
		if uses := f.UsesIn(s.File, a); len(uses) > 0 {
			return []route.Path{{Text: f.Use(s.File, uses[len(uses)-1]).Name, Confidence: facts.Certain}}
		}
		return nil
	}
	d, ok := f.Marked(s)
	if !ok {
		return nil
	}
	types := []corpus.Ref{d}
	if !f.Symbol(d).Kind.IsType() {
		types = f.typesOf(d)
	}
	for _, t := range types {
		f.stand(t, d)
		all = append(all, route.Path{Text: f.Symbol(t).Name, Confidence: facts.Certain})
		for _, r := range f.Supertypes(t) {
			f.stand(r.Ref, d)
			all = append(all, route.Path{Text: f.Symbol(r.Ref).Name, Confidence: r.Confidence})
		}
	}
	return all
}

// stand notes that a declaration stands for a type.
func (f *finder) stand(typ, d corpus.Ref) {
	if !slices.Contains(f.standing[typ], d) {
		f.standing[typ] = append(f.standing[typ], d)
	}
}

// inject adds what the declaration that a site marks is given.
func (f *finder) inject(s *site.Site) {
	d, ok := f.Marked(s)
	if !ok {
		return
	}
	by := f.Told(s)
	switch s.Rule.Takes {
	case rules.Parameters:
		f.component[d] = true
		if all := f.Making(d); len(all) == 1 {
			f.give(f.Parameters(all[0]), by)
		} else if len(all) == 0 {
			f.give(f.Parameters(d), by) // those in the head of a class
		}
	case rules.FinalFields:
		if f.component[d] {
			f.give(f.fieldsOf(d, s.Name), by)
		}
	case rules.Own:
		if k := f.Symbol(d).Kind; k.IsFunc() {
			f.give(f.Parameters(d), by)
		} else if !k.IsType() {
			f.give([]corpus.Ref{d}, by)
		}
	}
}

// fieldsOf are the fields that the constructor which Lombok writes is given: the
// final ones without a value, or all.
func (f *finder) fieldsOf(d corpus.Ref, mark string) (all []corpus.Ref) {
	file, end := f.File(d.File), f.Symbol(d).End
	text, err := f.Text(d.File)
	if err != nil {
		return nil
	}
	for i := d.Index + 1; int(i) < file.NumSymbols() && file.BareSymbol(int(i)).Start < end; i++ {
		field := f.Symbol(corpus.Ref{File: d.File, Index: i})
		if field.Parent != d.Index || field.Kind != code.KindField && field.Kind != code.KindConst || field.Flags&facts.Static != 0 || int(field.End) > len(text) {
			continue
		}
		_, given := written.Value(text, int(field.At)+len(field.Name))
		if written.HasWord(text[field.Start:field.At], "final") && !given || mark == "AllArgsConstructor" {
			all = append(all, corpus.Ref{File: d.File, Index: i})
		}
	}
	return all
}

// give adds what parameters and fields are given.
func (f *finder) give(all []corpus.Ref, by string) {
	for _, p := range all {
		for _, t := range f.typesOf(p) {
			f.given(p, t, by)
		}
	}
}

// given adds that a parameter or a field is given what stands for a type.
func (f *finder) given(p, typ corpus.Ref, by string) {
	l := edge.Link{
		Kind: edge.Inject, Key: f.Symbol(typ).Name, Role: edge.Reads, By: by, At: corpus.Ref{File: p.File, Index: f.Symbol(p).Parent}, Line: int(f.Symbol(p).Line), To: typ,
		Reason: "nothing is known to stand for it",
	}
	all := f.standing[typ]
	if len(all) > 0 {
		l.Reason = ""
	}
	if len(all) > 1 {
		l.Reason, l.Confidence = "one of several that stand for it", facts.Likely
	}
	for _, to := range all[:min(len(all), site.MaxTargets)] {
		l.To = to
		f.links = append(f.links, l)
	}
	if len(all) == 0 {
		f.links = append(f.links, l)
	}
}

// registered adds the constructors of C# that are given what calls register.
func (f *finder) registered() {
	for _, typ := range f.registeredTypes() {
		for _, u := range f.Reader.Uses(f.Symbol(typ).Name) {
			if f.Late() {
				return
			}
			use := f.Use(u.File, int(u.Index))
			if use.Role != facts.RoleType || f.Corpus.Family(u.File) != corpus.CSharp {
				continue
			}
			if p, ok := f.constructs(u.File, use.At); ok && slices.Contains(f.typesOf(p), typ) {
				f.given(p, typ, rules.DotNet.Name)
			}
		}
	}
}

// registeredTypes are the types of C# that something is registered for.
func (f *finder) registeredTypes() (all []corpus.Ref) {
	for typ := range f.standing {
		if f.Corpus.Family(typ.File) == corpus.CSharp {
			all = append(all, typ)
		}
	}
	slices.SortFunc(all, f.Order)
	return all
}

// constructs is the parameter of a constructor whose type stands at a byte.
func (f *finder) constructs(id corpus.FileID, at uint32) (corpus.Ref, bool) {
	file := f.File(id)
	i := file.SymbolsFrom(at+1) - 1
	if i < 0 || file.Kind(i) != code.KindParam || file.BareSymbol(i).End <= at {
		return corpus.Ref{}, false
	}
	p := corpus.Ref{File: id, Index: int32(i)}
	parent := f.Symbol(p).Parent
	if parent == facts.None {
		return p, false
	}
	owner := corpus.Ref{File: id, Index: parent}
	_, isMade := f.MadeBy(owner)
	class := f.Symbol(owner).Parent
	named := class != facts.None && f.Symbol(corpus.Ref{File: id, Index: class}).Name == f.Symbol(owner).Name
	return p, isMade || named || f.Symbol(owner).Kind.IsType()
}

// typeArguments are the types between < and > behind the name of a site.
func (f *finder) typeArguments(s *site.Site) (all []corpus.Ref) {
	open := s.At + len(s.Name)
	if open >= len(s.Text) || s.Text[open] != '<' {
		return nil
	}
	for _, u := range f.UsesIn(s.File, written.Argument{From: open, To: written.Closing(s.Text, open)}) {
		if t, ok := f.typeOf(s.File, u); ok {
			all = append(all, t)
		}
	}
	return all
}

// holders are types that hold what is injected.
var holders = map[string]bool{
	"List": true, "Set": true, "Collection": true, "Map": true, "Optional": true, "Provider": true, "ObjectProvider": true, "Instance": true, "Lazy": true,
	"IEnumerable": true, "Iterable": true, "Stream": true, "Array": true,
}

// typesOf are the types of the repository that a field, a parameter or what a
// function returns is of; those of what a list or a provider holds.
func (f *finder) typesOf(d corpus.Ref) (all []corpus.Ref) {
	for _, u := range f.usesOfType(d.File, f.Symbol(d).Type, maxTypes) {
		if t, ok := f.typeOf(d.File, u); ok {
			all = append(all, t)
		}
	}
	return all
}

// maxTypes bounds the steps from a type to those that it is made of.
const maxTypes = 12

func (f *finder) usesOfType(id corpus.FileID, expr int32, steps int) []int {
	if expr == facts.None || steps == 0 {
		return nil
	}
	switch x := f.File(id).Expr(int(expr)); x.Op {
	case facts.OpUse:
		return []int{int(x.X)}
	case facts.OpValue:
		return f.usesOfType(id, x.X, steps-1)
	case facts.OpTuple:
		return append(f.usesOfType(id, x.X, steps-1), f.usesOfType(id, x.Y, steps-1)...)
	case facts.OpApply:
		outer := f.usesOfType(id, x.X, steps-1)
		if len(outer) == 1 && holders[f.Use(id, outer[0]).Name] {
			return f.usesOfType(id, x.Y, steps-1)
		}
		return outer
	}
	return nil
}

// typeOf is the type of the repository that a use means.
func (f *finder) typeOf(id corpus.FileID, use int) (corpus.Ref, bool) {
	all, _ := f.Tell(id, use)
	for _, m := range all {
		if f.Symbol(m.Ref).Kind.IsType() {
			return m.Ref, true
		}
	}
	return corpus.Ref{}, false
}
