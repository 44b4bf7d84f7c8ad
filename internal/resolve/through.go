package resolve

import (
	"slices"
	"strconv"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// path is the type that a call goes through, if it goes to the group at all.
type path struct {
	through string // empty for an interface without a name
	ok      bool
	others  []corpus.Ref // of an interface that types fulfil: what the call may run besides the group
	counted bool         // whether others were looked for
}

// dispatches reports whether a call of one of several members, of types above
// that of the group, may run a member of the group, and through which type.
func (s *search) dispatches(members []corpus.Ref) (p path, ok bool) {
	if len(members) != 1 {
		p.through, p.ok = s.dispatch(members)
		return p, p.ok
	}
	known, ok := s.paths[members[0]]
	if !ok {
		if known.through, known.ok = s.dispatch(members); known.through != "" {
			known.others, known.counted = s.others(members[0])
		}
		s.paths[members[0]] = known
	}
	return known, known.ok
}

// dispatch is the type that dispatches says, worked out.
func (s *search) dispatch(members []corpus.Ref) (through string, ok bool) {
	q := s.q
	if g := q.Symbol(s.group[0]); g.Kind != code.KindMethod && !(s.apart && q.language(s.group[0]).IsAttribute(g)) {
		return "", false
	}
	owner, ok := q.infer.OwnerType(s.group[0], infer.Full())
	if !ok {
		return "", false
	}
	for _, m := range members {
		if (q.Symbol(m).Flags^q.Symbol(s.group[0]).Flags)&facts.Static != 0 {
			continue
		}
		if l := q.language(m); s.apart && l != nil && l.Hierarchy && !s.overrides(m) {
			continue
		}
		t, named := q.infer.OwnerType(m, infer.Full())
		if named && t != owner && s.isAbove(t, owner) {
			return q.Symbol(t).Name, true
		}
		if l := q.language(m); !named && l != nil && l.Structural && q.Symbol(m).Kind == code.KindMethod {
			return "", true
		}
	}
	return "", false
}

// isAbove is Question.IsAbove of the type of the group, remembered.
func (s *search) isAbove(typ, owner corpus.Ref) bool {
	above, known := s.above[typ]
	if !known {
		above = s.q.IsAbove(typ, owner)
		s.above[typ] = above
	}
	return above
}

// others are the methods besides the group that fulfil a method of an interface, in
// languages where types do so by having its methods; ok is false in others. Those of
// other interfaces are none.
func (s *search) others(method corpus.Ref) (all []corpus.Ref, ok bool) {
	if l := s.q.language(method); l == nil || !l.Structural {
		return nil, false
	}
	for _, r := range s.q.Replacing([]corpus.Ref{method}) {
		if !s.isGroup[r.Ref] && s.q.Symbol(r.Ref).Owner != "" {
			all = append(all, r.Ref)
		}
	}
	return all, true
}

// likely says how likely it is that a call runs the group by a path: through an
// interface of the repository it may run each method that fulfils it, of however many types.
func (p *path) likely() (facts.Confidence, string) {
	switch n := 1 + len(p.others); {
	case p.through == "":
		return facts.Possible, "through an interface without a name, which its type may also be"
	case !p.counted:
		return facts.Possible, "through " + p.through + ", which its type also is"
	case n > 1:
		return facts.Likely, "through " + p.through + ", whose methods " + strconv.Itoa(n) + " types here have"
	}
	return facts.Likely, "through " + p.through + ", whose methods no other type here has"
}

// fulfils reports whether one of several members is of a type that has the methods of
// the interface of the group.
func (s *search) fulfils(members []corpus.Ref) bool {
	q := s.q
	if l := q.language(s.group[0]); l == nil || !l.Structural || q.Symbol(s.group[0]).Kind != code.KindMethod {
		return false
	}
	iface, ok := q.infer.OwnerType(s.group[0], infer.Full())
	if !ok || q.Symbol(iface).Kind != code.KindInterface {
		return false
	}
	return slices.ContainsFunc(members, func(m corpus.Ref) bool {
		t, ok := q.infer.OwnerType(m, infer.Full())
		if !ok || t == iface || q.Symbol(m).Kind != code.KindMethod {
			return false
		}
		below, known := s.below[t]
		if !known {
			below = q.IsAbove(iface, t)
			s.below[t] = below
		}
		return below
	})
}

// NamesType reports whether a use is of a member of a type itself, not of a value:
// of a class, or a named argument of a call that makes one.
func (q *Question) NamesType(use corpus.Ref) bool {
	u := q.Use(use.File, int(use.Index))
	if u.Bind != facts.BindMember || u.Target == facts.None {
		return false
	}
	x := q.File(use.File).Expr(int(u.Target))
	if x.Op != facts.OpUse {
		return false
	}
	a := q.infer.Meaning(corpus.Ref{File: use.File, Index: x.X}, infer.Full())
	return slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return q.Symbol(r).Kind.IsType() })
}

// IsSuper reports whether a use asks the types above its own, or one class whatever its
// receiver is: Base.run(self).
func (q *Question) IsSuper(use corpus.Ref) bool {
	u := q.Use(use.File, int(use.Index))
	if u.Bind == facts.BindMember && u.Target != facts.None && q.File(use.File).Expr(int(u.Target)).Op == facts.OpSuper {
		return true
	}
	l := q.language(use)
	_, ok := q.keywordOf(use)
	return ok || l != nil && l.Dynamic && l.ExplicitReceiver && q.NamesType(use)
}

// keywordOf is the name of the member that a use means which is a keyword instead.
func (q *Question) keywordOf(use corpus.Ref) (name string, ok bool) {
	l := q.language(use)
	if l == nil || l.Keyword == nil {
		return "", false
	}
	f := q.read.File(use.File)
	return l.Keyword(f, f.Use(use.Index))
}

// keywordsOf are the names of the members that the uses of a keyword mean, in their order,
// "" for a use that is none; nil where no use of a word is one.
func (q *Question) keywordsOf(word string) []string {
	names, known := q.keywords[word]
	if known {
		return names
	}
	uses := q.read.Uses(word)
	for k, use := range uses {
		if l := q.language(use); l == nil || !slices.Contains(l.Keywords, word) {
			continue
		}
		if name, ok := q.keywordOf(use); ok {
			if names == nil {
				names = make([]string, len(uses))
			}
			names[k] = name
		}
	}
	q.keywords[word] = names
	return names
}
