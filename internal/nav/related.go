package nav

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
)

// IsRelation reports whether a kind asks for declarations that stand in a
// relation to a symbol, not for its uses.
func (k Kind) IsRelation() bool {
	switch k {
	case KindImplementations, KindOverrides, KindSubtypes, KindSupertypes:
		return true
	}
	return false
}

// relatable leaves the groups that can stand in a relation, the likeliest ones
// only where some cannot be told from others by their kind.
func (a *ask) relatable(kind Kind, groups [][]corpus.Ref) [][]corpus.Ref {
	for level := range relationLevels {
		fit := slices.DeleteFunc(slices.Clone(groups), func(g []corpus.Ref) bool { return a.relationLevel(kind, g) != level })
		if len(fit) > 0 {
			return fit
		}
	}
	return groups
}

// relationLevels is the number of what relationLevel returns.
const relationLevels = 3

// relationLevel says how well a relation fits a group: 0 for what the word is
// said of, 1 for what else may have it, 2 for the rest.
func (a *ask) relationLevel(kind Kind, group []corpus.Ref) int {
	s := a.Symbol(group[0])
	isMember := s.Kind.IsFunc() && corpus.IsMember(s)
	isAbstract := s.Kind == code.KindInterface || s.Kind == code.KindTrait || isMember && s.Flags&facts.Abstract != 0
	switch {
	case kind == KindImplementations && isAbstract,
		kind == KindOverrides && isMember,
		(kind == KindSubtypes || kind == KindSupertypes) && s.Kind.IsType() && s.Kind != code.KindModule:
		return 0
	case kind == KindImplementations && (isMember || s.Kind.IsType() && s.Kind != code.KindModule):
		return 1
	}
	return 2
}

// related are the declarations that stand in a relation to those of a group.
func (a *ask) related(kind Kind, group []corpus.Ref) []resolve.Reference {
	var all []resolve.Reference
	for _, r := range group {
		for _, f := range a.relation(kind, r) {
			if kind != KindImplementations || a.Symbol(f.Ref).Kind != code.KindInterface && a.Symbol(f.Ref).Flags&facts.Abstract == 0 {
				all = append(all, a.declaring(kind, f))
			}
		}
		if kind == KindImplementations && a.Symbol(r).Kind.IsType() {
			all = append(all, a.Implementing(r)...)
		}
	}
	slices.SortFunc(all, func(x, y resolve.Reference) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Symbol, y.Symbol), cmp.Compare(x.Use, y.Use), cmp.Compare(x.Confidence, y.Confidence))
	})
	return slices.CompactFunc(all, func(x, y resolve.Reference) bool {
		return x.File == y.File && x.Symbol == y.Symbol && x.Use == y.Use
	})
}

func (a *ask) relation(kind Kind, r corpus.Ref) []kin.Related {
	member := !a.Symbol(r).Kind.IsType()
	switch {
	case kind == KindOverrides || kind == KindImplementations && member:
		return a.Overriding(r)
	case member:
		return nil
	case kind == KindSupertypes:
		return a.Supertypes(r)
	}
	return a.Subtypes(r)
}

// declaring is the place that makes a type an implementation: its declaration,
// or the header of an impl that stands apart from it.
func (a *ask) declaring(kind Kind, f kin.Related) resolve.Reference {
	ref := resolve.Reference{File: f.File, Use: facts.None, Symbol: f.Index, Confidence: f.Confidence, Reason: f.Reason}
	if kind != KindImplementations || f.By.Index == facts.None {
		return ref
	}
	if s, u := a.Symbol(f.Ref), a.Use(f.By.File, int(f.By.Index)); f.By.File != f.File || u.At < s.Start || u.At >= s.End {
		ref.File, ref.Use, ref.Symbol = f.By.File, f.By.Index, facts.None
	}
	return ref
}
