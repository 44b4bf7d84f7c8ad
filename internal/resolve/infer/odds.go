package infer

import (
	"slices"

	"espy/internal/resolve/corpus"
)

// Odds count what the alternatives of a union say of a member. A use of a member
// that some of them lack is of a part of the union, which a test before it tells.
type Odds struct {
	Union   bool
	with    []corpus.Ref // the members, once each
	lacking int          // alternatives of the repository
	foreign int          // alternatives from elsewhere
}

// maxForeign bounds the alternatives from elsewhere beside which a member of
// another one is likely.
const maxForeign = 2

// Outside counts an alternative that is from elsewhere.
func (o *Odds) Outside(base Thing) {
	if base.Kind == Elsewhere {
		o.foreign++
	}
}

// Inside counts what an alternative of the repository has. areOne reports whether two
// members are one for their language, or one overrides the other.
func (o *Odds) Inside(found []Member, areOne func(x, y corpus.Ref) bool) {
	if !o.Union {
		return
	}
	for _, m := range found {
		if !slices.ContainsFunc(o.with, func(r corpus.Ref) bool { return areOne(r, m.Ref) }) {
			o.with = append(o.with, m.Ref)
		}
	}
	if len(found) == 0 {
		o.lacking++
	}
}

// Weigh marks members of which it cannot be told whether they are meant: one of
// several that only some alternatives have, or one beside many from elsewhere.
func (o *Odds) Weigh(all []Member) []Member {
	if !o.Union || (len(o.with) < 2 || o.lacking == 0) && o.foreign <= maxForeign {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].Doubt = true
	}
	return all
}
