package overview

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// sourcesAsked are the files and packages, of those imported most, whose symbols
// are counted.
const sourcesAsked = 8

// wanted is a name of a file or a package.
type wanted struct {
	source int32
	name   string
}

// symbols finds the declarations that most files import, of the files and packages
// that are imported most. A symbol that is called as its file is none: the count of
// the file tells of it.
func (s *surveyor) symbols() {
	g := s.graph
	by := map[wanted]int{}
	for f, edges := range s.importers(g) {
		if s.late(PartSymbols) { // which files come first is left to chance
			return
		}
		for w := range s.names(f, g, edges) {
			by[w]++
		}
	}
	var all []Symbol
	for w, n := range by {
		if n < 2 {
			continue
		}
		r, ok := s.declared(g.Sources[w.source].Files, w.name)
		if p := s.ask.Corpus.Path(r.File); ok && strings.TrimSuffix(path.Base(p), path.Ext(p)) != w.name {
			all = append(all, Symbol{s.ask.ID(r), p, int(s.ask.File(r.File).Symbol(int(r.Index)).Line), n})
		}
	}
	slices.SortFunc(all, func(a, b Symbol) int { return cmp.Or(cmp.Compare(b.By, a.By), cmp.Compare(a.ID, b.ID)) })
	all = slices.CompactFunc(all, func(a, b Symbol) bool { return a.ID == b.ID })
	s.Symbols = first(all, s.show(8))
}

// importers are the files, tests aside, that import what is imported most, with
// these sources.
func (s *surveyor) importers(g *modules.Graph) map[corpus.FileID][]int32 {
	files := make([]int, len(g.Sources))
	for i := range g.Edges {
		if e := &g.Edges[i]; s.counts(e.From) && s.isUnder(g.Sources[e.Source].Files) {
			files[e.Source]++
		}
	}
	var most []int32
	for n, count := range files {
		if count > 1 {
			most = append(most, int32(n))
		}
	}
	slices.SortFunc(most, func(a, b int32) int { return cmp.Or(cmp.Compare(files[b], files[a]), cmp.Compare(a, b)) })
	most = most[:min(len(most), sourcesAsked)]
	all := map[corpus.FileID][]int32{}
	for i := range g.Edges {
		if e := &g.Edges[i]; s.counts(e.From) && slices.Contains(most, e.Source) {
			all[e.From] = append(all[e.From], e.Source)
		}
	}
	return all
}

// isUnder reports whether files of the project are below the path.
func (s *surveyor) isUnder(files []corpus.FileID) bool {
	return len(files) > 0 && s.counts(files[0]) && (s.Request.Path == "" || strings.HasPrefix(s.ask.Corpus.Path(files[0]), s.Request.Path+"/"))
}

// names are the names that a file takes from some sources.
func (s *surveyor) names(f corpus.FileID, g *modules.Graph, sources []int32) map[wanted]bool {
	file, all := s.ask.File(f), map[wanted]bool{}
	whole := map[int32]int32{} // sources by the imports that bring them whole
	for i := range file.NumImports() {
		m := file.Import(i)
		found := s.ask.Source(corpus.Ref{File: f, Index: int32(i)})
		at := slices.IndexFunc(sources, func(n int32) bool { return len(found.Files) > 0 && slices.Equal(g.Sources[n].Files, found.Files) })
		switch {
		case at < 0:
		case m.Name == "" || m.Name == "*":
			whole[int32(i)] = sources[at]
		default:
			all[wanted{sources[at], m.Name}] = true
		}
	}
	if len(whole) == 0 {
		return all
	}
	for i := range file.NumUses() {
		if source, ok := through(file, i, whole); ok {
			all[wanted{source, file.BareUse(i).Name}] = true
		}
	}
	return all
}

// through finds the source of an import through which a use names a member.
func through(file *syn.File, use int, whole map[int32]int32) (source int32, ok bool) {
	bind, target := file.UseBind(use)
	if bind != facts.BindMember || target == facts.None {
		return 0, false
	}
	x := file.Expr(int(target))
	if x.Op != facts.OpUse {
		return 0, false
	}
	if bind, target = file.UseBind(int(x.X)); bind != facts.BindImport {
		return 0, false
	}
	source, ok = whole[target]
	return source, ok
}

// declared finds the symbol at the top of some files that has a name.
func (s *surveyor) declared(files []corpus.FileID, name string) (r corpus.Ref, ok bool) {
	for _, f := range files {
		for i := range s.ask.File(f).SymbolsNamed(name) {
			r = corpus.Ref{File: f, Index: int32(i)}
			if corpus.AtTop(s.ask.Symbol(r)) {
				return r, true
			}
		}
	}
	return r, false
}
