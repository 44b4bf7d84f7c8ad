package meaning

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/overload"
)

// Together returns a symbol and the other declarations of the same thing: for
// other systems, overloads of one function, merged types. Do not change them.
func (e *Evaluator) Together(r corpus.Ref) []corpus.Ref {
	if all, ok := e.groups[r]; ok {
		return all
	}
	f := e.File(r.File)
	switch local := f.Facts.Flags(int(r.Index))&facts.Local != 0; {
	case local && f.Language != nil && f.Language.Signatures && f.Facts.Kind(int(r.Index)) == code.KindFunc:
		return e.announced(f, r, f.Symbol(r.Index))
	case local, f.Language == nil:
		return []corpus.Ref{r}
	}
	var named []corpus.Ref
	if f.Language.Alike != nil {
		named = f.Language.Alike(r)
	} else {
		named = e.read.Of(r.File).Named(f.Symbol(r.Index).Name)
	}
	all := []corpus.Ref{}
	for _, o := range named {
		if o == r || f.Language.Same(r, o) {
			all = append(all, o)
		}
	}
	if len(all) > 0 && slices.Equal(all, e.groups[all[0]]) {
		all = e.groups[all[0]] // once for all declarations of the thing
	}
	e.groups[r] = all
	return all
}

// areParts reports whether symbols are all the parts of one type, of which the first stands
// for all. A large program opens its modules in a thousand files.
func (e *Evaluator) areParts(refs []corpus.Ref) bool {
	if len(refs) < 2 {
		return false
	}
	if l := e.Language(refs[0].File); l == nil || !l.Reopens || !e.read.Symbol(refs[0]).Kind.IsType() {
		return false
	}
	all, last := e.Together(refs[0]), len(refs)-1
	return len(all) == len(refs) && all[0] == refs[0] && all[last] == refs[last]
}

// announced are the signatures of a function within another, and the function.
func (e *Evaluator) announced(f *infer.File, r corpus.Ref, s *facts.Symbol) []corpus.Ref {
	var run []corpus.Ref // signatures, and the function that ends them
	for i := range f.Facts.SymbolsNamed(s.Name) {
		o := f.Symbol(int32(i))
		if o.Parent != s.Parent || o.Kind != code.KindFunc {
			continue
		}
		run = append(run, corpus.Ref{File: r.File, Index: int32(i)})
		if o.Flags&facts.Abstract != 0 {
			continue
		}
		if slices.Contains(run, r) {
			break
		}
		run = nil
	}
	if !slices.Contains(run, r) {
		run = []corpus.Ref{r}
	}
	for _, o := range run {
		e.groups[o] = run
	}
	return run
}

// overloads returns Together of a symbol and of the functions beside it with other arguments.
func (e *Evaluator) overloads(r corpus.Ref) []corpus.Ref {
	all := e.Together(r)
	f := e.File(r.File)
	s := f.Symbol(r.Index)
	if f.Language == nil || !f.Language.Overloads || !s.Kind.IsFunc() || s.Flags&facts.Local != 0 {
		return all
	}
	for i := range f.Facts.SymbolsNamed(s.Name) {
		o := corpus.Ref{File: r.File, Index: int32(i)}
		if x := f.Symbol(o.Index); x.Kind.IsFunc() && x.Parent == s.Parent && x.Owner == s.Owner && !slices.Contains(all, o) {
			all = append(slices.Clone(all), e.Together(o)...)
		}
	}
	return all
}

// fitting leaves out what a use cannot mean by its place, and the functions that
// do not take as many arguments as a call gives, unless none does.
func (e *Evaluator) fitting(refs []corpus.Ref, u *facts.Use) []corpus.Ref {
	if refs = e.suited(e.inSpace(refs, u.Role), u); len(refs) < 2 || u.Role != facts.RoleCall || u.Args == facts.None {
		return refs
	}
	if l := e.File(refs[0].File).Language; l == nil || !l.Overloads {
		return refs
	}
	return orAll(e.Fitting(refs, u), refs)
}

// inSpace leaves out the types where a value must stand, and the values where a
// type must, in languages that allow the same name for both, unless nothing else
// is there.
func (e *Evaluator) inSpace(refs []corpus.Ref, role facts.Role) []corpus.Ref {
	if len(refs) < 2 || role > facts.RoleType {
		return refs
	}
	if l := e.File(refs[0].File).Language; l == nil || !l.TypesApart {
		return refs
	}
	called := role == facts.RoleCall && slices.ContainsFunc(refs, func(r corpus.Ref) bool { return e.read.Symbol(r).Kind.IsFunc() })
	var fit []corpus.Ref
	for _, r := range refs {
		if k := e.read.Symbol(r).Kind; role == facts.RoleType && infer.IsType(k) || role != facts.RoleType && infer.IsValue(k) && !(called && k.IsType()) {
			fit = append(fit, r)
		}
	}
	return orAll(fit, refs)
}

// orAll is what fits, or all where nothing does.
func orAll(fit, all []corpus.Ref) []corpus.Ref {
	if len(fit) == 0 {
		return all
	}
	return fit
}

// suited leaves out the symbols that a use cannot mean by where it stands, unless
// it can mean none of them.
func (e *Evaluator) suited(refs []corpus.Ref, u *facts.Use) []corpus.Ref {
	if len(refs) < 2 || e.areParts(refs) {
		return refs
	}
	return orAll(e.Suited(refs, u), refs)
}

// Suited returns the symbols that a use can mean by where it stands.
func (e *Evaluator) Suited(refs []corpus.Ref, u *facts.Use) []corpus.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		l := e.File(r.File).Language
		return l != nil && l.Suits != nil && !l.Suits(e.read.Symbol(r), u)
	})
}

// membersInSpace is inSpace of members.
func (e *Evaluator) membersInSpace(found []infer.Member, role facts.Role) []infer.Member {
	if len(found) < 2 {
		return found
	}
	var refs []corpus.Ref
	for _, m := range found {
		if m.Module == nil {
			refs = append(refs, m.Ref)
		}
	}
	fit := e.inSpace(refs, role)
	if len(fit) == len(refs) {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), func(m infer.Member) bool { return m.Module == nil && !slices.Contains(fit, m.Ref) })
}

// Fitting returns the symbols that a use may call by the number of its arguments.
func (e *Evaluator) Fitting(refs []corpus.Ref, u *facts.Use) []corpus.Ref {
	var fit []corpus.Ref
	for _, r := range refs {
		if infer.Fits(e.read.Symbol(r), u) {
			fit = append(fit, r)
		}
	}
	return fit
}

// Called leaves out the functions that a call does not mean by its arguments, as
// far as the types of these are known. Several are left where they are not.
func (e *Evaluator) Called(use corpus.Ref, refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	f := e.File(use.File)
	refs = e.fitting(refs, f.Use(use.Index))
	if f.Language != nil && f.Language.Narrow != nil && len(refs) > 1 {
		refs = f.Language.Narrow(use, refs)
	}
	if len(refs) < 2 || f.Language == nil || f.Language.Conversions == nil || !e.areFuncs(refs) {
		return refs
	}
	return overload.New(f.Language.Conversions, e, b.Deeper()).Chosen(f, use.Index, refs)
}

// replaces reports whether a function takes the place of another one of its name:
// both take the same types, as far as these are known.
func (e *Evaluator) replaces(x, y corpus.Ref, b infer.Budget) bool {
	l := e.File(x.File).Language
	if l != nil && l.Replaces != nil {
		return l.Replaces(x, y)
	}
	if l == nil || l.Conversions == nil || !e.areFuncs([]corpus.Ref{x, y}) {
		return true
	}
	return overload.New(l.Conversions, e, b.Deeper()).TakeSame(x, y)
}

func (e *Evaluator) areFuncs(refs []corpus.Ref) bool {
	return !slices.ContainsFunc(refs, func(r corpus.Ref) bool { return !e.read.Symbol(r).Kind.IsFunc() })
}
