package meaning

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/narrow"
)

// Overridden returns the members of bases that a member replaces or fulfils,
// where its language takes them for one. Do not change them.
func (e *Evaluator) Overridden(member corpus.Ref, b infer.Budget) []corpus.Ref {
	return e.overridden.Recall(member, b, func() []corpus.Ref { return e.findOverridden(member, b) })
}

func (e *Evaluator) findOverridden(member corpus.Ref, b infer.Budget) []corpus.Ref {
	f := e.File(member.File)
	s := f.Symbol(member.Index)
	if f.Language != nil && f.Language.Fulfils != nil {
		return f.Language.Fulfils(member, b)
	}
	owner, ok := e.OwnerType(member, b)
	if !ok || f.Language == nil || !corpus.CanBeMember(s) || !f.Language.Hierarchy && !f.Language.Retypes(s) || s.Name == f.Language.Constructor || strings.HasPrefix(s.Name, "#") || narrow.Forbids(f, s) {
		return nil
	}
	var all []corpus.Ref
	seen := map[corpus.Ref]bool{} // once each: a member that is reached on many ways would double at every level
	add := func(r corpus.Ref) {
		if !seen[r] {
			seen[r] = true
			all = append(all, r)
		}
	}
	bases, _ := e.Above(infer.TypeOf(owner), b.Restart())
	for _, base := range bases {
		if base.Kind != infer.AType && base.Kind != infer.AValue || base.Partly != "" || base.Unnamed && base.Ref == owner {
			continue
		}
		found, _ := e.walk(s.Name).find(base, b.Restart())
		for _, m := range found {
			if f.Language.Conversions != nil && !e.replaces(member, m.Ref, b.Restart()) {
				continue
			}
			if m.Partly || f.Language.MethodsApart && s.Kind.IsFunc() != e.read.Symbol(m.Ref).Kind.IsFunc() || (s.Flags^e.read.Symbol(m.Ref).Flags)&facts.Static != 0 && f.Language.StaticsApart {
				continue
			}
			if f.Language.Hierarchy || !e.Language(m.Ref.File).Retypes(e.read.Symbol(m.Ref)) {
				add(m.Ref)
				for _, o := range e.Overridden(m.Ref, b) {
					add(o)
				}
			}
		}
	}
	return all
}

// declaredAbove are the members that say the type of an attribute.
func (e *Evaluator) declaredAbove(f *infer.File, r corpus.Ref, s *facts.Symbol, b infer.Budget) []corpus.Ref {
	if s.Parent == facts.None || !f.Language.Retypes(s) || !f.Symbol(s.Parent).Kind.IsType() {
		return nil
	}
	return e.Overridden(r, b)
}

// IsSetThrough reports whether an attribute is declared by a value that a method
// gives it through its receiver: it is then the one of a class above that says
// its type.
func (e *Evaluator) IsSetThrough(r corpus.Ref) bool {
	f := e.File(r.File)
	s := f.Symbol(r.Index)
	if s.Parent == facts.None || !f.Language.Retypes(s) || !f.Symbol(s.Parent).Kind.IsType() {
		return false
	}
	for i := s.Parent + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < s.At; i++ {
		if m := f.Symbol(i); m.Parent == s.Parent && m.Kind.IsFunc() && m.End > s.At {
			return true
		}
	}
	return false
}

// typed replaces attributes that are only given a value by those of classes above
// that say their type, which a use of the member means.
func (e *Evaluator) typed(refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	for i, r := range refs {
		f := e.File(r.File)
		if above := e.declaredAbove(f, r, f.Symbol(r.Index), b); len(above) > 0 && !slices.Contains(refs, above[0]) {
			refs = slices.Clone(refs)
			refs[i] = above[0]
		}
	}
	return refs
}

// owners are the types of a name that a member of a file may belong to: of its
// repository, and of those that this imports from.
func (e *Evaluator) owners(f *infer.File, name string) []corpus.Ref {
	all := e.read.Of(f.ID).Named(name)
	if len(e.languages) == 1 || f.Language == nil || f.Language.FolderPrivate {
		return all
	}
	all = slices.Clone(all)
	for _, m := range e.read.Members() {
		for _, r := range m.Named(name) {
			if e.read.Corpus().Home(r.File) != e.read.Corpus().Home(f.ID) && e.read.Corpus().Sees(f.ID, r.File) {
				all = append(all, r)
			}
		}
	}
	return all
}

// OwnerType returns the type that a member belongs to.
func (e *Evaluator) OwnerType(member corpus.Ref, b infer.Budget) (corpus.Ref, bool) {
	f := e.File(member.File)
	s := f.Symbol(member.Index)
	if s.Owner == "" {
		owns := s.Parent != facts.None && f.Symbol(s.Parent).Kind.IsType()
		owns = owns && f.IsOf(s.Parent, f.PartOf(member.Index)) // not of what it takes or gives
		return corpus.Ref{File: member.File, Index: s.Parent}, owns
	}
	announced, found := corpus.Ref{}, false
	for _, t := range e.owners(f, corpus.LastName(s.Owner)) {
		typ := e.read.Symbol(t)
		if !typ.Kind.IsType() || f.Language == nil || !f.Language.Owns(t, member, b) {
			continue
		}
		if !f.Language.Prototypes || typ.Flags&facts.Abstract == 0 {
			return t, true
		}
		announced, found = t, true
	}
	return announced, found
}
