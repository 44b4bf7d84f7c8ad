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
