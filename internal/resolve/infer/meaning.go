package infer

import (
	"cmp"
	"slices"
	"strconv"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Meaning says what a use means.
func (e *Evaluator) Meaning(use corpus.Ref, b Budget) Answer {
	return e.meaning(e.file(use.File), use.Index, b)
}

func (e *Evaluator) meaning(f *file, i int32, b Budget) Answer {
	if a, ok := f.uses[i]; ok {
		return a
	}
	f.uses[i] = Answer{} // a use that depends on itself is not known
	u := f.Use(i)
	a := e.decide(f, u, b)
	switch {
	case f.language != nil && f.language.Texts != nil && u.Role == facts.RoleCall && a.State == Found:
		e.chooseShaped(corpus.Ref{File: f.ID, Index: i}, &a, b)
	case f.language == nil || f.language.Conversions == nil:
	case u.Role == facts.RoleCall && a.State == Found:
		e.chooseCalled(corpus.Ref{File: f.ID, Index: i}, &a, b)
	case u.Role == facts.RoleRead && u.Bind != facts.BindMember && isUpper(u.Name):
		a = e.label(f, i, a, b)
	}
	f.uses[i] = a
	return a
}

// label says what the label of a switch means: a constant of the type of its value.
func (e *Evaluator) label(f *file, i int32, otherwise Answer, b Budget) Answer {
	for _, x := range f.given(i) {
		for _, t := range e.eval(expr{file: f, at: x}, b) {
			if found, state := e.MemberFor(t, f.Use(i), b); state == Found {
				a := Answer{State: Found, Reason: e.memberReason(t)}
				a.add(found)
				return a
			}
		}
	}
	return otherwise
}

// maxLikely bounds the functions of which each is likely to be the one called.
const maxLikely = 3

// chooseCalled leaves those of several functions that a call means. Where it
// cannot be told which, each is likely.
func (e *Evaluator) chooseCalled(use corpus.Ref, a *Answer, b Budget) {
	if len(a.Refs) < 2 || !e.areFuncs(a.Refs) {
		return
	}
	if a.Refs = e.Called(use, a.Refs, b); len(a.Refs) > 1 {
		a.Confidence = max(a.Confidence, facts.Likely)
		if len(a.Refs) > maxLikely {
			a.Confidence = facts.Possible
		}
		a.Reason = "one of " + strconv.Itoa(len(a.Refs)) + " functions that take as many arguments"
	}
}

func (e *Evaluator) decide(f *file, u *facts.Use, b Budget) Answer {
	switch u.Bind {
	case facts.BindSymbol:
		if a := e.nearer(f, u, b); a.State == Found {
			return a
		}
		refs := e.fitting(e.overloads(corpus.Ref{File: f.ID, Index: u.Target}), u)
		if f.language != nil && f.language.TypesApart && u.Role == facts.RoleImport { // passed on, a type and a value alike
			for _, r := range f.TopNamed(u.Name) {
				if !slices.Contains(refs, r) {
					refs = append(slices.Clip(refs), r)
				}
			}
		}
		return Answer{Refs: refs, State: Found, Reason: "declared in this file"}
	case facts.BindImport:
		if a := e.nearer(f, u, b); a.State == Found {
			return a
		}
		a := e.imported(f, u.Target, b)
		if f.language != nil && f.language.Texts != nil {
			a.Refs = e.fitting(a.Refs, u)
			return a
		}
		a.Refs = e.suited(e.inSpace(a.Refs, u.Role), u)
		return a
	case facts.BindFree:
		return e.free(f, u, b)
	}
	return e.memberMeaning(f, u, b)
}

// nearer looks a bare name up in what the types around it inherit, where one of
// them may know it before the scope that its file shows.
func (e *Evaluator) nearer(f *file, u *facts.Use, b Budget) Answer {
	if f.language == nil || !f.language.InheritsOverloads || u.Role == facts.RoleImport {
		return Answer{}
	}
	holder := int32(facts.None) // of the symbol in this file
	if u.Bind == facts.BindSymbol {
		target := f.Symbol(u.Target)
		if holder = target.Parent; target.Flags&facts.Local != 0 {
			return Answer{}
		}
	}
	inside := false // a type that inherits stands between the two
	for i := u.In; i != facts.None && i != holder; i = f.Symbol(i).Parent {
		inside = inside || f.Symbol(i).Kind.IsType() && len(f.baseUses(i)) > 0
	}
	if !inside && (u.Role != facts.RoleCall || holder == facts.None || len(f.baseUses(holder)) == 0) {
		return Answer{}
	}
	a := e.free(f, u, b)
	if len(a.Modules) > 0 || len(a.Refs) == 0 || !corpus.IsMember(e.read.Symbol(a.Refs[0])) {
		return Answer{}
	}
	return a
}

func (e *Evaluator) free(f *file, u *facts.Use, b Budget) Answer {
	if f.language == nil {
		return Answer{}
	}
	a := f.language.Free(f.File, u, b.Restart())
	a.Refs = e.fitting(a.Refs, u)
	return a
}

// Imported says what an import of a file brings.
func (e *Evaluator) Imported(imported corpus.Ref, b Budget) Answer {
	return e.imported(e.file(imported.File), imported.Index, b)
}

func (e *Evaluator) imported(f *file, i int32, b Budget) Answer {
	if a, ok := f.imports[i]; ok {
		return a
	}
	f.imports[i] = Answer{} // an import that depends on itself is not known
	a := Answer{}
	if f.language != nil {
		row := f.Facts.Import(int(i))
		a = f.language.Import(f.File, &row, b.Restart())
	}
	f.imports[i] = a
	return a
}

// memberMeaning says what a member of a value, type or module is.
func (e *Evaluator) memberMeaning(f *file, u *facts.Use, b Budget) Answer {
	receivers := e.eval(expr{f, u.Target, nil}, b.Deeper())
	a := Answer{}
	absent := false
	for _, t := range receivers {
		found, state := e.memberOf(f, t, u, b.Deeper())
		a.add(found)
		switch {
		case state == Found:
			a.State, a.Reason = Found, cmp.Or(a.Reason, e.memberReason(t))
		case state == Absent:
			absent = absent || !t.supposed && !f.isContextual(u)
			if r, ok := t.Symbol(); ok {
				a.Lacks = append(a.Lacks, r)
			}
		case t.kind == aMap && f.language.KeysAreMembers: // any key
		case len(receivers) > 1 && f.isNarrowed(t, u): // it is one of the others
		case t.kind == outside && t.generic:
			a.Generic = true
		case a.State == Unknown && state == Outside:
			a.State, a.Via = Outside, cmp.Or(t.name, e.outsideAbove(t, 0, b))
		}
	}
	a.Refs = e.typed(e.fitting(a.Refs, u), b)
	switch {
	case a.State == Found && len(receivers) > 1:
		a.Confidence = facts.Likely
	case a.State == Outside && a.Generic:
		a.State = Unknown
	case a.State == Unknown && absent && !a.Generic:
		a.State, a.Lacking = Absent, f.language != nil && f.language.Mixins
	}
	if a.State != Found && e.isKeyed(f, u, receivers, b) {
		return f.language.Free(f.File, u, b.Restart())
	}
	return a
}

// add adds members of one receiver to an answer.
func (a *Answer) add(found []Member) {
	for _, m := range found {
		if m.Module != nil {
			a.Modules = append(a.Modules, m.Module)
			continue
		}
		if !slices.Contains(a.Refs, m.Ref) {
			a.Refs = append(a.Refs, m.Ref)
		}
		if m.guess {
			a.Confidence = facts.Likely
		}
	}
}

// maxAbove bounds the levels of bases that are searched for one from elsewhere.
const maxAbove = 6

// outsideAbove names a base from elsewhere that a type of the repository
// inherits from, in languages where a member and what it overrides are one.
func (e *Evaluator) outsideAbove(t Thing, level int, b Budget) string {
	if t.kind != aType && t.kind != aValue || level > maxAbove {
		return ""
	}
	if l := e.file(t.ref.File).language; l == nil || !l.Hierarchy {
		return ""
	}
	bases, _ := e.bases(t, b.Restart())
	for _, base := range bases {
		name := base.OutsideName()
		if name == "" {
			name = e.outsideAbove(base, level+1, b)
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// isContextual reports whether a use is of a member of "this" in a function of
// an unnamed object, which may be called on something else.
func (f *file) isContextual(u *facts.Use) bool {
	return u.Target != facts.None && f.Facts.Expr(int(u.Target)).Op == facts.OpMembers
}

// isNarrowed reports whether one of several alternatives is not what a member is
// used of: a text or a number that has no such member.
func (f *file) isNarrowed(t Thing, u *facts.Use) bool {
	return t.kind == aBuiltin && f.language != nil && len(f.language.Builtins) > 0 && !f.language.Builtins[u.Name]
}

// memberOf finds the member of a thing that a use names. A name that is set in
// a call of a type is a parameter of its constructor, if that has it.
func (e *Evaluator) memberOf(f *file, t Thing, u *facts.Use, b Budget) ([]Member, State) {
	if t.kind == aType && u.Role == facts.RoleWrite && f.language != nil && f.language.NamedArguments {
		if made, state := e.Member(t, f.language.Constructor, b); state == Found {
			if found, state := e.parameter(made[0].Ref, u.Name); state == Found {
				return found, state
			}
		}
	}
	if types := e.typeItself(t, b); len(types) == 1 {
		return e.memberOf(f, types[0], u, b.Deeper())
	}
	return e.MemberFor(t, u, b)
}

// isKeyed reports whether what looks like a field of a literal is the key of a
// map or of a list with a named type.
func (e *Evaluator) isKeyed(f *file, u *facts.Use, receivers []Thing, b Budget) bool {
	if u.Role != facts.RoleWrite || f.language == nil || !f.language.LiteralKeys || len(receivers) != 1 {
		return false
	}
	t := receivers[0]
	for range maxThings {
		if t.kind == aList || t.kind == aMap {
			return true
		}
		if t.kind != aValue {
			return false
		}
		under := e.underlying(t, b)
		if len(under) != 1 {
			return false
		}
		t = under[0]
	}
	return false
}

func (e *Evaluator) memberReason(t Thing) string {
	switch t.kind {
	case aModule:
		return "named by its module"
	case aType, aValue:
		if t.unnamed {
			return "member of an unnamed type"
		}
		name := e.read.Symbol(t.ref).Name
		if t.guess {
			return "receiver is inferred to be " + name
		}
		return "receiver is " + name
	case outside:
		return "receiver is a type that a value stands for"
	case aFunc:
		return "argument of " + e.read.Symbol(t.ref).Name
	}
	return ""
}
