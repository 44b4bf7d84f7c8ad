package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/sample"
	"espy/internal/segment"
	"espy/internal/store"
)

// TestScores holds that chunks score, file by file, term by term, what the
// formula says, however the work is dealt: over several batches, with a file of
// more chunks than a batch, files without chunks, texts of very many tokens and
// occurrences, and terms in names and paths beside the text.
func TestScores(t *testing.T) {
	s := &store.Snapshot{Repo: "r", Name: "r"}
	rnd := rand.New(rand.NewPCG(1, 2))
	for part := range 2 {
		s.Segments = append(s.Segments, store.Segment{Live: segment.Live{Reader: chunkyPart(t, rnd, part)}})
	}
	dead := segment.NewBitmap(s.Segments[1].NumFiles())
	dead.Clear(3)
	s.Segments[1].Live.Live = dead
	batches := 0
	for _, l := range s.Segments {
		batches += len(l.Scoring().Batches)
	}
	if batches < 6 {
		t.Fatalf("%d batches: the test needs several in a segment", batches)
	}
	for _, query := range []string{"alpha", "alpha beta", "gammaDelta beta folder1", "stem2 epsilon alphaBeta"} {
		for _, workers := range []int{1, 2, 7} {
			t.Run(fmt.Sprintf("%s, %d workers", query, workers), func(t *testing.T) {
				scores := run(t, []*store.Snapshot{s}, rank.Understand(query, "").Terms)
				defer scores.Release()
				scores.setRanges(workers)
				if workers > 1 && len(scores.ranges) <= len(s.Segments) {
					t.Fatalf("%d ranges for %d workers", len(scores.ranges), workers)
				}
				if err := scores.scoreRanges(t.Context(), workers); err != nil {
					t.Fatal(err)
				}
				for i, seg := range scores.Segments {
					want, cover := plainScores(scores, seg)
					if !slices.Equal(seg.Scores, want) {
						t.Errorf("scores of segment %d differ at %d", i, differAt(seg.Scores, want))
					}
					if !slices.Equal(seg.Cover, cover) {
						t.Errorf("cover of segment %d differs at %d", i, differAt(seg.Cover, cover))
					}
				}
			})
		}
	}
}

// run scores all files of snapshots for terms.
func run(t *testing.T, snaps []*store.Snapshot, terms []rank.Term) *Scores {
	t.Helper()
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over(snaps)
	if err != nil {
		t.Fatal(err)
	}
	s, done, err := Run(t.Context(), corpus.New(f), terms, false)
	if err != nil || !done {
		t.Fatal(done, err)
	}
	return s
}

func differAt(a, b []float32) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// plainScores scores the chunks of a segment one by one, and the cover of its files.
func plainScores(all *Scores, s *Segment) (scores, cover []float32) {
	scores, cover = make([]float32, s.NumChunks()), make([]float32, s.NumFiles())
	for _, term := range all.Terms {
		t, ok, _ := s.Lookup(term.Text)
		if !ok {
			continue
		}
		holds := make([]bool, len(cover))
		for chunk, frequency := range plainFrequencies(all, s, t, term) {
			if frequency > 0 {
				scores[chunk] += float32(float32(term.ChunkWeight) * rank.Saturate(frequency))
				holds[s.FileOf(chunk)] = true
			}
		}
		for it := t.Path(); ; {
			file, _, _, ok := it.Next()
			if !ok {
				break
			}
			holds[file] = true
		}
		for file, in := range holds {
			if in && term.Primary() {
				cover[file] += float32(term.FileWeight)
			}
		}
	}
	return scores, cover
}

// plainFrequencies returns the weighted frequency of a term in each chunk.
func plainFrequencies(all *Scores, s *Segment, t segment.Term, term Term) []float32 {
	sums := make([]float32, s.NumChunks())
	for it := t.Symbols(); !term.Hint(); {
		d, ok := it.Next()
		if !ok {
			break
		}
		info := s.Definition(d)
		chunk := s.Chunk(info.Chunk)
		field, length := rank.FieldFunc, chunk.DefFuncTokens
		if info.Kind.IsType() {
			field, length = rank.FieldType, chunk.DefTypeTokens
		}
		sums[info.Chunk] += all.Corpus.Norms.Of(field).Frequency(1, length)
	}
	for it := t.Path(); ; {
		file, inStem, inDir, ok := it.Next()
		if !ok {
			break
		}
		f := s.File(file)
		var sum float32
		if inStem > 0 {
			sum = all.Corpus.Norms.Of(rank.FieldStem).Frequency(inStem, uint32(f.StemTokens))
		}
		sum += all.Corpus.Norms.Of(rank.FieldDir).Frequency(inDir, uint32(f.DirTokens))
		for i := range f.NumChunks {
			sums[f.FirstChunk+i] += sum
		}
	}
	var chunks, tfs [postingBlock]uint32
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], tfs[:])
		if n == 0 {
			return sums
		}
		for k, chunk := range chunks[:n] {
			sums[chunk] += all.Corpus.Norms.Of(rank.FieldBody).Frequency(tfs[k], s.Chunk(int(chunk)).Tokens)
		}
	}
}

// chunkyPart builds a part of files of very different numbers of chunks.
func chunkyPart(t *testing.T, rnd *rand.Rand, part int) *segment.Reader {
	t.Helper()
	words := []string{"alpha", "beta", "gammaDelta", "epsilon", "alphaBeta", "zeta", "eta", "theta"}
	b := segment.NewBuilder()
	for i, n := range []int{0, 3, 1500, 0, 5000, 1, 2, 4000, 900, 0, 700} {
		f := segment.File{Path: fmt.Sprintf("p%d/%02d/folder%d/stem%d.txt", part, i, i%3, i%4)}
		line := uint32(0)
		for c := range n {
			var text []string
			for range 1 + rnd.IntN(3) {
				text = append(text, words[rnd.IntN(len(words))])
			}
			switch c {
			case 100:
				text = append(text, strings.Repeat("zeta eta ", 700)+"alpha") // many tokens
			case 200:
				text = append(text, strings.Repeat("beta ", 20)) // many occurrences
			}
			start := len(f.Text)
			f.Text = append(f.Text, strings.Join(text, " ")+"\n"...)
			line++
			f.Chunks = append(f.Chunks, code.Chunk{Start: uint32(start), End: uint32(len(f.Text)), StartLine: line, EndLine: line})
			if c%5 == 0 {
				kind := []code.Kind{code.KindFunc, code.KindStruct, code.KindConst}[c/5%3]
				f.Definitions = append(f.Definitions, code.Definition{Name: text[0], Kind: kind, Line: line})
			}
		}
		f.Size = int64(len(f.Text))
		if err := b.Add(&f); err != nil {
			t.Fatal(err)
		}
	}
	return sample.ReadBack(t, b)
}
