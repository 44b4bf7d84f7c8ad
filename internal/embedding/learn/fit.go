package learn

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// lanes are how many goroutines share the work of a batch. What each sums does
// not depend on how many there are.
const lanes = 2

// fitter fits the rows of a table to examples: the code of each is to be nearer
// to what is said of it than the code of the others of its batch, and the other
// way round (InfoNCE: van den Oord et al., "Representation Learning with
// Contrastive Predictive Coding", 2018).
type fitter struct {
	o     Options
	rows  []float32 // by term, o.Dims each
	sums  []float32 // of squared gradients, alike (AdaGrad: Duchi et al., 2011)
	grad  []float32
	dirty []bool // by term: it has a gradient
	met   []uint32
	rng   *rand.Rand
	step  int
	steps int

	// Of a batch, by example.
	said, code             []float32 // directions
	saidLength, codeLength []float32
	saidGrad, codeGrad     []float32
	near                   []float32 // batch times batch: likeness
	saidTerms, codeTerms   [][]term
	rowSum, colSum         []float32
}

// newFitter returns a fitter of rows that begin with directions of their own, as
// long as their terms are rare: likeness is then that of the rare terms in common.
func newFitter(o Options, rarity []float64) *fitter {
	f := &fitter{
		o: o, rows: make([]float32, len(rarity)*o.Dims), sums: make([]float32, len(rarity)*o.Dims), grad: make([]float32, len(rarity)*o.Dims),
		dirty: make([]bool, len(rarity)), rng: rand.New(rand.NewPCG(o.Seed, 0)),
	}
	for id, r := range rarity {
		for i := range o.Dims {
			f.rows[id*o.Dims+i] = float32(f.rng.NormFloat64() * r / math.Sqrt(float64(o.Dims)))
		}
	}
	b := o.Batch
	f.said, f.code = make([]float32, b*o.Dims), make([]float32, b*o.Dims)
	f.saidGrad, f.codeGrad = make([]float32, b*o.Dims), make([]float32, b*o.Dims)
	f.saidLength, f.codeLength = make([]float32, b), make([]float32, b)
	f.near = make([]float32, b*b)
	f.saidTerms, f.codeTerms = make([][]term, b), make([][]term, b)
	f.rowSum, f.colSum = make([]float32, b), make([]float32, b)
	return f
}

// epoch goes once over the examples, in an order of its own, and returns the
// mean loss. Those that fill no batch wait for the next epoch.
func (f *fitter) epoch(ctx context.Context, examples []example) (loss float64, err error) {
	order := f.order(len(examples))
	n := len(order) / f.o.Batch
	for batch := range n {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		loss += f.batch(examples, order[batch*f.o.Batch:][:f.o.Batch])
	}
	return loss / float64(n), nil
}

// order returns the numbers of the examples: groups of neighbours, mixed.
func (f *fitter) order(n int) []int {
	groups := make([][2]int, 0, n/f.o.Group+2)
	shift := f.rng.IntN(f.o.Group)
	for from := -shift; from < n; from += f.o.Group {
		groups = append(groups, [2]int{max(from, 0), min(from+f.o.Group, n)})
	}
	f.rng.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	order := make([]int, 0, n)
	for _, g := range groups {
		for i := g[0]; i < g[1]; i++ {
			order = append(order, i)
		}
	}
	return order
}

// batch takes one step and returns the mean loss of the examples.
func (f *fitter) batch(examples []example, chosen []int) float64 {
	for i, at := range chosen {
		f.saidTerms[i] = examples[at].said
		f.codeTerms[i] = f.forget(f.codeTerms[i][:0], &examples[at])
	}
	n, dims := f.o.Batch, f.o.Dims
	share(n, func(i int) {
		f.saidLength[i] = f.direction(f.said[i*dims:][:dims], f.saidTerms[i])
		f.codeLength[i] = f.direction(f.code[i*dims:][:dims], f.codeTerms[i])
	})
	loss := f.compare()
	share(n, func(i int) {
		g := f.saidGrad[i*dims:][:dims]
		clear(g)
		for j, w := range f.near[i*n:][:n] {
			pull(g, w, f.code[j*dims:][:dims])
		}
		along(g, f.said[i*dims:][:dims], f.saidLength[i])
		g = f.codeGrad[i*dims:][:dims]
		clear(g)
		for j := range n {
			pull(g, f.near[j*n+i], f.said[j*dims:][:dims])
		}
		along(g, f.code[i*dims:][:dims], f.codeLength[i])
	})
	f.descend()
	return loss
}

// compare sets near to the gradient of the loss by the likeness of each two sides
// of the batch, and returns the loss.
func (f *fitter) compare() (loss float64) {
	n, dims := f.o.Batch, f.o.Dims
	inverse := float32(1 / f.o.Temperature)
	share(n, func(i int) {
		row := f.near[i*n:][:n]
		own := f.said[i*dims:][:dims]
		f.rowSum[i] = 0
		for j := range row {
			row[j] = float32(math.Exp(float64(dot(own, f.code[j*dims:][:dims]) * inverse)))
			f.rowSum[i] += row[j]
		}
	})
	share(lanes, func(lane int) {
		from, to := lane*n/lanes, (lane+1)*n/lanes
		sums := f.colSum[from:to]
		clear(sums)
		for i := range n {
			for j, x := range f.near[i*n:][from:to] {
				sums[j] += x
			}
		}
	})
	for i := range n {
		own := float64(f.near[i*n+i])
		loss -= math.Log(own/float64(f.rowSum[i])) + math.Log(own/float64(f.colSum[i]))
	}
	share(n, func(i int) {
		row := f.near[i*n:][:n]
		inverse := 1 / f.rowSum[i]
		for j, x := range row {
			row[j] = float32(x*inverse) + x/f.colSum[j]
		}
		row[i] -= 2
	})
	return loss / float64(2*n)
}

// negligible is a gradient that is not worth the time.
const negligible = 2e-4

func pull(g []float32, w float32, v []float32) {
	if w > negligible || w < -negligible {
		addTo(g, w, v)
	}
}

// forget appends the terms of the code, some of those left out that are said too.
func (f *fitter) forget(dst []term, e *example) []term {
	for _, t := range e.code {
		_, both := slices.BinarySearchFunc(e.said, t.id, func(s term, id uint32) int { return cmp.Compare(s.id, id) })
		if both && f.rng.Float64() < f.o.Forget {
			continue
		}
		dst = append(dst, t)
	}
	return dst
}

// direction sets v to the direction of the sum of terms and returns its length.
func (f *fitter) direction(v []float32, terms []term) float32 {
	clear(v)
	for _, t := range terms {
		addTo(v, t.weight, f.rows[int(t.id)*f.o.Dims:][:f.o.Dims])
	}
	length := float32(math.Sqrt(float64(dot(v, v)))) + 1e-6
	for i := range v {
		v[i] /= length
	}
	return length
}

// along turns the gradient of a direction into that of the sum it is made of.
func along(g, direction []float32, length float32) {
	d := dot(g, direction)
	for i := range g {
		g[i] = (g[i] - float32(d*direction[i])) / length
	}
}

// descend takes a step against the gradient of all terms of the batch.
func (f *fitter) descend() {
	f.met = f.met[:0]
	for _, all := range [][][]term{f.saidTerms, f.codeTerms} {
		for _, terms := range all {
			for _, t := range terms {
				if !f.dirty[t.id] {
					f.dirty[t.id] = true
					f.met = append(f.met, t.id)
				}
			}
		}
	}
	f.step++
	rate := float32(f.o.Rate * (1 - float64(f.step)/float64(f.steps+1)))
	dims := f.o.Dims
	share(lanes, func(lane int) {
		from, to := lane*dims/lanes, (lane+1)*dims/lanes
		for i := range f.o.Batch {
			for _, t := range f.saidTerms[i] {
				addTo(f.grad[int(t.id)*dims:][from:to], t.weight, f.saidGrad[i*dims:][from:to])
			}
			for _, t := range f.codeTerms[i] {
				addTo(f.grad[int(t.id)*dims:][from:to], t.weight, f.codeGrad[i*dims:][from:to])
			}
		}
		for _, id := range f.met {
			row, sum, grad := f.rows[int(id)*dims:][from:to], f.sums[int(id)*dims:][from:to], f.grad[int(id)*dims:][from:to]
			for i, g := range grad {
				sum[i] += float32(g * g)
				row[i] -= float32(rate*g) / (float32(math.Sqrt(float64(sum[i]))) + 1e-8)
			}
			clear(grad)
		}
	})
	for _, id := range f.met {
		f.dirty[id] = false
	}
}

// share calls work for 0 to before n, from several goroutines.
func share(n int, work func(i int)) {
	var wg sync.WaitGroup
	for lane := range lanes {
		wg.Go(func() {
			for i := lane; i < n; i += lanes {
				work(i)
			}
		})
	}
	wg.Wait()
}

// dot is the scalar product, in four sums that are added at the end.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// addTo adds w times b to a.
func addTo(a []float32, w float32, b []float32) {
	i := 0
	for ; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		x[0] += float32(w * y[0])
		x[1] += float32(w * y[1])
		x[2] += float32(w * y[2])
		x[3] += float32(w * y[3])
	}
	for ; i < len(a); i++ {
		a[i] += float32(w * b[i])
	}
}
