// Package static is the model that is always there: a table with a vector for
// each of some ten thousand terms (package token), in the program itself. The
// vector of a text is the sum of those of its terms, each weighed by how much it
// says, brought to length 1. It asks nobody, reads no file and knows no order of
// words.
//
// Sums are of integers, so that the same text has the same bytes on every
// machine.
package static

import (
	"context"
	_ "embed"
	"math"
	"sync"

	"espy/internal/embedding"
)

//go:embed table.bin
var builtIn []byte

// Model is the model of one table. It may be used from several goroutines.
type Model struct {
	table *Table
	pool  sync.Pool // of *bag
}

// New returns the model of a table.
func New(t *Table) *Model {
	m := &Model{table: t}
	m.pool.New = func() any { return newBag(t) }
	return m
}

// BuiltIn returns the model of the table in the program. A test reads that whole:
// here it would cost every start a millisecond.
var BuiltIn = sync.OnceValue(func() *Model {
	t, err := open(builtIn)
	if err != nil {
		panic("static: the table in the program: " + err.Error())
	}
	return New(t)
})

// Identity names the format and the checksum of the table.
func (m *Model) Identity() string { return m.table.identity() }

// Dims is the number of values of a vector.
func (m *Model) Dims() int { return m.table.dims }

// Rarity returns how rare a term is in code, by the length of its vector: some 0.7 for
// words that everybody writes, 1.2 for request, 2.2 for coroutine. A term that the table
// does not have is as rare as the rarest that it has.
func (m *Model) Rarity(term string) float64 {
	id, ok := m.table.find(term)
	if !ok {
		return unknownRarity
	}
	squares := 0
	for _, x := range m.table.row(id) {
		squares += int(int8(x)) * int(int8(x))
	}
	return math.Sqrt(float64(squares)) * float64(m.table.scale(id)) / rarityUnit
}

// unknownRarity is that of a term that the table does not have, and rarityUnit the length of
// a vector, as the table scales it, that is a rarity of 1.
const (
	unknownRarity = 2.3
	rarityUnit    = 1e7
)

// Documents returns the vectors of pieces of code, in their order. Its only
// error is that ctx is done.
func (m *Model) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	b := m.pool.Get().(*bag)
	defer m.pool.Put(b)
	values := make([]float32, len(docs)*m.table.dims)
	all := make([]embedding.Vector, len(docs))
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all[i], values = values[:m.table.dims:m.table.dims], values[m.table.dims:]
		b.document(&docs[i])
		b.sum(all[i])
	}
	return all, nil
}

// Query returns the vector of a question in words. Its only error is that ctx is done.
func (m *Model) Query(ctx context.Context, text string) (embedding.Vector, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := m.pool.Get().(*bag)
	defer m.pool.Put(b)
	v := make(embedding.Vector, m.table.dims)
	b.add(text, FieldText)
	b.sum(v)
	return v, nil
}

// sum sets v to the direction of the sum of the terms, and empties the bag.
func (b *bag) sum(v embedding.Vector) {
	clear(b.sums)
	for _, id := range b.met {
		w := int64(b.table.scale(id)) * saturated(b.weights[id])
		addTo(b.sums, w, b.table.row(id))
		b.weights[id] = 0
	}
	b.met = b.met[:0]
	length := 0.0
	for _, x := range b.sums {
		length += float64(float64(x) * float64(x))
	}
	if length == 0 {
		clear(v)
		return
	}
	length = math.Sqrt(length)
	for i, x := range b.sums {
		v[i] = float32(float64(x) / length)
	}
}

// addTo adds w times the values of a row to sums.
func addTo(sums []int64, w int64, row []byte) {
	for len(sums) >= 8 && len(row) >= 8 {
		s, r := (*[8]int64)(sums), (*[8]byte)(row)
		s[0] += w * int64(int8(r[0]))
		s[1] += w * int64(int8(r[1]))
		s[2] += w * int64(int8(r[2]))
		s[3] += w * int64(int8(r[3]))
		s[4] += w * int64(int8(r[4]))
		s[5] += w * int64(int8(r[5]))
		s[6] += w * int64(int8(r[6]))
		s[7] += w * int64(int8(r[7]))
		sums, row = sums[8:], row[8:]
	}
	for i, x := range row {
		sums[i] += w * int64(int8(x))
	}
}
