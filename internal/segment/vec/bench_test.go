package vec

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/filetest"
)

// nearest returns the n chunks with the largest values.
func nearest(values []float64, n int) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order[:n]
}

// TestRecall holds that rounding keeps what is nearest: of the ten chunks that
// are by floating point, at least 99 of 100 are found among the first ten. The
// vectors stand in clusters, as those of texts do, and none is like another.
func TestRecall(t *testing.T) {
	for _, dims := range []int{128, 256, 768} {
		t.Run(fmt.Sprint(dims), func(t *testing.T) {
			const chunks, queries, n = 5000, 40, 10
			r := rand.New(rand.NewPCG(8, uint64(dims)))
			topics := make([]embedding.Vector, 50)
			for i := range topics {
				topics[i] = randomVector(r, dims)
			}
			near := func() embedding.Vector {
				v, far := slices.Clone(topics[r.IntN(len(topics))]), randomVector(r, dims)
				spread := float32(0.5 + r.Float64())
				for i := range v {
					v[i] += spread * far[i]
				}
				return v
			}
			all := make([]chunk, chunks)
			for i := range all {
				all[i] = chunk{code.Hash{byte(i), byte(i >> 8), 1}, true, near()}
			}
			p := open(t, build(t, all, dims))
			found := 0
			for range queries {
				asked := near()
				q, err := NewQuery(asked)
				if err != nil {
					t.Fatal(err)
				}
				exact, rounded := make([]float64, chunks), make([]float64, chunks)
				for i := range all {
					exact[i] = cosineOf(asked, all[i].vector)
				}
				p.Cosines(q, 0, chunks, func(i int, c float64) bool { rounded[i] = c; return true })
				want := nearest(exact, n)
				for _, i := range nearest(rounded, n) {
					if slices.Contains(want, i) {
						found++
					}
				}
			}
			if recall := float64(found) / (queries * n); recall < 0.99 {
				t.Errorf("recall %.4f", recall)
			} else {
				t.Logf("recall %.4f", recall)
			}
		})
	}
}

// BenchmarkScan reports the time of a scan over a million chunks of 256 numbers
// in files of eight, by one goroutine.
func BenchmarkScan(b *testing.B) {
	const chunks, dims, file = 1_000_000, 256, 8
	r := rand.New(rand.NewPCG(1, 2))
	some := make([]Row, 1000)
	for i := range some {
		some[i], _ = NewRow(code.Hash{1}, randomVector(r, dims))
	}
	var part bytes.Buffer
	w := NewBuilder(&part, Header{Dims: dims})
	for i := range chunks {
		if err := w.Add(&some[i%len(some)]); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.Finish(); err != nil {
		b.Fatal(err)
	}
	p := open(b, part.Bytes())
	q, err := NewQuery(randomVector(r, dims))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		at   int // chunks at a time
	}{{"whole", chunks}, {"files", file}} {
		b.Run(c.name, func(b *testing.B) {
			best, began := -1.0, filetest.CPU()
			for b.Loop() {
				for first := 0; first < chunks; first += c.at {
					p.Cosines(q, first, first+c.at, func(_ int, c float64) bool { best = max(best, c); return true })
				}
			}
			b.ReportMetric((filetest.CPU()-began).Seconds()*1000/float64(b.N), "cpu-ms/scan")
		})
	}
}
