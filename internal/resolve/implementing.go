package resolve

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Implementing returns the uses of a type that say, apart from any declaration,
// that a type implements it: the headers of impls whose type stands elsewhere.
func (q *Question) Implementing(typ corpus.Ref) (all []Reference) {
	l := q.language(typ)
	if l == nil || l.Bases != infer.InFile {
		return nil
	}
	for _, n := range q.Inheriting(q.Together(typ)) {
		f := q.read.File(n.Use.File)
		if u := f.Use(n.Use.Index); u.Role == facts.RoleImplement && (u.In == facts.None || !f.Symbol(u.In).Kind.IsType()) {
			all = append(all, Reference{File: n.Use.File, Use: n.Use.Index, Symbol: facts.None, Confidence: n.Confidence, Reason: n.Reason})
		}
	}
	return all
}
