package resolve

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Breadth says which uses of a name count as possible beside those that
// References finds.
type Breadth uint8

// The breadths.
const (
	Unattributed Breadth = iota // members of what is not known to have them
	Whole                       // every use that bears the name
)

// Others finds the uses of a name that are not among found, each possible, in no
// order.
func (q *Question) Others(name string, found []Reference, b Breadth) []Reference {
	uses := q.read.Uses(name)
	known := make(map[corpus.Ref]struct{}, len(found))
	for i := range found {
		if r := &found[i]; r.Use != facts.None {
			known[corpus.Ref{File: r.File, Index: r.Use}] = struct{}{}
		}
	}
	var all []Reference
	for _, use := range uses {
		if _, ok := known[use]; ok {
			continue
		}
		if reason := q.other(use, b); reason != "" {
			all = append(all, Reference{File: use.File, Use: use.Index, Symbol: facts.None, Confidence: facts.Possible, Reason: reason})
		}
	}
	return all
}

// other says why a use that is not known to mean the symbols that are asked
// about may be of interest all the same; empty where it is not.
func (q *Question) other(use corpus.Ref, b Breadth) string {
	u := q.Use(use.File, int(use.Index))
	if u.Bind == facts.BindSymbol && q.Symbol(corpus.Ref{File: use.File, Index: u.Target}).Flags&facts.Local != 0 {
		return whole(b, "a name inside a function")
	}
	a := q.infer.Meaning(use, infer.Full())
	isMember := u.Bind == facts.BindMember && !q.read.File(use.File).IsTop(u)
	if b == Unattributed && (a.State == infer.Found || !isMember) {
		return ""
	}
	switch {
	case a.State == infer.Found && len(a.Refs) == 0:
		return "names a module"
	case a.State == infer.Found:
		return "known as another symbol"
	case u.Bind == facts.BindImport || u.Role == facts.RoleImport:
		return "imported from elsewhere"
	case !isMember:
		return "no declaration of it is in sight"
	case a.State == infer.Outside:
		return "receiver seems to be from elsewhere"
	case a.State == infer.Absent:
		return "receiver seems to have no such member"
	}
	return "receiver is not known"
}

// whole is a reason that counts only where every use is asked for.
func whole(b Breadth, reason string) string {
	if b == Whole {
		return reason
	}
	return ""
}

// Namesakes are the members of a group that may override the first of it without
// saying so, and the constructors in it: each possible, in the order of the group.
func (q *Question) Namesakes(group []corpus.Ref) []Reference {
	var all []Reference
	for i, r := range group {
		l, s := q.language(r), q.Symbol(r)
		constructor := corpus.LastName(q.read.Owner(r)) == s.Name
		if l != nil && corpus.IsMember(s) && (constructor || i > 0 && l.Hierarchy) {
			all = append(all, Reference{File: r.File, Use: facts.None, Symbol: r.Index, Confidence: facts.Possible, Reason: "another declaration of the name"})
		}
	}
	return all
}
