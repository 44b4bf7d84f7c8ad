package token

import (
	"unicode"
	"unicode/utf8"
)

// A plain word is a run of letters, marks and digits, without underscores. Its
// pieces are cut where the parts of a word are, at changes of case and of
// letters to digits, and are not stemmed: what an exact search of words, or of
// whole parts of identifiers, is made of.

// Kind is what a character is to the pieces of plain words.
type Kind uint8

// The kinds of characters.
const (
	KindNone  Kind = iota // neither letter nor digit: it separates plain words
	KindLower             // a letter that is not upper case, or a mark
	KindUpper
	KindDigit
	KindSole // a word by itself, as in scripts without spaces
)

var asciiKind = func() (t [utf8.RuneSelf]Kind) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = KindLower
		case 'A' <= c && c <= 'Z':
			t[c] = KindUpper
		case '0' <= c && c <= '9':
			t[c] = KindDigit
		}
	}
	return t
}()

// KindAt returns the kind of the character at i and its bytes. A byte that is
// not UTF-8 is a character of KindNone.
func KindAt(text []byte, i int) (kind Kind, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return asciiKind[c], 1
	}
	r, size := utf8.DecodeRune(text[i:])
	return KindOf(r), size
}

// KindOf returns the kind of a character.
func KindOf(r rune) Kind {
	switch {
	case r == utf8.RuneError:
		return KindNone
	case r >= 0 && r < utf8.RuneSelf:
		return asciiKind[r]
	case isSole(r):
		return KindSole
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return KindUpper
	case unicode.IsDigit(r), unicode.IsNumber(r):
		return KindDigit
	case unicode.IsLetter(r), unicode.IsMark(r):
		return KindLower
	}
	return KindNone
}

func kindBefore(text []byte, i int) Kind {
	if c := text[i-1]; c < utf8.RuneSelf {
		return asciiKind[c]
	}
	r, _ := utf8.DecodeLastRune(text[:i])
	return KindOf(r)
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
func boundary(a, b Kind, rest []byte) bool {
	switch {
	case a == KindNone || b == KindNone || a == KindSole || b == KindSole:
		return true
	case (a == KindDigit) != (b == KindDigit):
		return true
	case a == KindLower && b == KindUpper:
		return true
	case a == KindUpper && b == KindUpper && len(rest) > 0:
		next, _ := KindAt(rest, 0)
		return next == KindLower
	}
	return false
}

// NextPlain returns the range of the first plain word of text that starts at or
// after from; start == end means that there is none.
func NextPlain(text []byte, from int) (start, end int) {
	for i := from; i < len(text); {
		word, size := plainAt(text, i)
		if word {
			return i, plainEnd(text, i+size)
		}
		i += size
	}
	return len(text), len(text)
}

func plainEnd(text []byte, i int) int {
	for i < len(text) {
		word, size := plainAt(text, i)
		if !word {
			break
		}
		i += size
	}
	return i
}

// plainAt reports whether the character at i belongs to a plain word. It is
// short so that the compiler puts it in place.
func plainAt(text []byte, i int) (word bool, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return asciiKind[c] != KindNone, 1
	}
	return plainRuneAt(text, i)
}

func plainRuneAt(text []byte, i int) (word bool, size int) {
	kind, size := KindAt(text, i)
	return kind != KindNone, size
}

// Piece is a piece of a plain word.
type Piece struct {
	Start, End int
	Letters    bool // it is of letters, and may be glued to another such
}

// Pieces appends the pieces of a plain word to dst.
func Pieces(dst []Piece, word []byte) []Piece {
	start, last := 0, KindNone
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

func isLetter(k Kind) bool { return k == KindLower || k == KindUpper }

// maxPlain bounds the plain words that CountPlain counts.
const maxPlain = 40

// CountPlain counts the plain words of a text that have less than 40 bytes.
func CountPlain(text []byte) int {
	n, start := 0, 0 // where the word at hand began
	for i := 0; i < len(text); {
		size := 1
		if c := text[i]; c < utf8.RuneSelf {
			if asciiKind[c] != KindNone {
				i++
				continue
			}
		} else {
			var kind Kind
			if kind, size = KindAt(text, i); kind != KindNone {
				i += size
				continue
			}
		}
		if uint(i-start-1) < maxPlain-1 { // from 1 to 39 bytes
			n++
		}
		i += size
		start = i
	}
	if uint(len(text)-start-1) < maxPlain-1 {
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
