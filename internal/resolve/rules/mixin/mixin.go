// Package mixin says what classes and modules of Ruby are put together of, in the order in
// which Ruby looks for a method (Module#ancestors), and which method super calls.
//
// Methods read segments: call them inside a segment.Guard.
package mixin

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// Mixes remembers what it has looked up for one question. It belongs to one goroutine.
type Mixes struct {
	read  *corpus.Reader
	infer *meaning.Evaluator
	path  func(of corpus.Ref) string             // of a class or module, with what holds it
	under func(holder, name string) []corpus.Ref // what a class or module declares under the name of a constant

	calls map[corpus.Ref][]base  // by the first part of a type: what calls outside of it give it; nil before they are read
	given map[corpus.Ref][]place // by the first part of a module: what such calls give it to
	bases infer.Book[corpus.Ref, []base]
}

// New returns the mixes of the files that are read.
func New(read *corpus.Reader, e *meaning.Evaluator, path func(corpus.Ref) string, under func(holder, name string) []corpus.Ref) *Mixes {
	return &Mixes{read: read, infer: e, path: path, under: under, bases: infer.NewBook[corpus.Ref, []base](e.Memory(), nil)}
}

// relation is how a class or module has the members of another one.
type relation uint8

const (
	inherits relation = iota
	includes
	prepends
	extends
	leads // extends, before what the type itself has: prepend of its singleton class
	hooks // a module extends what includes it: def self.included(base) = base.extend(M)
	gives // a method gives them to something else
)

// base is what a class or module is put together of.
type base struct {
	of    corpus.Ref // its first part; its Index is None where no file declares it
	how   relation
	doubt facts.Confidence
}

// place is where a method is looked for: among those of values of a class or module, or
// among its own.
type place struct {
	of     corpus.Ref // Index None: what no file declares
	static bool
	doubt  facts.Confidence
}

// Above are the modules that calls outside of a class or module give it, as
// X.include(M) does, the last first.
func (m *Mixes) Above(typ corpus.Ref) (all []infer.Thing) {
	for _, b := range slices.Backward(m.mixed()[m.infer.Together(typ)[0]]) {
		all = append(all, infer.Thing{Kind: infer.AType, Ref: b.of, Extends: isOfType(b.how)})
	}
	return all
}

// mixed are the bases that calls give types outside of them.
func (m *Mixes) mixed() map[corpus.Ref][]base {
	if m.calls != nil {
		return m.calls
	}
	m.calls, m.given = map[corpus.Ref][]base{}, map[corpus.Ref][]place{}
	for how, name := range []string{includes: "include", extends: "extend", prepends: "prepend"} {
		for _, use := range m.read.Uses(name) {
			m.called(use, relation(how))
		}
	}
	return m.calls
}

// called reads a use that may be of a call which gives a class or module the members of
// others: X.include(M), X.singleton_class.prepend(M).
func (m *Mixes) called(use corpus.Ref, how relation) {
	f := m.infer.File(use.File)
	u := f.Use(use.Index)
	if f.Family != corpus.Ruby || u.Role != facts.RoleCall || u.Bind != facts.BindMember || u.Target == facts.None {
		return
	}
	modules := f.Given(use.Index)
	if len(modules) == 0 {
		return
	}
	to := u.Target
	if x := f.Facts.Expr(int(to)); x.Op == facts.OpCall && f.Facts.Expr(int(x.X)).Op == facts.OpUse {
		to = f.Use(f.Facts.Expr(int(x.X)).X).Target
		how = ofSingleton(how)
	}
	for _, typ := range m.constant(f, to, maxNested) {
		typ = m.infer.Together(typ)[0]
		for _, x := range slices.Backward(modules) { // the first goes before the others
			for _, module := range m.constant(f, x, maxNested) {
				b := base{m.infer.Together(module)[0], how, facts.Likely} // where the call runs
				if b.of != typ && !slices.Contains(m.calls[typ], b) {
					m.calls[typ] = append(m.calls[typ], b)
					m.given[b.of] = append(m.given[b.of], place{of: typ, static: isOfType(how)})
				}
			}
		}
	}
}

// ofSingleton is how a class has the members of what its singleton class is given.
func ofSingleton(how relation) relation {
	if how == prepends {
		return leads
	}
	return extends
}

// isOfType reports whether the members are those of the class itself, not of its values.
func isOfType(how relation) bool { return how == extends || how == leads }

// maxNested bounds the names of a constant, A::B::C.
const maxNested = 12

// constant are the parts of the class or module that an expression names: it is looked up in
// what is nested around it, without what that inherits.
func (m *Mixes) constant(f *infer.File, at int32, most int) []corpus.Ref {
	if at == facts.None || most == 0 || f.Facts.Expr(int(at)).Op != facts.OpUse {
		return nil
	}
	u := f.Use(f.Facts.Expr(int(at)).X)
	switch {
	case f.IsTop(u):
		return m.types(m.under("", u.Name))
	case u.Bind == facts.BindMember:
		for _, holder := range m.constant(f, u.Target, most-1) {
			return m.types(m.under(m.path(holder), u.Name))
		}
		return nil
	}
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		if !f.Symbol(i).Kind.IsType() {
			continue
		}
		if all := m.types(m.under(m.path(corpus.Ref{File: f.ID, Index: i}), u.Name)); len(all) > 0 {
			return all
		}
	}
	return m.types(m.under("", u.Name))
}

// types are the first of the parts of a class or module.
func (m *Mixes) types(all []corpus.Ref) []corpus.Ref {
	if i := slices.IndexFunc(all, func(r corpus.Ref) bool { return m.read.Symbol(r).Kind.IsType() }); i >= 0 {
		return all[i : i+1]
	}
	return nil
}

// of are the bases of a class or module, by the order of the text, those that are given
// outside of it last.
func (m *Mixes) of(typ corpus.Ref, b infer.Budget) []base {
	return m.bases.Recall(typ, b, func() (all []base) {
		for _, part := range m.infer.Together(typ) {
			f := m.infer.File(part.File)
			for _, i := range slices.Backward(f.BaseUses(part.Index)) {
				all = append(all, m.named(f, part.Index, i, b))
			}
		}
		all = append(all, m.mixed()[typ]...)
		if m.read.Symbol(typ).Kind != code.KindClass {
			return all
		}
		seen := map[corpus.Ref]bool{}
		for _, one := range all {
			if one.how == includes && one.of.Index != facts.None {
				all = m.addClassMethods(all, one.of, seen, b)
			}
		}
		return all
	})
}

// addClassMethods adds the modules ClassMethods that what includes a module is extended with
// by the custom of Rails: those of the modules that this includes go first. Modules that
// were seen are passed over.
func (m *Mixes) addClassMethods(all []base, module corpus.Ref, seen map[corpus.Ref]bool, b infer.Budget) []base {
	if seen[module] || len(seen) >= maxPlaces {
		return all
	}
	seen[module] = true
	for _, one := range m.of(module, b.Restart()) {
		switch added := (base{one.of, extends, facts.Likely}); {
		case one.of.Index == facts.None:
		case one.how == includes:
			all = m.addClassMethods(all, one.of, seen, b)
		case one.how == hooks && !slices.Contains(all, added):
			all = append(all, added)
		}
	}
	for _, r := range m.types(m.under(m.path(module), classMethods)) {
		if added := (base{m.infer.Together(r)[0], extends, facts.Likely}); !slices.Contains(all, added) {
			all = append(all, added)
		}
	}
	return all
}

// classMethods is the name of such modules.
const classMethods = "ClassMethods"

// named is the base that a use in a type names.
func (m *Mixes) named(f *infer.File, typ, use int32, b infer.Budget) base {
	u := f.Use(use)
	one := base{of: corpus.Ref{Index: facts.None}, how: includes}
	around := int32(f.Facts.Enclosing(u.At))
	switch ahead := f.IsAhead(use); {
	case around != typ && (around == facts.None || f.Symbol(around).Name != "included"):
		one.how = gives
	case around != typ && u.Role == facts.RoleImplement:
		one.how = hooks
	case u.Role == facts.RoleImplement && ahead:
		one.how = leads
	case u.Role == facts.RoleImplement:
		one.how = extends
	case ahead:
		one.how = prepends
	case u.At < f.Symbol(typ).SigEnd:
		one.how = inherits
	}
	a := m.infer.Meaning(corpus.Ref{File: f.ID, Index: use}, b.Restart())
	if a.State == infer.Found && len(a.Refs) > 0 && a.Confidence < facts.Possible && m.read.Symbol(a.Refs[0]).Kind.IsType() {
		one.of, one.doubt = m.infer.Together(a.Refs[0])[0], a.Confidence
	}
	return one
}

// maxPlaces bounds the classes and modules that a method is looked for in.
const maxPlaces = 200

// order is the places where a method is looked for.
type order struct {
	*Mixes
	all  []place
	seen map[place]bool
	b    infer.Budget
}

// chain are the places where a method of a class or module is looked for, the nearest
// first: what goes before it, itself, and what is above it.
func (m *Mixes) chain(at place, b infer.Budget) []place {
	o := order{Mixes: m, seen: map[place]bool{}, b: b}
	o.add(at, facts.Certain)
	return o.all
}

func (o *order) add(at place, doubt facts.Confidence) {
	if len(o.seen) >= maxPlaces || o.seen[at] && at.of.Index != facts.None {
		return
	}
	o.seen[at] = true
	self := at
	self.doubt = doubt
	if at.of.Index == facts.None {
		o.all = append(o.all, self)
		return
	}
	ahead, above := prepends, includes
	if at.static {
		ahead, above = leads, extends
	}
	o.bases(at.of, ahead, false, doubt)
	o.all = append(o.all, self)
	o.bases(at.of, above, false, doubt)
	o.bases(at.of, inherits, at.static, doubt)
}

// bases adds those of a type that it has in one way, the last of which goes first.
func (o *order) bases(typ corpus.Ref, how relation, static bool, doubt facts.Confidence) {
	for _, one := range slices.Backward(o.of(typ, o.b)) {
		if one.how == how {
			o.add(place{of: one.of, static: static}, max(doubt, one.doubt))
		}
	}
}

// behind are the places behind one.
func behind(all []place, of corpus.Ref, static bool) []place {
	if i := slices.IndexFunc(all, func(p place) bool { return p.of == of && p.static == static }); i >= 0 {
		return all[i+1:]
	}
	return nil
}

// Super is what super calls in the method that a use of it stands in.
func (m *Mixes) Super(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	unknown := infer.Answer{State: infer.Unknown}
	if u.In == facts.None || !f.Symbol(u.In).Kind.IsFunc() {
		return unknown
	}
	method := f.Symbol(u.In)
	owner, ok := m.infer.OwnerType(corpus.Ref{File: f.ID, Index: u.In}, b)
	if !ok {
		return unknown
	}
	s := search{Mixes: m, method: method, b: b}
	at := place{of: m.infer.Together(owner)[0], static: method.Flags&facts.Static != 0}
	name := m.read.Symbol(at.of).Name
	above := behind(m.chain(at, b), at.of, at.static)
	found, doubt := s.first(above)
	switch {
	case len(found) > 0:
		return infer.Answer{Refs: found, State: infer.Found, Confidence: doubt, Reason: "above " + name + ", in " + m.read.Owner(found[0])}
	case at.static && method.Name == "new" && !slices.ContainsFunc(above, func(p place) bool { return p.of.Index == facts.None }):
		if found, doubt = s.makers(at.of); len(found) > 0 {
			return infer.Answer{Refs: found, State: infer.Found, Confidence: doubt, Reason: "new of every class runs it"}
		}
	case !at.static && m.read.Symbol(at.of).Kind == code.KindModule:
		return s.mixedIn(at.of, name)
	}
	return unknown
}

// search looks for what a method calls by super.
type search struct {
	*Mixes
	method *facts.Symbol
	b      infer.Budget
	hooks  int // followed so far
}

// first are the methods of the first of some places that has some. What no file declares
// before that may have one, too.
func (s *search) first(all []place) (found []corpus.Ref, doubt facts.Confidence) {
	for _, p := range all {
		if p.of.Index == facts.None {
			doubt = facts.Likely
			continue
		}
		for _, r := range s.infer.Declared(p.of, s.method.Name, s.b) {
			if s.fits(s.read.Symbol(r), p.static) {
				found = append(found, r)
			}
		}
		if len(found) > 0 {
			doubt = max(doubt, p.doubt)
			if len(found) > 1 { // one of which replaces the others
				doubt = facts.Likely
			}
			return found, doubt
		}
	}
	return nil, doubt
}

// fits reports whether a member may be what the method calls: as static, and a setter where
// that is one.
func (s *search) fits(member *facts.Symbol, static bool) bool {
	setter := func(y *facts.Symbol) bool { return y.Flags&facts.Accessor != 0 && y.MinArgs > 0 }
	switch {
	case !member.Kind.IsFunc(), member.Flags&facts.Static != 0 != static:
		return false
	case setter(s.method):
		return member.Flags&facts.Accessor != 0
	}
	return !setter(member)
}

// makers are the constructors that new of a class runs.
func (s *search) makers(class corpus.Ref) ([]corpus.Ref, facts.Confidence) {
	made := *s.method
	made.Name = "initialize"
	of := search{Mixes: s.Mixes, method: &made, b: s.b}
	return of.first(s.chain(place{of: class}, s.b))
}

// maxGiven bounds the types that one module is given to for which super in it is looked up,
// maxLikely the methods that it is likely to call.
const (
	maxGiven  = 12
	maxLikely = 3
	maxHooks  = 2 // that are followed from one module to the next
)

// mixedIn is what super calls in a method of a module, which is above or before that in the
// classes that it is given to.
func (s *search) mixedIn(module corpus.Ref, name string) infer.Answer {
	var refs []corpus.Ref
	types := s.classesWith(module)
	if len(types) > maxGiven {
		return infer.Answer{State: infer.Unknown}
	}
	for _, at := range types {
		found, _ := s.first(behind(s.chain(at, s.b), module, false))
		for _, r := range found {
			if !slices.Contains(refs, r) {
				refs = append(refs, r)
			}
		}
	}
	a := infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Likely}
	switch {
	case len(refs) == 0:
		return infer.Answer{State: infer.Unknown}
	case len(refs) > maxLikely:
		a.Confidence = facts.Possible
	}
	a.Reason = "above " + name + " where that is mixed in, in " + s.read.Owner(refs[0])
	return a
}

// classesWith are the classes that are given a module, also through other modules, and the
// modules that are given it and that nothing is known to have.
func (s *search) classesWith(module corpus.Ref) (all []place) {
	queue, seen := s.givenTo(module), map[place]bool{}
	for len(queue) > 0 && len(seen) < maxPlaces {
		at := queue[0]
		queue = queue[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		if !at.static && s.read.Symbol(at.of).Kind == code.KindModule {
			if further := s.givenTo(at.of); len(further) > 0 {
				queue = append(queue, further...)
				continue
			}
		}
		if all = append(all, at); len(all) > maxGiven {
			break
		}
	}
	return all
}

// givenTo are the classes and modules that a module is given to.
func (s *search) givenTo(module corpus.Ref) (all []place) {
	var hooked []corpus.Ref // modules that extend what includes them
	add := func(p place) {
		if p.of != module && !slices.Contains(all, p) && len(all) <= maxGiven {
			all = append(all, p)
		}
	}
	for _, use := range s.read.Uses(s.read.Symbol(module).Name) {
		f := s.infer.File(use.File)
		u := f.Use(use.Index)
		if u.Role != facts.RoleInherit && u.Role != facts.RoleImplement || u.In == facts.None || !f.Symbol(u.In).Kind.IsType() {
			continue
		}
		one := s.named(f, u.In, use.Index, s.b)
		typ := s.infer.Together(corpus.Ref{File: use.File, Index: u.In})[0]
		switch {
		case one.of != module, one.how == gives, one.how == inherits:
		case one.how == hooks:
			hooked = append(hooked, typ)
		default:
			add(place{of: typ, static: isOfType(one.how)})
		}
	}
	s.mixed()
	for _, p := range s.Mixes.given[module] {
		add(p)
	}
	if holder, ok := s.infer.OwnerType(module, s.b); ok && s.read.Symbol(module).Name == classMethods {
		hooked = append(hooked, s.infer.Together(holder)[0])
	}
	if s.hooks >= maxHooks {
		return all
	}
	further := *s
	further.hooks++
	for _, typ := range hooked[:min(len(hooked), maxGiven)] {
		for _, p := range further.classesWith(typ) {
			add(place{of: p.of, static: true})
		}
	}
	return all
}
