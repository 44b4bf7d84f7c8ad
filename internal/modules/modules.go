// Package modules holds which files of a repository import which, as its
// languages resolve what an import names: a file, a package of several files, or
// something from elsewhere.
//
// An edge is proved by the line of an import. Uses that need no import, of the
// same package of Go or Java or by a whole path in Rust, make no edge. Of languages without
// a grammar the imports are read line by line (package byline).
package modules

import (
	"espy/internal/locate"
	"espy/internal/modules/byline"
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

// Reads reports whether the imports of a file are read: by a grammar, or line by line.
func Reads(a *locate.Ask, f corpus.FileID) bool {
	return a.Corpus.Family(f) != corpus.NoFamily || byline.Knows(a.Corpus.Language(f))
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
func (g *Graph) index() {
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
