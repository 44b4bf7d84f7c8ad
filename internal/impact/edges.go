package impact

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/impact/lined"
	"espy/internal/impact/mention"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// Edges that package graph does not know: to what is not in the index any more, and
// to files.

// maxStray is how often the name of what is gone is used at most where uses count that
// stand apart from it.
const maxStray = 40

// lost finds the uses of a name that nothing bears any more, as what is removed
// was called.
func (w *walker) lost(n *node) (all []graph.Edge) {
	if n.name == "" || !w.affords(n) {
		return nil
	}
	family, plain := w.familyOf(n.changed.Path), w.plain(n.changed.Path)
	folder := corpus.Folder(plain)
	for _, u := range w.ask.UsesOf(n.name) {
		if w.ask.Late() {
			w.answer.Left++
			return all
		}
		use := w.ask.File(u.File).Use(int(u.Index))
		if use.Role == facts.RoleImport || w.ask.Corpus.Family(u.File) != family {
			continue
		}
		c := facts.Possible
		if w.ask.Corpus.Folder(u.File) == folder || w.takesIn(u.File, plain) {
			c = facts.Likely
		}
		if c == facts.Possible && n.uses > maxStray { // others of the name
			continue
		}
		if m := w.ask.Define(u.File, int(u.Index)); len(m) > 0 && m[0].Confidence != facts.Possible {
			continue
		}
		from := w.graph.Holder(u.File, use.In)
		all = append(all, graph.Edge{From: from, To: n.ref, Role: use.Role, Confidence: c, Use: u, Line: int(use.Line)})
	}
	return all
}

// takesIn reports whether a file imports a module that bears the name of another
// file, or of its folder.
func (w *walker) takesIn(id corpus.FileID, p string) bool {
	key := twoFiles{id, p}
	if takes, ok := w.takes[key]; ok {
		return takes
	}
	takes := w.takesModule(id, p)
	w.takes[key] = takes
	return takes
}

// twoFiles are a file and the path of another.
type twoFiles struct {
	id   corpus.FileID
	path string
}

func (w *walker) takesModule(id corpus.FileID, p string) bool {
	stem, _, _ := strings.Cut(path.Base(p), ".")
	file := w.ask.File(id)
	for i := range file.NumImports() {
		module := strings.FieldsFunc(file.Import(i).Module, func(r rune) bool { return strings.ContainsRune("/.:\\", r) })
		if k := len(module); k > 0 && (module[k-1] == stem || module[k-1] == path.Base(path.Dir(p)) || k > 1 && module[k-2] == stem) {
			return true
		}
	}
	return false
}

// familyOf is the family of languages of a file that the index may not hold: that
// of another file with its extension.
func (w *walker) familyOf(p string) corpus.Family {
	if id, ok := w.ask.Corpus.Find(p); ok {
		return w.ask.Corpus.Family(id)
	}
	return corpus.FamilyOf(p)
}

// ofFile finds who takes in a file: it imports what the file declares, or mentions
// its name.
func (w *walker) ofFile(n *node) []graph.Edge {
	if n.changed.What == Outside && n.ref.File != noFile {
		return w.importers(n)
	}
	return append(lined.Importing(w.ask, w.plain(n.changed.Path), n.ref), w.mentioning(n)...)
}

// maxDeclared bounds the declarations of a changed file whose uses are looked at.
const maxDeclared = 60

// declared are the names that the top of a file declares.
func (f *finder) declared(id corpus.FileID) map[string]bool {
	names := map[string]bool{}
	for i := range f.ask.File(id).NumSymbols() {
		s := f.ask.Symbol(corpus.Ref{File: id, Index: int32(i)})
		if corpus.AtTop(s) && locate.IsListed(s) && len(names) < maxDeclared {
			names[s.Name] = true
		}
	}
	return names
}

// importers are the files that import something of a file: its code outside of
// symbols runs for them.
func (w *walker) importers(n *node) (all []graph.Edge) {
	seen := map[corpus.FileID]bool{n.ref.File: true}
	names, followed := sorted(w.declared(n.ref.File)), 0
	for _, name := range names {
		one := &node{name: name, uses: w.ask.UsesUpTo(name, min(maxUses, maxWork-w.work)+1), distance: 1}
		if !w.affords(one) {
			continue
		}
		followed++
		for _, u := range w.ask.UsesOf(name) {
			if seen[u.File] || w.ask.Use(u.File, int(u.Index)).Role != facts.RoleImport || w.ask.Late() {
				continue
			}
			for _, m := range w.ask.Define(u.File, int(u.Index)) {
				if m.File == n.ref.File && !seen[u.File] {
					seen[u.File] = true
					all = append(all, w.importEdge(n, u, m))
				}
			}
		}
	}
	switch {
	case followed < len(names):
		n.left = fmt.Sprintf("%d of the %d names that it declares are used too often to be followed", len(names)-followed, len(names))
	case len(names) == 0 && w.ask.Corpus.Class(n.ref.File)&code.ClassTest == 0:
		n.left = "it declares no name by which others take it in"
	}
	return all
}

func (w *walker) importEdge(n *node, u corpus.Ref, m resolve.Meaning) graph.Edge {
	top := corpus.Ref{File: u.File, Index: facts.None}
	return graph.Edge{From: top, To: n.ref, Role: facts.RoleImport, Confidence: m.Confidence, Use: u, Line: int(w.ask.File(u.File).Use(int(u.Index)).Line)}
}

// mentioning are the places that have the name of a file: likely it where they have its
// folder too.
func (w *walker) mentioning(n *node) []graph.Edge {
	p := w.plain(n.changed.Path)
	base, folder := path.Base(p), path.Base(path.Dir(p))
	return w.saying(n, base, func(line string) facts.Confidence {
		if folder == "." || strings.Contains(line, folder+"/"+base) {
			return facts.Likely
		}
		return facts.Possible
	})
}

// leastWord is the length from which on a name tells what is meant by it.
const leastWord = 4

// ofWord are the places that have the name of a symbol of a file whose grammar is not
// known, in files of languages that may use it, likely where these import the file; those
// that have the name of the file where the symbol is no code. Of a name that other files
// declare too only what imports the file counts.
func (w *walker) ofWord(n *node) []graph.Edge {
	l := lang.Detect(n.changed.Path, nil)
	if l == nil || !lang.IsCode(l.Name) {
		return w.mentioning(n)
	}
	if len(n.name) < leastWord {
		n.left = "its language has no grammar here, and its name is too short to be looked for"
		return nil
	}
	kin := corpus.Kin(l.Name)
	all := slices.DeleteFunc(w.saying(n, n.name, func(string) facts.Confidence { return facts.Possible }), func(e graph.Edge) bool {
		return !slices.Contains(kin, w.ask.Corpus.Language(e.From.File)) || n.changed.doubt && !n.changed.importers[e.From.File]
	})
	for i := range all {
		if !n.changed.doubt && n.changed.importers[all[i].From.File] {
			all[i].Confidence = facts.Likely
		}
	}
	return all
}

// saying are the places that have a word, but for those in the file of a change.
func (w *walker) saying(n *node, word string, trust func(line string) facts.Confidence) (all []graph.Edge) {
	n.word = word
	said := w.said.Of(word)
	if said.More {
		n.left = fmt.Sprintf("more than %d places mention %s, of which the first were looked at", mention.Most, place.Name(word))
	}
	for _, m := range said.All {
		if w.ask.Corpus.Path(m.File) != n.changed.Path {
			all = append(all, graph.Edge{From: m.In, To: n.ref, Role: facts.RoleRead, Confidence: trust(m.Text), Line: m.Line})
		}
	}
	return all
}
