package ranked

import (
	"slices"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/segment"
)

// judge is what all candidates of one query are judged by.
type judge struct {
	*selection
	model   *rank.Model
	scorer  *rank.Scorer
	lift    rank.Lift
	sought  *rank.PathQuery
	near    rank.Near   // the folder of the match looked at last
	known   rank.Some   // what is cheap to know of it
	spelled []rank.Name // names of the query, spelled as rank.Spelling does
}

func newJudge(x *selection, model *rank.Model) *judge {
	j := &judge{selection: x, model: model, scorer: model.Scorer(x.query.Kind), sought: rank.NewPathQuery(x.mass, len(x.query.Terms))}
	j.paths.Begin()
	for _, s := range x.sources {
		s.traits = s.seg.FileTraits()
	}
	for i, t := range x.query.Terms {
		if !t.Compound() {
			j.sought.Add(t.Text, x.terms[i].file, t.Primary())
		}
	}
	j.sought.SetHead(x.query.Head)
	for _, n := range x.query.Names {
		j.spelled = append(j.spelled, rank.Name{Text: rank.Spelling(n.Text), Weight: n.Weight})
	}
	j.raiseLift()
	return j
}

// ordinary are the classes of which a file has none that programs are made of.
const ordinary = code.ClassTest | code.ClassExample | code.ClassBench | code.ClassDocs | code.ClassTool | code.ClassVendor | code.ClassGenerated | code.ClassMinified | code.ClassLock

// raiseLift finds out how far the query asks for what is not ordinary.
func (j *judge) raiseLift() {
	if len(j.query.Asks) == 0 {
		return
	}
	files := 0
	for _, s := range j.sources {
		for f := range s.seg.NumFiles() {
			if s.ordinary(f) {
				files++
			}
		}
	}
	for _, a := range j.query.Asks {
		share := 0.0
		if i := j.termIndex(a.Term); i >= 0 {
			share = float64(j.ordinaryWith(i)) / float64(max(files, 1))
		}
		j.lift.Raise(a, share)
	}
}

// ordinaryWith returns how many ordinary program files hold the i-th term.
func (c *collection) ordinaryWith(i int) int {
	n := 0
	for _, s := range c.sources {
		for f := range members(s.filesWith(&s.terms[i])) {
			if s.ordinary(f) {
				n++
			}
		}
	}
	return n
}

// filesWith returns the files that hold a term, dead ones too.
func (s *source) filesWith(t *sourceTerm) segment.Bitmap {
	set := make(segment.Bitmap, (s.seg.NumFiles()+63)/64)
	if t.FileDF == 0 {
		return set
	}
	var block [2][postingBlock]uint32
	walk := fileWalk{traits: s.traits}
	for it := t.Body(); ; {
		n := it.NextBlock(block[0][:], block[1][:])
		if n == 0 {
			break
		}
		for _, chunk := range block[0][:n] {
			set.Set(walk.to(chunk))
		}
	}
	for it := t.Path(); ; {
		file, _, _, ok := it.Next()
		if !ok {
			break
		}
		set.Set(file)
	}
	walk, names := fileWalk{traits: s.traits}, s.seg.Scoring().Names
	for it := t.Symbols(); ; {
		n := it.NextBlock(block[0][:])
		if n == 0 {
			return set
		}
		for _, def := range block[0][:n] {
			set.Set(walk.to(names[def].Chunk))
		}
	}
}

// fileWalk tells the files of chunks that come in order: it takes less than to
// read the file of each.
type fileWalk struct {
	traits []segment.FileTraits
	file   int
}

// to returns the file of a chunk, which is not in a file before the one returned last.
func (w *fileWalk) to(chunk uint32) int {
	for w.traits[w.file+1].FirstChunk <= chunk {
		w.file++
	}
	return w.file
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

// cheap sets what is known of a match without looking at its path.
func (j *judge) cheap(m *match, s *rank.Some) {
	s.Reset()
	s.Set(rank.BestChunk, float64(m.best/j.best))
	s.Set(rank.SecondChunk, float64(m.second/j.best))
	s.Set(rank.ChunkMass, min(1, float64(m.best)/j.chunkMass))
	s.Set(rank.Coverage, m.coverage(j.collection))
	if stem := float64(m.stem[m.file]) / j.mass; stem > 0 {
		s.Set(rank.Stem, stem)
		s.Set(rank.StemSaid, 0.5) // a guess, as the next, until the path is looked at
		s.Set(rank.StemFull, stem/2)
	}
	s.Set(rank.TypeName, float64(m.typeNames[m.file].value))
	s.Set(rank.FuncName, float64(m.funcNames[m.file].value))
	s.Set(rank.Exact, m.exact[m.file].value)
	s.Set(rank.Mentioned, m.mentions[m.file].value)
	s.Set(rank.Quoted, m.quotes[m.file].value)
	t := m.traits[m.file]
	s.Classify(t.Class, m.content[t.Language], &j.lift)
}

// judge judges matches by all signals and puts the best first.
func (j *judge) judge(found []*match) {
	if len(j.judged) == 0 {
		j.judged = make([]judged, maxCandidates)
	}
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
	dir, name := rank.CutPath(m.seg.PathAt(m.traits[m.file].Path, m.traits[m.file+1].Path))
	folder := j.paths.Folder(dir)
	stem := j.paths.Stem(name, folder)
	j.cheap(m, &j.known)
	*m.judged = judged{folder, j.known.All()}
	s := &m.judged.signals
	j.sought.Near(&j.near, folder)
	j.sought.Judge(s, &stem, &j.near)
	if folder.Named(m.spelled) {
		s[rank.Home] = 1
	}
	for _, n := range j.spelled {
		if n.Weight > s[rank.ExactStem] && rank.SpellsName(stem.Spell, n.Text) {
			s[rank.ExactStem] = n.Weight
		}
	}
}

// compare sets the signals of the candidates that speak of one among the
// others: how much of the evidence lies in its language, and beside it in its folder.
func (j *judge) compare(found []*match) {
	evident := make([]*match, 0, topChunks)
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
	evidence, languages, folders := 0.0, map[string]float64{}, map[folder]float64{}
	for _, m := range evident {
		evidence += m.chunks
		languages[m.language()] += m.chunks
		folders[m.folder()] += m.chunks
	}
	for _, m := range found {
		s := &m.judged.signals
		s[rank.Language] = languages[m.language()] / evidence
		s[rank.Folder] = max(0, (folders[m.folder()]-m.chunks)/evidence)
	}
}

// folder is one of a repository.
type folder struct {
	repo string
	*rank.FileFolder
}

// folder returns the folder of a match that is judged.
func (m *match) folder() folder { return folder{m.repo, m.judged.folder} }

func (m *match) language() string { return m.seg.Languages()[m.traits[m.file].Language] }

// bestChunk returns the first of the best chunks of a file, -1 where it has none
// that can be shown.
func (m *match) bestChunk() int {
	first, end := int(m.traits[m.file].FirstChunk), int(m.traits[m.file+1].FirstChunk)
	for chunk := first; chunk < end; chunk++ {
		if m.scores[chunk] == m.best && m.ofKind(chunk) {
			return chunk
		}
	}
	return -1
}

// sureQuote is the worth of a quote from which on its chunk is shown.
const sureQuote = 0.5

// place chooses the chunk that is shown for a match: the one of the line that
// the query mentions, the one that holds what it quotes, the one that defines a name the query is sure of, the one
// where a condition is met, or the best.
func (m *match) place() {
	m.chunk = m.bestChunk()
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
