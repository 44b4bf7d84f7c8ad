// Package ascii has the letters of ASCII in lower case, of bytes and texts.
package ascii

import (
	"encoding/binary"
)

// Lower returns a byte, a letter A to Z in lower case.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// LowerString returns a text with its ASCII letters in lower case.
func LowerString(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = Lower(c)
	}
	return string(b)
}

// AppendLower appends text with its ASCII letters in lower case.
func AppendLower(dst, text []byte) []byte {
	n := len(dst)
	dst = append(dst, text...)
	b := dst[n:]
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		binary.LittleEndian.PutUint64(b, lowerWord(w))
		b = b[8:]
	}
	for i, c := range b {
		b[i] = Lower(c)
	}
	return dst
}

// lowerWord lowers the ASCII letters of eight bytes at once: the top bit of
// each byte of up is set where the byte is in A..Z, and moved to the place of 0x20.
func lowerWord(w uint64) uint64 {
	const ones = 0x0101010101010101
	low := w & (0x7f * ones)
	fromA := low + (0x80-'A')*ones
	pastZ := low + (0x80-'Z'-1)*ones
	up := fromA &^ pastZ &^ w & (0x80 * ones)
	return w | up>>2
}
