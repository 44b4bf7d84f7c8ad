package resolve

import (
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// meanings are what the uses of one name mean, in their order. Where a name has many
// declarations, the references of each are looked for among the same uses.
type meanings struct {
	q    *Question
	name string
	all  []*infer.Answer // nil in the first search for a name, which mostly is the only one
}

// meaningsOf returns the meanings of a name, as far as they are known from the search
// before this one.
func (q *Question) meaningsOf(name string) *meanings {
	switch m := q.meanings; {
	case m == nil || m.name != name:
		q.meanings = &meanings{q: q, name: name}
	case m.all == nil:
		m.all = make([]*infer.Answer, q.CountUses(name))
	}
	return q.meanings
}

// of is the meaning of use k. Do not change it.
func (m *meanings) of(k int, use corpus.Ref) infer.Answer {
	if m.all == nil {
		return m.q.infer.Meaning(use, infer.Full())
	}
	if m.all[k] == nil {
		a := m.q.infer.Meaning(use, infer.Full())
		m.all[k] = &a
	}
	return *m.all[k]
}
