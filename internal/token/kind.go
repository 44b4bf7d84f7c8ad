package token

import (
	"unicode"
	"unicode/utf8"
)

// Kind is what a character is where words are cut into pieces.
type Kind uint8

// The kinds of characters.
const (
	KindNone  Kind = iota // neither letter nor digit
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
