// Package plain cuts text into plain words: runs of letters, marks and digits,
// without underscores. Their pieces are cut where case changes and where letters
// meet digits, and are not stemmed. An exact search for words, or for whole parts
// of identifiers, is made of them.
package plain

import (
	"unicode"
	"unicode/utf8"

	"espy/internal/token"
)

var asciiKind = func() (t [utf8.RuneSelf]token.Kind) {
	for c := range t {
		t[c] = token.KindOf(rune(c))
	}
	return t
}()

// KindAt returns the kind of the character at i and its bytes. A byte that is
// not UTF-8 is a character of token.KindNone.
func KindAt(text []byte, i int) (kind token.Kind, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return asciiKind[c], 1
	}
	r, size := utf8.DecodeRune(text[i:])
	return token.KindOf(r), size
}

func kindBefore(text []byte, i int) token.Kind {
	if c := text[i-1]; c < utf8.RuneSelf {
		return asciiKind[c]
	}
	r, _ := utf8.DecodeLastRune(text[:i])
	return token.KindOf(r)
}

// IsBoundary reports whether a plain word, or a piece of one, may begin or end
// at i.
func IsBoundary(text []byte, i int) bool {
	if i == 0 || i == len(text) {
		return true
	}
	kind, size := KindAt(text, i)
	return boundary(kindBefore(text, i), kind, text[i+size:])
}

// boundary decides between two characters, given the text behind them.
func boundary(a, b token.Kind, rest []byte) bool {
	switch {
	case a == token.KindNone || b == token.KindNone || a == token.KindSole || b == token.KindSole:
		return true
	case (a == token.KindDigit) != (b == token.KindDigit):
		return true
	case a == token.KindLower && b == token.KindUpper:
		return true
	case a == token.KindUpper && b == token.KindUpper && len(rest) > 0:
		next, _ := KindAt(rest, 0)
		return next == token.KindLower
	}
	return false
}

// Next returns the range of the first plain word of text that starts at or
// after from; start == end means that there is none.
func Next(text []byte, from int) (start, end int) {
	for i := from; i < len(text); {
		word, size := wordAt(text, i)
		if word {
			return i, wordEnd(text, i+size)
		}
		i += size
	}
	return len(text), len(text)
}

func wordEnd(text []byte, i int) int {
	for i < len(text) {
		word, size := wordAt(text, i)
		if !word {
			break
		}
		i += size
	}
	return i
}

// wordAt reports whether the character at i belongs to a plain word. It is
// short so that the compiler puts it in place.
func wordAt(text []byte, i int) (word bool, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return asciiKind[c] != token.KindNone, 1
	}
	return wideAt(text, i)
}

func wideAt(text []byte, i int) (word bool, size int) {
	kind, size := KindAt(text, i)
	return kind != token.KindNone, size
}

// Piece is a piece of a plain word.
type Piece struct {
	Start, End int
	Letters    bool // it is of letters, and may be glued to another such
}

// Pieces appends the pieces of a plain word to dst.
func Pieces(dst []Piece, word []byte) []Piece {
	start, last := 0, token.KindNone
	for i := 0; i < len(word); {
		kind, size := KindAt(word, i)
		if i > start && boundary(last, kind, word[i+size:]) {
			dst = append(dst, Piece{start, i, isLetter(last)})
			start = i
		}
		last = kind
		i += size
	}
	if start < len(word) {
		dst = append(dst, Piece{start, len(word), isLetter(last)})
	}
	return dst
}

func isLetter(k token.Kind) bool { return k == token.KindLower || k == token.KindUpper }

// maxCounted bounds the plain words that Count counts.
const maxCounted = 40

// Count counts the plain words of a text that have less than 40 bytes.
func Count(text []byte) int {
	n, start := 0, 0 // where the word at hand began
	for i := 0; i < len(text); {
		size := 1
		if c := text[i]; c < utf8.RuneSelf {
			if asciiKind[c] != token.KindNone {
				i++
				continue
			}
		} else {
			var kind token.Kind
			if kind, size = KindAt(text, i); kind != token.KindNone {
				i += size
				continue
			}
		}
		if uint(i-start-1) < maxCounted-1 { // from 1 to 39 bytes
			n++
		}
		i += size
		start = i
	}
	if uint(len(text)-start-1) < maxCounted-1 {
		n++
	}
	return n
}

// Fold appends a plain word, or a piece of one, in lower case to dst. No other
// character becomes an ASCII letter.
func Fold(dst, word []byte) []byte {
	for i := 0; i < len(word); {
		c := word[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(word[i:])
		dst = utf8.AppendRune(dst, FoldRune(r))
		i += size
	}
	return dst
}

// FoldRune returns a character in lower case, where that does not make an ASCII
// letter of another character.
func FoldRune(r rune) rune {
	lower := unicode.ToLower(r)
	if lower < utf8.RuneSelf && r >= utf8.RuneSelf {
		return r
	}
	return lower
}
