// Package whole scores whole files for the terms of a long text by BM25: which
// files speak of most of it, wherever in them. Chunks tell where one thing stands
// (package score); a report speaks of many things that a file has in many places.
//
// The formula is Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009). A term counts by the weight it has in the
// text. Words of the path count as words of the file.
package whole

import (
	"cmp"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
)

// The parameters of BM25, as they are commonly set.
const (
	saturation = 1.2  // k1
	length     = 0.75 // b
)

// pathWorth is how often a word of the path counts.
const pathWorth = 2

// File is a file of a corpus.
type File struct{ Segment, File int }

// Scores has the score of each file, by segment and file; of dead ones too.
type Scores [][]float32

// Of returns the score of a file.
func (s Scores) Of(f File) float32 { return s[f.Segment][f.File] }

// Best returns the n best files that score and are among some, in no order.
func (s Scores) Best(in *corpus.Corpus, n int, among func(File) bool) []File {
	var all []File
	for i, scores := range s {
		for f, v := range scores {
			if v > 0 {
				all = append(all, File{i, f})
			}
		}
	}
	slices.SortFunc(all, func(f, g File) int {
		return cmp.Or(cmp.Compare(s.Of(g), s.Of(f)), corpus.ComparePlaces(in.Segments[f.Segment], f.File, in.Segments[g.Segment], g.File))
	})
	best := all[:0]
	for _, f := range all {
		if len(best) == n {
			break
		}
		if among(f) {
			best = append(best, f)
		}
	}
	return best
}

// Score scores the files of a corpus. The sums run in the order of the terms.
func Score(in *corpus.Corpus, terms []rank.Term) (Scores, error) {
	all := make(Scores, len(in.Segments))
	norms := normsOf(in)
	idf := make([]float32, len(terms))
	for i, t := range terms {
		files := 0
		for _, s := range in.Segments {
			found, _, err := s.Lookup(t.Text)
			if err != nil {
				return nil, err
			}
			_, n := s.Frequency(found)
			files += n
		}
		idf[i] = float32(t.Weight * rank.IDF(files, in.Files))
	}
	err := in.Each(1+in.Chunks/chunksPerWorker, func(s *corpus.Segment) error {
		w := worker{Segment: s, norms: norms[s.Index], scores: make([]float32, s.NumFiles()), counts: make([]uint32, s.NumFiles())}
		for i, t := range terms {
			found, ok, err := s.Lookup(t.Text)
			if err != nil {
				return err
			}
			if ok {
				w.add(found, idf[i])
			}
		}
		all[s.Index] = w.scores
		return nil
	})
	return all, err
}

// chunksPerWorker is how many chunks are worth another goroutine.
const chunksPerWorker = 32 << 10

// worker scores the files of one segment.
type worker struct {
	*corpus.Segment
	norms  []float32
	scores []float32
	counts []uint32 // of one term by file, 0 between terms
	files  []int32  // with a count
}

// add adds what a term of some weight is worth.
func (w *worker) add(t segment.Term, weight float32) {
	w.count(t)
	for _, f := range w.files {
		n := float32(w.counts[f])
		w.scores[f] += weight * (n * (saturation + 1) / (n + w.norms[f]))
		w.counts[f] = 0
	}
	w.files = w.files[:0]
}

// count counts a term in the files.
func (w *worker) count(t segment.Term) {
	traits := w.FileTraits()
	var chunks, times [corpus.PostingBlock]uint32
	file := 0
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], times[:])
		if n == 0 {
			break
		}
		for i, c := range chunks[:n] {
			if traits[file+1].FirstChunk <= c {
				file = fileOf(traits, file, c)
			}
			w.meet(file, times[i])
		}
	}
	for it := t.Path(); ; {
		file, inStem, inDir, ok := it.Next()
		if !ok {
			return
		}
		w.meet(file, pathWorth*(inStem+inDir))
	}
}

func (w *worker) meet(file int, times uint32) {
	if times > 0 && w.counts[file] == 0 {
		w.files = append(w.files, int32(file))
	}
	w.counts[file] += times
}

// fileOf returns the file of a chunk, which is not in a file before from: it looks
// ever further ahead, and then between.
func fileOf(traits []segment.FileTraits, from int, chunk uint32) int {
	step := 1
	for from+step < len(traits) && traits[from+step].FirstChunk <= chunk {
		from += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		for from+step < len(traits) && traits[from+step].FirstChunk <= chunk {
			from += step
		}
	}
	return from
}

// normsOf returns what the length of each file adds below the line of the formula.
func normsOf(in *corpus.Corpus) [][]float32 {
	all := make([][]float32, len(in.Segments))
	sum, files := int64(0), 0
	for i, s := range in.Segments {
		tokens, traits := s.Scoring().Tokens, s.FileTraits()
		all[i] = make([]float32, s.NumFiles())
		for f := range all[i] {
			n := int64(0)
			for c := traits[f].FirstChunk; c < traits[f+1].FirstChunk; c++ {
				n += int64(min(tokens[c], 1<<segment.TokenBits))
			}
			all[i][f] = float32(n)
			if s.Alive(f) {
				sum += n
				files++
			}
		}
	}
	mean := float32(sum)/float32(max(files, 1)) + 1
	for _, norms := range all {
		for f, n := range norms {
			norms[f] = saturation * (1 - length + length*n/mean)
		}
	}
	return all
}
