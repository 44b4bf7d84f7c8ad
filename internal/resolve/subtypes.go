package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Subtypes returns the types that inherit from, embed or implement a type, and
// theirs, nearest first.
func (q *Question) Subtypes(typ corpus.Ref) []Related {
	return q.closure(typ, q.subtypes)
}

func (q *Question) subtypes(typ corpus.Ref) []Related {
	if all, ok := q.sub[typ]; ok {
		return all
	}
	left := q.left
	var all []Related
	for _, u := range q.References(q.Together(typ)) {
		if u.Use == facts.None || u.Confidence == facts.Possible {
			continue
		}
		f := q.read.File(u.File)
		use := f.Use(u.Use)
		if (use.Role == facts.RoleInherit || use.Role == facts.RoleImplement) && use.In != facts.None && f.Symbol(use.In).Kind.IsType() {
			sub := corpus.Ref{File: u.File, Index: use.In}
			all = append(all, Related{sub, u.Confidence, "names " + q.Symbol(typ).Name, u.Use})
		}
	}
	if q.isStructural(typ) && q.Symbol(typ).Kind == code.KindInterface {
		all = append(all, q.satisfying(typ)...)
	}
	if q.sub == nil {
		q.sub = map[corpus.Ref][]Related{}
	}
	if q.left == left { // all of them
		q.sub[typ] = all
	}
	return all
}

// Overriding returns the members that replace or fulfil a member, in the
// subtypes of its type.
func (q *Question) Overriding(member corpus.Ref) []Related {
	owner, ok := q.infer.OwnerType(member, infer.Full())
	if !ok {
		return nil
	}
	var all []Related
	name := q.Symbol(member).Name
	for _, t := range q.Subtypes(owner) {
		for _, m := range q.infer.Declared(t.Ref, name, infer.Full()) {
			if m != member {
				all = append(all, Related{m, t.Confidence, q.Symbol(t.Ref).Name + " " + t.Reason, facts.None})
			}
		}
	}
	return all
}

// Replacing returns the members that override or fulfil one of a group: what
// Overriding finds, but from their own side where types name their bases. That takes
// less time where few members have the name.
func (q *Question) Replacing(group []corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	if q.isStructural(group[0]) {
		for _, r := range group {
			if owner, ok := q.infer.OwnerType(r, infer.Full()); ok && q.Symbol(owner).Kind == code.KindInterface {
				for _, o := range q.Overriding(r) {
					all = append(all, o.Ref)
				}
			}
		}
		return all
	}
	for _, r := range q.Named(q.Symbol(group[0]).Name) {
		if !slices.Contains(group, r) && (overlap(q.overridden(r), group) || q.isInherited(group, r)) {
			all = append(all, r)
		}
	}
	return all
}

// isInherited reports whether a member of a group is one of a type above that of
// another member, in languages where overriding is nothing but that.
func (q *Question) isInherited(group []corpus.Ref, member corpus.Ref) bool {
	l, s := q.language(member), q.Symbol(member)
	if l == nil || l.Hierarchy || !s.Kind.IsFunc() || !corpus.IsMember(s) {
		return false
	}
	owner, ok := q.infer.OwnerType(member, infer.Full())
	return ok && slices.ContainsFunc(group, func(r corpus.Ref) bool {
		above, ok := q.infer.OwnerType(r, infer.Full())
		return ok && above != owner && q.isAbove(above, owner)
	})
}

// Implementing returns the uses of a type that say, apart from any declaration,
// that a type implements it: the headers of impls whose type stands elsewhere.
func (q *Question) Implementing(typ corpus.Ref) []Reference {
	l := q.language(typ)
	if l == nil || l.Bases != infer.InFile {
		return nil
	}
	return slices.DeleteFunc(q.References(q.Together(typ)), func(r Reference) bool {
		if r.Use == facts.None || r.Confidence == facts.Possible {
			return true
		}
		f := q.read.File(r.File)
		u := f.Use(r.Use)
		return u.Role != facts.RoleImplement || u.In != facts.None && f.Symbol(u.In).Kind.IsType()
	})
}
