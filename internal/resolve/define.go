package resolve

import (
	"cmp"
	"slices"

	"espy/internal/facts"
)

// meaning is what a use or an import means.
type meaning struct {
	refs       []Ref
	mods       []*module
	state      state
	confidence facts.Confidence
	reason     string
	generic    bool   // the receiver came out of something generic from elsewhere
	via        string // the type from elsewhere that the receiver is of
}

// Meaning is a symbol that a use may mean.
type Meaning struct {
	Ref
	Confidence facts.Confidence
	Reason     string
}

// Define says which symbols a use may mean, the likeliest first.
func (q *Question) Define(id FileID, use int) []Meaning {
	f := q.file(id)
	q.steps = maxSteps
	m := q.means(f, int32(use), 0)
	var all []Meaning
	if m.state == stateUnknown {
		return q.suppose(f, f.use(int32(use)))
	}
	for _, r := range slices.Concat(q.constructors(f, f.use(int32(use)), m.refs), m.refs) {
		all = append(all, Meaning{r, m.confidence, m.reason})
	}
	if f.language != nil && f.language.family == familyC { // what has a body before prototypes
		slices.SortStableFunc(all, func(a, b Meaning) int {
			return cmp.Compare(q.Symbol(a.Ref).Flags&facts.Abstract, q.Symbol(b.Ref).Flags&facts.Abstract)
		})
	}
	return all
}

// constructors are what a call of types calls, in languages that name
// constructors like their type.
func (q *Question) constructors(f *file, u *facts.Use, types []Ref) []Ref {
	if u.Role != facts.RoleCall || f.language == nil || f.language.family != familyJava {
		return nil
	}
	var all []Ref
	for _, t := range types {
		if q.Symbol(t).Kind.IsType() {
			w := typeWalk{q: q, name: u.Name}
			for _, g := range w.own(thing{kind: aType, ref: t}) {
				all = append(all, g.ref)
			}
		}
	}
	return q.fitting(all, u)
}

// means says what a use means.
func (q *Question) means(f *file, i int32, depth int) meaning {
	u := f.useRow(i)
	if !u.decided {
		u.decided = true // a use that depends on itself is not known
		u.meaning = q.decide(f, &u.Use, depth)
	}
	return u.meaning
}

func (q *Question) decide(f *file, u *facts.Use, depth int) meaning {
	switch u.Bind {
	case facts.BindSymbol:
		refs := q.fitting(q.overloads(Ref{f.id, u.Target}), u)
		return meaning{refs: refs, state: stateFound, reason: "declared in this file"}
	case facts.BindImport:
		return q.imported(f, u.Target)
	case facts.BindFree:
		if f.language == nil {
			return meaning{}
		}
		m := f.language.free(q, f, u)
		m.refs = q.fitting(m.refs, u)
		return m
	}
	return q.memberMeaning(f, u, depth)
}

// overloads are a symbol and what is one with it, and the functions of its
// scope that differ from it by their arguments.
func (q *Question) overloads(r Ref) []Ref {
	all := q.together(r)
	f := q.file(r.File)
	s := f.symbol(r.Index)
	if f.language == nil || !f.language.overloads || !s.Kind.IsFunc() || s.Flags&facts.Local != 0 {
		return all
	}
	for i := range f.SymbolsNamed(s.Name) {
		o := Ref{r.File, int32(i)}
		if x := f.symbol(o.Index); x.Kind.IsFunc() && x.Parent == s.Parent && x.Owner == s.Owner && !slices.Contains(all, o) {
			all = append(slices.Clone(all), q.together(o)...)
		}
	}
	return all
}

// fitting leaves out the functions that do not take as many arguments as a call
// gives, unless none does.
func (q *Question) fitting(refs []Ref, u *facts.Use) []Ref {
	if len(refs) < 2 || u.Role != facts.RoleCall || u.Args == facts.None {
		return refs
	}
	if l := q.file(refs[0].File).language; l == nil || !l.overloads {
		return refs
	}
	e := evidence{q: q}
	var fit []Ref
	for _, r := range refs {
		if e.fits(r, u) {
			fit = append(fit, r)
		}
	}
	if len(fit) == 0 {
		return refs
	}
	return fit
}

// imported says what an import of a file brings.
func (q *Question) imported(f *file, i int32) meaning {
	if m, ok := f.targets[i]; ok {
		return m
	}
	f.targets[i] = meaning{} // an import that depends on itself is not known
	m := meaning{}
	if f.language != nil {
		row := f.Import(int(i))
		m = f.language.module(q, f, &row)
	}
	f.targets[i] = m
	return m
}

// memberMeaning says what a member of a value, type or module is.
func (q *Question) memberMeaning(f *file, u *facts.Use, depth int) meaning {
	base := q.eval(f, u.Target, nil, depth+1)
	m := meaning{}
	absent := false
	for _, t := range base {
		got, st := q.memberOf(f, t, u, depth+1)
		for _, g := range got {
			if g.mod != nil {
				m.mods = append(m.mods, g.mod)
				continue
			}
			if !slices.Contains(m.refs, g.ref) {
				m.refs = append(m.refs, g.ref)
			}
			if g.guess {
				m.confidence = facts.Likely
			}
		}
		switch {
		case st == stateFound:
			m.state = stateFound
			if m.reason == "" {
				m.reason = q.memberReason(t)
			}
		case st == stateAbsent:
			absent = absent || !t.supposed && !q.isContextual(f, u)
		case t.kind == outside && t.generic:
			m.generic = true
		case m.state == stateUnknown && st == stateOutside:
			m.state, m.via = stateOutside, cmp.Or(t.name, q.outsideAbove(t, 0))
		}
	}
	m.refs = q.fitting(m.refs, u)
	switch {
	case m.state == stateFound && len(base) > 1:
		m.confidence = facts.Likely
	case m.state == stateOutside && m.generic:
		m.state = stateUnknown
	case m.state == stateUnknown && absent && !m.generic:
		m.state = stateAbsent
	}
	if m.state != stateFound && q.isKeyed(f, u, base, depth) {
		return f.language.free(q, f, u)
	}
	return m
}

// maxAbove bounds how many types above one are asked for one from elsewhere.
const maxAbove = 6

// outsideAbove names a type from elsewhere that a type of the repository
// inherits from, in languages where a member and what it overrides are one.
func (q *Question) outsideAbove(t thing, above int) string {
	if t.kind != aType && t.kind != aValue || above > maxAbove {
		return ""
	}
	if l := q.file(t.ref.File).language; l == nil || !l.hierarchy {
		return ""
	}
	bases, _ := q.bases(t, 1)
	for _, b := range bases {
		name := b.name
		if b.kind != outside {
			name = q.outsideAbove(b, above+1)
		}
		if name != "" {
			return name
		}
	}
	return ""
}

// isContextual reports whether a use is of a member of what "this" is in the
// function of an unnamed object, which may be called on something else.
func (q *Question) isContextual(f *file, u *facts.Use) bool {
	return u.Target != facts.None && f.Expr(int(u.Target)).Op == facts.OpMembers
}

// memberOf finds the member of a thing that a use names. A name that is set in
// a call of a type is a parameter of its constructor, if that has it.
func (q *Question) memberOf(f *file, t thing, u *facts.Use, depth int) ([]found, state) {
	if t.kind == aType && u.Role == facts.RoleWrite && f.language != nil && f.language.family == familyPython {
		if made, st := q.member(t, f.language.constructor, depth); st == stateFound {
			if got, st := q.parameter(thing{ref: made[0].ref}, u.Name); st == stateFound {
				return got, st
			}
		}
	}
	return q.member(t, u.Name, depth)
}

// isKeyed reports whether what looks like a field of a literal is the key of a
// map or a list with a name.
func (q *Question) isKeyed(f *file, u *facts.Use, base []thing, depth int) bool {
	if u.Role != facts.RoleWrite || f.language == nil || f.language.family != familyGo || len(base) != 1 {
		return false
	}
	t := base[0]
	for range maxThings {
		if t.kind == aList || t.kind == aMap {
			return true
		}
		if t.kind != aValue {
			return false
		}
		under := q.underlying(t, depth)
		if len(under) != 1 {
			return false
		}
		t = under[0]
	}
	return false
}

func (q *Question) memberReason(t thing) string {
	switch t.kind {
	case aModule:
		return "named by its module"
	case aType, aValue:
		if t.unnamed {
			return "member of an unnamed type"
		}
		name := q.Symbol(t.ref).Name
		if t.guess {
			return "receiver is inferred to be " + name
		}
		return "receiver is " + name
	case aFunc:
		return "argument of " + q.Symbol(t.ref).Name
	}
	return ""
}

// Together returns a symbol and the other declarations that are one with it:
// for other systems, overloads of one function, merged types.
func (q *Question) Together(r Ref) []Ref { return q.together(r) }

func (q *Question) together(r Ref) []Ref {
	f := q.file(r.File)
	s := f.symbol(r.Index)
	if s.Flags&facts.Local != 0 || f.language == nil {
		return []Ref{r}
	}
	if all, ok := q.groups[r]; ok {
		return all
	}
	all := []Ref{}
	for _, o := range q.Named(s.Name) {
		if o == r || f.language.one(q, r, o) {
			all = append(all, o)
		}
	}
	q.groups[r] = all
	return all
}
