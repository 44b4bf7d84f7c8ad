package windows

import (
	"bytes"
	"unicode/utf8"

	"espy/internal/token"
	"espy/internal/windows/plain"
)

// content is a text, and the same with its ASCII letters in lower case.
type content struct{ text, folded []byte }

// each calls yield with the places of a leaf in a text. Only a phrase needs what
// is folded.
func (l *leaf) each(c content, yield func(start, end int)) {
	if l.text != nil {
		eachIndex(c.text, l.text, func(at int) int { yield(at, at+len(l.text)); return at + 1 })
		return
	}
	p := l.phrase
	try := func(at int) int {
		end, ok := p.matchAt(&c, at)
		if !ok {
			return at + 1
		}
		yield(at, end)
		return max(end, at+1)
	}
	if l.first != nil {
		eachIndex(c.folded, l.first, try)
		return
	}
	for at := 0; at < len(c.text); {
		_, size := utf8.DecodeRune(c.text[at:])
		at = max(try(at), at+size)
		for at < len(c.text) && !utf8.RuneStart(c.text[at]) {
			at++
		}
	}
}

// eachIndex calls f with the places of a text in another, going on where f says.
func eachIndex(s, sep []byte, f func(at int) (next int)) {
	for from := 0; from+len(sep) <= len(s); {
		at := bytes.Index(s[from:], sep)
		if at < 0 {
			return
		}
		from = f(from + at)
	}
}

// matchAt reports where the phrase ends that begins at a place.
func (p *Phrase) matchAt(c *content, at int) (end int, ok bool) {
	slop := p.Slop
	for n := range p.Words {
		if n > 0 {
			if at, slop, ok = p.next(c, end, n, slop); !ok {
				return 0, false
			}
		}
		if end, ok = p.wordAt(c, at, n); !ok {
			return 0, false
		}
	}
	return end, true
}

// wordAt reports where word n ends that begins at a place.
func (p *Phrase) wordAt(c *content, at, n int) (end int, ok bool) {
	if end, ok = c.foldedAt(at, p.Words[n]); !ok || !plain.IsBoundary(c.text, at) {
		return 0, false
	}
	return end, plain.IsBoundary(c.text, end) || p.Prefix && n == len(p.Words)-1
}

// next finds word n behind end. It skips as many other words as the slop allows
// and returns what is left of that.
func (p *Phrase) next(c *content, end, n, slop int) (at, left int, ok bool) {
	at = end
	for {
		from := at
		at = c.skip(at, false)
		if at == len(c.text) || at == from { // a word goes on here
			return 0, 0, false
		}
		if _, ok := p.wordAt(c, at, n); ok {
			return at, slop, true
		}
		if slop == 0 {
			return 0, 0, false
		}
		slop--
		at = c.skip(at, true)
	}
}

// skip returns where the characters of words, or the others, end that stand at a place.
func (c *content) skip(at int, words bool) int {
	for at < len(c.text) {
		kind, size := plain.KindAt(c.text, at)
		if (kind != token.KindNone) != words {
			break
		}
		at += size
	}
	return at
}

// foldedAt reports where a word in lower case ends that stands at a place in
// either case.
func (c *content) foldedAt(at int, word string) (end int, ok bool) {
	if bytes.HasPrefix(c.folded[at:], []byte(word)) {
		return at + len(word), true
	}
	if inASCII(word) {
		return 0, false
	}
	for _, r := range word {
		if at >= len(c.text) {
			return 0, false
		}
		found, size := utf8.DecodeRune(c.text[at:])
		if plain.FoldRune(found) != r {
			return 0, false
		}
		at += size
	}
	return at, true
}
