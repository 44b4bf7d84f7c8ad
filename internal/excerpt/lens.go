package excerpt

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/token"
)

// Lens tells how much a word of text answers a query. It serves one query in
// one goroutine, for it remembers the words it saw.
type Lens struct {
	terms map[string]int // index by term, stems and compounds
	mass  []float64      // by index
	total float64
	words map[string]uint64 // terms in each word seen, as bits
	heads [1024 / 64]uint64 // hashes of how terms begin, see may
	short bool              // a term is too short for heads
}

// maxLensTerms is how many terms a lens can tell apart.
const maxLensTerms = 64

// headBytes is how much of a word's part its stem keeps in any case.
const headBytes = 3

// NewLens returns a lens for weighted terms, heaviest first.
func NewLens(terms []string, mass []float64) *Lens {
	l := &Lens{terms: map[string]int{}, words: map[string]uint64{}}
	for i, t := range terms[:min(len(terms), maxLensTerms)] {
		l.terms[t] = i
		l.mass = append(l.mass, mass[i])
		l.total += mass[i]
		t = strings.TrimPrefix(t, "=")
		if len(t) < headBytes {
			l.short = true
			continue
		}
		h := headHash(t[0], t[1], t[2])
		l.heads[h/64] |= 1 << (h % 64)
	}
	return l
}

func headHash(a, b, c byte) uint32 {
	return (uint32(a) + uint32(b)*31 + uint32(c)*961) % 1024
}

// may reports whether a word can have a term of the query: some three bytes of
// it are how a term begins. It spares most words of a text the analysis.
func (l *Lens) may(w []byte) bool {
	if l.short {
		return true
	}
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf {
			return true
		}
		if i+headBytes > len(w) {
			continue
		}
		h := headHash(ascii.Lower(w[i]), ascii.Lower(w[i+1]), ascii.Lower(w[i+2]))
		if l.heads[h/64]>>(h%64)&1 != 0 {
			return true
		}
	}
	return false
}

// word returns the terms in a word as bits.
func (l *Lens) word(w []byte) uint64 {
	if !l.may(w) {
		return 0
	}
	set, seen := l.words[string(w)]
	if seen {
		return set
	}
	a := token.Analyze(string(w))
	if i, ok := l.terms[a.Compound]; ok {
		set |= 1 << i
	}
	for _, t := range a.Terms {
		if i, ok := l.terms[t]; ok {
			set |= 1 << i
		}
	}
	l.words[string(w)] = set
	return set
}

// line returns the mass of the distinct terms in a line.
func (l *Lens) line(text []byte) float64 {
	var set uint64
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		set |= l.word(text[start:end])
	}
	sum := 0.0
	for ; set != 0; set &= set - 1 {
		sum += l.mass[bits.TrailingZeros64(set)]
	}
	return sum
}

// matches returns the ranges of the words of a line that answer the query.
func (l *Lens) matches(text []byte) [][2]int {
	var found [][2]int
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		if l.word(text[start:end]) != 0 {
			found = append(found, [2]int{start, end})
		}
	}
	return found
}
