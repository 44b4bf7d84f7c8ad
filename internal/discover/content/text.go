// Package content tells what the bytes of a file are: text, in which encoding, or not; and
// whether a program wrote it.
package content

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrEncoding says that bytes are text in an encoding that is not read.
var ErrEncoding = errors.New("the encoding is not supported")

var errBinary = errors.New("it is not text")

// Decode returns raw without a byte order mark, UTF-16 as UTF-8, whatever it holds
// otherwise. It may alias raw or buf, which is filled anew where the text is not in raw.
func Decode(raw []byte, buf *[]byte) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		*buf = decodeUTF16((*buf)[:0], raw[2:], binary.LittleEndian)
		return *buf
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		*buf = decodeUTF16((*buf)[:0], raw[2:], binary.BigEndian)
		return *buf
	}
	return bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
}

// Text returns the searchable text of raw, or why it has none. Text never
// holds a NUL byte and may hold invalid UTF-8. It may alias raw or buf, which is
// filled anew where the text is not in raw.
func Text(raw []byte, buf *[]byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(raw, []byte("\x00\x00\xfe\xff")):
		return nil, ErrEncoding // UTF-32
	}
	raw = Decode(raw, buf)
	if isBinary(raw) {
		return nil, errBinary
	}
	return raw, nil
}

// decodeUTF16 appends src as UTF-8. What is not UTF-16 becomes U+FFFD.
func decodeUTF16(dst, src []byte, order binary.ByteOrder) []byte {
	for len(src) >= 2 {
		c := rune(order.Uint16(src))
		src = src[2:]
		if utf16.IsSurrogate(c) {
			pair := rune(utf8.RuneError)
			if len(src) >= 2 {
				pair = utf16.DecodeRune(c, rune(order.Uint16(src)))
			}
			if c = pair; c != utf8.RuneError {
				src = src[2:]
			}
		}
		dst = utf8.AppendRune(dst, c)
	}
	if len(src) > 0 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst
}

const (
	binaryWindow  = 8 << 10 // bytes looked at for control bytes
	controlShare  = 20      // one control byte in so many makes a file binary
	classWindow   = 2 << 10 // bytes looked at for the marks of generators
	minifiedBytes = 2 << 10 // smaller files are not called minified
	minifiedLine  = 250     // average bytes of a line from which text may be minified
)

// isBinary reports whether b is not text: it holds a NUL byte anywhere, as
// git's test of the first bytes and grep's of the rest have it, or at least 5 %
// of its first bytes are control characters that text does not use.
func isBinary(b []byte) bool {
	if bytes.IndexByte(b, 0) >= 0 {
		return true
	}
	head := b[:min(len(b), binaryWindow)]
	controls := 0
	for _, c := range head {
		controls += int(isControl[c])
	}
	return controls > 3 && controls*controlShare >= len(head)
}

// isControl is 1 for control bytes other than backspace, tab, line feed,
// vertical tab, form feed, carriage return and escape.
var isControl = func() (t [256]uint8) {
	for c := range 0x20 {
		if c < 8 || c > 13 && c != 0x1b {
			t[c] = 1
		}
	}
	t[0x7f] = 1
	return t
}()
