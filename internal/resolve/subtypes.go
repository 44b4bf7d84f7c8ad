package resolve

import (
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
			all = append(all, Related{sub, u.Confidence, "names " + q.Symbol(typ).Name})
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
				all = append(all, Related{m, t.Confidence, q.Symbol(t.Ref).Name + " " + t.Reason})
			}
		}
	}
	return all
}
