package ranked

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/clue"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/likeness"
	"espy/internal/ranked/past"
	"espy/internal/ranked/score"
	"espy/internal/ranked/work"
	"espy/internal/segment"
)

// maxCandidates is how many files are judged by all signals.
const maxCandidates = 100

// wholeCandidates is how many files are among them because their whole text scores
// best.
const wholeCandidates = 50

// findings are what the phases before judging returned.
type findings struct {
	asked  *question
	scores *score.Scores
	clues  clue.Found
	chosen *selection

	means Means
}

// judge puts the files that match in order.
type judge struct {
	findings
	model  *rank.Model
	gauge  *gauge
	work   *work.Work // nil where the request says nothing of it
	parts  []part     // of memory
	memory *memory
	told   past.Told
}

// memory is what a judge needs for the time of a query. It goes back to a pool.
type memory struct {
	paths  rank.Splitter
	found  []*match
	judged []judged
	parts  []part // empty but for the memory of their matches
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// newJudge returns a judge, which whoever asked for it releases.
func newJudge(f findings, model *rank.Model) *judge {
	j := &judge{findings: f, model: model, memory: memories.Get().(*memory)}
	for len(j.memory.parts) < len(f.scores.Segments) {
		j.memory.parts = append(j.memory.parts, part{})
	}
	j.parts = j.memory.parts[:len(f.scores.Segments)]
	for i, s := range f.scores.Segments {
		j.parts[i] = part{
			seg: s, traits: s.FileTraits(), content: rank.ContentsOf(s.Languages()), repo: rank.Spelling(s.Repo),
			clues: &f.clues[i], chunks: f.chosen.only.Chunks[i], matches: j.parts[i].matches[:0],
		}
	}
	j.memory.paths.Begin()
	j.gauge = newGauge(f.asked, f.scores, model)
	j.gauge.paths, j.gauge.boost = &j.memory.paths, boostOf(f.asked, f.scores, j.parts)
	return j
}

// release gives the memory of the judge back. No match is used afterwards.
func (j *judge) release() {
	clear(j.memory.found)
	for i := range j.parts {
		clear(j.parts[i].matches)
		j.parts[i] = part{matches: j.parts[i].matches[:0]}
	}
	memories.Put(j.memory)
	j.memory, j.parts = nil, nil
}

// order returns the n best matches, best first. Of the strong ones the best by a
// guess are judged by all signals and stand first; the others follow by their
// guess, none with a higher score than those.
func (j *judge) order(ctx context.Context, n int) ([]*match, error) {
	found, err := j.strong()
	if err != nil {
		return nil, err
	}
	score.Select(found, maxCandidates, compareMatches)
	head := found[:min(len(found), maxCandidates)]
	if err := j.judge(ctx, head); err != nil {
		return nil, err
	}
	raise(head)
	n = min(n, j.chosen.total)
	if n <= len(head) {
		return head[:n], nil
	}
	found = append(found, j.weak()...)
	j.memory.found = found
	tail := found[len(head):]
	slices.SortFunc(tail, compareMatches)
	if len(head) > 0 {
		for _, m := range tail {
			m.score = min(m.score, head[len(head)-1].score)
		}
	}
	raise(tail)
	return found[:n], nil
}

// judge judges matches by all signals and puts the best first.
func (j *judge) judge(ctx context.Context, found []*match) error {
	if len(j.memory.judged) == 0 {
		j.memory.judged = make([]judged, maxCandidates)
	}
	for i, m := range found {
		m.judged = &j.memory.judged[i]
		j.gauge.look(m)
	}
	j.gauge.compare(found)
	for _, m := range found {
		m.score = j.scoreOf(m)
	}
	j.sideBySide(found)
	if err := j.byMeaning(ctx, found); err != nil {
		return err
	}
	j.behindSources(found)
	slices.SortFunc(found, compareMatches)
	return nil
}

// scoreOf is what all evidence says of a match.
func (j *judge) scoreOf(m *match) float64 {
	return j.gauge.scorer.Score(&m.judged.signals) + m.work + j.gained(m) - j.lowered(m)
}

// pairedFiles is how many of the best files are looked at for words side by side.
const pairedFiles = 20

// sideBySide lets those of the best files gain in which words of the question stand side by
// side as they do there.
func (j *judge) sideBySide(found []*match) {
	if !j.asked.isInWords() || len(j.asked.words.Row) < 2 || len(found) == 0 {
		return
	}
	score.Select(found, pairedFiles, compareMatches)
	best := found[:min(len(found), pairedFiles)]
	slices.SortFunc(best, comparePlaces)
	files := make([]score.File, len(best))
	for i, m := range best {
		files[i] = score.File{Segment: m.in.seg, File: m.file}
	}
	worth := j.scores.Beside(j.asked.words.Row, files)
	most := slices.Max(worth)
	for i, m := range best {
		if worth[i] > 0 {
			m.judged.signals[rank.Beside] = worth[i] / most
			m.score = j.scoreOf(m)
		}
	}
}

// byMeaning lets files gain that are nearer in meaning to the question than others, where
// none is likely by its words alone.
func (j *judge) byMeaning(ctx context.Context, found []*match) error {
	if j.means.Meaning == nil || !j.asked.isInWords() {
		return nil
	}
	score.Select(found, likeness.Files, compareMatches)
	best := found[:min(len(found), likeness.Files)]
	files := make([]likeness.File, len(best))
	for i, m := range best {
		if m.rank > 0 || likeness.IsSure(m.score) {
			return nil
		}
		files[i] = likeness.File{Segment: m.in.seg.Segment, File: m.file}
	}
	gains, err := likeness.Gains(ctx, j.means.Meaning, j.asked.text, files, j.asked.words.AsksFor(rank.Test))
	for i, m := range best {
		m.near = gains[i]
		m.score += m.near
	}
	return err
}

// behindSources puts what a program wrote behind what it was made of, and code for Windows
// behind that of the same name for other systems, unless the query names Windows.
func (j *judge) behindSources(found []*match) {
	behind(found, func(m *match) bool { return m.class()&code.ClassGenerated != 0 }, func(m *match) string { return rank.Product(m.path()) })
	if !rank.AsksForWindows(j.asked.text) {
		behind(found, func(m *match) bool { return rank.IsForWindows(m.pathText()) }, func(m *match) string { return rank.Twin(m.pathText()) })
	}
}

// behind puts files that follow others behind the best other file that is called like
// them, if that says at least half as much of what is asked. What is called "" follows none.
func behind(found []*match, follows func(*match) bool, called func(*match) string) {
	type named struct{ repo, name string }
	nameOf := func(m *match) named { return named{m.in.seg.Repo, called(m)} }
	following := make([]bool, len(found))
	first := map[named]*match{} // the others, by what those that follow are called
	for i, m := range found {
		if following[i] = follows(m); following[i] {
			first[nameOf(m)] = nil
		}
	}
	for i, s := range found {
		if len(first) == 0 || following[i] {
			continue
		}
		n := nameOf(s)
		if best, asked := first[n]; asked && n.name != "" && (best == nil || best.score < s.score) {
			first[n] = s
		}
	}
	for i, m := range found {
		if !following[i] {
			continue
		}
		if s := first[nameOf(m)]; s != nil && 2*s.best >= m.best {
			m.score = min(m.score, s.score-leastEvidence)
		}
	}
}

// chunksPerWorker is how many chunks are worth another goroutine to find the
// strong files among theirs.
const chunksPerWorker = 256 << 10

// strong returns the files with a signal beyond common words in their text: one
// of the best chunks, a name, the stem, or a clue that makes them candidates.
func (j *judge) strong() ([]*match, error) {
	best, err := j.scores.Best(j.chosen.only)
	if err != nil {
		return nil, err
	}
	j.gauge.best = 1
	var files []score.File
	if j.scores.Long > 0 {
		files = j.scores.BestFiles(wholeCandidates, j.chosen.allows)
	}
	j.gauge.whole = 1
	if len(files) > 0 {
		j.gauge.whole = files[0].Score
	}
	if len(best) > 0 {
		j.gauge.best = best[0].Score
	}
	err = j.scores.Corpus.Each(1+j.scores.Corpus.Chunks/chunksPerWorker, func(s *corpus.Segment) error {
		p := &j.parts[s.Index]
		p.strong = j.strongOf(p, best, files)
		p.matches = j.matches(p.matches, p, p.strong)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, e := range score.EvidenceOf(best) {
		all := j.parts[e.Segment.Index].matches
		i, _ := slices.BinarySearchFunc(all, e.File, func(m match, file int) int { return cmp.Compare(m.file, file) })
		all[i].chunks = e.Worth
	}
	found := j.memory.found[:0]
	for i := range j.parts {
		found = appendPointers(found, j.parts[i].matches)
	}
	j.memory.found = found
	return found, nil
}

// strongOf returns the strong files of a part.
func (j *judge) strongOf(p *part, best []score.Chunk, files []score.File) segment.Bitmap {
	set := p.seg.Named()
	for file := range p.clues.Strong() {
		set.Set(file)
	}
	j.chosen.keepAllowed(set, p.seg)
	for _, c := range best {
		if c.Segment == p.seg {
			set.Set(c.File)
		}
	}
	for _, f := range files {
		if f.Segment == p.seg {
			set.Set(f.File)
		}
	}
	return set
}

// weak returns the other files that match.
func (j *judge) weak() (found []*match) {
	for i := range j.parts {
		p := &j.parts[i]
		rest := j.chosen.matching(p.seg)
		rest.AndNot(p.strong)
		found = appendPointers(found, j.matches(nil, p, rest))
	}
	return found
}

// matches appends the files of a set to dst, in order, with guesses of their
// scores. It is called from several goroutines.
func (j *judge) matches(dst []match, p *part, files segment.Bitmap) []match {
	dst = slices.Grow(dst, files.Count())
	var known rank.Some
	for file := range files.All() {
		dst = append(dst, p.match(file))
		m := &dst[len(dst)-1]
		j.gauge.guess(m, &known)
		m.score = j.gauge.scorer.Guess(&known)
		if j.work != nil {
			m.work = j.work.Logit(m.path())
			m.score += m.work
		}
	}
	return dst
}
