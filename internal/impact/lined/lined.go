// Package lined finds what a change declares in code that no grammar reads.
package lined

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/outline"
	"espy/internal/resolve/corpus"
)

// Definition is one that was found line by line.
type Definition struct {
	corpus.Outlined
	InDoubt   bool                   // other files declare its name too: who mentions that tells nothing of its users
	Importers map[corpus.FileID]bool // files that import the one it is declared in
}

// Importing are the edges from the files that import one whose language has no grammar, as
// lines tell: likely.
func Importing(ask *locate.Ask, p string, to corpus.Ref) (all []graph.Edge) {
	id, ok := ask.Corpus.Find(p)
	if !ok || ask.Corpus.Family(id) != corpus.NoFamily {
		return nil
	}
	g := modules.Lined(ask)
	for _, n := range g.Into(id) {
		e := &g.Edges[n]
		from := corpus.Ref{File: e.From, Index: facts.None}
		if e.From != id && !slices.ContainsFunc(all, func(o graph.Edge) bool { return o.From == from }) {
			all = append(all, graph.Edge{From: from, To: to, Role: facts.RoleImport, Confidence: facts.Likely, Line: int(e.Line)})
		}
	}
	return all
}

// importers are the files that import one.
func importers(ask *locate.Ask, id corpus.FileID) map[corpus.FileID]bool {
	all := map[corpus.FileID]bool{}
	for _, e := range Importing(ask, ask.Corpus.Path(id), corpus.Ref{}) {
		all[e.From.File] = true
	}
	return all
}

// In finds what lines of a file declare, from first to last, counted from 1: the
// innermost definitions, or all of the whole file, and at most so many. A name that other
// files declare too is in doubt. It is empty of a file that is no code or whose language
// has a grammar.
func In(ask *locate.Ask, id corpus.FileID, text []byte, first, last, most int) (found []Definition, err error) {
	language, p := ask.Corpus.Language(id), ask.Corpus.Path(id)
	if !lang.IsCode(language) || ask.Corpus.Family(id) != corpus.NoFamily {
		return nil, nil
	}
	if name := outline.ModuleOf(language, p); name != "" && first == 1 {
		found = append(found, Definition{Outlined: corpus.Outlined{Definition: code.Definition{Name: name, Kind: code.KindModule, Line: 1}, File: id}})
	}
	all, lines, into := ask.Corpus.Definitions(id), locate.LinesOf(text), importers(ask, id)
	for i, d := range all {
		if len(found) == most {
			break
		}
		end := lines.End(all, i)
		within := first > 1 && i+1 < len(all) && int(all[i+1].Line) <= min(first, end)
		if d.Kind == code.KindHeading || int(d.Line) > last || end < first || within || slices.ContainsFunc(found, func(o Definition) bool { return o.Name == d.Name }) {
			continue
		}
		same, err := ask.Corpus.Outlined(d.Name)
		if err != nil {
			return found, err
		}
		found = append(found, Definition{corpus.Outlined{Definition: d, File: id}, inDoubt(ask, id, d.Name, same), into})
	}
	return found, nil
}

// inDoubt reports whether other code than a file, and its head, declares a name too.
func inDoubt(ask *locate.Ask, id corpus.FileID, name string, same []corpus.Outlined) bool {
	kin := corpus.Kin(ask.Corpus.Language(id))
	return slices.ContainsFunc(same, func(o corpus.Outlined) bool {
		return stem(ask.Corpus.Path(o.File)) != stem(ask.Corpus.Path(id)) && o.Name == name && slices.Contains(kin, ask.Corpus.Language(o.File))
	})
}

// stem is a path without its ending.
func stem(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// Named finds what is declared under a name.
func Named(ask *locate.Ask, name string) (found []Definition, err error) {
	all, err := ask.ByLine(name)
	for _, d := range all {
		if d.Kind != code.KindHeading && ask.Corpus.Family(d.File) == corpus.NoFamily {
			found = append(found, Definition{Outlined: d, Importers: importers(ask, d.File)})
		}
	}
	return found, err
}
