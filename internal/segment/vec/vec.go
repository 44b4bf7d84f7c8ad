// Package vec reads and writes the vectors of a segment: of each chunk of its lex
// part the vector of what it means (package embedding), as one model gives it.
// read.go describes the layout.
//
// A vector is stored as int8 numbers, the largest of them 127, and the length of
// the row they make: cosines do not depend on its scale. A query is rounded to
// int16. So the sums of a scan are exact and the same on every machine; only the
// roundings before them, which are part of the data, cost precision.
//
// A Builder takes the chunks in order, or that nothing is known of one yet, and
// writes one part; Copy adds a chunk as another part has it. A Reader answers
// from one part in memory or mapped from disk.
//
// Bytes on disk are never trusted, as in package segment: methods without an
// error result end the enclosing segment.Guard with a *segment.CorruptError.
package vec

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/embedding"
)

// Row is the vector of a document as a part keeps it.
type Row struct {
	Key    code.Hash // of the document
	values []int8    // none where the model knows nothing of it
}

// most is the largest number of a row.
const most = 127

// NewRow returns the row of a document and its vector. It refuses numbers that
// are none.
func NewRow(key code.Hash, v embedding.Vector) (Row, error) {
	largest, err := magnitude(v)
	if err != nil || largest == 0 {
		return Row{Key: key}, err
	}
	r := Row{Key: key, values: make([]int8, len(v))}
	scale := most / largest
	for i, x := range v {
		r.values[i] = int8(math.RoundToEven(float64(x) * scale))
	}
	return r, nil
}

// Cosine returns the cosine between a row and a query, as Reader.Cosines has it of the same
// row in a part; known is false where the model knows nothing of the document.
func (r *Row) Cosine(q *Query) (c float64, known bool) {
	if r.values == nil || len(r.values) != q.dims {
		return 0, false
	}
	row := make([]byte, len(r.values))
	sum := int32(0)
	for i, v := range r.values {
		row[i] = byte(v)
		sum += int32(v) * int32(q.values[i])
	}
	return cosine(sum, scaleOf(row), q), true
}

// magnitude returns the largest magnitude of the numbers of a vector.
func magnitude(v embedding.Vector) (largest float64, err error) {
	for i, x := range v {
		m := math.Abs(float64(x))
		if !(m <= math.MaxFloat32) {
			return 0, fmt.Errorf("number %d of the vector is %v", i, x)
		}
		largest = max(largest, m)
	}
	return largest, nil
}

// KeyOf returns the hash of a document: two with the same have the same vector.
func KeyOf(d *embedding.Document) code.Hash {
	h := xxh3.New128()
	var size [8]byte
	add := func(text string) {
		binary.LittleEndian.PutUint64(size[:], uint64(len(text)))
		h.Write(size[:])
		h.WriteString(text)
	}
	add(d.Path)
	for _, s := range d.Symbols {
		add(s)
	}
	add(d.Text) // behind the symbols: their number need not be told
	return h.Sum128().Bytes()
}

// Query is the vector of a question, rounded.
type Query struct {
	values []int16 // as long as a row of a part
	length float64 // of values
	dims   int
}

// NewQuery rounds the vector of a question. It returns nil for one that says
// nothing, and refuses numbers that are none.
func NewQuery(v embedding.Vector) (*Query, error) {
	largest, err := magnitude(v)
	if err != nil || largest == 0 {
		return nil, err
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Abs(float64(x))
	}
	// No sum of products with a row may overflow, see dot.Rows. Each number is
	// rounded by half a one at most.
	room := float64(1<<31-1)/128 - float64(len(v))
	scale := min(math.MaxInt16/largest, room/sum)
	q := &Query{values: make([]int16, stride(len(v))), dims: len(v)}
	square := int64(0)
	for i, x := range v {
		n := int64(math.RoundToEven(float64(x) * scale))
		q.values[i] = int16(n)
		square += n * n
	}
	q.length = math.Sqrt(float64(square))
	return q, nil
}

// cosine returns the cosine that the sum of products with a row stands for.
func cosine(sum int32, scale float32, q *Query) float64 {
	c := float64(sum) * float64(scale) / q.length
	if !(c >= -1) { // a scale that is no number is found by Check
		return -1
	}
	return min(c, 1)
}

// scaleOf returns what the sum of products with a row is multiplied with: one
// by its length.
func scaleOf(row []byte) float32 {
	square := 0
	for _, v := range row {
		square += int(int8(v)) * int(int8(v))
	}
	return float32(1 / math.Sqrt(float64(square)))
}
