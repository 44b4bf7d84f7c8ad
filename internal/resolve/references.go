package resolve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// Reference is a use that means, or may mean, a symbol, or the declaration of
// a member that is one with it over the hierarchy of types.
type Reference struct {
	File       FileID
	Use        int32 // None for a declaration
	Symbol     int32 // None for a use
	Confidence facts.Confidence
	Reason     string
	Dispatch   bool // a call of a member of a type from elsewhere, which may run it
}

// References finds the uses of symbols that are one: declarations of the same
// thing in several places. They are in the order of path and place.
func (q *Question) References(group []Ref) []Reference {
	if len(group) == 0 {
		return nil
	}
	var all []Reference
	var global []Ref
	for _, r := range group {
		if q.Symbol(r).Flags&facts.Local != 0 && !q.isArgument(r) {
			all = append(all, q.localReferences(r)...)
		} else {
			global = append(global, r)
		}
	}
	if len(global) > 0 {
		e := evidence{q: q, group: global, set: q.hierarchy(global)}
		all = append(all, e.declarations()...)
		for _, s := range q.spellings(global, q.Symbol(global[0]).Name) {
			all = append(all, e.uses(s)...)
		}
	}
	slices.SortFunc(all, q.byPlace)
	return slices.CompactFunc(all, func(a, b Reference) bool { return q.byPlace(a, b) == 0 })
}

func (q *Question) byPlace(a, b Reference) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(q.placeOf(a), q.placeOf(b)))
}

func (q *Question) placeOf(r Reference) uint32 {
	if r.Use == facts.None {
		return q.file(r.File).symbol(r.Symbol).At
	}
	return q.file(r.File).use(r.Use).At
}

// isArgument reports whether a symbol is a parameter that calls in other files may name.
func (q *Question) isArgument(r Ref) bool {
	f := q.file(r.File)
	s := f.symbol(r.Index)
	return s.Kind == code.KindParam && f.language != nil && f.language.family == familyPython
}

// hierarchy adds the members that those of a group override, where its language
// takes them for one.
func (q *Question) hierarchy(group []Ref) []Ref {
	set := slices.Clone(group)
	for _, r := range group {
		for _, b := range q.overridden(r) {
			if !slices.Contains(set, b) {
				set = append(set, b)
			}
		}
	}
	return set
}

// overridden are the members of supertypes that a member replaces or fulfils.
func (q *Question) overridden(r Ref) []Ref {
	q.steps = maxSteps
	return q.replaced(r)
}

// replaced is overridden within the steps that are left.
func (q *Question) replaced(r Ref) []Ref {
	if all, ok := q.base[r]; ok {
		return all
	}
	q.base[r] = nil
	f := q.file(r.File)
	s := f.symbol(r.Index)
	owner, ok := q.ownerType(r)
	if !ok || f.language == nil || !f.language.hierarchy && !q.retyped(f, s) || s.Name == f.language.constructor {
		return nil
	}
	var all []Ref
	bases, _ := q.bases(thing{kind: aType, ref: owner}, 0)
	for _, b := range bases {
		w := typeWalk{q: q, name: s.Name, seen: map[Ref]bool{}}
		if b.kind != aType && b.kind != aValue {
			continue
		}
		got, _ := w.find(b, 0)
		for _, g := range got {
			if f.language.hierarchy || !q.retyped(q.file(g.ref.File), q.Symbol(g.ref)) {
				all = append(append(all, g.ref), q.replaced(g.ref)...)
			}
		}
	}
	q.base[r] = all
	return all
}

// declaredAbove are the members that say what an attribute of Python is.
func (q *Question) declaredAbove(f *file, r Ref, s *facts.Symbol) []Ref {
	if s.Parent == facts.None || !q.retyped(f, s) || !f.symbol(s.Parent).Kind.IsType() {
		return nil
	}
	return q.replaced(r)
}

// retyped reports whether an attribute of Python is only given a value: it is
// then the one of a class above that says its type.
func (q *Question) retyped(f *file, s *facts.Symbol) bool {
	return isAttribute(f.language, s) && (s.Type == facts.None || s.Flags&facts.Inferred != 0)
}

func isAttribute(l *language, s *facts.Symbol) bool {
	return l != nil && l.family == familyPython && !s.Kind.IsFunc() && !s.Kind.IsType()
}

// localReferences finds the uses of what no other file can mean.
func (q *Question) localReferences(r Ref) []Reference {
	var all []Reference
	f := q.file(r.File)
	for i := range f.UsesNamed(f.symbol(r.Index).Name) {
		q.steps = maxSteps
		if m := q.means(f, int32(i), 0); slices.Contains(m.refs, r) {
			all = append(all, Reference{File: r.File, Use: int32(i), Symbol: facts.None, Confidence: m.confidence, Reason: m.reason})
		}
	}
	return all
}

// spelling is a name that a symbol is used by: in one file, or in all where file is None.
type spelling struct {
	name string
	file FileID
}

// spellings are the names that a symbol is used by: its own, and those that
// imports give it.
func (q *Question) spellings(group []Ref, name string) []spelling {
	all := []spelling{{name, facts.None}}
	for i := 0; i < len(all) && len(all) < 100; i++ {
		if all[i].file != facts.None {
			continue
		}
		for p := range q.c.parts {
			s := q.c.parts[p].Syntax
			if s == nil {
				continue
			}
			for f, row := range s.Imports(all[i].name) {
				id := q.c.ordinal[p][f.Ordinal()]
				m := f.Import(row)
				if id == facts.None || m.Name != all[i].name || m.Local == "" || m.Local == m.Name {
					continue
				}
				q.steps = maxSteps
				if got := q.imported(q.file(id), int32(row)); !overlap(got.refs, group) {
					continue
				}
				next := spelling{m.Local, id}
				if m.Flags&(facts.Exported|facts.Reexport) != 0 {
					next.file = facts.None
				}
				if !slices.Contains(all, next) {
					all = append(all, next)
				}
			}
		}
	}
	return all
}

// declarations are the members that override or fulfil those asked about.
func (e *evidence) declarations() []Reference {
	q := e.q
	var all []Reference
	if !slices.ContainsFunc(e.group, func(r Ref) bool {
		l := q.file(r.File).language
		s := q.Symbol(r)
		return l != nil && (l.hierarchy || isAttribute(l, s)) && q.holdsMember(r)
	}) {
		return nil
	}
	for _, r := range q.Named(q.Symbol(e.group[0]).Name) {
		if slices.Contains(e.group, r) || !e.reaches(r.File) {
			continue
		}
		if slices.Contains(e.set, r) {
			all = append(all, Reference{File: r.File, Use: facts.None, Symbol: r.Index, Reason: "what it overrides"})
		} else if overlap(q.overridden(r), e.set) {
			all = append(all, Reference{File: r.File, Use: facts.None, Symbol: r.Index, Reason: "overrides it"})
		}
	}
	return all
}

// uses decides each use of a name.
func (e *evidence) uses(n spelling) []Reference {
	q := e.q
	var all, unknown []Reference
	for _, use := range q.uses(n.name) {
		id := use.File
		if n.file != facts.None && n.file != id || !e.reaches(id) {
			continue
		}
		q.steps = maxSteps
		m, u := q.means(q.file(id), use.Index, 0), q.file(id).use(use.Index)
		r := Reference{File: id, Use: use.Index, Symbol: facts.None, Confidence: m.confidence, Reason: m.reason}
		switch {
		case m.state == stateFound && e.isMeant(m.refs):
			if !subset(m.refs, e.set) {
				r.Confidence = max(r.Confidence, facts.Likely)
			}
			e.inside++
			all = append(all, r)
		case m.state == stateFound && u.Role == facts.RoleCall && e.constructs(m.refs, u):
			r.Reason = "makes a " + n.name
			all = append(all, r)
		case m.state == stateFound:
			if through, ok := e.dispatches(m.refs); ok && !q.isSuper(q.file(id), use.Index) {
				r.Confidence, r.Reason = facts.Possible, "through "+through+", which its type also is"
				all = append(all, r)
			}
		case m.state == stateOutside && m.via != "" && slices.Contains(e.outsideBases(), m.via):
			r.Confidence, r.Reason = facts.Likely, "its type implements "+m.via+", which comes from elsewhere"
			all = append(all, r)
		case m.state == stateOutside:
			e.outside++
			if e.mayRun(m.via, u) {
				r.Confidence, r.Dispatch, r.Reason = facts.Possible, true, "through "+lastName(m.via)+", which comes from elsewhere and may be implemented by its type"
				all = append(all, r)
			}
		case m.state == stateUnknown:
			unknown = append(unknown, r)
		}
	}
	for _, r := range unknown {
		f := q.file(r.File)
		if c, reason, ok := e.weigh(f, f.use(r.Use)); ok {
			r.Confidence, r.Reason = c, reason
			all = append(all, r)
		}
	}
	return all
}

// constructs reports whether a call of one of refs, which are types, calls a
// constructor of the group: a method that is named like its type.
func (e *evidence) constructs(refs []Ref, u *facts.Use) bool {
	q := e.q
	for _, r := range e.group {
		s := q.Symbol(r)
		if s.Kind != code.KindMethod || lastName(q.owner(r)) != s.Name || !e.fits(r, u) {
			continue
		}
		if t, ok := q.ownerType(r); ok && slices.Contains(refs, t) {
			return true
		}
	}
	return false
}

// mayRun reports whether a call of a member of a type from elsewhere may run a
// method of the group: in Go that of an interface which is named after its one
// method (RoundTripper for RoundTrip, by the convention of Effective Go), and
// where types name those above them any, if the type of the group has one from
// elsewhere too.
func (e *evidence) mayRun(via string, u *facts.Use) bool {
	if via == "" || u.Bind != facts.BindMember || u.Role != facts.RoleCall {
		return false
	}
	return slices.ContainsFunc(e.group, func(r Ref) bool {
		l := e.q.file(r.File).language
		if l == nil || e.q.Symbol(r).Kind != code.KindMethod || !e.fits(r, u) {
			return false
		}
		if l.family == familyGo {
			return namedAfter(lastName(via), u.Name)
		}
		return l.hierarchy && len(e.outsideBases()) > 0
	})
}

// namedAfter reports whether an interface is named after its method: Reader
// after Read, Closer after Close, Scanner after Scan.
func namedAfter(name, method string) bool {
	stem, ok := strings.CutSuffix(name, "er")
	return ok && method != "" && (stem == method || stem+"e" == method || stem == method+method[len(method)-1:])
}

// dispatches reports whether a call of one of refs, which are members of types
// above that of the group, may run a member of the group, and through which type.
func (e *evidence) dispatches(refs []Ref) (through string, ok bool) {
	q := e.q
	if q.Symbol(e.group[0]).Kind != code.KindMethod {
		return "", false
	}
	owner, ok := q.ownerType(e.group[0])
	if !ok {
		return "", false
	}
	for _, r := range refs {
		t, ok := q.ownerType(r)
		if !ok || t == owner {
			continue
		}
		above, known := e.above[t]
		if !known {
			if above = q.isAbove(t, owner); e.above == nil {
				e.above = map[Ref]bool{}
			}
			e.above[t] = above
		}
		if above {
			return q.Symbol(t).Name, true
		}
	}
	return "", false
}

// isSuper reports whether a use asks the types above its own.
func (q *Question) isSuper(f *file, use int32) bool {
	u := f.use(use)
	return u.Bind == facts.BindMember && u.Target != facts.None && f.Expr(int(u.Target)).Op == facts.OpSuper
}

// isAbove reports whether values of one type may be seen as the other.
func (q *Question) isAbove(t, sub Ref) bool {
	if q.isGo(t) {
		if q.Symbol(t).Kind != code.KindInterface {
			return false
		}
		methods, _ := q.methods(t, map[Ref]bool{})
		return q.has(sub, methods)
	}
	return slices.ContainsFunc(q.Supertypes(sub), func(r Related) bool { return r.Ref == t })
}

// isMeant reports whether one of refs is asked about, itself or over what it overrides.
func (e *evidence) isMeant(refs []Ref) bool {
	if overlap(refs, e.set) {
		return true
	}
	for _, r := range refs {
		if overlap(e.q.overridden(r), e.set) {
			return true
		}
	}
	return false
}

func overlap(a, b []Ref) bool {
	return slices.ContainsFunc(a, func(r Ref) bool { return slices.Contains(b, r) })
}

func subset(a, b []Ref) bool {
	return !slices.ContainsFunc(a, func(r Ref) bool { return !slices.Contains(b, r) })
}

// evidence weighs the uses of a name whose receiver is not known.
type evidence struct {
	q       *Question
	group   []Ref
	set     []Ref // and what it overrides
	inside  int   // uses of the name that are known to mean the group
	outside int   // those that are known to mean something from elsewhere
	rivals  []Ref // other members of that name
	loaded  bool
	above   map[Ref]bool // types by whether the type of the group is one of them
	bases   []string     // types from elsewhere that the type of the group implements
	based   bool
}

// outsideBases are the types from elsewhere that the type of the group inherits
// from, where a member and what it overrides are one.
func (e *evidence) outsideBases() []string {
	if e.based {
		return e.bases
	}
	e.based = true
	q := e.q
	for _, r := range e.group {
		f := q.file(r.File)
		s := f.symbol(r.Index)
		if f.language == nil || !f.language.hierarchy || s.Parent == facts.None || !f.symbol(s.Parent).Kind.IsType() {
			continue
		}
		bases, _ := q.bases(thing{kind: aType, ref: Ref{r.File, s.Parent}}, 0)
		for _, b := range bases {
			if b.kind == outside && b.name != "" {
				e.bases = append(e.bases, b.name)
			}
		}
	}
	return e.bases
}

// reaches reports whether a file can mean the group at all.
func (e *evidence) reaches(id FileID) bool {
	q := e.q
	to := q.c.files[id].language
	for _, r := range e.group {
		from := q.c.files[r.File].language
		if from == nil || to == nil || from.family != to.family {
			continue
		}
		if from.family == familyGo && q.Symbol(r).Flags&facts.Exported == 0 && q.c.files[r.File].dir != q.c.files[id].dir {
			continue
		}
		return true
	}
	return false
}

// load finds the other members that the name may mean.
func (e *evidence) load() {
	if e.loaded {
		return
	}
	e.loaded = true
	for _, r := range e.q.Named(e.q.Symbol(e.group[0]).Name) {
		if !slices.Contains(e.set, r) && !overlap(e.q.overridden(r), e.set) && e.q.holdsMember(r) {
			e.rivals = append(e.rivals, r)
		}
	}
}

// holdsMember reports whether a symbol is a member of a type.
func (q *Question) holdsMember(r Ref) bool {
	s := q.Symbol(r)
	return isMember(s) && (s.Owner != "" || s.Parent != facts.None)
}

// weigh says how sure it is that a use of a member of something unknown means
// the group. ok is false where it cannot.
func (e *evidence) weigh(f *file, u *facts.Use) (c facts.Confidence, reason string, ok bool) {
	var asked []Ref
	for _, r := range e.group {
		if e.q.holdsMember(r) && e.fits(r, u) && e.q.c.files[r.File].language == f.language {
			asked = append(asked, r)
		}
	}
	if u.Bind != facts.BindMember || len(asked) == 0 {
		return 0, "", false
	}
	e.load()
	var rivals []Ref
	for _, r := range e.rivals {
		if e.fits(r, u) && e.q.c.files[r.File].language == f.language {
			rivals = append(rivals, r)
		}
	}
	switch {
	case len(rivals) > 0 && e.sounds(f, u, asked, rivals):
		return facts.Likely, "receiver is named like its type", true
	case len(rivals) > 0:
		return facts.Possible, "receiver is not known; one of " + strconv.Itoa(len(rivals)+1) + " members of that name", true
	case e.isRead(u, asked):
		return facts.Possible, "receiver is not known, and it is not called", true
	case e.outside > e.inside && len(e.outsideBases()) == 0:
		return facts.Possible, "receiver is not known; types from elsewhere have a member of that name", true
	}
	return facts.Likely, "receiver is not known; the only member of that name", true
}

// sounds reports whether the receiver of a use is named like the type of a
// symbol that is asked about, and like that of none of its rivals: environment
// for DevEnvironment.
func (e *evidence) sounds(f *file, u *facts.Use, asked, rivals []Ref) bool {
	name := strings.ToLower(e.q.receiver(f, u.Target))
	if len(name) < 3 {
		return false
	}
	like := func(r Ref) bool { return strings.HasSuffix(strings.ToLower(e.q.owner(r)), name) }
	return slices.ContainsFunc(asked, like) && !slices.ContainsFunc(rivals, like)
}

// owner names the type that a member belongs to.
func (q *Question) owner(r Ref) string {
	s := q.Symbol(r)
	if s.Owner != "" || s.Parent == facts.None {
		return s.Owner
	}
	return q.Symbol(Ref{r.File, s.Parent}).Name
}

// receiver is the last name that an expression is written with.
func (q *Question) receiver(f *file, e int32) string {
	for range maxDepth {
		if e == facts.None {
			return ""
		}
		x := f.Expr(int(e))
		switch x.Op {
		case facts.OpUse:
			return strings.TrimPrefix(f.use(x.X).Name, "get")
		case facts.OpCall, facts.OpElem, facts.OpValue:
			e = x.X
		default:
			return ""
		}
	}
	return ""
}

// isRead reports whether a use only reads what are methods.
func (e *evidence) isRead(u *facts.Use, asked []Ref) bool {
	return u.Role != facts.RoleCall && !slices.ContainsFunc(asked, func(r Ref) bool {
		s := e.q.Symbol(r)
		return !s.Kind.IsFunc() || s.Flags&facts.Accessor != 0
	})
}

// fits reports whether a call gives as many arguments as a function takes.
func (e *evidence) fits(r Ref, u *facts.Use) bool {
	s := e.q.Symbol(r)
	if u.Role != facts.RoleCall || u.Args == facts.None || !s.Kind.IsFunc() {
		return true
	}
	return u.Args >= int16(s.MinArgs) && (s.MaxArgs == facts.ManyArgs || u.Args <= int16(s.MaxArgs))
}

// suppose lists the members that a use may mean whose receiver is not known,
// the likeliest first.
func (q *Question) suppose(f *file, u *facts.Use) []Meaning {
	if u.Bind != facts.BindMember {
		return nil
	}
	var all []Meaning
	for _, r := range q.Named(u.Name) {
		if !q.holdsMember(r) || q.c.files[r.File].language != f.language {
			continue
		}
		group := q.together(r)
		e := evidence{q: q, group: group, set: q.hierarchy(group)}
		if c, reason, ok := e.weigh(f, u); ok {
			all = append(all, Meaning{r, c, reason})
		}
	}
	slices.SortStableFunc(all, func(a, b Meaning) int { return cmp.Compare(a.Confidence, b.Confidence) })
	return all
}
