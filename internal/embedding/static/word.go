package static

import "espy/internal/token"

// Most words of code were met before, in this text or the one before it: their
// terms are kept.
const (
	keptWords  = 16384 // places for words, by their hash
	keptBytes  = 23    // the longest word that is kept
	keptTerms  = 4     // the most terms of one
	hashOffset = 2166136261
	hashPrime  = 16777619
)

// word is a word with the terms of it that the table has.
type word struct {
	length, n uint8
	text      [keptBytes]byte
	terms     [keptTerms]uint32
}

func (w *word) is(text string) bool { return string(w.text[:w.length]) == text }

// known returns the terms of a word that the table has, until the next call.
func (b *bag) known(text string) []uint32 {
	if len(text) > keptBytes {
		return b.lookUp(text)
	}
	w := &b.words[hash(text)%keptWords]
	if w.is(text) {
		return w.terms[:w.n]
	}
	found := b.lookUp(text)
	if len(found) <= keptTerms {
		w.length, w.n = uint8(copy(w.text[:], text)), uint8(copy(w.terms[:], found))
	}
	return found
}

func (b *bag) lookUp(text string) []uint32 {
	b.terms = token.AnalyzeIn(b.terms, text).Terms
	b.ids = b.ids[:0]
	for _, t := range b.terms {
		if id, ok := b.table.find(t); ok {
			b.ids = append(b.ids, id)
		}
	}
	return b.ids
}

// hash is FNV-1a.
func hash(text string) uint32 {
	h := uint32(hashOffset)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * hashPrime
	}
	return h
}
