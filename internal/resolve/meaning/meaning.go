package meaning

import (
	"cmp"
	"slices"
	"strconv"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/generic"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/narrow"
)

// Meaning says what a use means.
func (e *Evaluator) Meaning(use corpus.Ref, b infer.Budget) infer.Answer {
	return e.meaning(e.File(use.File), use.Index, b)
}

func (e *Evaluator) meaning(f *infer.File, i int32, b infer.Budget) infer.Answer {
	return f.Meanings.Recall(i, b, func() infer.Answer { return e.findMeaning(f, i, b) })
}

func (e *Evaluator) findMeaning(f *infer.File, i int32, b infer.Budget) infer.Answer {
	u := f.Meant(i)
	a := e.decide(f, u, b)
	if tagged, ok := narrow.Tagged(e, f, u, &a, b); ok {
		return tagged
	}
	if f.Language != nil && f.Language.InSight != nil && u.Bind != facts.BindFree {
		a.Refs = f.Language.InSight(f.ID, a.Refs)
	}
	if f.Language != nil && f.Language.NamedAsType && u.Bind != facts.BindMember && a.State == infer.Found {
		a = e.alike(f, i, a, b)
	}
	if f.Language != nil && f.Language.Texts != nil {
		a.Refs = e.shapes.OfSpecialized(corpus.Ref{File: f.ID, Index: i}, a.Refs)
		e.shapes.OfLibrary(corpus.Ref{File: f.ID, Index: i}, &a)
	}
	switch {
	case f.Language != nil && f.Language.Texts != nil && u.Role == facts.RoleCall && a.State == infer.Found:
		e.shapes.Choose(corpus.Ref{File: f.ID, Index: i}, &a, b)
	case f.Language == nil || f.Language.Conversions == nil:
	case u.Role == facts.RoleCall && a.State == infer.Found:
		e.chooseCalled(corpus.Ref{File: f.ID, Index: i}, &a, b)
	case u.Role == facts.RoleRead && len(a.Refs) > maxLikely && f.Language.Nearness != nil: // properties of as many types
		a.Confidence = facts.Possible
	case u.Role == facts.RoleRead && u.Bind != facts.BindMember && infer.IsUpper(u.Name):
		a = e.label(f, i, a, b)
	}
	return a
}

// alike is the type of a member that bears its name, where what stands behind the
// use is static: Color.Red in a class with a field of that type and name.
func (e *Evaluator) alike(f *infer.File, i int32, a infer.Answer, b infer.Budget) infer.Answer {
	if len(a.Refs) != 1 || e.read.Symbol(a.Refs[0]).Kind != code.KindField || int(i)+1 >= f.Facts.NumUses() {
		return a
	}
	behind := f.Use(i + 1)
	if behind.Bind != facts.BindMember || behind.Target == facts.None {
		return a
	}
	if x := f.Facts.Expr(int(behind.Target)); x.Op != facts.OpUse || x.X != i {
		return a
	}
	for _, t := range e.thingsOf(a.Refs[0], nil, b.Deeper()) {
		if t.Kind != infer.AValue || e.read.Symbol(t.Ref).Name != f.Use(i).Name {
			continue
		}
		t.Kind = infer.AType
		found, state := e.Member(t, behind.Name, b.Deeper())
		if s := found; state == infer.Found && s[0].Module == nil && (e.read.Symbol(s[0].Ref).Flags&facts.Static != 0 || e.read.Symbol(s[0].Ref).Kind.IsType()) {
			return infer.Answer{Refs: e.Together(t.Ref), State: infer.Found, Reason: "the type of the member of that name"}
		}
	}
	return a
}

// label says what the label of a switch means: a constant of the type of its value.
func (e *Evaluator) label(f *infer.File, i int32, otherwise infer.Answer, b infer.Budget) infer.Answer {
	for _, x := range f.Given(i) {
		for _, t := range e.Eval(f.Expr(x, nil), b) {
			if found, state := e.MemberFor(t, f.Use(i), b); state == infer.Found {
				a := infer.Answer{State: infer.Found, Reason: e.memberReason(t)}
				a.Add(found)
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
func (e *Evaluator) chooseCalled(use corpus.Ref, a *infer.Answer, b infer.Budget) {
	funcs, l := e.areFuncs(a.Refs), e.Language(use.File)
	if len(a.Refs) < 2 || !funcs && (l == nil || l.Narrow == nil) {
		return
	}
	if a.Refs = e.Called(use, a.Refs, b); len(a.Refs) > 1 && funcs {
		a.Confidence = max(a.Confidence, facts.Likely)
		if len(a.Refs) > maxLikely {
			a.Confidence = facts.Possible
		}
		a.Reason = "one of " + strconv.Itoa(len(a.Refs)) + " functions that take as many arguments"
	}
}

func (e *Evaluator) decide(f *infer.File, u *facts.Use, b infer.Budget) infer.Answer {
	switch u.Bind {
	case facts.BindSymbol:
		if a := e.nearer(f, u, b); a.State == infer.Found {
			return a
		}
		refs := e.fitting(e.overloads(corpus.Ref{File: f.ID, Index: u.Target}), u)
		if f.Language != nil && f.Language.TypesApart && u.Role == facts.RoleImport { // passed on, a type and a value alike
			for _, r := range f.TopNamed(u.Name) {
				if !slices.Contains(refs, r) {
					refs = append(slices.Clip(refs), r)
				}
			}
		}
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this file"}
	case facts.BindImport:
		if a := e.nearer(f, u, b); a.State == infer.Found {
			return a
		}
		a := e.imported(f, u.Target, b)
		if f.Language != nil && f.Language.Texts != nil {
			a.Refs = e.fitting(a.Refs, u)
			return a
		}
		a.Refs = e.suited(e.inSpace(a.Refs, u.Role), u)
		return a
	case facts.BindFree:
		return e.free(f, u, b)
	}
	if f.IsTop(u) {
		return e.free(f, u, b)
	}
	return e.memberMeaning(f, u, b)
}

// nearer looks a bare name up in what the types around it inherit, where one of
// them may know it before the scope that its file shows.
func (e *Evaluator) nearer(f *infer.File, u *facts.Use, b infer.Budget) infer.Answer {
	if f.Language != nil && f.Language.Nearer != nil {
		return f.Language.Nearer(f.File, u, b.Restart())
	}
	if f.Language == nil || !f.Language.InheritsOverloads || u.Role == facts.RoleImport {
		return infer.Answer{}
	}
	holder := int32(facts.None) // of the symbol in this file
	if u.Bind == facts.BindSymbol {
		target := f.Symbol(u.Target)
		if holder = target.Parent; target.Flags&facts.Local != 0 {
			return infer.Answer{}
		}
	}
	inside := false // a type that inherits stands between the two
	for i := u.In; i != facts.None && i != holder; i = f.Symbol(i).Parent {
		inside = inside || f.Symbol(i).Kind.IsType() && len(f.BaseUses(i)) > 0
	}
	if !inside && (u.Role != facts.RoleCall || holder == facts.None || len(f.BaseUses(holder)) == 0) {
		return infer.Answer{}
	}
	a := e.free(f, u, b)
	if len(a.Modules) > 0 || len(a.Refs) == 0 || !corpus.IsMember(e.read.Symbol(a.Refs[0])) {
		return infer.Answer{}
	}
	return a
}

func (e *Evaluator) free(f *infer.File, u *facts.Use, b infer.Budget) infer.Answer {
	if f.Language == nil {
		return infer.Answer{}
	}
	a := f.Language.Free(f.File, u, b.Restart())
	a.Refs = e.fitting(a.Refs, u)
	return a
}

// Imported says what an import of a file brings.
func (e *Evaluator) Imported(imported corpus.Ref, b infer.Budget) infer.Answer {
	return e.imported(e.File(imported.File), imported.Index, b)
}

func (e *Evaluator) imported(f *infer.File, i int32, b infer.Budget) infer.Answer {
	return f.Imported.Recall(i, b, func() infer.Answer {
		if f.Language == nil {
			return infer.Answer{}
		}
		row := f.Facts.Import(int(i))
		return f.Language.Import(f.File, &row, b.Restart())
	})
}

// memberMeaning says what a member of a value, type or module is.
func (e *Evaluator) memberMeaning(f *infer.File, u *facts.Use, b infer.Budget) infer.Answer {
	receivers := narrow.Left(e, generic.Components(e, f, u, generic.Receivers(f, u, generic.Nested(e, f.Expr(u.Target, nil), u, b.Deeper())), b), u.Name, b)
	a := infer.Answer{}
	absent, agreed := false, true
	for n, t := range receivers {
		found, state := e.memberOf(f, t, u, b.Deeper())
		agreed = agreed && (n == 0 || a.IsOf(found) || t.Beside && (len(found) == 0 || len(a.Refs) == 0))
		a.Add(found)
		if t.Bound && state == infer.Found && f.IsGivenKey(u) {
			a.Confidence, a.Reason = facts.Possible, "key of a literal that a type parameter is inferred from"
		}
		switch {
		case state == infer.Found:
			a.State, a.Reason = infer.Found, cmp.Or(a.Reason, e.memberReason(t)+infer.Doubts(found))
		case state == infer.Absent, state == infer.Outside && f.IsNotOfCore(u) && f.Language.Core[e.outsideAbove(t, 0, b)]:
			absent = absent || !t.Supposed && !t.Open && !f.IsContextual(u)
			if r, ok := t.Symbol(); ok {
				a.Lacks = append(a.Lacks, r)
			}
		case t.Kind == infer.AMap && f.Language.KeysAreMembers: // any key
		case len(receivers) > 1 && f.IsNarrowed(t, u): // it is one of the others
		case t.Generic && (t.Kind == infer.Elsewhere && !f.IsImported(u.Target) || f.Language.Reopens && !f.Language.Builtins[u.Name]), state == infer.Unknown && f.Language.TypesApart:
			a.Generic = true
		case a.State == infer.Unknown && state == infer.Outside:
			a.State, a.Via = infer.Outside, cmp.Or(t.Name, e.outsideAbove(t, 0, b))
		}
	}
	a.Refs = e.typed(e.fitting(a.Refs, u), b)
	switch {
	case a.State == infer.Found && a.Confidence == facts.Possible:
	case a.State == infer.Found && !agreed:
		a.Confidence = facts.Likely
	case a.State == infer.Outside && a.Generic:
		a.State = infer.Unknown
	case a.State == infer.Unknown && absent && !a.Generic:
		a.State, a.Lacking = infer.Absent, f.Language != nil && f.Language.Mixins && !(f.Language.Reopens && infer.IsUpper(u.Name))
	}
	if a.State != infer.Found && e.isKeyed(f, u, receivers, b) {
		return f.Language.Free(f.File, u, b.Restart())
	}
	if a.State != infer.Found && f.IsImplicit(u) {
		free := e.free(f, u, b)
		if free.State == infer.Found || a.State == infer.Unknown && f.IsOfBlocks(u) {
			return free
		}
		if a.State == infer.Outside && f.MayBeElse(u) {
			a.State = infer.Unknown
		}
	}
	return a
}

// maxAbove bounds the levels of bases that are searched for one from elsewhere.
const maxAbove = 6

// outsideAbove names a base from elsewhere that a type of the repository
// inherits from, in languages where a member and what it overrides are one.
func (e *Evaluator) outsideAbove(t infer.Thing, level int, b infer.Budget) string {
	if t.Kind != infer.AType && t.Kind != infer.AValue || level > maxAbove {
		return ""
	}
	if l := e.File(t.Ref.File).Language; l == nil || !l.Hierarchy {
		return ""
	}
	bases, _ := e.Above(t, b.Restart())
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

// memberOf finds the member of a thing that a use names. A name that is set in
// a call of a type is a parameter of its constructor, if that has it.
func (e *Evaluator) memberOf(f *infer.File, t infer.Thing, u *facts.Use, b infer.Budget) ([]infer.Member, infer.State) {
	untaken := false
	named := t.Kind == infer.AType && u.Role == facts.RoleWrite && u.Args == facts.None && f.Language != nil && f.Language.NamedArguments
	if named {
		all, _ := e.makers(f.Language, t, b)
		for _, made := range all {
			untaken = f.CallsAccessors()
			if found, state := e.parameter(made.Ref, u.Name); state == infer.Found {
				return found, state
			}
		}
	}
	if named && f.Language.Constructor == "" {
		if found, state := e.parameter(t.Ref, u.Name); state == infer.Found {
			return found, state
		}
	}
	if types := e.typeItself(t, b); len(types) == 1 {
		return e.memberOf(f, types[0], u, b.Deeper())
	}
	found, state := e.MemberFor(t, u, b)
	if untaken {
		found = infer.Untaken(found)
	}
	if found, state = f.OrAdded(t, u.Name, found, state, b); state != infer.Found && t.Kind == infer.AType && f.IsMaker(u) {
		return e.makers(f.Language, t, b)
	}
	return found, state
}

// makers are the constructors of a type; where it has none its language makes the value.
func (e *Evaluator) makers(l *infer.Language, t infer.Thing, b infer.Budget) ([]infer.Member, infer.State) {
	if l.NamedConstructors {
		return e.constructors(t, b)
	}
	made, state := e.Member(t, l.Constructor, b)
	if state != infer.Found {
		return nil, infer.Outside
	}
	return made[:1], state
}

// maxUnder bounds the named types of which each is declared as the next.
const maxUnder = 8

// isKeyed reports whether what looks like a field of a literal is the key of a
// map or of a list with a named type.
func (e *Evaluator) isKeyed(f *infer.File, u *facts.Use, receivers []infer.Thing, b infer.Budget) bool {
	if u.Role != facts.RoleWrite || f.Language == nil || !f.Language.LiteralKeys || len(receivers) != 1 {
		return false
	}
	t := receivers[0]
	for range maxUnder {
		if t.Kind == infer.AList || t.Kind == infer.AMap {
			return true
		}
		if t.Kind != infer.AValue {
			return false
		}
		under := e.Underlying(t, b)
		if len(under) != 1 {
			return false
		}
		t = under[0]
	}
	return false
}

func (e *Evaluator) memberReason(t infer.Thing) string {
	switch t.Kind {
	case infer.AModule:
		return "named by its module"
	case infer.AType, infer.AValue:
		if t.Unnamed {
			return "member of an unnamed type"
		}
		name := e.read.Symbol(t.Ref).Name
		if t.Guess {
			return "receiver is inferred to be " + name
		}
		return "receiver is " + name
	case infer.AList:
		if l := t.Expr.File.Language; l != nil && l.Decays {
			return "receiver is an array"
		}
	case infer.AFunc:
		return "argument of " + e.read.Symbol(t.Ref).Name
	case infer.Elsewhere:
		if l := t.Expr.File; l != nil && l.Language != nil && l.Language.Metatypes[t.Name] {
			return "receiver is a type that a value stands for"
		}
	}
	return "declared for a type from elsewhere"
}
