package ranked

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/clue"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
	"espy/internal/segment"
)

// part is one segment of the corpus with what the phases before judging found
// out of its files.
type part struct {
	seg     *score.Segment
	traits  []segment.FileTraits
	content []rank.Content // by language of the segment
	repo    string         // name of its repository, as rank.Spelling has it
	clues   *clue.Files
	chunks  segment.Bitmap // that are of the kinds that the query asks for; nil where it does not

	strong  segment.Bitmap // its files with a signal beyond common words in their text
	matches []match        // these files
}

// match is one file that may be shown.
type match struct {
	in     *part
	file   int
	best   float32 // score of its best chunk, 0 for none
	second float32 // and of the one after it
	chunks float64 // evidence of its chunks among the best of all
	score  float64 // a logit: until the match is judged a guess without the signals that cost most
	work   float64 // part of the score: what the caller's work adds
	near   float64 // part of the score: what its meaning adds
	judged *judged // nil where the guess is final
	rank   int     // before the score: it is a place, or has the definition or the message, that is all the query asks for
}

// judged is what is known of a match that is looked at in full.
type judged struct {
	folder  *rank.FileFolder
	signals rank.Signals
}

// match returns a file with the scores of its two best chunks.
func (p *part) match(file int) match {
	m := match{in: p, file: file}
	m.best, m.second = p.seg.TwoBest(int(p.traits[file].FirstChunk), int(p.traits[file+1].FirstChunk), p.chunks)
	for c := range p.clues.Of(file) {
		m.rank = max(m.rank, c.Rank())
	}
	return m
}

// place returns the chunk that is shown of a match, -1 where it has none: that
// of the clue which wants it most, else the best one.
func place(m *match) int {
	chunk, most := bestChunk(m), 0
	for c := range m.in.clues.Of(m.file) {
		if c.Shows <= most {
			continue
		}
		if at := chunkOf(m, c); at >= 0 && m.in.chunks.Has(at) {
			chunk, most = at, c.Shows
		}
	}
	return chunk
}

// chunkOf returns the chunk that a clue to a match speaks for, -1 for none.
func chunkOf(m *match, c *clue.Clue) int {
	if c.Chunk < 0 && c.Line > 0 {
		return m.in.seg.ChunkAt(m.file, c.Line)
	}
	return c.Chunk
}

// bestChunk returns the first of the best chunks of a match, -1 where it has
// none that can be shown.
func bestChunk(m *match) int {
	first, end := int(m.in.traits[m.file].FirstChunk), int(m.in.traits[m.file+1].FirstChunk)
	for chunk := first; chunk < end; chunk++ {
		if m.in.seg.Scores[chunk] == m.best && m.in.chunks.Has(chunk) {
			return chunk
		}
	}
	return -1
}

// chunksThatScore returns the chunks of a match that score, in their order.
func (m *match) chunksThatScore() (all []int) {
	for chunk := int(m.in.traits[m.file].FirstChunk); chunk < int(m.in.traits[m.file+1].FirstChunk); chunk++ {
		if m.in.seg.Scores[chunk] > 0 && m.in.chunks.Has(chunk) {
			all = append(all, chunk)
		}
	}
	return all
}

func (m *match) class() code.Class { return m.in.traits[m.file].Class }

func (m *match) path() string { return m.in.seg.Path(m.file) }

// pathText is the path, not to be changed or kept.
func (m *match) pathText() []byte {
	return m.in.seg.PathAt(m.in.traits[m.file].Path, m.in.traits[m.file+1].Path)
}

func (m *match) language() string { return m.in.seg.Languages()[m.in.traits[m.file].Language] }

// compareMatches orders by rank and score, the higher first, then by place.
func compareMatches(a, b *match) int {
	switch {
	case a.rank != b.rank:
		return b.rank - a.rank
	case a.score != b.score:
		return cmp.Compare(b.score, a.score)
	}
	return comparePlaces(a, b)
}

func comparePlaces(a, b *match) int {
	return corpus.ComparePlaces(a.in.seg.Segment, a.file, b.in.seg.Segment, b.file)
}

// raise gives what stands first no lower a score than what follows.
func raise(ordered []*match) {
	for i := len(ordered) - 2; i >= 0; i-- {
		if ordered[i].rank > 0 {
			ordered[i].score = max(ordered[i].score, ordered[i+1].score)
		}
	}
}

// appendPointers appends pointers to all matches.
func appendPointers(dst []*match, all []match) []*match {
	dst = slices.Grow(dst, len(all))
	for i := range all {
		dst = append(dst, &all[i])
	}
	return dst
}
