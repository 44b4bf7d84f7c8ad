// Package modules holds which files of a repository import which, as its
// languages resolve what an import names: a file, a package of several files, or
// something from elsewhere.
//
// An edge is proved by the line of an import. Uses that need no import, of the
// same package of Go or Java or by a whole path in Rust, make no edge. Of languages without
// a grammar the imports are read line by line (package byline).
package modules

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/manifest"
	"espy/internal/modules/byline"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// Graph is what the files of one state of a repository import. It is shared by
// questions: do not change it.
type Graph struct {
	Sources []Source
	Edges   []Edge // by file and line
	Left    int    // files that were not looked at, because the time was over
	Files   int    // of languages whose imports are read

	first []int32 // of the edges of a file; one more than there are files
	into  map[corpus.FileID][]int32
}

// Source is what imports name.
type Source struct {
	Name   string          // as one of them writes it
	Files  []corpus.FileID // of the repository, by path; none of what is from elsewhere
	Whole  bool            // Files are a package or a namespace
	Folder string          // of a package: the folder that its files are in, where it is one
	Origin Origin          // of what is from elsewhere
}

// Edge is an import, or several of one source in a file.
type Edge struct {
	From   corpus.FileID
	Source int32
	Line   int32 // of the first
	Times  int32 // imports
	Later  bool  // each stands in a function: it is run when that is called
}

// Of returns the graph of the state that a question is put to.
func Of(a *locate.Ask) *Graph {
	return locate.Keep(a, func() (*Graph, bool) {
		g := gather(a, func(corpus.FileID) bool { return true })
		return g, g.Left == 0
	})
}

// lined is the graph of the files that no grammar reads.
type lined struct{ Graph }

// Lined returns the graph of the files that no grammar reads alone, in which those of most
// repositories are few.
func Lined(a *locate.Ask) *Graph {
	return &locate.Keep(a, func() (*lined, bool) {
		g := gather(a, func(f corpus.FileID) bool { return a.Corpus.Family(f) == corpus.NoFamily })
		return &lined{*g}, g.Left == 0
	}).Graph
}

// named tells sources of one folder apart.
type named struct {
	family               corpus.Family
	folder, module, name string
}

// gatherer collects the edges.
type gatherer struct {
	*Graph
	ask     *locate.Ask
	origins *Origins
	sources map[named]int32 // None for one that is no import
	alike   map[string]int32
	finder  *byline.Finder // nil before the first file without a grammar
}

// gather reads the imports of those files that of has.
func gather(a *locate.Ask, of func(corpus.FileID) bool) *Graph {
	n := a.Corpus.NumFiles()
	g := &gatherer{&Graph{first: make([]int32, n+1)}, a, OriginsOf(a), map[named]int32{}, map[string]int32{}, nil}
	for f := range corpus.FileID(n) {
		g.first[f] = int32(len(g.Edges))
		lined := a.Corpus.Family(f) == corpus.NoFamily
		switch {
		case !of(f) || !Reads(a, f):
		case a.Late():
			g.Left++
		default:
			g.Files++
			if lined {
				g.lined(f)
			} else {
				g.file(f)
			}
		}
	}
	g.first[n] = int32(len(g.Edges))
	g.index()
	return g.Graph
}

// Reads reports whether the imports of a file are read: by a grammar, or line by line.
func Reads(a *locate.Ask, f corpus.FileID) bool {
	return a.Corpus.Family(f) != corpus.NoFamily || byline.Knows(a.Corpus.Language(f))
}

// lined adds the edges of a file that no grammar reads.
func (g *gatherer) lined(f corpus.FileID) {
	text, err := g.ask.Corpus.Text(f)
	if err != nil {
		g.Left++
		return
	}
	if g.finder == nil {
		g.finder = byline.NewFinder(g.ask, g.origins.folders(manifest.Pub))
	}
	own := len(g.Edges)
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
		s := Source{Name: m.Name, Files: files, Origin: Origin{Kind: Unknown}}
		if len(files) == 0 {
			as := facts.Import{Module: m.Name}
			s.Origin = g.origins.Of(f, &as)
			s.Name = s.Origin.name(&as)
		}
		g.add(own, Edge{From: f, Source: g.number(s), Line: int32(m.Line), Times: 1})
	}
}

// add adds an import to the edges of its file, which begin at own: to the one of its source,
// whose line is the first of those that run at once.
func (g *gatherer) add(own int, m Edge) {
	at := slices.IndexFunc(g.Edges[own:], func(e Edge) bool { return e.Source == m.Source })
	if at < 0 {
		g.Edges = append(g.Edges, m)
		return
	}
	e := &g.Edges[own+at]
	e.Times++
	if e.Later && !m.Later {
		e.Line, e.Later = m.Line, false
	}
}

// file adds the edges of a file.
func (g *gatherer) file(f corpus.FileID) {
	file := g.ask.File(f)
	own := len(g.Edges)
	for i := range file.NumImports() {
		m := file.Import(i)
		s := g.source(corpus.Ref{File: f, Index: int32(i)}, &m)
		if s != facts.None && g.Sources[s].Whole && g.ask.Corpus.Family(f) != corpus.Go {
			s = g.taken(f, s)
		}
		if s == facts.None || len(g.Sources[s].Files) == 0 && i+1 < file.NumImports() && leadsOn(m, file.Import(i+1)) {
			continue
		}
		later := m.In != facts.None && g.isRunLater(f, m.In)
		g.add(own, Edge{From: f, Source: s, Line: int32(m.Line), Times: 1, Later: later})
	}
	slices.SortStableFunc(g.Edges[own:], func(a, b Edge) int { return int(a.Line - b.Line) })
}

// leadsOn reports whether an import only names what the next one takes from, on its line:
// the object B of import a.B._ in Scala.
func leadsOn(m, next facts.Import) bool {
	return next.Line == m.Line && next.Module == m.Module+"."+m.Name
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
	if n, ok := g.alike[id]; ok {
		return n
	}
	n := int32(len(g.Sources))
	g.Sources = append(g.Sources, s)
	g.alike[id] = n
	return n
}

// taken is what a file takes from a package that it imports as a whole: the files
// whose declarations it names; None where it names none.
func (g *gatherer) taken(f corpus.FileID, source int32) int32 {
	of, file := g.Sources[source], g.ask.File(f)
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

// identity tells sources apart.
func (s *Source) identity() string {
	if len(s.Files) == 0 {
		return "\x00" + s.Origin.identity() + "\x00" + s.Name
	}
	var b []byte
	for _, f := range s.Files {
		b = append(b, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
	}
	return string(b)
}

// index finds the edges that lead to each file.
func (g *gatherer) index() {
	g.into = map[corpus.FileID][]int32{}
	for i := range g.Edges {
		for _, f := range g.Sources[g.Edges[i].Source].Files {
			g.into[f] = append(g.into[f], int32(i))
		}
	}
}

// From returns the numbers of the first import of a file and of the one behind its last.
func (g *Graph) From(f corpus.FileID) (first, end int32) { return g.first[f], g.first[f+1] }

// Into returns the numbers of the edges that lead to a file, or to a package that
// it is of. Do not change them.
func (g *Graph) Into(f corpus.FileID) []int32 { return g.into[f] }

// Targets returns the files that an edge leads to. Do not change them.
func (g *Graph) Targets(e *Edge) []corpus.FileID { return g.Sources[e.Source].Files }
