package search

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// WindowTokens counts the words of a text: runs of letters and digits of less
// than 40 bytes.
func WindowTokens(text []byte) int {
	n, start := 0, 0 // where the word at hand began
	for i := 0; i < len(text); {
		switch asciiWord[text[i]] {
		case isOther:
			if uint(i-start-1) < maxWindowWord-1 { // from 1 to 39 bytes
				n++
			}
			i++
			start = i
			continue
		case isLetter:
			i++
			continue
		}
		word, size := isWordAt(text, i)
		if !word {
			if uint(i-start-1) < maxWindowWord-1 {
				n++
			}
			start = i + size
		}
		i += size
	}
	if uint(len(text)-start-1) < maxWindowWord-1 {
		n++
	}
	return n
}

// asciiWord tells ASCII letters and digits from what separates words.
var asciiWord = func() (t [256]uint8) {
	for c := range 256 {
		switch kind, _ := partKind([]byte{byte(c)}, 0); {
		case c >= utf8.RuneSelf:
			t[c] = isUnsure
		case kind != partNone:
			t[c] = isLetter
		}
	}
	return t
}()

const (
	isOther = iota
	isLetter
	isUnsure
)

const maxWindowWord = 40

func isWordAt(text []byte, i int) (word bool, size int) {
	kind, size := partKind(text, i)
	return kind != partNone, size
}

// Kinds of characters, as they make the parts of an identifier.
const (
	partNone  = iota // neither letter nor digit
	partLower        // a letter that is not upper case, or a mark
	partUpper
	partDigit
	partSole // a word by itself, as in scripts without spaces
)

// partKind returns the kind of the character at i.
func partKind(text []byte, i int) (kind, size int) {
	c := text[i]
	switch {
	case 'a' <= c && c <= 'z':
		return partLower, 1
	case 'A' <= c && c <= 'Z':
		return partUpper, 1
	case '0' <= c && c <= '9':
		return partDigit, 1
	case c < utf8.RuneSelf:
		return partNone, 1
	}
	r, size := utf8.DecodeRune(text[i:])
	return partKindOf(r), size
}

func partKindOf(r rune) int {
	switch {
	case r == utf8.RuneError:
		return partNone
	case r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return partSole
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return partUpper
	case unicode.IsDigit(r), unicode.IsNumber(r):
		return partDigit
	case unicode.IsLetter(r), unicode.IsMark(r):
		return partLower
	}
	return partNone
}

// partKindBefore returns the kind of the character that ends at i.
func partKindBefore(text []byte, i int) int {
	if c := text[i-1]; c < utf8.RuneSelf {
		kind, _ := partKind(text, i-1)
		return kind
	}
	r, _ := utf8.DecodeLastRune(text[:i])
	return partKindOf(r)
}

// isBoundary reports whether a word, or a part of an identifier, may begin or
// end at i: what package token takes for the pieces of a word.
func isBoundary(text []byte, i int) bool {
	if i == 0 || i == len(text) {
		return true
	}
	a := partKindBefore(text, i)
	b, size := partKind(text, i)
	switch {
	case a == partNone || b == partNone || a == partSole || b == partSole:
		return true
	case (a == partDigit) != (b == partDigit):
		return true
	case a == partLower && b == partUpper:
		return true
	case a == partUpper && b == partUpper && i+size < len(text):
		next, _ := partKind(text, i+size)
		return next == partLower
	}
	return false
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
	if end, ok = foldedAt(text, folded, at, word); !ok || !isBoundary(text, at) {
		return 0, false
	}
	return end, isBoundary(text, end) || last && p.Prefix
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
		if unicode.ToLower(c) != r {
			return 0, false
		}
		at += size
	}
	return at, true
}
