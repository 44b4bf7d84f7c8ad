package excerpt

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/token"
)

// Highlighter tells which words of a text answer a query, and how much. It
// serves one query in one goroutine, for it remembers the words it saw.
type Highlighter struct {
	terms   map[string]int    // index by term, stems and compounds
	weights []float64         // by index
	total   float64           // weight of all terms
	words   map[string]uint64 // terms in each word seen, as bits
	heads   [1024 / 64]uint64 // hashes of how terms begin, see may
	short   bool              // a term is too short for heads
}

// maxTerms is how many terms a highlighter can tell apart: the bits of a word's
// set of terms.
const maxTerms = 64

// headBytes is how much of a word's part its stem keeps in any case.
const headBytes = 3

// Term is a term of a query, as segments store it, and how much it tells.
type Term struct {
	Text   string
	Weight float64
}

// NewHighlighter returns a highlighter of terms: the 64 heaviest count.
func NewHighlighter(terms []Term) *Highlighter {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(b.Weight, a.Weight) })
	h := &Highlighter{terms: map[string]int{}, words: map[string]uint64{}}
	for i, t := range terms[:min(len(terms), maxTerms)] {
		h.terms[t.Text] = i
		h.weights = append(h.weights, t.Weight)
		h.total += t.Weight
		text := strings.TrimPrefix(t.Text, "=")
		if len(text) < headBytes {
			h.short = true
			continue
		}
		head := headHash(text[0], text[1], text[2])
		h.heads[head/64] |= 1 << (head % 64)
	}
	return h
}

func headHash(a, b, c byte) uint32 {
	return (uint32(a) + uint32(b)*31 + uint32(c)*961) % 1024
}

// may reports whether a word can have a term of the query: some three bytes of
// it are how a term begins. It spares most words of a text the analysis.
func (h *Highlighter) may(w []byte) bool {
	if h.short {
		return true
	}
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf {
			return true
		}
		if i+headBytes > len(w) {
			continue
		}
		head := headHash(ascii.Lower(w[i]), ascii.Lower(w[i+1]), ascii.Lower(w[i+2]))
		if h.heads[head/64]>>(head%64)&1 != 0 {
			return true
		}
	}
	return false
}

// word returns the terms in a word as bits.
func (h *Highlighter) word(w []byte) uint64 {
	if !h.may(w) {
		return 0
	}
	set, seen := h.words[string(w)]
	if seen {
		return set
	}
	a := token.Analyze(string(w))
	if i, ok := h.terms[a.Compound]; ok {
		set |= 1 << i
	}
	for _, t := range a.Terms {
		if i, ok := h.terms[t]; ok {
			set |= 1 << i
		}
	}
	h.words[string(w)] = set
	return set
}

// set returns the terms in a line as bits.
func (h *Highlighter) set(text []byte) (set uint64) {
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		set |= h.word(text[start:end])
	}
	return set
}

// weigh returns the weight of terms.
func (h *Highlighter) weigh(set uint64) float64 {
	sum := 0.0
	for ; set != 0; set &= set - 1 {
		sum += h.weights[bits.TrailingZeros64(set)]
	}
	return sum
}

// matches returns the ranges of the words of a line that answer the query.
func (h *Highlighter) matches(text []byte) [][2]int {
	var found [][2]int
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		if h.word(text[start:end]) != 0 {
			found = append(found, [2]int{start, end})
		}
	}
	return found
}
