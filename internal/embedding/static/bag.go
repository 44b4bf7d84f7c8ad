package static

import (
	"path"
	"strings"

	"espy/internal/embedding"
	"espy/internal/token"
)

// recipe is raised when the same table gives other vectors than before: when
// weights change, or the words of package token.
const recipe = 1

// The weights of a term by where it stands, in 1/16.
const (
	weightText   = 16
	weightDir    = 32
	weightStem   = 128
	weightSymbol = 64
)

// enough is where the weight of a term counts half of what it can count at most.
const enough = 1024

// saturated returns what the weight of all occurrences of a term counts, 256 for
// that of one in the text: each further one adds a little less.
func saturated(weight uint32) int64 {
	const one = 256 * (enough + weightText) / weightText
	return one * int64(weight) / (int64(weight) + enough)
}

// Each calls yield for every term of a document and its weight there, as the
// model sees them.
func Each(d *embedding.Document, yield func(term string, weight uint32)) {
	eachField(d, func(text string, weight uint32) {
		for _, w := range token.Words(text) {
			for _, t := range w.Terms {
				yield(t, weight)
			}
		}
	})
}

func eachField(d *embedding.Document, yield func(text string, weight uint32)) {
	dir, name := path.Split(d.Path)
	stem, _, _ := strings.Cut(name, ".")
	yield(dir, weightDir)
	yield(stem, weightStem)
	for _, s := range d.Symbols {
		yield(s, weightSymbol)
	}
	yield(d.Text, weightText)
}

// bag is the terms of one text with their weights, and memory for more texts.
type bag struct {
	table   *Table
	weights []uint32 // by term
	met     []uint32 // terms with a weight, in the order of the text
	sums    []int64
	text    []byte
	words   []word   // looked up before, by their hash
	terms   []string // of a word that is looked up
	ids     []uint32
}

func newBag(t *Table) *bag {
	return &bag{table: t, weights: make([]uint32, t.terms()), sums: make([]int64, t.dims), words: make([]word, keptWords)}
}

func (b *bag) document(d *embedding.Document) {
	eachField(d, b.add)
}

// add adds the terms of a text.
func (b *bag) add(text string, weight uint32) {
	b.text = append(b.text[:0], text...)
	for start, end := token.NextWord(b.text, 0); start < end; start, end = token.NextWord(b.text, end) {
		for _, id := range b.known(text[start:end]) {
			if b.weights[id] == 0 {
				b.met = append(b.met, id)
			}
			b.weights[id] += weight
		}
	}
}

// Saturated returns what the weight of all occurrences of a term counts.
func Saturated(weight uint32) float32 { return float32(saturated(weight)) / 256 }
