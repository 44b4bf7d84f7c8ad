// Package token cuts text into words and words into terms. Index, query and
// ranking use this one tokenizer, so a term means the same to all of them.
//
// A word is a run of letters, digits and underscores: an identifier, a number
// or a word of prose. Its parts are the pieces that case, underscores and
// digits delimit (HTTPServer2 has http, server and 2). Its terms are the
// stemmed parts, and for a word of several parts its compound, the whole word
// in lower case behind a '=' that keeps it apart from every part.
package token

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxWord is the longest word in bytes that has terms. Longer ones are data
// (keys, encoded blobs) that nobody searches by word.
const MaxWord = 128

// A word of at least blobWord bytes whose parts are shorter than blobPart
// bytes on average is a hash, which is one term, or, with letters of both
// cases, encoded data, which has none.
const (
	blobWord = 32
	blobPart = 3
)

// Word holds the terms of one word of text.
type Word struct {
	// Compound is "=" and the whole word in lower case without underscores
	// at its ends, or "" for a word that is a single term.
	Compound string
	// Terms are the stemmed parts in order. A part of one character is left
	// out unless it is the only one; a word of nothing but such parts (x1)
	// is one term as a whole. Words longer than MaxWord, words of
	// underscores alone and encoded data have none.
	Terms []string
}

// Classes of bytes and runes.
const (
	separator = iota
	wordRune
	soleRune // a word by itself: ideographs and syllables written without spaces
	unsure   // lead byte: the rune decides
)

var byteClass = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_':
			t[c] = wordRune
		case c >= utf8.RuneSelf:
			t[c] = unsure
		}
	}
	return t
}()

// NextWord returns the range of the first word of text that starts at or after
// from; start == end means that there is none. Bytes that are not UTF-8
// separate words.
func NextWord(text []byte, from int) (start, end int) {
	i := from
	for ; i < len(text); i++ {
		c := byteClass[text[i]]
		if c == wordRune {
			return i, wordEnd(text, i+1)
		}
		if c == unsure {
			class, size := classify(text[i:])
			switch class {
			case soleRune:
				return i, i + size
			case wordRune:
				return i, wordEnd(text, i+size)
			}
			i += size - 1
		}
	}
	return len(text), len(text)
}

func wordEnd(text []byte, i int) int {
	for i < len(text) {
		c := byteClass[text[i]]
		if c == wordRune {
			i++
			continue
		}
		if c == separator {
			return i
		}
		class, size := classify(text[i:])
		if class != wordRune {
			return i
		}
		i += size
	}
	return i
}

func classify(text []byte) (class, size int) {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError:
		return separator, size
	case isSole(r):
		return soleRune, size
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r):
		return wordRune, size
	}
	return separator, size
}

func isSole(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// splitParts appends to dst the pieces of a word in lower case. Pieces end at
// underscores, between letters and digits, before an upper-case letter that
// follows a lower-case one, and before the last of several upper-case letters
// when a lower-case one follows it.
func splitParts(dst []string, word string) []string {
	if isASCII(word) {
		return appendParts(dst, word, strings.ToLower(word))
	}
	return appendParts(dst, word, "")
}

// appendParts is Parts, given an ASCII word in lower case, or "" for another.
func appendParts(dst []string, word, lower string) []string {
	for i := 0; i < len(word); {
		end := partEnd(word, i)
		if end == i {
			i++ // underscore
			continue
		}
		if lower != "" {
			dst = append(dst, lower[i:end])
		} else {
			dst = append(dst, strings.ToLower(word[i:end]))
		}
		i = end
	}
	return dst
}

func isASCII(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// runeKind returns the kind of the character of a word at i and its bytes,
// KindNone at its end: every wide one that is not upper case or a digit is taken
// for a letter.
func runeKind(word string, i int) (kind Kind, size int) {
	if i >= len(word) {
		return KindNone, 0
	}
	if c := word[i]; c < utf8.RuneSelf {
		return asciiKind[c], 1
	}
	return wideKind(word[i:])
}

func wideKind(word string) (kind Kind, size int) {
	r, size := utf8.DecodeRuneInString(word)
	switch {
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return KindUpper, size
	case unicode.IsDigit(r):
		return KindDigit, size
	}
	return KindLower, size
}

// partEnd returns the end of the part that starts at i, or i where none does.
func partEnd(word string, i int) int {
	kind, size := runeKind(word, i)
	if kind == KindNone {
		return i
	}
	last, end := i, i+size // the last rune of the run and the run's end
	for {
		k, size := runeKind(word, end)
		if k != kind {
			if kind != KindUpper || k != KindLower {
				return end
			}
			if last > i {
				return last // HTTPServer: the S belongs to what follows
			}
			kind = KindLower // Server
		}
		last, end = end, end+size
	}
}

// Analyze returns the terms of one word, as NextWord found it.
func Analyze(word string) Word { return AnalyzeIn(nil, word) }

// AnalyzeIn is Analyze for who has many words: it puts the terms into memory
// that it is given, where there is room in it.
func AnalyzeIn(terms []string, word string) Word {
	if len(word) > MaxWord {
		return Word{}
	}
	var buf [16]string
	trimmed := strings.Trim(word, "_")
	compound, lower := compoundOf(trimmed)
	parts := appendParts(buf[:0], trimmed, lower)
	terms = terms[:0]
	switch {
	case len(parts) == 0:
		return Word{}
	case len(parts) == 1:
		return Word{Terms: append(terms, Stem(parts[0]))}
	case len(word) >= blobWord && len(parts)*blobPart > len(word):
		return blob(word)
	}
	for _, p := range parts {
		if len(p) > utf8.UTFMax || utf8.RuneCountInString(p) > 1 {
			terms = append(terms, Stem(p))
		}
	}
	if len(terms) == 0 {
		return Word{Terms: append(terms, compound[1:])}
	}
	return Word{Compound: compound, Terms: terms}
}

// compoundOf returns a word in lower case behind a '=', and, if it is ASCII,
// without.
func compoundOf(word string) (compound, lower string) {
	var b [1 + MaxWord]byte
	b[0] = '='
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return "=" + strings.ToLower(word), ""
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b[1+i] = c
	}
	compound = string(b[:1+len(word)])
	return compound, compound[1:]
}

func blob(word string) Word {
	if strings.ToLower(word) != word && strings.ToUpper(word) != word {
		return Word{}
	}
	return Word{Terms: []string{whole(word)}}
}

// whole is the word in lower case without underscores at its ends.
func whole(word string) string { return strings.ToLower(strings.Trim(word, "_")) }

// Split returns the words of a text as they stand.
func Split(text string) []string {
	var words []string
	b := []byte(text)
	for start, end := NextWord(b, 0); start < end; start, end = NextWord(b, end) {
		words = append(words, text[start:end])
	}
	return words
}

// Words analyzes every word of a text that has terms.
func Words(text string) []Word {
	var out []Word
	b := []byte(text)
	for start, end := NextWord(b, 0); start < end; start, end = NextWord(b, end) {
		if w := Analyze(string(b[start:end])); len(w.Terms) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// Name returns the term under which a definition of that name is found as a
// whole: "=" and its words in lower case, without underscores at their ends,
// joined by spaces. A name without words stands as it is. Letter case,
// punctuation round the words and what follows MaxWord bytes do not tell names
// apart.
func Name(name string) string {
	var out strings.Builder
	out.WriteByte('=')
	b := []byte(name)
	for start, end := NextWord(b, 0); start < end; start, end = NextWord(b, end) {
		w := whole(string(b[start:end]))
		if w == "" {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(' ')
		}
		out.WriteString(w)
	}
	if out.Len() == 1 {
		out.WriteString(strings.ToLower(name))
	}
	s := out.String()
	return s[:min(len(s), MaxWord)]
}
