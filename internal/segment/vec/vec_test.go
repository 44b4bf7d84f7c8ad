package vec

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/segment/frame"
)

// chunk is what a part holds of a chunk.
type chunk struct {
	key    code.Hash
	known  bool
	vector embedding.Vector // none where the model knows nothing of it
}

// randomVector returns a vector of length 1.
func randomVector(r *rand.Rand, dims int) embedding.Vector {
	v, square := make(embedding.Vector, dims), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		square += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(square))
	}
	return v
}

// randomChunks returns chunks of which some are not known, and some say nothing.
func randomChunks(seed uint64, n, dims int) (chunks []chunk) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		c := chunk{key: code.Hash{byte(seed), byte(i), byte(i >> 8), 1}, known: true}
		switch r.IntN(8) {
		case 0:
			c = chunk{}
		case 1:
		default:
			c.vector = randomVector(r, dims)
		}
		chunks = append(chunks, c)
	}
	return chunks
}

var lex = code.Hash{7, 7, 7}

// build writes a part.
func build(t testing.TB, chunks []chunk, dims int) []byte {
	t.Helper()
	var part bytes.Buffer
	b := NewBuilder(&part, Header{Lex: lex, Model: "model of tests", Dims: dims})
	for _, c := range chunks {
		if !c.known {
			b.Skip()
			continue
		}
		row, err := NewRow(c.key, c.vector)
		if err := errors.Join(err, b.Add(&row)); err != nil {
			t.Fatal(err)
		}
	}
	n, err := b.Finish()
	if err != nil || n != int64(part.Len()) {
		t.Fatalf("Finish = %d, %v; wrote %d bytes", n, err, part.Len())
	}
	return part.Bytes()
}

func open(t testing.TB, data []byte) *Reader {
	t.Helper()
	r, err := Open(data, "test.vec")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// held is what a reader tells of a chunk.
type held struct {
	Key    code.Hash
	Known  bool
	Values []int8
}

// dump tells all chunks of a part.
func dump(r *Reader) (all []held) {
	for i := range r.Stats().Chunks {
		row := r.Row(i)
		all = append(all, held{row.Key, r.Knows(i, i+1), row.values})
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	for _, c := range []struct{ chunks, dims int }{{0, 8}, {1, 1}, {9, 31}, {40, 32}, {70, 33}, {300, 256}} {
		t.Run(fmt.Sprintf("%d chunks of %d", c.chunks, c.dims), func(t *testing.T) {
			chunks := randomChunks(1, c.chunks, c.dims)
			r := open(t, build(t, chunks, c.dims))
			var want []held
			stats := Stats{Chunks: len(chunks)}
			for _, c := range chunks {
				row, _ := NewRow(c.key, c.vector)
				want = append(want, held{c.key, c.known, row.values})
				switch {
				case c.vector != nil:
					stats.Rows++
				case c.known:
					stats.Blank++
				}
			}
			if diff := cmp.Diff(want, dump(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if r.Stats() != stats || r.Lex != lex || r.Model != "model of tests" || r.Dims != c.dims || r.Check(nil) != nil {
				t.Errorf("%+v, %+v, check %v; want %+v", r.Stats(), r.Header, r.Check(nil), stats)
			}
		})
	}
}

// TestCopy holds that a part that is copied from others has their bytes.
func TestCopy(t *testing.T) {
	chunks := randomChunks(3, 50, 40)
	data := build(t, chunks, 40)
	from := open(t, data)
	var part bytes.Buffer
	b := NewBuilder(&part, from.Header)
	for i := range chunks {
		if err := b.Copy(from, i); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Finish(); err != nil || !bytes.Equal(part.Bytes(), data) {
		t.Errorf("the copy differs, error %v", err)
	}
	if err := b.Copy(from, len(chunks)); !errors.As(err, new(*frame.CorruptError)) {
		t.Errorf("Copy of a chunk that is none: %v", err)
	}
}

func TestRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range []embedding.Vector{{0, nan}, {inf, 1}, {1, -inf}} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if _, err := NewRow(code.Hash{1}, v); err == nil {
				t.Error("NewRow takes it")
			}
			if _, err := NewQuery(v); err == nil {
				t.Error("NewQuery takes it")
			}
		})
	}
	t.Run("another length", func(t *testing.T) {
		b := NewBuilder(&bytes.Buffer{}, Header{Dims: 2})
		row, _ := NewRow(code.Hash{1}, embedding.Vector{1, 2, 3})
		if b.Add(&row) == nil {
			t.Error("Add takes it")
		}
	})
	for _, dims := range []int{0, -1, maxDims + 1} {
		t.Run(fmt.Sprint(dims, " numbers"), func(t *testing.T) {
			if _, err := NewBuilder(&bytes.Buffer{}, Header{Dims: max(0, dims)}).Finish(); err == nil {
				t.Error("Finish writes it")
			}
		})
	}
}

// cosineOf is the cosine of two vectors.
func cosineOf(a, b embedding.Vector) float64 {
	dot, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

// TestCosines holds that cosines are those of the vectors, whatever their
// lengths, for each range of chunks.
func TestCosines(t *testing.T) {
	for _, dims := range []int{1, 3, 33, 256, 1000} {
		t.Run(fmt.Sprint(dims), func(t *testing.T) {
			chunks := randomChunks(5, 200, dims)
			for i := range chunks {
				for k := range chunks[i].vector {
					chunks[i].vector[k] *= float32(i + 1)
				}
			}
			r := open(t, build(t, chunks, dims))
			asked := randomVector(rand.New(rand.NewPCG(9, 9)), dims)
			q, err := NewQuery(asked)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range [][2]int{{0, 200}, {0, 0}, {3, 4}, {5, 70}, {60, 199}} {
				next := at[0]
				r.Cosines(q, at[0], at[1], func(i int, got float64) bool {
					for ; next < i; next++ {
						if chunks[next].vector != nil {
							t.Errorf("chunk %d is left out", next)
						}
					}
					next++
					if want := cosineOf(asked, chunks[i].vector); math.Abs(got-want) > 0.01 {
						t.Errorf("chunk %d: %v, want %v", i, got, want)
					}
					return true
				})
			}
		})
	}
}

// TestCosinesStop holds that a scan ends where its caller says so, and that a
// question of another model finds nothing.
func TestCosinesStop(t *testing.T) {
	r := open(t, build(t, randomChunks(5, 300, 40), 40))
	for _, c := range []struct{ dims, stop, want int }{{40, 1, 1}, {40, 70, 70}, {41, 9, 0}, {64, 9, 0}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			q, err := NewQuery(randomVector(rand.New(rand.NewPCG(2, 2)), c.dims))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			r.Cosines(q, 0, 300, func(int, float64) bool { n++; return n < c.stop })
			if n != c.want {
				t.Errorf("%d chunks, want %d", n, c.want)
			}
		})
	}
}

// TestQuery holds that no sum of products can overflow, and that a vector of
// zeros says nothing.
func TestQuery(t *testing.T) {
	ones := func(n int) embedding.Vector {
		v := make(embedding.Vector, n)
		for i := range v {
			v[i] = 1
		}
		return v
	}
	for _, n := range []int{1, 32, 256, 600, 4096, maxDims} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			q, err := NewQuery(ones(n))
			if err != nil {
				t.Fatal(err)
			}
			sum := 0
			for _, v := range q.values {
				sum += int(v)
			}
			if sum*128 >= 1<<31 || q.values[0] < 100 {
				t.Errorf("%d times %d: a sum of products may be %d", n, q.values[0], sum*128)
			}
		})
	}
	if q, err := NewQuery(make(embedding.Vector, 9)); q != nil || err != nil {
		t.Errorf("NewQuery of zeros = %v, %v", q, err)
	}
}

func TestKeys(t *testing.T) {
	docs := []embedding.Document{
		{}, {Text: "a"}, {Path: "a"}, {Symbols: []string{"a"}}, {Symbols: []string{"a", "b"}, Text: "c"}, {Symbols: []string{"ab"}, Text: "c"},
		{Path: "a", Symbols: []string{"b"}, Text: "c"}, {Path: "ab", Text: "c"}, {Symbols: []string{"b", "a"}, Text: "c"},
	}
	seen := map[code.Hash]int{}
	for i := range docs {
		t.Run(fmt.Sprintf("%q", docs[i]), func(t *testing.T) {
			key := KeyOf(&docs[i])
			if other, twice := seen[key]; twice {
				t.Errorf("the key is that of %q", docs[other])
			}
			seen[key] = i
		})
	}
}

// TestRowCosines holds that a row has the cosine that a part has of it, to the last bit.
func TestRowCosines(t *testing.T) {
	for _, dims := range []int{1, 63, 64, 256} {
		chunks := randomChunks(uint64(dims), 200, dims)
		r := open(t, build(t, chunks, dims))
		q, err := NewQuery(randomVector(rand.New(rand.NewPCG(3, uint64(dims))), dims))
		if err != nil {
			t.Fatal(err)
		}
		want, got := map[int]float64{}, map[int]float64{}
		r.Cosines(q, 0, len(chunks), func(chunk int, cosine float64) bool {
			want[chunk] = cosine
			return true
		})
		for i, c := range chunks {
			row, err := NewRow(c.key, c.vector)
			if err != nil {
				t.Fatal(err)
			}
			if cosine, known := row.Cosine(q); known {
				got[i] = cosine
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("%d dimensions (-part +row):\n%s", dims, diff)
		}
	}
}
