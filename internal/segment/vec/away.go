package vec

import (
	"context"
	"iter"
)

// What is asked of the vectors of parts that are kept on another machine, as rows of
// a database. It takes the numbers of a part and of a question as they are, so that
// what it finds is what a scan of the parts would find.

// Elsewhere compares questions with the vectors of parts. It is safe for concurrent use.
type Elsewhere interface {
	// Best returns the best chunk of each file that has a vector of a model, in any
	// order. Where those are too many to compare each, and keep is not 0, it may return
	// the nearest ones alone, as an index has them, at least keep where there are so
	// many: exact is false then.
	Best(ctx context.Context, model string, wanted []Wanted, keep int) (best []Best, exact bool, err error)
}

// Keeper answers for the vectors of a snapshot that are not here. It is safe for
// concurrent use.
type Keeper interface {
	Elsewhere

	// Asked says that a question was compared there, which goes through so many chunks
	// in all. Where they are few it may have the vectors brought for the next one.
	Asked(chunks int)
}

// Wanted is a part that is compared with a question there.
type Wanted struct {
	Part  string // its name
	Query *Query
	Files []Files  // of it that are looked at, in order
	Apart []uint32 // chunks, in order: the best of them in a file is told beside the best of the others
}

// Files are those of [First, End) of a segment, of so many chunks.
type Files struct{ First, End, Chunks int }

// Best is the best chunk of a file of a part.
type Best struct {
	In          int // of what was wanted, from 0
	File, Chunk int
	Cosine      float64
}

// stored are the numbers of a chunk's vector, and what the sum of products with them
// is multiplied with.
type stored struct {
	Chunk  int
	Values []byte // int8 each; not kept by the caller
	Scale  float32
}

// Rows yields the chunks that have a vector, in order.
func (r *Reader) Rows() iter.Seq[stored] {
	return func(yield func(stored) bool) {
		for chunk := range r.stats.Chunks {
			if row, _ := r.row(chunk); row != nil && !yield(stored{chunk, row[:r.Dims], scaleOf(row)}) {
				return
			}
		}
	}
}

// Dims is how many numbers the vector of the question has.
func (q *Query) Dims() int { return q.dims }

// Length is that of the rounded vector: the cosine is the sum of products with a row,
// times the scale of the row, by this.
func (q *Query) Length() float64 { return q.length }

// Digits takes the numbers of the question apart, so that sums of products with rows
// can be worked out exactly in float32: number i is the sum of Digits[k][i] * base^k.
func (q *Query) Digits() (base int, digits [][]int16) {
	base, n := 256, 2
	if q.dims*128*most >= 1<<24 {
		base, n = 32, 3
	}
	digits = make([][]int16, n)
	for _, v := range q.values[:q.dims] {
		rest := int(v)
		for k := range digits {
			d := rest
			if k < n-1 {
				d = (rest+base/2)&(base-1) - base/2
			}
			digits[k] = append(digits[k], int16(d))
			rest = (rest - d) / base
		}
	}
	return base, digits
}
