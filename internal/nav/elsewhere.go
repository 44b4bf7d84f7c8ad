package nav

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// addImports adds the imports that no use stands for.
func (q question) addImports(all *found, imports []corpus.Ref) {
	for _, r := range imports {
		m := q.File(r.File).Import(int(r.Index))
		ref := resolve.Reference{File: r.File, Use: facts.None, Symbol: facts.None, Reason: "the same import"}
		p := located{Reference: ref, at: m.At, word: m.Local, role: facts.RoleImport}
		if !slices.ContainsFunc(all.sure, func(o located) bool { return byPlace(&o, &p) == 0 || q.takes(&o, r) }) {
			all.sure = append(all.sure, p)
		}
	}
	sortPlaces(all.sure)
}

// takes reports whether a use is the name in an import that takes it.
func (q question) takes(p *located, imported corpus.Ref) bool {
	if p.File != imported.File || p.Use == facts.None {
		return false
	}
	u := q.Use(p.File, int(p.Use))
	return u.Role == facts.RoleImport && u.Bind == facts.BindImport && u.Target == imported.Index
}
