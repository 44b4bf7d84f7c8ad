// Package windows ranks windows: stretches of a fixed number of characters, which
// every text of a view is cut into. Index cuts the texts of a generation and
// publishes what the windows hold (package win) with it; Search answers from that.
package windows

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"espy/internal/windows/win"
)

// Cut cuts texts into windows of Size characters (Unicode code points; a byte
// that is not UTF-8 counts as one). Each begins Size-Overlap characters after the
// one before, for as long as there is text: the last may hold nothing but
// overlap. The windows of a text depend on nothing else, so that their numbers,
// from 0, and their offsets are the same whenever they are made.
type Cut struct {
	Size    int `json:"size"`    // characters of a window
	Overlap int `json:"overlap"` // characters it shares with the one before
}

// Validate refuses a cut that makes no progress.
func (c Cut) Validate() error {
	if c.Size < 1 || c.Overlap < 0 || c.Overlap >= c.Size {
		return fmt.Errorf("windows of %d characters that share %d: the overlap must be at least 0 and less than the size", c.Size, c.Overlap)
	}
	return nil
}

// Append appends the windows of text to dst.
func (c Cut) Append(dst []win.Window, text []byte) []win.Window {
	step := c.Size - c.Overlap
	if isASCII(text) {
		for at := 0; at < len(text); at += step {
			dst = append(dst, win.Window{Start: at, End: min(at+c.Size, len(text))})
		}
		return dst
	}
	open := len(dst) // the first window whose end is not known yet
	for at, n, next, end := 0, 0, 0, c.Size; at < len(text); {
		if n == end {
			dst[open].End = at
			open++
			end += step
		}
		if n == next {
			dst = append(dst, win.Window{Start: at, End: len(text)})
			next += step
		}
		if quiet := min(next, end) - n; quiet >= 8 && len(text)-at >= 8 && isASCII(text[at:at+8]) {
			at, n = at+8, n+8
			continue
		}
		at += runeLen(text[at:])
		n++
	}
	return dst
}

// isASCII looks at eight bytes at once.
func isASCII(text []byte) bool {
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func runeLen(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 1
	}
	_, size := utf8.DecodeRune(text)
	return size
}
