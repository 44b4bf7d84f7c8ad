package resolve

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// maxPassed bounds the names that one value is passed on by.
const maxPassed = 6

// passes reports whether a call of one of several symbols calls a function of the
// group that it holds. via names the symbol.
func (s *search) passes(refs []corpus.Ref, u *facts.Use) (via string, c facts.Confidence, ok bool) {
	if l := s.q.language(s.group[0]); u.Role != facts.RoleCall || l == nil || !l.PassesOn || !s.q.Symbol(s.group[0]).Kind.IsFunc() {
		return "", 0, false
	}
	for _, r := range refs {
		if c, ok := s.holds(r, maxPassed); ok {
			if s.q.infer.File(r.File).IsCopy(r.Index) {
				c = facts.Possible
			}
			return s.q.Symbol(r).Name, c, true
		}
	}
	return "", 0, false
}

// holds reports whether the value of a symbol is a function of the group: it is
// written as its first value or, with typeof, as its type.
func (s *search) holds(r corpus.Ref, more int) (facts.Confidence, bool) {
	a := s.q.valueOf(r)
	if a.State != infer.Found || more == 0 {
		return 0, false
	}
	if s.isMeant(a.Refs) {
		return max(a.Confidence, facts.Likely), true
	}
	for _, next := range a.Refs {
		if next == r {
			continue
		}
		if c, ok := s.holds(next, more-1); ok {
			return max(c, a.Confidence), true
		}
	}
	return 0, false
}

// valueOf says what the name means that is the value of a symbol.
func (q *Question) valueOf(r corpus.Ref) infer.Answer {
	sym := q.Symbol(r)
	if sym.Type == facts.None || sym.Kind.IsFunc() || sym.Kind.IsType() && sym.Kind != code.KindType {
		return infer.Answer{}
	}
	x := q.File(r.File).Expr(int(sym.Type))
	if sym.Kind == code.KindType && x.Op != facts.OpItself { // another name of what typeof gives
		return infer.Answer{}
	}
	if x.Op == facts.OpValue || x.Op == facts.OpItself {
		x = q.File(r.File).Expr(int(x.X))
	}
	if x.Op != facts.OpUse {
		return infer.Answer{}
	}
	return q.infer.Meaning(corpus.Ref{File: r.File, Index: x.X}, infer.Full())
}

// Held are the functions that a variable or field holds: its first value names them.
// They are likely at most, and none of a symbol of another kind.
func (q *Question) Held(r corpus.Ref) []Meaning {
	l := q.language(r)
	if l == nil || !l.PassesOn {
		return nil
	}
	return q.held(r, maxPassed)
}

func (q *Question) held(r corpus.Ref, more int) (all []Meaning) {
	a := q.valueOf(r)
	if a.State != infer.Found || a.Confidence == facts.Possible || more == 0 {
		return nil
	}
	for _, next := range a.Refs {
		if next != r && q.Symbol(next).Kind.IsFunc() {
			all = append(all, Meaning{next, facts.Likely, "through " + q.Symbol(r).Name + ", which holds it"})
		} else if next != r {
			all = append(all, q.held(next, more-1)...)
		}
	}
	return all
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
		if corpus.IsMember(q.Symbol(r)) && !s.isSet[r] && s.reaches(r.File) {
			if _, ok := s.holds(r, maxPassed); ok {
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
		if r.Confidence == facts.Likely && s.isShort(r.File, u) {
			r.Confidence, r.Reason = facts.Possible, "receiver is not known, and the key only names its value"
		}
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

// isShort reports whether a use is the key of a literal that is its value, too, in
// languages whose literals need no type.
func (s *search) isShort(id corpus.FileID, u *facts.Use) bool {
	if l := s.q.infer.Language(id); u.Role != facts.RoleWrite || l == nil || !l.KeysAreMembers {
		return false
	}
	f := s.q.read.File(id)
	i := f.Facts.UsesFrom(u.At)
	return i+1 < f.Facts.NumUses() && f.Use(int32(i+1)).At == u.At
}
