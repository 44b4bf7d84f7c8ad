package search

import (
	"cmp"
	"math"
	"slices"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/segment"
)

// judge is what all candidates of one query are judged by.
type judge struct {
	*selection
	model     *rank.Model
	scorer    *rank.Scorer
	lift      rank.Lift
	known     map[string]float64 // mass of the terms of the query, compounds aside
	pathTerms []string           // primary terms that are sought in paths
	folders   map[folderPath]*folder
	nearest   *folder     // that of the match looked at last
	head      []rank.Term // the terms of the query's first words, with their shares of the mass of all of these
	spelled   []rank.Name // names of the query, spelled as rank.Spelling does
}

func newJudge(x *selection, model *rank.Model) *judge {
	j := &judge{
		selection: x, model: model, scorer: model.Scorer(x.query.Kind), known: map[string]float64{},
		folders: make(map[folderPath]*folder, maxCandidates),
	}
	for _, s := range x.sources {
		s.traits = s.seg.FileTraits()
	}
	for i, t := range x.query.Terms {
		if !t.Compound() {
			j.known[t.Text] = x.terms[i].file
		}
		if t.Primary() && len(t.Text) > 2 {
			j.pathTerms = append(j.pathTerms, t.Text)
		}
	}
	j.setHead()
	for _, n := range x.query.Names {
		j.spelled = append(j.spelled, rank.Name{Text: rank.Spelling(n.Text), Weight: n.Weight})
	}
	for _, a := range x.query.Asks {
		j.lift.Raise(a, x.ordinaryShare(a.Term))
	}
	return j
}

func (j *judge) setHead() {
	sum := 0.0
	for _, text := range j.query.Head {
		j.head = append(j.head, rank.Term{Text: text, Weight: j.known[text]})
		sum += j.known[text]
	}
	for i := range j.head {
		j.head[i].Weight /= max(sum, math.SmallestNonzeroFloat64)
	}
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
		for f := range members(s.filesWith(&s.terms[i])) {
			if s.ordinary(f) {
				with++
			}
		}
	}
	return float64(with) / float64(max(files, 1))
}

// filesWith returns the files that hold a term, dead ones too.
func (s *source) filesWith(t *sourceTerm) segment.Bitmap {
	set := make(segment.Bitmap, (s.seg.NumFiles()+63)/64)
	if t.FileDF == 0 {
		return set
	}
	var block [2][postingBlock]uint32
	for it := t.Body(); ; {
		n := it.NextBlock(block[0][:], block[1][:])
		if n == 0 {
			break
		}
		for _, chunk := range block[0][:n] {
			set.Set(s.seg.FileOf(int(chunk)))
		}
	}
	for it := t.Path(); ; {
		file, _, _, ok := it.Next()
		if !ok {
			break
		}
		set.Set(file)
	}
	for it := t.Symbols(); ; {
		def, ok := it.Next()
		if !ok {
			return set
		}
		chunk, _, _ := s.seg.DefinitionPlace(def)
		set.Set(s.seg.FileOf(chunk))
	}
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
	t := s.traits[file]
	return t.Class&ordinary == 0 && s.seg.Alive(file) && s.content[t.Language] == rank.ContentCode
}

// cheap sets what is known of a match without looking at its path. The other
// signals must be 0.
func (j *judge) cheap(m *match, s *rank.Signals) {
	s[rank.BestChunk] = float64(m.best / j.best)
	s[rank.SecondChunk] = float64(m.second / j.best)
	s[rank.ChunkMass] = min(1, float64(m.best)/j.chunkMass)
	s[rank.Coverage] = m.coverage(j.collection)
	s[rank.Stem] = float64(m.stem[m.file]) / j.mass
	if s[rank.Stem] > 0 { // a guess, until the path is looked at
		s[rank.StemSaid], s[rank.StemFull] = 0.5, s[rank.Stem]/2
	}
	s[rank.TypeName] = float64(m.typeNames[m.file].value)
	s[rank.FuncName] = float64(m.funcNames[m.file].value)
	s[rank.Exact] = m.exact[m.file].value
	s[rank.Mentioned] = m.mentions[m.file].value
	s[rank.Quoted] = m.quotes[m.file].value
	t := m.traits[m.file]
	s.Classify(t.Class, m.content[t.Language], &j.lift)
}

// guess returns the score of a match from what is at hand without looking at its path.
func (j *judge) guess(m *match) float64 {
	var s rank.Signals
	j.cheap(m, &s)
	return j.scorer.Score(&s)
}

// judge judges matches by all signals and puts the best first.
func (j *judge) judge(found []*match) {
	if len(j.judged) == 0 {
		j.judged = make([]judged, maxCandidates)
	}
	slices.SortFunc(found, func(a, b *match) int { // so that files of a folder follow each other
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.file, b.file))
	})
	for i, m := range found {
		m.judged = &j.judged[i]
		j.look(m)
	}
	j.compare(found)
	for _, m := range found {
		m.score = j.scorer.Score(&m.judged.signals)
	}
	slices.SortFunc(found, compareMatches)
}

// look finds all that is known of a match by itself.
func (j *judge) look(m *match) {
	dir, name := rank.CutPath(m.seg.PathBytes(m.file))
	folder := j.folder(m.repo, m.spelled, dir)
	stem := j.paths.Stem(name, &folder.FileFolder)
	*m.judged = judged{folder: folder}
	s := &m.judged.signals
	j.cheap(m, s)
	s[rank.PathWords] = stem.PathWords(j.pathTerms, folder.words)
	s[rank.Home] = folder.home
	s[rank.Depth] = float64(folder.Depth)
	if said := stem.Explained(func(t string) bool { _, ok := j.known[t]; return ok }); said > 0 {
		s[rank.StemSaid], s[rank.StemFull] = said, s[rank.Stem]*said
		s[rank.StemHead] = stem.Head(j.head) * said
	}
	s[rank.Dir] = folder.mass
	for _, n := range j.spelled {
		if n.Weight > s[rank.ExactStem] && rank.SpellsName(stem.Spell, n.Text) {
			s[rank.ExactStem] = n.Weight
		}
	}
}

// folder is what is known of a folder that matches lie in.
type folder struct {
	at folderPath
	rank.FileFolder
	words    []float64 // what the path terms are worth by its name
	mass     float64   // share of the query's mass in it
	home     float64   // 1 where it lies in one named like the repository
	evidence float64   // of the matches in it
}

type folderPath struct{ repo, path string }

// folder returns the folder of a path in a repository whose name is spelled
// as rank.Spelling does.
func (j *judge) folder(repo, spelled string, path []byte) *folder {
	if f := j.nearest; f != nil && f.at.path == string(path) && f.at.repo == repo {
		return f
	}
	f, ok := j.folders[folderPath{repo, string(path)}]
	if !ok {
		at := folderPath{repo, string(path)}
		f = &folder{at: at, FileFolder: j.paths.Folder(at.path)}
		f.words = f.Words(j.pathTerms)
		f.mass = f.Mass(j.known) / j.mass
		if f.Named(spelled) {
			f.home = 1
		}
		j.folders[at] = f
	}
	j.nearest = f
	return f
}

// compare sets the signals of the candidates that speak of one among the
// others: how much of the evidence lies in its language, and beside it in its folder.
func (j *judge) compare(found []*match) {
	var evident []*match
	for _, m := range found {
		if m.chunks > 0 {
			evident = append(evident, m)
		}
	}
	if len(evident) == 0 {
		return
	}
	// Sums run in the order of places.
	slices.SortFunc(evident, func(a, b *match) int { return comparePlaces(a.source, a.file, b.source, b.file) })
	evidence, languages := 0.0, map[string]float64{}
	for _, m := range evident {
		evidence += m.chunks
		languages[m.language()] += m.chunks
		m.judged.folder.evidence += m.chunks
	}
	for _, m := range found {
		s := &m.judged.signals
		s[rank.Language] = languages[m.language()] / evidence
		s[rank.Folder] = max(0, (m.judged.folder.evidence-m.chunks)/evidence)
	}
}

func (m *match) language() string { return m.seg.Languages()[m.traits[m.file].Language] }

// sureQuote is the worth of a quote from which on its chunk is shown.
const sureQuote = 0.5

// place chooses the chunk that is shown for a match: the one of the line that
// the query mentions, the one that holds what it quotes, the one that defines a name the query is sure of, the one
// where a condition is met, or the best.
func (m *match) place() {
	if line := m.mentions[m.file].line; line > 0 {
		if c := m.chunkAt(m.file, line); c >= 0 && m.ofKind(c) {
			m.chunk = c
			return
		}
	}
	if q := m.quotes[m.file]; q.value >= sureQuote && m.ofKind(q.chunk) {
		m.chunk = q.chunk
		return
	}
	if a, ok := m.asked[m.file]; ok && a.chunk >= 0 && m.ofKind(a.chunk) {
		m.chunk = a.chunk
		return
	}
	if e, ok := m.exact[m.file]; ok && e.owns {
		if chunk, _, _ := m.seg.DefinitionPlace(e.definition); m.ofKind(chunk) {
			m.chunk = chunk
		}
	} else if chunk, ok := m.places[m.file]; ok && m.ofKind(chunk) {
		m.chunk = chunk
	}
}
