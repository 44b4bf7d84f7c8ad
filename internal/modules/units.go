package modules

import (
	"cmp"
	"slices"
	"sort"

	"espy/internal/code"
	"espy/internal/locate"
	"espy/internal/modules/byline"
	"espy/internal/resolve/corpus"
)

// Units is the graph by parts of a repository larger than imports: files and
// packages, folders, or what a question makes of them.
type Units struct {
	Names []string
	Of    []int32 // the unit of each file; None for one that is of none
	Links []Link  // by From and To
	Cut   bool    // the time was over before all edges were looked at

	first []int32 // of the links of a unit; one more than there are units
}

// Link says that files of one unit import what is of another.
type Link struct {
	From, To int32
	Edge     int32 // of the graph: the first that proves it, of code before that of tests, of what is run at once before later
	Imports  int32
	Files    int32 // that hold them
	Test     bool  // only tests do
	Later    bool  // only functions do, when they are called
}

// Unit names the unit that a file is of.
type Unit func(f corpus.FileID) string

// ByFile is the unit of a file: itself, or the package where a language imports
// whole packages; tests of one are apart from it, since nothing can import them.
func ByFile(a *locate.Ask) Unit {
	return func(f corpus.FileID) string {
		p := a.Corpus.Path(f)
		if a.Corpus.Family(f) != corpus.Go && !byline.InPackages(a.Corpus.Language(f)) {
			return p
		}
		if a.Corpus.Class(f).Has(code.ClassTest) {
			return corpus.Child(a.Corpus.Folder(f), "(tests)")
		}
		return a.Corpus.Folder(f) + "/"
	}
}

// ByLoad is the unit of a file that imports should not lead round: the file itself
// where importing it runs or includes it, else its package or folder, within which
// files need each other as a matter of course.
func ByLoad(a *locate.Ask) Unit {
	file, folder := ByFile(a), ByFolder(a)
	return func(f corpus.FileID) string {
		switch a.Corpus.Family(f) {
		case corpus.Go, corpus.Python, corpus.Script, corpus.C, corpus.Ruby, corpus.Lua, corpus.Shell:
			return file(f)
		}
		return folder(f)
	}
}

// ByFolder is the unit of a file that is its folder.
func ByFolder(a *locate.Ask) Unit {
	return func(f corpus.FileID) string { return a.Corpus.Folder(f) + "/" }
}

// atOnce is how many files or edges are grouped between two looks at the time.
const atOnce = 1 << 10

// Units groups the edges of the graph, those that the time suffices for.
func (g *Graph) Units(a *locate.Ask, unit Unit) *Units {
	u := &Units{Of: make([]int32, a.Corpus.NumFiles())}
	numbers := map[string]int32{}
	for f := range u.Of {
		name := unit(corpus.FileID(f))
		n, ok := numbers[name]
		if !ok {
			n = int32(len(u.Names))
			numbers[name] = n
			u.Names = append(u.Names, name)
		}
		u.Of[f] = n
	}
	u.link(a, g)
	return u
}

type pair struct{ from, to int32 }

func (u *Units) link(a *locate.Ask, g *Graph) {
	at := map[pair]int{}
	last := map[pair]corpus.FileID{}
	from, test := corpus.FileID(-1), false // edges stand by file
	for i := range g.Edges {
		if u.Cut = i%atOnce == 0 && a.Late(); u.Cut {
			break
		}
		e := &g.Edges[i]
		if e.From != from {
			from, test = e.From, a.Corpus.Class(e.From).Has(code.ClassTest)
		}
		for k, to := range g.targets(u, e) {
			p := pair{u.Of[e.From], to}
			if p.from == p.to || slices.Contains(g.targets(u, e)[:k], to) {
				continue
			}
			n, ok := at[p]
			if !ok {
				n = len(u.Links)
				at[p] = n
				u.Links = append(u.Links, Link{From: p.from, To: p.to, Edge: int32(i), Test: true, Later: true})
			}
			l := &u.Links[n]
			if l.Test && !test || l.Later && !e.Later && l.Test == test {
				l.Edge = int32(i)
			}
			l.Imports += e.Times
			l.Test, l.Later = l.Test && test, l.Later && e.Later
			if from, ok := last[p]; !ok || from != e.From {
				l.Files++
				last[p] = e.From
			}
		}
	}
	slices.SortFunc(u.Links, func(x, y Link) int { return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To)) })
	u.first = make([]int32, len(u.Names)+1)
	for i := range u.first {
		u.first[i] = int32(sort.Search(len(u.Links), func(k int) bool { return u.Links[k].From >= int32(i) }))
	}
}

// targets are the units that an edge leads to, in the order of the files.
func (g *Graph) targets(u *Units, e *Edge) (all []int32) {
	for _, f := range g.Targets(e) {
		if to := u.Of[f]; len(all) == 0 || all[len(all)-1] != to {
			all = append(all, to)
		}
	}
	return all
}

// From returns the links of a unit. Do not change them.
func (u *Units) From(n int32) []Link { return u.Links[u.first[n]:u.first[n+1]] }
