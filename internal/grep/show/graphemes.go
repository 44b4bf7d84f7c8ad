package show

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// graphemes returns how many bytes the first n characters of a text take, as people count
// them. Bytes that are not UTF-8 are one character for each longest part of a sequence
// that they begin, which is how Unicode replaces them (The Unicode Standard, 3.9,
// substitution of maximal subparts).
func graphemes(text []byte, n int) int {
	at, valid, state := 0, 0, -1
	for ; n > 0 && at < len(text); n-- {
		if valid <= at {
			valid, state = at+validPrefix(text[at:]), -1
		}
		if valid == at {
			at += brokenSequence(text[at:])
			continue
		}
		var cluster []byte
		cluster, _, _, state = uniseg.FirstGraphemeCluster(text[at:valid], state)
		at += len(cluster)
	}
	return at
}

// validPrefix returns how many bytes at the beginning of a text are UTF-8.
func validPrefix(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// brokenSequence returns how many bytes of a text that begins with none of UTF-8 could
// begin one: at least 1.
func brokenSequence(text []byte) int {
	lead := text[0]
	low, high, rest := byte(0x80), byte(0xbf), 0
	switch {
	case 0xc2 <= lead && lead <= 0xdf:
		rest = 1
	case 0xe0 <= lead && lead <= 0xef:
		rest = 2
	case 0xf0 <= lead && lead <= 0xf4:
		rest = 3
	}
	switch lead {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	n := 1
	for ; n <= rest && n < len(text) && low <= text[n] && text[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}
