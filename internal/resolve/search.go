package resolve

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// search finds the references of a group.
type search struct {
	q       *Question
	group   []corpus.Ref
	set     []corpus.Ref // the group and what it overrides, where a use of one is a use of all
	isGroup map[corpus.Ref]bool
	isSet   map[corpus.Ref]bool
	weigher *weigher
	apart   bool                        // a use of what it overrides, or of what overrides it, is none of the group
	above   map[corpus.Ref]bool         // types by whether the type of the group is one of them
	below   map[corpus.Ref]bool         // types by whether they are of the type of the group
	lower   map[corpus.Ref][]lower      // by a type that lacks the member
	besides map[corpus.Ref][]corpus.Ref // by a type that lacks the member: what else a use may mean
	beyond  map[corpus.Ref]bool         // what the group overrides; nil before it is asked for
	paths   map[corpus.Ref]path         // what dispatches says of one member
	known   map[corpus.Ref][]string     // what standard says of one

	holdersLoaded bool
	holding       *weigher // of the members that hold a function of the group
}

// lower is a member of the group, by its number there, that a use of what a type lacks
// may mean, and why.
type lower struct {
	at  int
	why string
}

func (q *Question) search(group []corpus.Ref) *search {
	w := q.weigher(group)
	apart := false
	if l := q.language(group[0]); l != nil {
		apart = l.Overrides == infer.AllApart
	}
	return &search{q: q, group: group, set: w.set, isGroup: corpus.SetOf(group), isSet: corpus.SetOf(w.set), weigher: w, apart: apart, above: map[corpus.Ref]bool{}, below: map[corpus.Ref]bool{}, lower: map[corpus.Ref][]lower{}, besides: map[corpus.Ref][]corpus.Ref{}, paths: map[corpus.Ref]path{}, known: map[corpus.Ref][]string{}}
}

// declarations are the members that override the group or that it overrides.
func (s *search) declarations() []Reference {
	q := s.q
	if !slices.ContainsFunc(s.group, func(r corpus.Ref) bool {
		l, sym := q.language(r), q.Symbol(r)
		return l != nil && (l.Hierarchy || l.IsAttribute(sym)) && corpus.IsMember(sym)
	}) {
		return nil
	}
	var all []Reference
	for _, r := range q.Named(q.Symbol(s.group[0]).Name) {
		if s.isGroup[r] || !s.reaches(r.File) || q.late() {
			continue
		}
		d := Reference{File: r.File, Use: facts.None, Symbol: r.Index}
		if s.apart && !s.isSet[r] && !q.infer.IsSetThrough(r) {
			d.Confidence = facts.Possible // no use, but what changes with it
		}
		if s.isSet[r] || s.apart && s.overrides(r) {
			d.Reason = "what it overrides"
		} else if corpus.HasAny(q.overridden(r), s.overridable()) {
			d.Reason = "overrides it"
		} else if fulfilled(q, s.group, r) {
			d.Confidence, d.Reason = facts.Possible, "what it fulfils, with others"
		} else {
			continue
		}
		all = append(all, d)
	}
	return all
}

// fulfilled reports whether a symbol is what one of a group overrides.
func fulfilled(q *Question, group []corpus.Ref, r corpus.Ref) bool {
	return slices.ContainsFunc(group, func(g corpus.Ref) bool { return slices.Contains(q.overridden(g), r) })
}

// uses decides each use of a name. Uses with an unknown receiver come last, by
// what was found of the others. Under another name than its own, which many
// things may bear, the group has only the uses that are known to mean it.
func (s *search) uses(n spelling) []Reference {
	q := s.q
	var all, unknown []Reference
	names := append(q.generated(s.group[0]), q.Symbol(s.group[0]).Name)
	if slices.ContainsFunc(s.group, q.isConstructor) {
		names = append(names, infer.Constructing)
	}
	own := n.name == q.Symbol(s.group[0]).Name
	meanings, keywords := q.meaningsOf(n.name), q.keywordsOf(n.name)
	for k, use := range q.read.Uses(n.name) {
		if keywords != nil && keywords[k] != "" && !slices.Contains(names, keywords[k]) {
			continue
		}
		if n.file != facts.None && n.file != use.File || !s.reaches(use.File) || q.late() {
			continue
		}
		a := q.meaningOf(meanings, k, use)
		if !own && a.State != infer.Found {
			continue
		}
		if a.State == infer.Unknown || a.State == infer.Absent && a.Lacking && !s.isBelow(use, a.Lacks, &Reference{}) {
			unknown = append(unknown, Reference{File: use.File, Use: use.Index, Symbol: facts.None, Confidence: a.Confidence, Reason: a.Reason})
		} else if r, ok := s.decide(use, &a); ok {
			all = append(all, r)
		}
	}
	for _, r := range unknown {
		if q.late() {
			continue
		}
		if s.weigh(&r) {
			all = append(all, r)
		}
	}
	return all
}

// decide says how a use refers to the group; ok is false where it does not.
func (s *search) decide(use corpus.Ref, a *infer.Answer) (r Reference, ok bool) {
	u := s.q.read.File(use.File).Use(use.Index)
	r = Reference{File: use.File, Use: use.Index, Symbol: facts.None, Confidence: a.Confidence, Reason: a.Reason}
	if a.State == infer.Outside {
		return r, !s.q.IsSuper(use) && s.decideOutside(&r, u, a.Via)
	}
	if a.State != infer.Found {
		return r, a.State == infer.Absent && s.isBelow(use, a.Lacks, &r)
	}
	if s.isMeant(a.Refs) {
		if s.replaces(a.Refs, u) {
			r.Confidence, r.Reason, r.Means = facts.Possible, "sets the member of "+s.q.read.Owner(a.Refs[0]), Beside
			return r, true
		}
		if u.Role != facts.RoleImport && !isSubset(a.Refs, s.isSet) {
			r.Confidence = max(r.Confidence, facts.Likely)
		}
		s.weigher.in(use.File).inside++
		if r.Means = s.means(a.Refs); r.Means == Above && u.Role == facts.RoleCall && s.siblingsApart() { // it may run another one
			r.Confidence, r.Reason = max(r.Confidence, facts.Likely), "through "+s.q.read.Owner(a.Refs[0])+", which its type also is"
		}
		return r, true
	}
	if u.Role == facts.RoleCall && s.constructs(use, a.Refs, &r) {
		return r, true
	}
	if s.apart && corpus.HasAny(s.overridden(a.Refs), s.isGroup) {
		r.Confidence, r.Reason = facts.Possible, "of "+s.q.read.Owner(a.Refs[0])+", which overrides it"
		r.Means = Beside
		return r, true
	}
	if via, c, ok := s.passes(a.Refs, u); ok {
		r.Confidence, r.Reason = max(c, r.Confidence), "through "+via+", which holds it"
		return r, true
	}
	if through, ok := s.dispatches(a.Refs); ok && !s.q.IsSuper(use) {
		r.Confidence, r.Reason = through.likely()
		r.Means = Above
		return r, r.Confidence != facts.Possible || s.q.MayRun(use, s.group)
	}
	if s.fulfils(a.Refs) {
		r.Confidence, r.Reason = facts.Possible, "of "+s.q.read.Owner(a.Refs[0])+", which fulfils it"
		r.Means = Beside
		return r, true
	}
	return r, false
}

// replaces reports whether a use that means what the group overrides gives a value
// another method, as a key of a literal does: that is none of the group.
func (s *search) replaces(refs []corpus.Ref, u *facts.Use) bool {
	g := s.q.Symbol(s.group[0])
	return u.Role == facts.RoleWrite && g.Kind == code.KindMethod && g.Flags&facts.Accessor == 0 && s.means(refs) == Above
}

// means says which of the group and of what it overrides some symbols are.
func (s *search) means(refs []corpus.Ref) Means {
	switch {
	case corpus.HasAny(refs, s.isGroup):
		return Itself
	case slices.ContainsFunc(refs, s.overrides):
		return Above
	}
	return Beside
}

// isBelow decides a use of a member that the type of its receiver lacks: it may mean
// that of a type below, or of what such a type is mixed from.
func (s *search) isBelow(use corpus.Ref, lacks []corpus.Ref, r *Reference) bool {
	u := s.q.read.File(use.File).Use(use.Index)
	first, why := len(s.group), ""
	for _, t := range lacks {
		for _, m := range s.lowerOf(t) {
			if m.at >= first {
				break
			}
			if len(s.q.infer.Suited(s.group[m.at:m.at+1], u)) > 0 {
				first, why = m.at, m.why
				break
			}
		}
	}
	if first == len(s.group) {
		return false
	}
	r.Confidence, r.Reason = facts.Likely, why
	for _, t := range lacks {
		if len(s.q.infer.Suited(s.besidesOf(t), u)) > 0 {
			r.Confidence, r.Reason = facts.Possible, why+", as others are that have one"
		}
	}
	return true
}

// besidesOf are the members outside of the group, and not below it, that a use of what a
// type lacks may mean as well.
func (s *search) besidesOf(lacks corpus.Ref) []corpus.Ref {
	all, ok := s.besides[lacks]
	if !ok {
		for _, r := range s.q.Named(s.q.Symbol(s.group[0]).Name) {
			if s.isGroup[r] || !corpus.IsMember(s.q.Symbol(r)) || corpus.HasAny(s.q.overridden(r), s.isGroup) {
				continue
			}
			if _, ok := s.q.below(r, []corpus.Ref{lacks}); ok {
				all = append(all, r)
			}
		}
		s.besides[lacks] = all
	}
	return all
}

// lowerOf are the members of the group that a use of what a type lacks may mean, in the
// order of the group.
func (s *search) lowerOf(lacks corpus.Ref) []lower {
	all, ok := s.lower[lacks]
	if !ok {
		for i, member := range s.group {
			if why, ok := s.q.below(member, []corpus.Ref{lacks}); ok {
				all = append(all, lower{i, why})
			}
		}
		s.lower[lacks] = all
	}
	return all
}

// decideOutside decides a use of a member of a type from elsewhere.
func (s *search) decideOutside(r *Reference, u *facts.Use, via string) bool {
	if via != "" && !s.apart && slices.Contains(s.weigher.outsideBases(), via) {
		r.Confidence, r.Reason, r.Means = facts.Likely, "its type implements "+via+", which comes from elsewhere", Above
		return true
	}
	if s.isForeign(r.File, u, via) {
		r.Confidence, r.Reason = facts.Likely, "receiver comes from elsewhere; it is declared for such a type"
		return true
	}
	s.weigher.in(r.File).outside++
	if !s.mayRun(via, u) {
		return false
	}
	r.Confidence, r.Dispatch = facts.Possible, true
	r.Reason = "through " + corpus.LastName(via) + ", which comes from elsewhere and may be implemented by its type"
	return true
}

// isForeign reports whether a use of a member of a type from elsewhere means the
// group: the repository declares that for such a type, and for no other.
func (s *search) isForeign(id corpus.FileID, u *facts.Use, via string) bool {
	q := s.q
	l := q.language(s.group[0])
	if u.Bind != facts.BindMember || l == nil || l.Foreign == nil || l.Builtins[u.Name] || !l.Foreign(s.group[0]) || q.isHidden(s.group[0], id) {
		return false
	}
	return via == q.read.Owner(s.group[0]) || !slices.ContainsFunc(q.Named(u.Name), func(r corpus.Ref) bool {
		return !s.isGroup[r] && q.language(r) == l && l.Foreign(r)
	})
}

// overrides reports whether the group overrides a member.
func (s *search) overrides(r corpus.Ref) bool {
	if s.beyond == nil {
		s.beyond = corpus.SetOf(s.overridden(s.group))
	}
	return s.beyond[r]
}

// overridden are the members that some override.
func (s *search) overridden(members []corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	for _, r := range members {
		all = append(all, s.q.overridden(r)...)
	}
	return all
}

// constructs reports whether a call of types calls a constructor of the group: a
// method that is named like its type.
func (s *search) constructs(use corpus.Ref, types []corpus.Ref, r *Reference) bool {
	q := s.q
	u := q.read.File(use.File).Use(use.Index)
	for _, t := range types {
		if !q.Symbol(t).Kind.IsType() || q.Symbol(t).Name != q.Symbol(s.group[0]).Name || !q.NamesConstructors(t) {
			continue
		}
		made := q.infer.Called(use, q.infer.Fitting(q.infer.Declared(t, q.Symbol(t).Name, infer.Full()), u), infer.Full())
		if !corpus.HasAny(made, s.isGroup) {
			continue
		}
		r.Reason = "makes a " + u.Name
		if len(made) > 1 {
			r.Confidence = max(r.Confidence, facts.Likely)
		}
		return true
	}
	return false
}

// mayRun reports whether a call of a member of a type from elsewhere may run a
// method of the group. In Go the type must be an interface that is named after
// its one method (RoundTripper for RoundTrip, a convention of Effective Go), or one of
// the standard library whose methods the type of the group has (Handler). Where types
// name their bases, the type of the group must have one from elsewhere.
func (s *search) mayRun(via string, u *facts.Use) bool {
	if via == "" || u.Bind != facts.BindMember || u.Role != facts.RoleCall {
		return false
	}
	return slices.ContainsFunc(s.q.infer.Fitting(s.group, u), func(r corpus.Ref) bool {
		l := s.q.language(r)
		if l == nil || s.q.Symbol(r).Kind != code.KindMethod {
			return false
		}
		if l.Structural {
			return namedAfter(corpus.LastName(via), u.Name) || slices.ContainsFunc(s.standard(r), func(name string) bool {
				return name == via || strings.HasSuffix(name, "."+corpus.LastName(via))
			})
		}
		return l.Hierarchy && len(s.weigher.outsideBases()) > 0
	})
}

// standard are the interfaces of the standard library that a method of the group fulfils.
func (s *search) standard(method corpus.Ref) []string {
	all, ok := s.known[method]
	if !ok {
		all = s.q.Standard(method)
		s.known[method] = all
	}
	return all
}

// namedAfter reports whether an interface is named after its method: Reader
// after Read, Closer after Close, Scanner after Scan.
func namedAfter(name, method string) bool {
	stem, ok := strings.CutSuffix(name, "er")
	return ok && method != "" && (stem == method || stem+"e" == method || stem == method+method[len(method)-1:])
}

// isMeant reports whether one of several symbols is in the group, itself or by
// what it overrides.
func (s *search) isMeant(refs []corpus.Ref) bool {
	if meant := corpus.HasAny(refs, s.isSet); s.apart || meant {
		return meant
	}
	return slices.ContainsFunc(refs, func(r corpus.Ref) bool { return corpus.HasAny(s.q.overridden(r), s.overridable()) })
}

// overridable are the symbols whose overriding members are meant, too.
func (s *search) overridable() map[corpus.Ref]bool {
	if s.siblingsApart() {
		return s.isGroup
	}
	return s.isSet
}

// siblingsApart reports whether members that override the same one are no uses of each other.
func (s *search) siblingsApart() bool {
	l := s.q.language(s.group[0])
	return l != nil && l.Overrides == infer.SiblingsApart
}

// reaches reports whether a file can mean the group at all.
func (s *search) reaches(id corpus.FileID) bool {
	c := s.q.corpus
	return slices.ContainsFunc(s.group, func(r corpus.Ref) bool {
		l := s.q.language(r)
		if l == nil || c.Family(r.File) != c.Family(id) {
			return false
		}
		private := l.FolderPrivate && s.q.Symbol(r).Flags&facts.Exported == 0
		return !private || c.Folder(r.File) == c.Folder(id) && c.Of(r.File) == c.Of(id)
	})
}

func isSubset(refs []corpus.Ref, of map[corpus.Ref]bool) bool {
	return !slices.ContainsFunc(refs, func(r corpus.Ref) bool { return !of[r] })
}
