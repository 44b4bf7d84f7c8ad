package nav

import (
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/place"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/origin"
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

// maxOrigins bounds the modules that a name is said to come from.
const maxOrigins = 3

// imported says where a name comes from that no file declares, by the imports that
// its uses stand for; nil where no import brings it.
func (q question) imported(all *found) *Elsewhere {
	var from []string
	for i := range all.maybe {
		p := &all.maybe[i]
		if p.Use == facts.None {
			continue
		}
		e, ok := q.UsedElsewhere(corpus.Ref{File: p.File, Index: p.Use})
		if ok && e.How == origin.ByImport && e.From != "" && !slices.Contains(from, e.From) {
			from = append(from, e.From)
		}
	}
	return elsewhere(q.request.Name, from)
}

// elsewhere says where a bare name comes from; nil where from is empty.
func elsewhere(name string, from []string) *Elsewhere {
	if len(from) == 0 {
		return nil
	}
	slices.Sort(from)
	return &Elsewhere{Name: name, From: strings.Join(from[:min(len(from), maxOrigins)], ", "), More: max(0, len(from)-maxOrigins)}
}

// maxPassed bounds the lines that are said to pass a name on.
const maxPassed = 5

// brought says where imports take a bare name from that no code declares, and which
// lines pass it on. Modules that are named from where a file stands are told only where there
// are no others.
func (a *ask) brought(name string) (from *Elsewhere, passed []place.Place) {
	var near, far []string
	for _, e := range a.Brought(name) {
		m, file, modules := a.File(e.File).Import(int(e.Import.Index)), a.Corpus.Path(e.File), &far
		if origin.Near(&m) {
			modules = &near
		}
		if e.From != "" && !slices.Contains(*modules, e.From) {
			*modules = append(*modules, e.From)
		}
		if len(passed) < maxPassed && m.In == facts.None && (m.Flags&facts.Reexport != 0 || path.Base(file) == "__init__.py") {
			passed = append(passed, place.Place{Path: file, First: int(m.Line), Last: int(m.Line)})
		}
	}
	if len(far) == 0 {
		far = near
	}
	return elsewhere(name, far), passed
}
