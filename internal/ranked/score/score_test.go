package score

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

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
	s := chunky(t)
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
				scores := run(t, []*store.Snapshot{s}, rank.Understand(query, "").Terms, false)
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

// TestBest compares the best chunks with those of all in order, found while they
// are scored and afterwards, with and without limits.
func TestBest(t *testing.T) {
	snaps := []*store.Snapshot{chunky(t)}
	for _, text := range []string{"alpha", "gammaDelta beta folder1", "nothing"} {
		terms := rank.Understand(text, "").Terms
		for _, c := range []struct {
			name  string
			early bool
			limit func(file, chunk int) bool
		}{
			{"early", true, func(int, int) bool { return true }},
			{"late", false, func(int, int) bool { return true }},
			{"files", false, func(file, _ int) bool { return file%2 == 0 }},
			{"chunks", false, func(_, chunk int) bool { return chunk%3 > 0 }},
		} {
			t.Run(text+" "+c.name, func(t *testing.T) {
				s := run(t, snaps, terms, c.early)
				defer s.Release()
				var only Only
				var want []Chunk
				matched := 0
				for _, seg := range s.Segments {
					files, chunks := segment.EmptyBitmap(seg.NumFiles()), segment.EmptyBitmap(seg.NumChunks())
					for chunk := range seg.NumChunks() {
						file := seg.FileOf(chunk)
						if !c.limit(file, chunk) {
							continue
						}
						files.Set(file)
						chunks.Set(chunk)
						if seg.Alive(file) && seg.Scores[chunk] > 0 {
							want = append(want, Chunk{seg, seg.Scores[chunk], chunk, file})
						}
					}
					for file := range seg.Matching().All() {
						if seg.Alive(file) {
							matched++
						}
					}
					only.Files, only.Chunks = append(only.Files, files), append(only.Chunks, chunks)
				}
				slices.SortFunc(want, func(a, b Chunk) int { return compareChunks(&a, &b) })
				got, err := s.Best(only)
				if err != nil || !slices.Equal(got, want[:min(len(want), MaxBest)]) {
					t.Errorf("best %v, error %v, want %v", got, err, want[:min(len(want), MaxBest)])
				}
				if n, known := s.Matched(); known != c.early || known && n != matched {
					t.Errorf("%d files match, known %v, want %d, %v", n, known, matched, c.early)
				}
			})
		}
	}
}

// TestLateScoresNothing holds that a query whose time is up before it begins
// shows nothing of an earlier one, whose memory it has.
func TestLateScoresNothing(t *testing.T) {
	snaps := []*store.Snapshot{chunky(t)}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for range 20 { // a pool may drop what it is given
		earlier := run(t, snaps, rank.Understand("alpha beta", "").Terms, false)
		in := earlier.Corpus
		earlier.Release()
		s, done, err := Run(late, in, rank.Understand("alpha", "").Terms, Ways{Early: true})
		if err != nil || done {
			t.Fatalf("done %v, error %v, want a late search", done, err)
		}
		for i, seg := range s.Segments {
			if slices.ContainsFunc(seg.Scores, func(f float32) bool { return f != 0 }) || seg.Matching().Count()+seg.Named().Count() > 0 {
				t.Fatalf("segment %d has scores of an earlier query", i)
			}
		}
		s.Release()
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Run(gone, corpusOf(t, snaps), rank.Understand("alpha", "").Terms, Ways{Early: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v, want %v", err, context.Canceled)
	}
}

// TestFilesWith compares the files of a term with those that a scan finds.
func TestFilesWith(t *testing.T) {
	s := run(t, []*store.Snapshot{chunky(t)}, rank.Understand("gammaDelta folder1 stem2 nothing", "").Terms, false)
	defer s.Release()
	for i, term := range s.Terms {
		t.Run(term.Text, func(t *testing.T) {
			for _, seg := range s.Segments {
				want := segment.EmptyBitmap(seg.NumFiles())
				if found, ok, _ := seg.Lookup(term.Text); ok {
					bare := term // names count for hints too
					bare.Term.Weight = 1
					for chunk, f := range plainFrequencies(s, seg, found, bare) {
						if f > 0 {
							want.Set(seg.FileOf(chunk))
						}
					}
					for it := found.Path(); ; {
						file, _, _, ok := it.Next()
						if !ok {
							break
						}
						want.Set(file)
					}
				}
				if got := seg.FilesWith(i); !slices.Equal(got, want) {
					t.Errorf("files %b, want %b", got, want)
				}
			}
		})
	}
}

func TestWeights(t *testing.T) {
	terms := []rank.Term{{Text: "alpha", Weight: 1}, {Text: "beta", Weight: 0.5}, {Text: "zeta", Weight: 0.1}, {Text: "=gammadelta", Weight: 1}}
	s := run(t, []*store.Snapshot{chunky(t)}, terms, false)
	defer s.Release()
	files, chunks := 0.0, 0.0
	for i, term := range s.Terms {
		if term.Text != terms[i].Text || term.Chunks == 0 || term.Files == 0 {
			t.Fatalf("term %d is %+v, want %s", i, term, terms[i].Text)
		}
		byFile, byChunk := terms[i].Weight*rank.IDF(term.Files, s.Corpus.Files), terms[i].Weight*rank.IDF(term.Chunks, s.Corpus.Chunks)
		if term.FileWeight != byFile || term.ChunkWeight != byChunk {
			t.Errorf("%s weighs %v and %v, want %v and %v", term.Text, term.FileWeight, term.ChunkWeight, byFile, byChunk)
		}
		if i < 2 { // the primary ones
			files += byFile
			chunks += byChunk
		}
	}
	if s.Weight != files || s.ChunkWeight != chunks {
		t.Errorf("weights %v and %v, want %v and %v", s.Weight, s.ChunkWeight, files, chunks)
	}
	if s.Find("beta") != 1 || s.Find("eta") != -1 {
		t.Errorf("beta is term %d, eta %d", s.Find("beta"), s.Find("eta"))
	}
	none := run(t, []*store.Snapshot{chunky(t)}, nil, false)
	defer none.Release()
	if none.Weight != 1 || none.ChunkWeight != 1 {
		t.Errorf("no terms weigh %v and %v, want 1", none.Weight, none.ChunkWeight)
	}
}

func TestTwoBest(t *testing.T) {
	seg := &Segment{Scores: []float32{9, 0.5, 2, 0, 1.5, 2, 9}}
	odd := segment.EmptyBitmap(7)
	odd.Set(1)
	odd.Set(3)
	odd.Set(5)
	for _, c := range []struct {
		first, end   int
		among        segment.Bitmap
		best, second float32
	}{{1, 6, nil, 2, 2}, {1, 5, nil, 2, 1.5}, {3, 4, nil, 0, 0}, {3, 5, nil, 1.5, 0}, {1, 6, odd, 2, 0.5}, {2, 2, nil, 0, 0}} {
		t.Run(fmt.Sprintf("%d to %d of %b", c.first, c.end, c.among), func(t *testing.T) {
			if best, second := seg.TwoBest(c.first, c.end, c.among); best != c.best || second != c.second {
				t.Errorf("%v and %v, want %v and %v", best, second, c.best, c.second)
			}
		})
	}
}

func TestNextAtLeast(t *testing.T) {
	scores := make([]float32, 40)
	for i := range scores {
		scores[i] = float32(i*7%40) / 4
	}
	for _, threshold := range []float32{math.SmallestNonzeroFloat32, 1, 5.25, 9.5, 9.75, 100} {
		t.Run(fmt.Sprint(threshold), func(t *testing.T) {
			for from := range len(scores) + 1 {
				want := from
				for want < len(scores) && scores[want] < threshold {
					want++
				}
				if got := nextAtLeast(scores, from, threshold); got != want {
					t.Errorf("from %d: %d, want %d", from, got, want)
				}
			}
		})
	}
}

// run scores all files of snapshots for terms.
func run(t *testing.T, snaps []*store.Snapshot, terms []rank.Term, early bool) *Scores {
	t.Helper()
	s, done, err := Run(t.Context(), corpusOf(t, snaps), terms, Ways{Early: early, Whole: WholeLong})
	if err != nil || !done {
		t.Fatal(done, err)
	}
	return s
}

func corpusOf(t *testing.T, snaps []*store.Snapshot) *corpus.Corpus {
	t.Helper()
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over(snaps)
	if err != nil {
		t.Fatal(err)
	}
	return corpus.New(f)
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

// chunky returns a repository of two segments, with a dead file in the second.
func chunky(t *testing.T) *store.Snapshot {
	t.Helper()
	s := &store.Snapshot{Repo: "r", Name: "r"}
	rnd := rand.New(rand.NewPCG(1, 2))
	for part := range 2 {
		s.Segments = append(s.Segments, store.Segment{Live: segment.Live{Reader: chunkyPart(t, rnd, part)}})
	}
	dead := segment.NewBitmap(s.Segments[1].NumFiles())
	dead.Clear(3)
	s.Segments[1].Live.Live = dead
	return s
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

// TestBestFiles holds that a long question is answered by the file that says most of
// it, wherever in it, and that a short one is not asked of whole files.
func TestBestFiles(t *testing.T) {
	snap := sample.Repository(t, "r", map[string]string{
		"cart/list.txt": "theta\n",
		"all.txt":       "alpha\n\nbeta\n\ngamma\n\ndelta\n\nepsilon\n\nzeta\n\neta\n",
		"much.txt":      "alpha alpha alpha beta beta beta\n",
		"none.txt":      "theta\n",
	})
	for _, c := range []struct {
		query string
		how   Whole
		want  string
	}{
		{"alpha beta gamma delta epsilon zeta eta", WholeLong, "all.txt much.txt"},
		{"alpha beta gamma", WholeLong, ""},
		{"alpha beta gamma", WholeAlways, "much.txt all.txt"},
		{"beta", WholeAlways, "much.txt all.txt"},
		{"cart theta", WholeAlways, "cart/list.txt none.txt"},
		{"alpha beta gamma delta epsilon zeta eta", WholeNever, ""},
	} {
		t.Run(c.query, func(t *testing.T) {
			terms := rank.Understand(c.query, "").Terms
			s, _, err := Run(t.Context(), corpusOf(t, []*store.Snapshot{snap}), terms, Ways{Whole: c.how})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Release()
			var got []string
			for _, f := range s.BestFiles(9, func(seg *Segment, file int) bool { return seg.Allows(file) }) {
				got = append(got, f.Segment.Path(f.File))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("the best files are %q, want %q", got, c.want)
			}
		})
	}
}
