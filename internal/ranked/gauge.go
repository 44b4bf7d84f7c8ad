package ranked

import (
	"math"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/clue"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
)

// gauge finds the signals of the files that match one query.
type gauge struct {
	scorer *rank.Scorer
	boost  rank.Boost
	paths  *rank.Splitter
	sought *rank.PathQuery
	names  []rank.Name // of the query, spelled as rank.Spelling does
	best   float32     // score of the best chunk of all
	whole  float32     // score of the best whole file of all
	long   float64     // how long the query is, as score.Scores has it
	large  float64     // how large the corpus is, as Largeness has it

	corpus *corpus.Corpus

	weight, chunkWeight float64 // of the query, as score.Scores has them

	// Of the match looked at last.
	near  rank.Near
	known rank.Some
}

func newGauge(q *question, scores *score.Scores, model *rank.Model) *gauge {
	g := &gauge{
		scorer: model.Scorer(q.words.Kind, rank.Vastness(scores.Corpus.Files)), sought: rank.NewPathQuery(scores.Weight, len(scores.Terms)),
		weight: scores.Weight, chunkWeight: scores.ChunkWeight, long: scores.Long, large: scores.Corpus.Largeness(), corpus: scores.Corpus,
	}
	for i := range scores.Terms {
		if t := &scores.Terms[i]; !t.Compound() {
			g.sought.Add(t.Text, t.FileWeight, t.Primary())
		}
	}
	g.sought.SetHead(q.words.Head)
	for _, n := range q.words.Names {
		g.names = append(g.names, rank.Name{Text: rank.Spelling(n.Text), Weight: n.Weight})
	}
	return g
}

// guess sets what is known of a match without looking at its path. It may be
// called from several goroutines.
func (g *gauge) guess(m *match, s *rank.Some) {
	seg := m.in.seg
	s.Reset()
	s.Set(rank.BestChunk, float64(m.best/g.best))
	s.Set(rank.SecondChunk, float64(m.second/g.best))
	s.Set(rank.ChunkMass, min(1, float64(m.best)/g.chunkWeight))
	if g.long > 0 {
		s.Set(rank.WholeText, g.long*math.Min(1, float64(seg.Whole[m.file]/g.whole)))
	}
	s.Set(rank.Coverage, math.Min(1, float64(seg.Cover[m.file])/g.weight))
	if stem := float64(seg.Stem[m.file]) / g.weight; stem > 0 {
		s.Set(rank.Stem, stem)
		s.Set(rank.StemSaid, 0.5) // a guess, as the next, until the path is looked at
		s.Set(rank.StemFull, stem/2)
	}
	s.Set(rank.TypeName, float64(seg.Types[m.file].Value))
	s.Set(rank.FuncName, float64(seg.Funcs[m.file].Value))
	for c := range m.in.clues.Of(m.file) {
		if c.Signal != clue.NoSignal {
			s.Set(c.Signal, c.Value)
		}
	}
	t := m.in.traits[m.file]
	s.Classify(t.Class, m.in.content[t.Language], &g.boost)
}

// look finds all that is known of a match by itself.
func (g *gauge) look(m *match) {
	p := m.in
	path := m.pathText()
	dir, name := rank.CutPath(path)
	folder := g.paths.Folder(dir)
	stem := g.paths.Stem(name, folder)
	g.guess(m, &g.known)
	*m.judged = judged{folder, g.known.All()}
	s := &m.judged.signals
	cut, weight := g.sought.Apart(&stem, g.corpus.Joined)
	s[rank.Stem] += weight / g.weight
	stem = cut
	g.sought.Near(&g.near, folder)
	g.sought.Judge(s, &stem, &g.near)
	s[rank.StemSaid] *= 1 - float64(g.long*g.large) // a long query says some of very many names by chance
	if folder.Named(p.repo) {
		s[rank.Home] = 1
	}
	s[rank.Header] = g.boost.Header(path)
	for _, n := range g.names {
		if n.Weight > s[rank.ExactStem] && rank.SpellsName(stem.Spell, n.Text) {
			s[rank.ExactStem] = n.Weight
		}
	}
}

// compare sets the signals that a candidate has among the others: how much of
// the evidence lies in its language, and beside it in its folder.
func (g *gauge) compare(found []*match) {
	evident := make([]*match, 0, score.MaxBest)
	for _, m := range found {
		if m.chunks > 0 {
			evident = append(evident, m)
		}
	}
	if len(evident) == 0 {
		return
	}
	slices.SortFunc(evident, comparePlaces) // sums run in the order of places
	all, languages, folders := 0.0, map[string]float64{}, map[folder]float64{}
	plain, home := 0.0, 0.0
	for _, m := range evident {
		all += m.chunks
		if m.in.isPlain(m.file) {
			plain += m.chunks
			home += float64(m.chunks * m.judged.signals[rank.Home])
		}
		languages[m.language()] += m.chunks
		folders[folderOf(m)] += m.chunks
	}
	for _, m := range found {
		s := &m.judged.signals
		s[rank.Language] = languages[m.language()] / all
		s[rank.Home] *= 1 - g.large*(1-min(1, float64(homeShare*home)/max(plain, leastEvidence)))
		s[rank.Folder] = max(0, (folders[folderOf(m)]-m.chunks)/all)
	}
}

// homeShare times the share of the evidence that lies in folders named like the
// repository is how much such a folder tells: in a large tree there are some that
// hold a little of everything.
const homeShare = 2

// leastEvidence is less than any.
const leastEvidence = 1e-9

// folder is one of a repository.
type folder struct {
	repo string
	*rank.FileFolder
}

// folderOf returns the folder of a match that is judged.
func folderOf(m *match) folder { return folder{m.in.seg.Repo, m.judged.folder} }
