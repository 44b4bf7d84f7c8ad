package search

import (
	"bytes"
	"unicode/utf8"

	"espy/internal/token"
	"espy/internal/windows/plain"
)

func isWordAt(text []byte, i int) (word bool, size int) {
	kind, size := plain.KindAt(text, i)
	return kind != token.KindNone, size
}

// each calls yield with the places of a leaf in a text, whose ASCII letters
// are in lower case in folded.
func (l *windowLeaf) each(text, folded []byte, yield func(start, end int)) {
	if l.text != nil {
		eachIndex(text, l.text, func(at int) int { yield(at, at+len(l.text)); return at + 1 })
		return
	}
	p := l.phrase
	try := func(at int) int {
		end, ok := p.matchAt(text, folded, at)
		if !ok {
			return at + 1
		}
		yield(at, end)
		return max(end, at+1)
	}
	if l.first != nil {
		eachIndex(folded, l.first, try)
		return
	}
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRune(text[at:])
		at = max(try(at), at+size)
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
	}
}

// eachIndex calls f with the places of a text in another, going on where f says.
func eachIndex(s, sep []byte, f func(at int) (next int)) {
	anchor := anchorOf(sep)
	for from := 0; from+len(sep) <= len(s); {
		at := index(s[from:], sep, anchor)
		if at < 0 {
			return
		}
		from = f(from + at)
	}
}

// matchAt reports where the phrase ends that begins at a place.
func (p *WindowPhrase) matchAt(text, folded []byte, at int) (end int, ok bool) {
	slop := p.Slop
	for n, word := range p.Words {
		if n > 0 {
			if at, ok = p.next(text, folded, end, word, &slop, n == len(p.Words)-1); !ok {
				return 0, false
			}
		}
		if end, ok = p.wordAt(text, folded, at, word, n == len(p.Words)-1); !ok {
			return 0, false
		}
	}
	return end, true
}

// wordAt reports where a word ends that begins at a place.
func (p *WindowPhrase) wordAt(text, folded []byte, at int, word string, last bool) (end int, ok bool) {
	if end, ok = foldedAt(text, folded, at, word); !ok || !plain.IsBoundary(text, at) {
		return 0, false
	}
	return end, plain.IsBoundary(text, end) || last && p.Prefix
}

// next finds the next word of a phrase behind end, passing over as many others
// as the slop allows.
func (p *WindowPhrase) next(text, folded []byte, end int, word string, slop *int, last bool) (at int, ok bool) {
	at = end
	for {
		from := at
		for at < len(text) {
			in, size := isWordAt(text, at)
			if in {
				break
			}
			at += size
		}
		if at == len(text) || at == from { // a word goes on here
			return 0, false
		}
		if _, ok := p.wordAt(text, folded, at, word, last); ok {
			return at, true
		}
		if *slop == 0 {
			return 0, false
		}
		*slop--
		for at < len(text) {
			in, size := isWordAt(text, at)
			if !in {
				break
			}
			at += size
		}
	}
}

// foldedAt reports where a word in lower case ends that stands at a place in
// either case.
func foldedAt(text, folded []byte, at int, word string) (end int, ok bool) {
	if bytes.HasPrefix(folded[at:], []byte(word)) {
		return at + len(word), true
	}
	if isASCII(word) {
		return 0, false
	}
	for _, r := range word {
		if at >= len(text) {
			return 0, false
		}
		c, size := utf8.DecodeRune(text[at:])
		if plain.FoldRune(c) != r {
			return 0, false
		}
		at += size
	}
	return at, true
}
