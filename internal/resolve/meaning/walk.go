package meaning

import (
	"maps"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/narrow"
)

// maxWalk bounds the types that one search for a member visits.
const maxWalk = 200

// typeWalk looks for a name in a type and its bases.
type typeWalk struct {
	e     *Evaluator
	name  string
	want  func(*facts.Symbol) bool // nil for all
	seen  map[visit]bool
	types int // visited

	only, static bool // whether only static members, or only the others, are looked for
	skipped      bool // for that reason
}

// visit is a type that a walk was at. Another name of a type is visited once for
// each list of type arguments, which may be what it stands for.
type visit struct {
	typ  corpus.Ref
	part int32         // of an unnamed type
	file corpus.FileID // of the type arguments
	args int32
}

func (w *typeWalk) visit(t infer.Thing) visit {
	if t.Env == nil || t.Env.Args.File == nil || w.e.read.Symbol(t.Ref).Kind != code.KindType {
		return visit{typ: t.Ref, part: t.Part}
	}
	return visit{t.Ref, t.Part, t.Env.Args.File.ID, t.Env.Args.At}
}

func (e *Evaluator) walk(name string) *typeWalk {
	return &typeWalk{e: e, name: name, seen: map[visit]bool{}}
}

// find looks in a type, then in what it inherits, embeds or is another name of.
func (w *typeWalk) find(t infer.Thing, b infer.Budget) ([]infer.Member, infer.State) {
	at := w.visit(t)
	if w.types++; w.seen[at] || w.types > maxWalk || b.TooDeep() {
		return nil, w.again(t)
	}
	w.seen[at] = true
	own := w.declared(t, b)
	switch {
	case len(own) > 0 && !w.addsOverloads(own):
		return own, infer.Found
	case t.Unnamed:
		return nil, infer.Absent
	}
	more, state := w.above(t, b.Deeper())
	if len(own) == 0 {
		if inner, through := w.dereferenced(t, state, b.Deeper()); through != infer.Absent {
			return inner, through
		}
		return more, state
	}
	for _, m := range more {
		if !slices.ContainsFunc(own, func(o infer.Member) bool { return w.e.replaces(o.Ref, m.Ref, b) }) {
			own = append(own, m)
		}
	}
	return own, infer.Found
}

// again is the state of a member of a type that a walk was at before. A name that stands
// for itself with other type arguments works something out that is not known.
func (w *typeWalk) again(t infer.Thing) infer.State {
	if l := w.e.Language(t.Ref.File); t.Env != nil && l != nil && l.TypesApart && w.e.read.Symbol(t.Ref).Kind == code.KindType {
		return infer.Unknown
	}
	return infer.Absent
}

// dereferenced are the members of what a value gives where it lacks one itself; they are
// absent where it gives nothing, and unknown where that is not known.
func (w *typeWalk) dereferenced(t infer.Thing, state infer.State, b infer.Budget) ([]infer.Member, infer.State) {
	l := w.e.File(t.Ref.File).Language
	if l == nil || l.Dereference == "" || state == infer.Found || w.name == l.Dereference || t.Kind != infer.AValue {
		return nil, infer.Absent
	}
	through := infer.Absent
	leads := w.e.walk(l.Dereference)
	methods := leads.declared(t, b)
	if len(methods) == 0 && l.Decays {
		methods, _ = leads.find(t, b)
	}
	for _, m := range methods {
		given := w.e.result(m.Ref, m.Env, b)
		if len(given) == 0 && l.Decays {
			through = infer.Unknown
		}
		for _, inner := range given {
			if inner.Kind != infer.AValue || inner.Ref == t.Ref {
				continue
			}
			if found, state := w.find(inner, b.Deeper()); state == infer.Found {
				return found, state
			}
		}
	}
	return nil, through
}

// addsOverloads reports whether functions of a type stand beside those of its
// Bases that take other arguments.
func (w *typeWalk) addsOverloads(own []infer.Member) bool {
	l := w.e.Language(own[0].Ref.File)
	return l != nil && l.InheritsOverloads && w.e.read.Symbol(own[0].Ref).Kind.IsFunc()
}

// declared are the members that stand in the type, or that name it as their owner.
func (w *typeWalk) declared(t infer.Thing, b infer.Budget) []infer.Member {
	f := w.e.File(t.Ref.File)
	typ := f.Symbol(t.Ref.Index)
	var all []infer.Member
	if t.Variant > 0 {
		for i := t.Variant; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(t.Variant-1).End; i++ {
			if s := f.Symbol(i); s.Parent == t.Variant-1 && s.Name == w.name {
				return []infer.Member{{Ref: corpus.Ref{File: t.Ref.File, Index: i}, Env: t.Env, Guess: t.Guess}}
			}
		}
	}
	add := func(r corpus.Ref) {
		if w.only && !w.wanted(f.Language, t, w.e.read.Symbol(r)) {
			w.skipped = true
			return
		}
		if w.want == nil || w.want(w.e.read.Symbol(r)) {
			all = append(all, infer.Member{Ref: r, Env: t.Env, Guess: t.Guess})
		}
	}
	if typ.Flags&facts.Local != 0 || t.Unnamed {
		for i, end := f.Held(t); i < end; i++ {
			if s := f.Symbol(i); s.Parent == t.Ref.Index && s.Name == w.name && corpus.IsWithin(typ, s) && f.PartOf(i) == t.Part {
				add(corpus.Ref{File: t.Ref.File, Index: i})
			}
		}
		w.spliced(f, t, add)
		return all
	}
	for _, r := range w.e.read.Of(t.Ref.File).NamedNear(w.name, t.Ref.File, typ.Name) {
		s := w.e.read.Symbol(r)
		switch {
		case r.File == t.Ref.File && f.PartOf(r.Index) != 0: // of an unnamed type in it
		case r.File == t.Ref.File && s.Parent == t.Ref.Index && corpus.CanBeMember(s),
			s.Owner != "" && corpus.LastName(s.Owner) == typ.Name && f.Language != nil && f.Language.Owns(t.Ref, r, b),
			r.File == t.Ref.File && s.Parent != facts.None && corpus.CanBeMember(s) && (w.isMerged(f, s.Parent, t.Ref) || corpus.Promotes(f.Symbol(s.Parent), t.Ref.Index)):
			add(r)
		}
	}
	w.spliced(f, t, add)
	for _, r := range w.e.added(t.Ref, w.name, b) {
		add(r)
	}
	if f.Language == nil || !f.Language.TypesApart && !f.Language.Reopens || !typ.Kind.IsType() {
		return all
	}
	for _, other := range w.e.Together(t.Ref) {
		if other == t.Ref || other.File == t.Ref.File && (!f.Language.Reopens || w.isMerged(f, other.Index, t.Ref)) {
			continue
		}
		for _, r := range w.e.read.Of(other.File).NamedNear(w.name, other.File, "") {
			if s := w.e.read.Symbol(r); r.File == other.File && s.Parent == other.Index && corpus.CanBeMember(s) && w.e.File(other.File).PartOf(r.Index) == 0 {
				add(r)
			}
		}
	}
	return all
}

// spliced adds the members that macros declare in a type.
func (w *typeWalk) spliced(f *infer.File, t infer.Thing, add func(corpus.Ref)) {
	if f.Language == nil || f.Language.Spliced == nil {
		return
	}
	for _, r := range f.Language.Spliced(t.Ref, w.name) {
		add(r)
	}
}

// added are the members of a name that other repositories, which import the one of a
// type, declare for it.
func (e *Evaluator) added(typ corpus.Ref, name string, b infer.Budget) (all []corpus.Ref) {
	c := e.read.Corpus()
	if l := e.File(typ.File).Language; len(e.languages) == 1 || l == nil || l.FolderPrivate {
		return nil
	}
	owner := e.read.Symbol(typ).Name
	for _, m := range e.read.Members() {
		for _, r := range m.NamedNear(name, facts.None, owner) {
			l := e.File(r.File).Language
			if c.Home(r.File) != c.Home(typ.File) && c.Sees(r.File, typ.File) && c.Family(r.File) == c.Family(typ.File) && l != nil && l.Owns(typ, r, b) {
				all = append(all, r)
			}
		}
	}
	return all
}

// wanted reports whether a member of a class is as static as the one that is
// looked for. Types have no values of their own, so of a type all is wanted.
func (w *typeWalk) wanted(l *infer.Language, t infer.Thing, member *facts.Symbol) bool {
	kind := w.e.read.Symbol(t.Ref).Kind
	if member.Kind.IsType() || member.Kind == code.KindConst && l.Reopens && l.Mixins || kind != code.KindClass && (kind != code.KindModule || !l.Reopens) {
		return true
	}
	static := member.Flags&facts.Static != 0
	if t.Extends { // a hook that tells of it declares such ones for values
		static = !static || member.Owner == ""
	}
	return static == w.static
}

// isMerged reports whether a symbol is another declaration of a type of its file.
// Where types are declared in parts, their language tells which are one.
func (w *typeWalk) isMerged(f *infer.File, i int32, typ corpus.Ref) bool {
	if f.Language == nil || !f.Language.Reopens {
		return corpus.AreMerged(f.Symbol(i), f.Symbol(typ.Index))
	}
	return i != typ.Index && corpus.AreMerged(f.Symbol(i), f.Symbol(typ.Index)) && f.Language.Same(corpus.Ref{File: typ.File, Index: i}, typ)
}

// above looks in what a type inherits or embeds, and in what it is another name of.
func (w *typeWalk) above(t infer.Thing, b infer.Budget) ([]infer.Member, infer.State) {
	l := w.e.File(t.Ref.File).Language
	alias := w.e.File(t.Ref.File).Symbol(t.Ref.Index).Kind == code.KindType
	firstWins := l == nil || !l.Merges && !(alias && l.TypesApart) // A | B has the members of both
	state := infer.Absent
	bases, known := w.e.Above(t, b)
	bases = narrow.Left(w.e, bases, w.name, b)
	unworked := alias && l != nil && l.TypesApart // what such a type works out may not be known
	switch {
	case !known && unworked:
		state = infer.Unknown
	case !known:
		state = infer.Outside
	}
	var all []infer.Member
	odds := infer.Odds{Union: alias && !firstWins && w.e.isUnion(t.Ref)}
	if own := w.ownPart(t, bases, b); len(own) > 0 && !odds.Union {
		return own, infer.Found
	}
	for _, base := range bases {
		if base.Kind == infer.AModule || base.Kind == infer.ALiteral { // typeof import("module")
			if found, s := w.e.Member(base, w.name, b); s == infer.Found {
				return found, s
			}
		}
		if base.Kind == infer.AClosure && unworked && !l.Builtins[w.name] {
			continue // a function has no further members
		}
		if base.Kind != infer.AType && base.Kind != infer.AValue {
			state = beyond(state, infer.Outside)
			odds.Outside(base)
			continue
		}
		base.Guess = base.Guess || t.Guess || base.Partly != ""
		base.Extends = base.Extends || t.Extends
		found, s := w.findIn(base, odds.Union, b)
		for i := range found {
			found[i].Partly = found[i].Partly || base.Partly != ""
		}
		if s == infer.Absent {
			s = base.Lacks()
		}
		for _, m := range found {
			if !slices.ContainsFunc(all, func(o infer.Member) bool { return o.Ref == m.Ref }) {
				all = append(all, m)
			}
		}
		odds.Inside(found, func(x, y corpus.Ref) bool { return w.e.areOne(x, y, b) })
		if s == infer.Found && firstWins && !(base.Beside && l != nil && l.TypesApart) {
			return all, infer.Found
		}
		switch {
		case s == infer.Unknown && l != nil && l.TypesApart:
			state = infer.Unknown
		case s == infer.Outside || s == infer.Unknown:
			state = beyond(state, infer.Outside)
		}
	}
	if len(all) > 0 {
		return odds.Weigh(all), infer.Found
	}
	return nil, state
}

// ownPart are the members of a type that is several at once which it writes itself: they
// say more than those of a type that some are taken from.
func (w *typeWalk) ownPart(t infer.Thing, bases []infer.Thing, b infer.Budget) []infer.Member {
	for _, base := range bases {
		if base.Unnamed && base.Ref == t.Ref && base.Part != t.Part && narrow.MayLack(bases) {
			base.Guess = base.Guess || t.Guess
			if found, _ := w.find(base, b); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// beyond is the state of a member that a further base may have: where one base is not
// known, it stays unknown.
func beyond(state, further infer.State) infer.State {
	if state == infer.Unknown {
		return state
	}
	return further
}

// findIn is find in a base, on its own where that is an alternative of a union:
// what several of them inherit is found in each.
func (w *typeWalk) findIn(base infer.Thing, alternative bool, b infer.Budget) ([]infer.Member, infer.State) {
	if !alternative {
		return w.find(base, b)
	}
	on := *w
	on.seen = maps.Clone(w.seen)
	found, state := on.find(base, b)
	w.types, w.skipped = on.types, on.skipped
	return found, state
}

// Declared returns the members of a name that a type declares itself.
func (e *Evaluator) Declared(typ corpus.Ref, name string, b infer.Budget) []corpus.Ref {
	var all []corpus.Ref
	for _, m := range e.walk(name).declared(infer.TypeOf(typ), b) {
		all = append(all, m.Ref)
	}
	return all
}

// Bases returns what a type inherits from, embeds or is another name of; known
// is false where one of them could not be worked out.
func (e *Evaluator) Bases(typ corpus.Ref, b infer.Budget) (all []infer.Thing, known bool) {
	return e.Above(infer.TypeOf(typ), b)
}

// Above is Bases of a type with its type arguments.
func (e *Evaluator) Above(t infer.Thing, b infer.Budget) (all []infer.Thing, known bool) {
	if l := e.File(t.Ref.File).Language; l == nil || !l.Reopens || t.Env != nil {
		return e.findBases(t, b)
	}
	r := e.Together(t.Ref)[0]
	found := e.basesOf.Recall(r, b, func() (a baseAnswer) {
		a.all, a.known = e.findBases(infer.TypeOf(r), b.Restart())
		return a
	})
	return found.all, found.known
}

func (e *Evaluator) findBases(t infer.Thing, b infer.Budget) (all []infer.Thing, known bool) {
	f := e.File(t.Ref.File)
	known = true
	s := f.Symbol(t.Ref.Index)
	if s.Kind == code.KindConst && s.Parent != facts.None && f.Symbol(s.Parent).Kind == code.KindEnum { // with a body
		return []infer.Thing{infer.TypeOf(corpus.Ref{File: t.Ref.File, Index: s.Parent})}, true
	}
	add := func(things []infer.Thing) {
		if s.Kind == code.KindClass && f.Language != nil && f.Language.TypesApart {
			things = infer.Each(things, func(t infer.Thing) []infer.Thing { return e.made(t, b.Deeper()) })
		}
		known = known && len(things) > 0
		all = append(all, things...)
	}
	all = append(all, infer.Beside(f.Language, t.Ref)...)
	for _, part := range e.parts(f, t.Ref) {
		for _, things := range e.written(part, t.Env, b) {
			add(things)
		}
	}
	x := f.Expr(s.Type, t.Env)
	if s.Kind == code.KindType && s.Type != facts.None {
		add(e.Eval(x, b.Deeper()))
	}
	return all, known
}

// written are what each base stands for that one declaration of a type names.
func (e *Evaluator) written(part corpus.Ref, in *infer.Env, b infer.Budget) (all [][]infer.Thing) {
	f := e.File(part.File)
	s := f.Symbol(part.Index)
	x := f.Expr(s.Type, in)
	if list := x.Tuple(); s.Kind != code.KindType && list != nil {
		for _, i := range list {
			if i == facts.None || x.To(i).Node().Op != facts.OpFunc {
				all = append(all, e.Eval(x.To(i), b.Deeper()))
			}
		}
		return all
	}
	mixes := f.Language != nil && f.Language.Reopens && f.Language.Mixins
	for _, i := range f.BaseUses(part.Index) {
		things := e.evalUse(x.To(i), b.Deeper())
		if mixes && f.Use(i).Role == facts.RoleImplement {
			things = infer.Extended(things)
		}
		all = append(all, things)
	}
	return all
}

// parts are the declarations of a type, where it may have several.
func (e *Evaluator) parts(f *infer.File, typ corpus.Ref) []corpus.Ref {
	if f.Language == nil || !f.Language.Reopens {
		return []corpus.Ref{typ}
	}
	return e.Together(typ)
}

// made is what the class that a value is makes: where a class extends a variable, what
// its construct signature gives.
func (e *Evaluator) made(t infer.Thing, b infer.Budget) []infer.Thing {
	if t.Kind == infer.AValue && !t.Unnamed {
		if made := e.Give(t, b); len(made) > 0 {
			return made
		}
	}
	return []infer.Thing{t}
}

// Below reports whether a type is below another one, of the repository or from
// elsewhere, and whether all types above it are known.
func (e *Evaluator) Below(typ corpus.Ref, above infer.Thing, b infer.Budget) (found, known bool) {
	known = true
	if e.read.Symbol(typ).Kind == code.KindEnum {
		if found, known = e.aboveEnums(typ, above); found {
			return true, true
		}
	}
	seen := []corpus.Ref{typ}
	for i := 0; i < len(seen) && i < maxWalk; i++ {
		bases, whole := e.Above(infer.TypeOf(seen[i]), b.Restart())
		known = known && whole
		for _, t := range bases {
			switch {
			case t.IsOne(&above):
				return true, known
			case t.Kind != infer.AType && t.Kind != infer.AValue:
				known = false
			case !slices.Contains(seen, t.Ref):
				seen = append(seen, t.Ref)
			}
		}
	}
	return false, known
}

// aboveEnums reports whether a type from elsewhere is above all enumerations of a
// language, and whether it is known which ones are.
func (e *Evaluator) aboveEnums(enum corpus.Ref, above infer.Thing) (is, known bool) {
	l := e.File(enum.File).Language
	if l == nil || l.Conversions == nil {
		return false, false
	}
	all, known := l.Conversions.Above["Enum"]
	return above.Kind == infer.Elsewhere && (above.Name == "Enum" || slices.Contains(all, above.Name)), known
}
