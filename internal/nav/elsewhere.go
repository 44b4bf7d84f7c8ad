package nav

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// importAt finds the import that brings what no file declares and whose name stands
// at a place.
func (a *ask) importAt(all *targets, f corpus.FileID, t Target) bool {
	from, to, err := a.offset(f, t.Line, t.Column)
	if err != nil {
		return false
	}
	file := a.File(f)
	for i := range file.NumImports() {
		m := file.Import(i)
		if end := m.At + uint32(len(m.Local)); t.Column == 0 && (m.At < from || m.At >= to) || t.Column > 0 && (from < m.At || from >= end) {
			continue
		}
		if _, ok := a.ImportedElsewhere(corpus.Ref{File: f, Index: int32(i)}); ok {
			all.file, all.imported = f, i
			return true
		}
	}
	return false
}

// elsewhere describes what a target means that no file declares, nil where one may.
func (a *ask) elsewhere(all *targets) *resolve.Elsewhere {
	var e resolve.Elsewhere
	ok := false
	switch {
	case len(all.meanings) > 0:
	case all.imported != facts.None:
		e, ok = a.ImportedElsewhere(corpus.Ref{File: all.file, Index: int32(all.imported)})
	case all.use != facts.None:
		e, ok = a.UsedElsewhere(corpus.Ref{File: all.file, Index: int32(all.use)})
	}
	if !ok {
		return nil
	}
	return &e
}

// answerElsewhere lists the uses of what no file declares.
func (a *ask) answerElsewhere(res *References, r *ReferencesRequest, e *resolve.Elsewhere) error {
	res.Elsewhere = &Elsewhere{Name: e.Name, From: e.From}
	if r.Kind.isRelation() {
		return nil
	}
	q := question{ask: a, request: r}
	uses, imports := a.Uses(*e)
	all := q.split(q.ofKind(uses), nil)
	if r.Kind.holds(facts.RoleImport) {
		q.addImports(all, imports)
	}
	res.Others = q.others(e.Name, all)
	return a.show(res, r, all)
}

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
