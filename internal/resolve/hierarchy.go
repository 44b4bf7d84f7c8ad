package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
)

// Related is a symbol that stands in a relation to another.
type Related struct {
	Ref
	Confidence facts.Confidence
	Reason     string
}

// maxRelated bounds how many types a walk over a hierarchy visits.
const maxRelated = 5000

// Supertypes are the types that a type inherits from, embeds or implements,
// and theirs. Those from elsewhere are left out.
func (q *Question) Supertypes(r Ref) []Related {
	return q.closure(r, q.supertypes)
}

// Subtypes are the types that inherit from, embed or implement a type, and theirs.
func (q *Question) Subtypes(r Ref) []Related {
	return q.closure(r, q.subtypes)
}

// closure follows a relation from a type, nearest first.
func (q *Question) closure(r Ref, next func(Ref) []Related) []Related {
	seen := map[Ref]bool{r: true}
	var all []Related
	queue := []Related{{Ref: r}}
	for len(queue) > 0 && len(all) < maxRelated {
		t := queue[0]
		queue = queue[1:]
		for _, n := range next(t.Ref) {
			if seen[n.Ref] {
				continue
			}
			seen[n.Ref] = true
			n.Confidence = max(n.Confidence, t.Confidence)
			all = append(all, n)
			queue = append(queue, n)
		}
	}
	return all
}

func (q *Question) supertypes(r Ref) []Related {
	q.steps = maxSteps
	var all []Related
	bases, _ := q.bases(thing{kind: aType, ref: r}, 0)
	for _, b := range bases {
		if (b.kind == aType || b.kind == aValue) && !b.unnamed {
			all = append(all, Related{b.ref, facts.Certain, "named by " + q.Symbol(r).Name})
		}
	}
	if q.isGo(r) && q.Symbol(r).Kind != code.KindInterface {
		all = append(all, q.satisfied(r)...)
	}
	return all
}

func (q *Question) subtypes(r Ref) []Related {
	var all []Related
	for _, u := range q.References(q.together(r)) {
		if u.Use == facts.None || u.Confidence == facts.Possible {
			continue
		}
		f := q.file(u.File)
		use := f.use(u.Use)
		if (use.Role == facts.RoleInherit || use.Role == facts.RoleImplement) && use.In != facts.None && f.symbol(use.In).Kind.IsType() {
			all = append(all, Related{Ref{u.File, use.In}, u.Confidence, "names " + q.Symbol(r).Name})
		}
	}
	if q.isGo(r) && q.Symbol(r).Kind == code.KindInterface {
		all = append(all, q.satisfying(r)...)
	}
	return all
}

func (q *Question) isGo(r Ref) bool {
	l := q.file(r.File).language
	return l != nil && l.family == familyGo
}

// Overriding are the members that replace or fulfil a member in the types
// below that of the member.
func (q *Question) Overriding(r Ref) []Related {
	owner, ok := q.ownerType(r)
	if !ok {
		return nil
	}
	var all []Related
	name := q.Symbol(r).Name
	for _, t := range q.Subtypes(owner) {
		w := typeWalk{q: q, name: name, seen: map[Ref]bool{}}
		for _, m := range w.own(thing{kind: aType, ref: t.Ref}) {
			if m.ref != r {
				all = append(all, Related{m.ref, t.Confidence, q.Symbol(t.Ref).Name + " " + t.Reason})
			}
		}
	}
	return all
}

// ownerType is the type that a member belongs to.
func (q *Question) ownerType(r Ref) (Ref, bool) {
	f := q.file(r.File)
	s := f.symbol(r.Index)
	if s.Owner == "" {
		return Ref{r.File, s.Parent}, s.Parent != facts.None && f.symbol(s.Parent).Kind.IsType()
	}
	for _, t := range q.Named(lastName(s.Owner)) {
		if q.Symbol(t).Kind.IsType() && f.language != nil && f.language.same(q, r, t) {
			return t, true
		}
	}
	return Ref{}, false
}

// methods are the methods that an interface asks for by itself and by those it
// embeds. whole is false where one of these is from elsewhere.
func (q *Question) methods(r Ref, seen map[Ref]bool) (all []Ref, whole bool) {
	if seen[r] || len(seen) > 100 {
		return nil, true
	}
	seen[r] = true
	whole = true
	f := q.file(r.File)
	end := f.symbol(r.Index).End
	for i := r.Index + 1; int(i) < f.NumSymbols() && f.symbol(i).Start < end; i++ {
		if s := f.symbol(i); s.Parent == r.Index && s.Kind == code.KindMethod {
			all = append(all, Ref{r.File, i})
		}
	}
	bases, known := q.bases(thing{kind: aType, ref: r}, 0)
	whole = known
	for _, b := range bases {
		if b.kind != aType && b.kind != aValue {
			whole = false
			continue
		}
		more, w := q.methods(b.ref, seen)
		all, whole = append(all, more...), whole && w
	}
	return all, whole
}

// satisfying are the types that have every method of an interface of Go.
func (q *Question) satisfying(r Ref) []Related {
	q.steps = maxSteps
	methods, whole := q.methods(r, map[Ref]bool{})
	if len(methods) == 0 {
		return nil
	}
	rarest := slices.MinFunc(methods, func(a, b Ref) int {
		return len(q.Named(q.Symbol(a).Name)) - len(q.Named(q.Symbol(b).Name))
	})
	var all []Related
	for _, m := range q.Named(q.Symbol(rarest).Name) {
		if q.Symbol(m).Owner == "" || !q.isGo(m) {
			continue
		}
		if t, ok := q.ownerType(m); ok && q.has(t, methods) {
			all = append(all, satisfies(q, t, r, whole))
		}
	}
	return all
}

// satisfied are the interfaces of Go whose every method a type has.
func (q *Question) satisfied(r Ref) []Related {
	var all []Related
	seen := map[Ref]bool{}
	for _, m := range q.methodsOf(r) {
		for _, o := range q.Named(q.Symbol(m).Name) {
			t, ok := q.ownerType(o)
			if !ok || seen[t] || !q.isGo(t) || q.Symbol(t).Kind != code.KindInterface {
				continue
			}
			seen[t] = true
			q.steps = maxSteps
			if methods, whole := q.methods(t, map[Ref]bool{}); q.has(r, methods) {
				all = append(all, satisfies(q, t, t, whole))
			}
		}
	}
	return all
}

func satisfies(q *Question, typ, iface Ref, whole bool) Related {
	r := Related{typ, facts.Likely, "has the methods of " + q.Symbol(iface).Name}
	if !whole {
		r.Confidence, r.Reason = facts.Possible, "has the methods of "+q.Symbol(iface).Name+" that are known here"
	}
	return r
}

// methodsOf are the methods that are declared on a type of Go.
func (q *Question) methodsOf(r Ref) []Ref {
	var all []Ref
	name := q.Symbol(r).Name
	for _, id := range q.c.folders[q.c.files[r.File].dir] {
		f := q.file(id)
		for i := range f.NumSymbols() {
			if s := f.symbol(int32(i)); s.Owner == name && goSamePackage(q, Ref{id, int32(i)}, r) {
				all = append(all, Ref{id, int32(i)})
			}
		}
	}
	return all
}

// has reports whether a type has methods that take and return as many values.
func (q *Question) has(t Ref, methods []Ref) bool {
	for _, m := range methods {
		want := q.Symbol(m)
		got, st := q.member(thing{kind: aValue, ref: t}, want.Name, 0)
		if st != stateFound {
			return false
		}
		s := q.Symbol(got[0].ref)
		if !s.Kind.IsFunc() || s.MinArgs != want.MinArgs || s.MaxArgs != want.MaxArgs ||
			q.results(got[0].ref) != q.results(m) {
			return false
		}
	}
	return true
}

// results counts what a function of Go returns.
func (q *Question) results(r Ref) int {
	f := q.file(r.File)
	n := 0
	for e := f.symbol(r.Index).Type; e != facts.None; n++ {
		x := f.Expr(int(e))
		if x.Op != facts.OpTuple {
			return n + 1
		}
		e = x.Y
	}
	return n
}
