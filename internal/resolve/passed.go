package resolve

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// maxPassed bounds the names that one value is passed on by.
const maxPassed = 6

// passes reports whether a use of one of several symbols uses the group through
// it: a variable that a pattern takes from its owner, or, in a call, what holds a
// function of the group. via names the symbol.
func (s *search) passes(refs []corpus.Ref, role facts.Role) (via string, c facts.Confidence, ok bool) {
	if l := s.q.language(s.group[0]); l == nil || !l.PassesOn {
		return "", 0, false
	}
	for _, r := range refs {
		if c, ok := s.holds(r, role, maxPassed); ok {
			return s.q.Symbol(r).Name, c, true
		}
	}
	return "", 0, false
}

// holds reports whether a symbol is given the group as its value.
func (s *search) holds(r corpus.Ref, role facts.Role, more int) (facts.Confidence, bool) {
	q := s.q
	sym := q.Symbol(r)
	if sym.Type == facts.None || sym.Kind.IsFunc() || sym.Kind.IsType() || more == 0 {
		return 0, false
	}
	x := q.File(r.File).Expr(int(sym.Type))
	if x.Op == facts.OpValue && role == facts.RoleCall { // typeof f
		x = q.File(r.File).Expr(int(x.X))
	}
	if x.Op != facts.OpUse {
		return 0, false
	}
	u := q.Use(r.File, int(x.X))
	taken := sym.Flags&facts.Local != 0 && u.At == sym.At
	if !taken && role != facts.RoleCall {
		return 0, false
	}
	a := q.infer.Meaning(corpus.Ref{File: r.File, Index: x.X}, infer.Full())
	if a.State != infer.Found {
		return 0, false
	}
	if s.isMeant(a.Refs) && (taken || slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return q.Symbol(r).Kind.IsFunc() })) {
		return max(a.Confidence, facts.Likely), true
	}
	for _, next := range a.Refs {
		if next == r {
			continue
		}
		if c, ok := s.holds(next, role, more-1); ok {
			return max(c, a.Confidence), true
		}
	}
	return 0, false
}

// holders weigh the calls of members of something unknown that hold a function of
// the group; nil where there are none.
func (s *search) holders() *weigher {
	if s.holdersLoaded {
		return s.holding
	}
	s.holdersLoaded = true
	q := s.q
	if l := q.language(s.group[0]); l == nil || !l.PassesOn || !q.Symbol(s.group[0]).Kind.IsFunc() {
		return nil
	}
	var all []corpus.Ref
	for _, r := range q.Named(q.Symbol(s.group[0]).Name) {
		if corpus.IsMember(q.Symbol(r)) && !slices.Contains(s.set, r) && s.reaches(r.File) {
			if _, ok := s.holds(r, facts.RoleCall, maxPassed); ok {
				all = append(all, r)
			}
		}
	}
	if len(all) > 0 {
		s.holding = q.weigher(all)
	}
	return s.holding
}

// weigh says how likely it is that a use of a member of something unknown means
// the group, itself or through what holds it.
func (s *search) weigh(r *Reference) bool {
	u := s.q.read.File(r.File).Use(r.Use)
	var ok bool
	if r.Confidence, r.Reason, ok = s.weigher.weigh(r.File, u); ok {
		return true
	}
	h := s.holders()
	if h == nil || u.Role != facts.RoleCall {
		return false
	}
	if r.Confidence, r.Reason, ok = h.weigh(r.File, u); ok {
		r.Reason += ", which holds it"
	}
	return ok
}
