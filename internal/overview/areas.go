package overview

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
)

const (
	manyAreas = 10   // that are shown
	splitAt   = 0.15 // of the code: a larger area is shown by its folders
)

// carve cuts the folders under the path into areas of code, or of all files where little
// is code, tests aside: the largest are cut further, until there are enough.
func (s *surveyor) carve() []Area {
	lines, own := map[string]Size{}, map[string]Size{}
	children := map[string]map[string]bool{}
	total, few := 0, s.FewCode()
	for _, f := range s.files {
		if name := s.ask.Corpus.Language(f); !few && (name == "" || !lang.IsCode(name)) || s.classOf(f)&(code.ClassTest|code.ClassVendor|code.ClassMinified) != 0 {
			continue
		}
		n := s.ask.Corpus.Lines(f)
		total += n
		folder := s.ask.Corpus.Folder(f)
		o := own[folder]
		o.add(n)
		own[folder] = o
		for d := folder; ; d = corpus.Folder(d) {
			size := lines[d]
			size.add(n)
			lines[d] = size
			if d == s.Request.Path {
				break
			}
			up := corpus.Folder(d)
			if children[up] == nil {
				children[up] = map[string]bool{}
			}
			children[up][d] = true
		}
	}
	if total == 0 {
		return nil
	}
	areas := []Area{{Path: s.Request.Path, Size: lines[s.Request.Path]}}
	for {
		at := -1
		for i, a := range areas {
			large := len(areas) == 1 || float64(a.Lines) > splitAt*float64(total) && len(areas) < s.show(manyAreas)
			if !a.Flat && len(children[a.Path]) > 0 && large && (at < 0 || a.Lines > areas[at].Lines) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		a := areas[at]
		areas = slices.Delete(areas, at, at+1)
		for d := range children[a.Path] {
			areas = append(areas, Area{Path: d, Size: lines[d]})
		}
		if o := own[a.Path]; o.Files > 0 {
			areas = append(areas, Area{Path: a.Path, Size: o, Flat: true})
		}
		slices.SortFunc(areas, func(a, b Area) int { return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Path, b.Path)) })
	}
	for i := range areas {
		areas[i].Path += "/"
	}
	return areas
}

// areaOf finds the area of a file; empty for a file of none.
func areaOf(areas []Area) func(folder string) string {
	flat, deep := map[string]bool{}, map[string]bool{}
	for _, a := range areas {
		if name := strings.TrimSuffix(a.Path, "/"); a.Flat {
			flat[name] = true
		} else {
			deep[name] = true
		}
	}
	return func(folder string) string {
		if flat[folder] {
			return folder + "/"
		}
		for d := folder; ; d = corpus.Folder(d) {
			if deep[d] {
				return d + "/"
			}
			if d == "" {
				return ""
			}
		}
	}
}

// cycles finds what imports itself by way of others.
func (s *surveyor) cycles() {
	units := s.graph.Units(s.ask, modules.ByLoad(s.ask))
	if units.Cut {
		s.lacks(PartCycles)
	}
	own := map[int32]bool{}
	for _, f := range s.files {
		if s.counts(f) {
			own[units.Of[f]] = true
		}
	}
	var cycles []Cycle
	for _, c := range units.Cycles(func(l *modules.Link) bool { return !l.Later }) {
		if !slices.ContainsFunc(c.Units, func(u int32) bool { return own[u] }) {
			continue
		}
		one := Cycle{}
		for _, u := range c.Units {
			one.Units = append(one.Units, units.Names[u])
		}
		for _, l := range c.Shortest {
			one.Way = append(one.Way, units.Names[l.From])
		}
		cycles = append(cycles, one)
	}
	s.Cycles = first(cycles, s.show(2))
}

// areas finds the areas and what they import of each other, and puts them in the
// order of layers: those that import others come before these.
func (s *surveyor) areas() {
	s.graph = modules.Of(s.ask)
	s.Left = s.graph.Left
	areas, g := s.carve(), s.graph
	of := areaOf(areas)
	units := g.Units(s.ask, func(f corpus.FileID) string { return of(s.ask.Corpus.Folder(f)) })
	if units.Cut || s.Left > 0 {
		s.lacks(PartAreas)
	}
	at := map[string]int{}
	for i, a := range areas {
		at[a.Path] = i
	}
	layers, circular := layered(units)
	for n, name := range units.Names {
		i, ok := at[name]
		if !ok || name == "" {
			continue
		}
		a := &areas[i]
		a.Layer, a.Cycle = layers[n], circular[n]
		var uses []Use
		for _, l := range units.From(int32(n)) {
			to, ok := at[units.Names[l.To]]
			if !ok || l.Test || units.Names[l.To] == "" {
				continue
			}
			areas[to].UsedBy++
			e := &g.Edges[l.Edge]
			uses = append(uses, Use{units.Names[l.To], int(l.Files), s.ask.Corpus.Path(e.From), int(e.Line)})
		}
		slices.SortFunc(uses, func(a, b Use) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.To, b.To)) })
		a.Uses = first(uses, s.show(5))
	}
	authors := s.past().authors(of)
	for i := range areas {
		areas[i].Authors = authors[areas[i].Path]
	}
	all := len(areas)
	areas = areas[:min(s.show(manyAreas), all)]
	slices.SortStableFunc(areas, func(a, b Area) int { return cmp.Compare(b.Layer, a.Layer) })
	s.Areas = List[Area]{areas, all}
}

// layered says how many units lie below each one, and which are part of a cycle,
// whose units count as one.
func layered(u *modules.Units) (layer []int, circular []bool) {
	layer, circular = make([]int, len(u.Names)), make([]bool, len(u.Names))
	group := make([]int, len(u.Names))
	members := [][]int32{}
	for _, c := range u.Cycles(nil) {
		for _, n := range c.Units {
			group[n], circular[n] = len(members), true
		}
		members = append(members, c.Units)
	}
	for n := range u.Names {
		if !circular[n] {
			group[n] = len(members)
			members = append(members, []int32{int32(n)})
		}
	}
	known := make([]int, len(members))
	for i := range known {
		known[i] = -1
	}
	var of func(g int) int
	of = func(g int) int {
		if known[g] >= 0 {
			return known[g]
		}
		known[g] = 0
		most := 0
		for _, n := range members[g] {
			for _, l := range u.From(n) {
				if to := group[l.To]; to != g && !l.Test {
					most = max(most, of(to)+1)
				}
			}
		}
		known[g] = most
		return most
	}
	for n := range layer {
		layer[n] = of(group[n])
	}
	return layer, circular
}

// used finds the files and packages that most files import, tests aside.
func (s *surveyor) used() {
	g := s.graph
	units := g.Units(s.ask, modules.ByFile(s.ask))
	if units.Cut {
		s.lacks(PartUsed)
		return
	}
	by := map[int32]map[corpus.FileID]bool{}
	for i := range g.Edges {
		if i%atOnce == 0 && s.late(PartUsed) {
			break
		}
		e := &g.Edges[i]
		for _, f := range g.Targets(e) {
			if to := units.Of[f]; s.counts(e.From) && s.counts(f) && to != units.Of[e.From] {
				if by[to] == nil {
					by[to] = map[corpus.FileID]bool{}
				}
				by[to][e.From] = true
			}
		}
	}
	var all []Used
	for n, files := range by {
		if name := units.Names[n]; s.Request.Path == "" || strings.HasPrefix(name, s.Request.Path+"/") {
			all = append(all, Used{name, len(files)})
		}
	}
	slices.SortFunc(all, func(a, b Used) int { return cmp.Or(cmp.Compare(b.By, a.By), cmp.Compare(a.Name, b.Name)) })
	s.Used = first(all, s.show(6))
}
