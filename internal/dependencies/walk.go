package dependencies

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/locate"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
)

// walk works out one answer.
type walk struct {
	*Answer
	ask    *locate.Ask
	graph  *modules.Graph
	units  *modules.Units
	within map[corpus.FileID]bool // the files that are asked about
	circle map[int32]int          // the number of the cycle that a unit is in, from 1
}

func answer(a *locate.Ask, req Request) (*Answer, error) {
	files, err := asked(a, req.Path)
	if err != nil {
		return nil, err
	}
	if req.Level == LevelAuto {
		req.Level = LevelFolder
		if isOne(a, req.Path) {
			req.Level = LevelFile
		}
	}
	unit := modules.ByFolder(a)
	if req.Level == LevelFile {
		unit = modules.ByFile(a)
	}
	w := &walk{Answer: &Answer{Request: req, Offset: req.Offset, Files: len(files)}, ask: a, graph: modules.Of(a), within: map[corpus.FileID]bool{}, circle: map[int32]int{}}
	w.Left = w.graph.Left
	w.units = w.graph.Units(a, unit)
	for _, f := range files {
		w.within[f] = true
		if modules.Reads(a, f) {
			w.Read++
		}
	}
	if w.units.Cut {
		w.Left = max(w.Left, w.Read)
	}
	for i, c := range w.units.Cycles(nil) {
		for _, u := range c.Units {
			w.circle[u] = i + 1
		}
	}
	w.collect(files)
	w.doubt()
	return w.Answer, nil
}

// doubt says which languages have no grammar, so that their imports are read line by line.
func (w *walk) doubt() {
	var languages []string
	for i := range w.Rows {
		f, ok := w.ask.Corpus.Find(w.Rows[i].Path)
		if ok && w.ask.Corpus.Family(f) == corpus.NoFamily {
			languages = append(languages, w.ask.Corpus.Language(f))
		}
	}
	slices.Sort(languages)
	if languages = slices.Compact(languages); len(languages) > 0 {
		w.Notes = append(w.Notes, "imports of "+strings.Join(languages, ", ")+" are read line by line, without a grammar")
	}
}

// collect makes the rows and cuts them to the page.
func (w *walk) collect(files []corpus.FileID) {
	var out, outside, into []Row
	if w.Request.Direction != Importer {
		out, outside = w.follow(files, false), w.elsewhere(files)
	}
	if w.Request.Direction != Imports && w.Request.Path != "" {
		into = w.follow(files, true)
	}
	w.Imports, w.Outside, w.Into = len(out), len(outside), len(into)
	standard := slices.IndexFunc(outside, func(r Row) bool { return r.Origin.Kind == modules.Standard })
	if standard < 0 {
		standard = len(outside)
	}
	all := slices.Concat(out, outside[:standard], into, outside[standard:])
	from := min(w.Request.Offset, len(all))
	w.Rows = all[from:min(from+w.Request.Limit, len(all))]
}

// join is the imports between two units.
type join struct {
	edge           int32 // that proves it
	imports, files int
	test, later    bool
	counted        map[int32]bool // edges
	holders        map[corpus.FileID]bool
}

// follow finds the rows that lead from files, or to them, depth by depth.
func (w *walk) follow(files []corpus.FileID, back bool) (rows []Row) {
	seen := map[corpus.FileID]bool{}
	for _, f := range files {
		seen[f] = true
	}
	whole := w.Request.Path == ""
	done := map[[2]int32]bool{}
	for depth := 1; depth <= w.Request.Depth && len(files) > 0; depth++ {
		joins := map[[2]int32]*join{}
		reached := map[corpus.FileID]bool{}
		for _, f := range files {
			w.step(f, back, func(e int32, to corpus.FileID) {
				if depth == 1 && !whole && w.within[to] {
					return
				}
				if !seen[to] {
					reached[to] = true
				}
				w.note(joins, e, f, to, back)
			})
		}
		rows = append(rows, w.rows(joins, done, back, depth)...)
		files = files[:0:0]
		for f := range reached {
			files = append(files, f)
			seen[f] = true
		}
		slices.Sort(files)
		files = w.widen(files, seen)
	}
	return rows
}

// widen adds the other files of the units that were reached: what a package imports
// is what all of its files do.
func (w *walk) widen(files []corpus.FileID, seen map[corpus.FileID]bool) []corpus.FileID {
	units := map[int32]bool{}
	for _, f := range files {
		units[w.units.Of[f]] = true
	}
	all := files[:0:0]
	for f := range corpus.FileID(len(w.units.Of)) {
		if !units[w.units.Of[f]] {
			continue
		}
		if _, old := slices.BinarySearch(files, f); old || !seen[f] {
			seen[f] = true
			all = append(all, f)
		}
	}
	return all
}

// step calls do for each edge of a file, with the file at its other end.
func (w *walk) step(f corpus.FileID, back bool, do func(edge int32, to corpus.FileID)) {
	if back {
		for _, e := range w.graph.Into(f) {
			do(e, w.graph.Edges[e].From)
		}
		return
	}
	for e, end := w.graph.From(f); e < end; e++ {
		for _, to := range w.graph.Targets(&w.graph.Edges[e]) {
			do(e, to)
		}
	}
}

// note counts an edge between two units.
func (w *walk) note(joins map[[2]int32]*join, e int32, f, to corpus.FileID, back bool) {
	key := [2]int32{w.units.Of[f], w.units.Of[to]}
	if back {
		key[0], key[1] = key[1], key[0]
	}
	if key[0] == key[1] {
		return
	}
	j, ok := joins[key]
	if !ok {
		j = &join{edge: e, test: true, later: true, counted: map[int32]bool{}, holders: map[corpus.FileID]bool{}}
		joins[key] = j
	}
	if !j.counted[e] {
		j.counted[e] = true
		w.count(j, e)
	}
}

// count adds an edge to a join. What is no test and runs at once proves it best.
func (w *walk) count(j *join, e int32) {
	edge, old := &w.graph.Edges[e], &w.graph.Edges[j.edge]
	test := w.ask.Corpus.Class(edge.From).Has(code.ClassTest)
	if cmp.Or(order(j.test, test), order(j.later, edge.Later), cmp.Compare(edge.From, old.From), cmp.Compare(edge.Line, old.Line)) < 0 {
		j.edge = e
	}
	if !j.holders[edge.From] {
		j.holders[edge.From] = true
		j.files++
	}
	j.imports += int(edge.Times)
	j.test, j.later = j.test && test, j.later && edge.Later
}

// order is below 0 where what was so is so no longer, above where it begins to be.
func order(was, is bool) int {
	switch {
	case was && !is:
		return -1
	case is && !was:
		return 1
	}
	return 0
}

// rows are the joins that were not listed before, by their names.
func (w *walk) rows(joins map[[2]int32]*join, done map[[2]int32]bool, back bool, depth int) (rows []Row) {
	for key, j := range joins {
		if done[key] {
			continue
		}
		done[key] = true
		e := &w.graph.Edges[j.edge]
		row := Row{
			Kind: KindImport, From: w.units.Names[key[0]], To: w.units.Names[key[1]], Depth: depth, Path: w.ask.Corpus.Path(e.From), Line: int(e.Line),
			Imports: j.imports, Files: j.files, Test: j.test, Later: j.later, Cycle: !j.test && w.circle[key[0]] > 0 && w.circle[key[0]] == w.circle[key[1]],
		}
		if back {
			row.Kind = KindInto
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		from, to := cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)
		if back {
			from, to = to, from
		}
		return cmp.Or(order(b.Test, a.Test), from, to)
	})
	return rows
}

// kinds is the order in which kinds of origin are listed.
var kinds = []modules.Kind{modules.Declared, modules.Passed, modules.Unknown, modules.Missing, modules.Standard}

// elsewhere lists what files import that no file of the repository is.
func (w *walk) elsewhere(files []corpus.FileID) []Row {
	at := map[int32]*Row{}
	for _, f := range files {
		for n, end := w.graph.From(f); n < end; n++ {
			e := &w.graph.Edges[n]
			s := &w.graph.Sources[e.Source]
			if len(s.Files) > 0 {
				continue
			}
			test := w.ask.Corpus.Class(f).Has(code.ClassTest)
			r, ok := at[e.Source]
			if !ok {
				r = &Row{Kind: KindOutside, From: w.units.Names[w.units.Of[f]], To: s.Name, Depth: 1, Path: w.ask.Corpus.Path(f), Line: int(e.Line), Origin: &s.Origin, Test: true, Later: true}
				at[e.Source] = r
			}
			if r.Test && !test {
				r.From, r.Path, r.Line = w.units.Names[w.units.Of[f]], w.ask.Corpus.Path(f), int(e.Line)
			}
			r.Test, r.Later = r.Test && test, r.Later && e.Later
			r.Imports += int(e.Times)
			r.Files++
		}
	}
	var rows []Row
	for _, r := range at {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Origin.Kind), slices.Index(kinds, b.Origin.Kind)), order(b.Test, a.Test), cmp.Compare(a.To, b.To), cmp.Compare(a.Origin.Manifest, b.Origin.Manifest))
	})
	return rows
}
