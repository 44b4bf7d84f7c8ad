package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// localReferences finds the uses of a symbol inside a function: those in its file and,
// where a value can carry it out of the function, those that are known to mean it in
// other files.
func (q *Question) localReferences(r corpus.Ref) []Reference {
	var all []Reference
	f := q.read.File(r.File)
	name := f.Symbol(r.Index).Name
	for i := range f.Facts.UsesNamed(name) {
		a := q.infer.Meaning(corpus.Ref{File: r.File, Index: int32(i)}, infer.Full())
		if slices.Contains(a.Refs, r) {
			all = append(all, Reference{File: r.File, Use: int32(i), Symbol: facts.None, Confidence: a.Confidence, Reason: a.Reason})
		}
	}
	if q.leaves(r) {
		all = append(all, q.search([]corpus.Ref{r}).outside(name)...)
	}
	return all
}

// leaves reports whether a value can carry a symbol inside a function out of it: a
// member of a type that its result or parameter is of, or a function that is passed on.
func (q *Question) leaves(r corpus.Ref) bool {
	s, l := q.Symbol(r), q.language(r)
	switch {
	case l == nil || !l.PassesOn:
		return false
	case s.Kind == code.KindFunc:
		return q.isRead(r, s)
	}
	return (s.Kind == code.KindField || s.Kind == code.KindMethod) && s.Parent != facts.None
}

// isRead reports whether a function is named in its file without being called.
func (q *Question) isRead(r corpus.Ref, s *facts.Symbol) bool {
	f := q.read.File(r.File)
	for i := range f.Facts.UsesNamed(s.Name) {
		if u := f.Use(int32(i)); u.Role == facts.RoleRead && u.Bind == facts.BindSymbol && u.Target == r.Index {
			return true
		}
	}
	return false
}

// outside are the uses of a name that are known to mean the group, or a call of what
// holds it, in other files than its own; in its own file the calls alone.
func (s *search) outside(name string) []Reference {
	q := s.q
	var all []Reference
	meanings := q.meaningsOf(name)
	for k, use := range q.read.Uses(name) {
		if !s.reaches(use.File) || q.late() {
			continue
		}
		a := q.meaningOf(meanings, k, use)
		if a.State != infer.Found || corpus.HasAny(a.Refs, s.isGroup) && use.File == s.group[0].File {
			continue
		}
		if r, ok := s.decide(use, &a); ok && r.Means == Itself && r.Confidence != facts.Possible {
			all = append(all, r)
		}
	}
	return all
}
