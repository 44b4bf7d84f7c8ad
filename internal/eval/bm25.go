package eval

import (
	"cmp"
	"math"
	"slices"

	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/token"
)

// The constants of BM25 in their textbook values. (Robertson and Zaragoza, The
// probabilistic relevance framework: BM25 and beyond, 2009.)
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// rank25 answers the questions by BM25 over chunks and nothing else: the terms
// of a chunk and of its path in one bag, the terms of the question without stop
// words, files that are programs only, chunks ranked as they are. The base name
// of a path counts twice, as published figures of BM25 have it. It is the
// yardstick of what the other signals add.
func (r *Run) rank25(c *corpus, questions []int) error {
	b := newBM25(c)
	for _, i := range questions {
		q := &r.Questions[i]
		results, err := b.answer(q.Query)
		if err != nil {
			return err
		}
		r.BM25[i] = Answer{Repo: q.Repo, ID: q.ID, Results: results}
	}
	return nil
}

// bm25 scores the chunks of a corpus, numbered through over its segments.
type bm25 struct {
	*corpus
	first   []int // number of each segment's first chunk
	live    int   // chunks that take part
	average float64
	lengths []float64 // terms of each chunk and its path; 0 where it takes no part
	counts  []uint32  // of the term at hand
	scores  []float64
}

func newBM25(c *corpus) *bm25 {
	b := &bm25{corpus: c}
	n := 0
	for _, s := range c.snap.Segments {
		b.first = append(b.first, n)
		n += s.NumChunks()
	}
	b.lengths, b.counts, b.scores = make([]float64, n), make([]uint32, n), make([]float64, n)
	var sum float64
	for i, s := range c.snap.Segments {
		for k := range s.NumChunks() {
			file, tokens, _, _ := s.Lengths(k)
			if !s.Alive(file) || rank.ContentOf(s.Language(file)) != rank.ContentCode {
				continue
			}
			stem, dir := s.PathTokens(file)
			length := float64(int(tokens) + 2*stem + dir)
			b.lengths[b.first[i]+k] = length
			sum += length
			b.live++
		}
	}
	b.average = sum / float64(max(1, b.live))
	return b
}

// answer returns the best chunks for a question.
func (b *bm25) answer(query string) ([]Result, error) {
	clear(b.scores)
	for _, term := range uniqueTerms(query) {
		if err := b.add(term); err != nil {
			return nil, err
		}
	}
	var found []int
	for i, score := range b.scores {
		if score > 0 {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(x, y int) int { return cmp.Or(cmp.Compare(b.scores[y], b.scores[x]), b.compare(x, y)) })
	results := []Result{}
	for _, i := range found[:min(len(found), b.limit)] {
		results = append(results, b.result(i))
	}
	return results, nil
}

// uniqueTerms lists the terms of a text in the order of their first use.
func uniqueTerms(text string) []string {
	var terms []string
	for _, w := range token.Words(text) {
		all := w.Terms
		if w.Compound != "" {
			all = append(slices.Clone(all), w.Compound)
		}
		for _, t := range all {
			if !rank.IsStopword(t) && !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	return terms
}

// add adds what one term gives to each chunk.
func (b *bm25) add(term string) error {
	clear(b.counts)
	for i, s := range b.snap.Segments {
		t, ok, err := s.Lookup(term)
		if err != nil {
			return err
		}
		if ok {
			b.count(b.counts[b.first[i]:b.first[i]+s.NumChunks()], s.Live, t)
		}
	}
	df := 0
	for i, n := range b.counts {
		if n > 0 && b.lengths[i] > 0 {
			df++
		}
	}
	idf := math.Log(1 + (float64(b.live-df)+0.5)/(float64(df)+0.5))
	for i, n := range b.counts {
		if n == 0 || b.lengths[i] == 0 {
			continue
		}
		tf := float64(n)
		norm := bm25K1 * (float64(1-bm25B) + float64(bm25B*b.lengths[i]/b.average))
		b.scores[i] += float64(idf * tf * (bm25K1 + 1) / (tf + norm))
	}
	return nil
}

// count counts a term in the chunks of one segment and in their paths.
func (b *bm25) count(counts []uint32, s segment.Live, t segment.Term) {
	var chunks, tfs [128]uint32
	body := t.Body()
	for n := body.NextBlock(chunks[:], tfs[:]); n > 0; n = body.NextBlock(chunks[:], tfs[:]) {
		for k, chunk := range chunks[:n] {
			counts[chunk] += tfs[k]
		}
	}
	paths := t.Path()
	for file, stem, dir, ok := paths.Next(); ok; file, stem, dir, ok = paths.Next() {
		first, end := s.ChunksOf(file)
		for k := first; k < end; k++ {
			counts[k] += 2*stem + dir
		}
	}
}

// place finds the segment of a chunk and the chunk's number in it.
func (b *bm25) place(i int) (segment.Live, int) {
	s, exact := slices.BinarySearch(b.first, i)
	if !exact {
		s--
	}
	for s+1 < len(b.first) && b.first[s+1] == i { // segments without chunks
		s++
	}
	return b.snap.Segments[s].Live, i - b.first[s]
}

func (b *bm25) result(i int) Result {
	s, k := b.place(i)
	c := s.Chunk(k)
	return Result{Path: b.path(s.Path(c.File)), StartLine: int(c.StartLine), EndLine: int(c.EndLine)}
}

// compare orders chunks by place, so that an answer does not depend on how the
// files are spread over segments.
func (b *bm25) compare(x, y int) int {
	p, q := b.result(x), b.result(y)
	return cmp.Or(cmp.Compare(p.Path, q.Path), cmp.Compare(p.StartLine, q.StartLine))
}
