package outline

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"espy/internal/code"
)

// Windowing cuts texts into windows of Size characters (Unicode code points; a
// byte that is not UTF-8 counts as one), each of which begins Size-Overlap
// characters after the one before, for as long as there is text: the last may
// hold nothing but overlap. The windows of a text depend on nothing else, so
// that their numbers, from 0, and offsets are the same whenever they are made.
type Windowing struct {
	Size    int `json:"size"`    // characters of a window
	Overlap int `json:"overlap"` // characters it shares with the one before
}

// Validate refuses a windowing that makes no progress.
func (w Windowing) Validate() error {
	if w.Size < 1 || w.Overlap < 0 || w.Overlap >= w.Size {
		return fmt.Errorf("windows of %d characters that share %d: the overlap must be at least 0 and less than the size", w.Size, w.Overlap)
	}
	return nil
}

// Count returns the number of windows of a text.
func (w Windowing) Count(text []byte) int {
	step := w.Size - w.Overlap
	return (utf8.RuneCount(text) + step - 1) / step
}

// Append appends the windows of text to dst.
func (w Windowing) Append(dst []code.Window, text []byte) []code.Window {
	step := w.Size - w.Overlap
	if isASCII(text) {
		for at := 0; at < len(text); at += step {
			dst = append(dst, code.Window{Start: at, End: min(at+w.Size, len(text))})
		}
		return dst
	}
	open := len(dst) // the first window whose end is not known yet
	for at, n, next, end := 0, 0, 0, w.Size; at < len(text); {
		if n == end {
			dst[open].End = at
			open++
			end += step
		}
		if n == next {
			dst = append(dst, code.Window{Start: at, End: len(text)})
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
