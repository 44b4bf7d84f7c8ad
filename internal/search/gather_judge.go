package search

import (
	"strings"

	"espy/internal/code"
	"espy/internal/rank"
)

// judge is what all candidates of one query are judged by.
type judge struct {
	*selection
	model     *rank.Model
	lift      rank.Lift
	known     map[string]float64 // mass of the terms of the query, compounds aside
	pathTerms []string           // primary terms that are sought in paths
	spelled   []rank.Name        // names of the query, spelled as rank.Spelling does
}

func newJudge(x *selection) *judge {
	j := &judge{selection: x, model: rank.Default(), known: map[string]float64{}}
	for i, t := range x.query.Terms {
		if !t.Compound() {
			j.known[t.Text] = x.terms[i].file
		}
		if t.Primary() && len(t.Text) > 2 {
			j.pathTerms = append(j.pathTerms, t.Text)
		}
	}
	for _, n := range x.query.Names {
		j.spelled = append(j.spelled, rank.Name{Text: rank.Spelling(n.Text), Weight: n.Weight})
	}
	for _, a := range x.query.Asks {
		j.lift.Raise(a, x.ordinaryShare(a.Term))
	}
	return j
}

// ordinary are the classes of which a file has none that programs are made of.
const ordinary = code.ClassTest | code.ClassExample | code.ClassBench | code.ClassDocs | code.ClassTool | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassLock

// ordinaryShare returns the share of the ordinary program files that hold a term.
func (c *collection) ordinaryShare(term string) float64 {
	i := c.termIndex(term)
	if i < 0 {
		return 0
	}
	files, with := 0, 0
	for _, s := range c.sources {
		for f := range s.seg.NumFiles() {
			if s.ordinary(f) {
				files++
			}
		}
		l := s.lists[i].files
		for _, f := range s.files[l.from:l.to] {
			if s.ordinary(int(f)) {
				with++
			}
		}
	}
	return float64(with) / float64(max(files, 1))
}

func (c *collection) termIndex(term string) int {
	for i := range c.query.Terms {
		if c.query.Terms[i].Text == term {
			return i
		}
	}
	return -1
}

func (s *source) ordinary(file int) bool {
	return s.seg.Class(file)&ordinary == 0 && s.seg.Alive(file) && rank.ContentOf(s.seg.Language(file)) == rank.ContentCode
}

// cheap returns what is known of a match without looking at its path.
func (j *judge) cheap(m *match) rank.Signals {
	var s rank.Signals
	first, end := m.seg.ChunksOf(m.file)
	s[rank.Chunks] = m.chunks
	s[rank.BestChunk] = float64(m.best / j.best)
	s[rank.SecondChunk] = float64(m.second / j.best)
	s[rank.ChunkMass] = min(1, float64(m.best)/j.chunkMass)
	s[rank.Coverage] = m.coverage(j.collection)
	s[rank.Stem] = float64(m.stem[m.file]) / j.mass
	s[rank.TypeName] = float64(m.typeNames[m.file].value)
	s[rank.FuncName] = float64(m.funcNames[m.file].value)
	s[rank.Exact] = m.exact[m.file].value
	s[rank.Size] = rank.SizeOf(end - first)
	s.Classify(m.seg.Class(m.file), rank.ContentOf(m.seg.Language(m.file)), &j.lift)
	return s
}

// signals returns all that is known of a match by itself.
func (j *judge) signals(m *match) rank.Signals {
	s := j.cheap(m)
	path := rank.SplitPath(m.path())
	s[rank.PathWords] = path.PathWords(j.pathTerms)
	s[rank.Prefix] = path.Prefix(j.query.Words)
	if rank.UnderName(m.path(), m.repo) {
		s[rank.Home] = 1
	}
	s[rank.Depth] = float64(path.Depth)
	if stem := s[rank.Stem]; stem > 0 {
		s[rank.StemFull] = stem * path.Explained(func(t string) bool { _, ok := j.known[t]; return ok })
	}
	s[rank.Dir] = path.Folders(j.known) / j.mass
	for _, n := range j.spelled {
		if n.Weight > s[rank.ExactStem] && rank.SpellsName(path.Spell, n.Text) {
			s[rank.ExactStem] = n.Weight
		}
	}
	return s
}

// compare sets the signals of the candidates that speak of one among the others.
func (j *judge) compare(found []match) {
	var stem, name, coverage, evidence float64
	languages, folders := map[string]float64{}, map[string]float64{}
	for i := range found {
		m := &found[i]
		s := &m.signals
		stem = max(stem, s[rank.Stem])
		name = max(name, s[rank.TypeName], s[rank.FuncName])
		coverage = max(coverage, s[rank.Coverage])
		evidence += s[rank.Chunks]
		languages[m.seg.Language(m.file)] += s[rank.Chunks]
		folders[folderOf(m)] += s[rank.Chunks]
	}
	for i := range found {
		m := &found[i]
		s := &m.signals
		s[rank.TopStem] = ratio(s[rank.Stem], stem)
		s[rank.TopName] = ratio(max(s[rank.TypeName], s[rank.FuncName]), name)
		s[rank.TopCoverage] = ratio(s[rank.Coverage], coverage)
		s[rank.Language] = ratio(languages[m.seg.Language(m.file)], evidence)
		s[rank.Folder] = ratio(folders[folderOf(m)]-s[rank.Chunks], evidence)
	}
}

func folderOf(m *match) string {
	path := m.path()
	return m.repo + "/" + path[:max(0, strings.LastIndexByte(path, '/'))]
}

func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return max(0, a/b)
}

// place chooses the chunk that is shown for a match: the one that defines a
// name the query is sure of, the one where a condition is met, or the best.
func (m *match) place() {
	if e, ok := m.exact[m.file]; ok && e.owns {
		m.chunk, _, _ = m.seg.DefinitionPlace(e.definition)
	} else if chunk, ok := m.places[m.file]; ok {
		m.chunk = chunk
	}
}
