// Package adapt turns the vector of a question towards what the questions of one
// repository mean there: a linear map, fitted to questions whose answers are
// known.
//
// The map adds W (q - m) to a question q of length 1, where m is the mean of the
// examples' questions. W is the ridge regression of what lies between the questions
// and the mean vectors of their answers, both without their means:
//
//	W = (sum of (a - n - (q - m)) (q - m)') (sum of (q - m) (q - m)' + ridge I)^-1
//
// so that a direction that few questions speak of is hardly turned (Hastie,
// Tibshirani, Friedman, The Elements of Statistical Learning, 3.4.1). Without the
// means a question would be turned towards the answers as a whole, whatever it says:
// that finds what is changed often, and answers of other questions teach it as well.
// All sums run
// in a fixed order and products are rounded before they are added: the same examples
// give the same bytes on every machine.
package adapt

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"espy/internal/embedding"
)

// Example is a question and the mean of the vectors of its answer.
type Example struct{ Question, Answer embedding.Vector }

// Adapter turns questions. It is read only.
type Adapter struct {
	Model  string // the identity of the model whose questions it turns
	Dims   int
	Weight []float32 // W, row by row, and behind them - W m
}

// MarshalBinary writes the weights as little-endian numbers.
func (a *Adapter) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, a.Weight)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (a *Adapter) UnmarshalBinary(b []byte) error {
	n := len(b) / 4
	a.Dims = int(math.Sqrt(float64(n)))
	if n == 0 || len(b)%4 != 0 || a.Dims*(a.Dims+1) != n {
		return fmt.Errorf("read an adapter: %d bytes are no square of numbers and a row", len(b))
	}
	a.Weight = make([]float32, n)
	for i := range a.Weight {
		a.Weight[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if x := a.Weight[i]; x != x || x-x != 0 {
			return fmt.Errorf("read an adapter: weight %d is %v", i, x)
		}
	}
	return nil
}

// ridge is how many questions of length 1 a direction takes to be turned half of the way.
const ridge = 30

// Fit fits an adapter to examples, which have vectors of a model.
func Fit(model string, examples []Example) (*Adapter, error) {
	if len(examples) == 0 {
		return nil, fmt.Errorf("fit an adapter: no examples")
	}
	dims := len(examples[0].Question)
	for _, e := range examples {
		if len(e.Question) != dims || len(e.Answer) != dims {
			return nil, fmt.Errorf("fit an adapter: vectors of %d and %d numbers instead of %d", len(e.Question), len(e.Answer), dims)
		}
	}
	mean, answers := means(examples, dims)
	between, among := make([]float64, dims*dims), make([]float64, dims*dims)
	q := make([]float64, dims)
	for _, e := range examples {
		for i := range q {
			q[i] = float64(e.Question[i]) - mean[i]
		}
		for i := range dims {
			toward := float64(e.Answer[i]) - answers[i] - q[i]
			for j, x := range q {
				between[i*dims+j] += float64(toward * x)
			}
			for j, x := range q[:i+1] { // it is the same above the diagonal
				among[i*dims+j] += float64(q[i] * x)
			}
		}
	}
	for i := range dims {
		among[i*dims+i] += ridge
	}
	factor(among, dims)
	a := &Adapter{Model: model, Dims: dims, Weight: make([]float32, dims*(dims+1))}
	for i := range dims {
		row := between[i*dims : (i+1)*dims]
		solve(among, row)
		moved := 0.0
		for j, x := range row {
			a.Weight[i*dims+j] = float32(x)
			moved -= float64(x * mean[j])
		}
		a.Weight[dims*dims+i] = float32(moved)
	}
	return a, nil
}

// means are those of the questions and of the answers.
func means(examples []Example, dims int) (questions, answers []float64) {
	questions, answers = make([]float64, dims), make([]float64, dims)
	for _, e := range examples {
		for i := range dims {
			questions[i] += float64(e.Question[i])
			answers[i] += float64(e.Answer[i])
		}
	}
	for i := range dims {
		questions[i] /= float64(len(examples))
		answers[i] /= float64(len(examples))
	}
	return questions, answers
}

// factor replaces a positive definite matrix by its Cholesky factor, below and on
// the diagonal.
func factor(m []float64, n int) {
	for i := range n {
		for j := range i + 1 {
			sum := m[i*n+j]
			for k := range j {
				sum -= float64(m[i*n+k] * m[j*n+k])
			}
			if i == j {
				m[i*n+i] = math.Sqrt(sum)
			} else {
				m[i*n+j] = sum / m[j*n+j]
			}
		}
	}
}

// solve replaces b by the x of L L' x = b.
func solve(l, b []float64) {
	n := len(b)
	for i := range n {
		sum := b[i]
		for k := range i {
			sum -= float64(l[i*n+k] * b[k])
		}
		b[i] = sum / l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := b[i]
		for k := i + 1; k < n; k++ {
			sum -= float64(l[k*n+i] * b[k])
		}
		b[i] = sum / l[i*n+i]
	}
}

// Turn returns a question to a model turned as far as the adapter says, of length
// 1. It returns one to another model, or that says nothing, as it is.
func (a *Adapter) Turn(model string, q embedding.Vector) embedding.Vector {
	if a == nil || model != a.Model || len(q) != a.Dims || !slices.ContainsFunc(q, func(x float32) bool { return x != 0 }) {
		return q
	}
	sums, length := make([]float64, a.Dims), 0.0
	for i := range sums {
		sum := float64(q[i]) + float64(a.Weight[a.Dims*a.Dims+i])
		for j, x := range q {
			sum += float64(float64(a.Weight[i*a.Dims+j]) * float64(x))
		}
		sums[i] = sum
		length += float64(sum * sum)
	}
	if length == 0 {
		return q
	}
	length = math.Sqrt(length)
	out := make(embedding.Vector, a.Dims)
	for i, s := range sums {
		out[i] = float32(s / length)
	}
	return out
}
