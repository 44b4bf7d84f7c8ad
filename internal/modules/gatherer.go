package modules

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/modules/byline"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// named tells sources of one folder apart.
type named struct {
	family               corpus.Family
	folder, module, name string
}

// gatherer reads the imports of files, for one goroutine.
type gatherer struct {
	ask     *locate.Ask
	origins *Origins
	shared  func() *byline.Finder // that of all gatherers
	finder  *byline.Finder        // nil before the first file without a grammar

	edges   []Edge
	list    []Source        // by the numbers that it gives
	met     []int32         // the sources that files name, in their order
	sources map[named]int32 // None for one that is no import
	alike   map[string]int32
}

// imported is what one file imports, as a gatherer has it.
type imported struct {
	by              *gatherer // nil for a file that was not looked at
	unread          bool      // its text could not be read
	edges, edgesEnd int32     // of the gatherer
	met, metEnd     int32     // of the gatherer
}

func newGatherer(origins *Origins, shared func() *byline.Finder) *gatherer {
	return &gatherer{origins: origins, shared: shared, sources: map[named]int32{}, alike: map[string]int32{}}
}

// read reads the imports of a file.
func (g *gatherer) read(f corpus.FileID) imported {
	m := imported{by: g, edges: int32(len(g.edges)), met: int32(len(g.met))}
	if g.ask.Corpus.Family(f) == corpus.NoFamily {
		m.unread = !g.lined(f)
	} else {
		g.file(f)
	}
	m.edgesEnd, m.metEnd = int32(len(g.edges)), int32(len(g.met))
	return m
}

// lined adds the edges of a file that no grammar reads, and reports whether it has a text.
func (g *gatherer) lined(f corpus.FileID) bool {
	text, err := g.ask.Corpus.Text(f)
	if err != nil {
		return false
	}
	if g.finder == nil {
		g.finder = g.shared().Beside(g.ask)
	}
	own := len(g.edges)
	for _, m := range byline.Of(g.ask.Corpus.Language(f), text) {
		files, whole := g.finder.Find(f, &m)
		if whole && len(files) > 0 {
			if files = g.finder.Taken(text, files); len(files) == 0 {
				continue
			}
		}
		if len(files) == 0 && m.Bare {
			continue
		}
		g.add(own, Edge{From: f, Source: g.number(Source{Name: m.Name, Files: files, Origin: Origin{Kind: Unknown}}), Line: int32(m.Line), Times: 1})
	}
	return true
}

// add adds an import to the edges of its file, which begin at own: to the one of its source,
// whose line is the first of those that run at once.
func (g *gatherer) add(own int, m Edge) {
	at := slices.IndexFunc(g.edges[own:], func(e Edge) bool { return e.Source == m.Source })
	if at < 0 {
		g.edges = append(g.edges, m)
		return
	}
	e := &g.edges[own+at]
	e.Times++
	if e.Later && !m.Later {
		e.Line, e.Later = m.Line, false
	}
}

// file adds the edges of a file.
func (g *gatherer) file(f corpus.FileID) {
	file := g.ask.File(f)
	own := len(g.edges)
	for i := range file.NumImports() {
		m := file.Import(i)
		s := g.source(corpus.Ref{File: f, Index: int32(i)}, &m)
		if s != facts.None && g.list[s].Whole && g.ask.Corpus.Family(f) != corpus.Go {
			s = g.taken(f, s)
		}
		if s == facts.None {
			continue
		}
		later := m.In != facts.None && g.isRunLater(f, m.In)
		g.add(own, Edge{From: f, Source: s, Line: int32(m.Line), Times: 1, Later: later})
	}
	slices.SortStableFunc(g.edges[own:], func(a, b Edge) int { return int(a.Line - b.Line) })
}

// isRunLater reports whether a symbol is a function, whose imports run when it is
// called.
func (g *gatherer) isRunLater(f corpus.FileID, in int32) bool {
	if family := g.ask.Corpus.Family(f); family != corpus.Python && family != corpus.Script {
		return false
	}
	for ; in != facts.None; in = g.ask.Symbol(corpus.Ref{File: f, Index: in}).Parent {
		if g.ask.Symbol(corpus.Ref{File: f, Index: in}).Kind.IsFunc() {
			return true
		}
	}
	return false
}

// source is the number of what an import names, None for one that is no import.
func (g *gatherer) source(at corpus.Ref, m *facts.Import) int32 {
	key := named{g.ask.Corpus.Family(at.File), g.ask.Corpus.Folder(at.File), m.Module, m.Name}
	if key.family == corpus.Rust {
		key.folder = g.ask.Corpus.Path(at.File) // self and super are of the file
	}
	if s, ok := g.sources[key]; ok {
		if s != facts.None {
			g.met = append(g.met, s)
		}
		return s
	}
	s := g.newSource(at, m)
	g.sources[key] = s
	return s
}

func (g *gatherer) newSource(at corpus.Ref, m *facts.Import) int32 {
	found := g.ask.Source(at)
	if found.Not || len(found.Files) == 0 && m.Module == "global::" { // an attribute of C# without a namespace
		return facts.None
	}
	s := Source{Name: m.Module, Files: found.Files, Whole: found.Whole}
	if g.origins.isNamesake(at.File, m, found.Files) {
		s.Files, found = nil, resolve.Source{Known: true}
	}
	if s.Whole {
		s.Folder = g.folderOf(s.Files)
	}
	if len(s.Files) == 0 {
		s.Origin = g.origins.of(at.File, m, found)
		s.Name = s.Origin.name(m)
	}
	return g.number(s)
}

// number is the number of a source, which it gets if it is new.
func (g *gatherer) number(s Source) int32 {
	id := s.identity()
	n, ok := g.alike[id]
	if !ok {
		n = int32(len(g.list))
		g.list = append(g.list, s)
		g.alike[id] = n
	}
	g.met = append(g.met, n)
	return n
}

// taken is what a file takes from a package that it imports as a whole: the files
// whose declarations it names; None where it names none.
func (g *gatherer) taken(f corpus.FileID, source int32) int32 {
	of, file := g.list[source], g.ask.File(f)
	names := map[string]bool{}
	var files []corpus.FileID
	for i := range file.NumUses() {
		if bind, _ := file.UseBind(i); bind != facts.BindFree {
			continue
		}
		name := file.BareUse(i).Name
		if names[name] {
			continue
		}
		names[name] = true
		for _, m := range g.ask.Define(f, i) {
			if _, ok := slices.BinarySearch(of.Files, m.File); ok && m.File != f {
				files = append(files, m.File)
			}
		}
	}
	if len(files) == 0 {
		return facts.None
	}
	slices.Sort(files)
	return g.number(Source{Name: of.Name, Files: slices.Compact(files)})
}

// folderOf is the folder that all of some files are in, empty where they are not in one.
func (g *gatherer) folderOf(files []corpus.FileID) string {
	folder := g.ask.Corpus.Folder(files[0])
	for _, f := range files {
		if g.ask.Corpus.Folder(f) != folder {
			return ""
		}
	}
	return folder
}
