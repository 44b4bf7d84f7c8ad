package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"espy/internal/place"
)

// Clean makes the lines of a foreign text harmless. It keeps the line breaks.
func Clean(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = clean(l)
	}
	return strings.Join(lines, "\n")
}

// clean makes one line of foreign text harmless: control codes (C0, DEL, C1),
// line and paragraph separators and the characters that change the direction
// of text become visible escapes such as \x1b and \u202e; bytes that are not
// UTF-8 become U+FFFD. Tabs stay.
func clean(text string) string { return string(appendClean(nil, []byte(text))) }

func appendClean(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != 0x7f || c == '\t' {
				dst = append(dst, c)
			} else {
				dst = appendEscape(dst, rune(c))
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case isHarmful(r):
			dst = appendEscape(dst, r)
		default:
			dst = append(dst, text[i:i+n]...)
		}
		i += n
	}
	return dst
}

// isHarmful reports whether a character of two bytes or more can change how a
// terminal shows the surrounding text.
func isHarmful(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f: // C1
	case r == 0x061c, r == 0x200e, r == 0x200f: // marks of direction
	case r >= 0x2028 && r <= 0x202e: // separators, embeddings and overrides
	case r >= 0x2066 && r <= 0x2069: // isolates
	default:
		return false
	}
	return true
}

func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r < 0x80:
		return fmt.Appendf(dst, `\x%02x`, r)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// quoteText quotes an argument of a tool call as JSON does, with harmful
// characters escaped. A name that is not UTF-8 goes in its quoted form.
func quoteText(s string) string {
	if !utf8.ValidString(s) {
		s = strconv.Quote(s)
	}
	return strings.TrimSuffix(string(JSON(s)), "\n")
}

// shellQuote quotes a word for a POSIX shell when it needs it.
func shellQuote(s string) string {
	if place.Name(s) != s {
		s = place.Name(s)
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@%+,", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// JSON writes a value as one line of compact JSON with a line end. Characters
// that could disturb a terminal are written as \u escapes, so the values stay
// exact; bytes that are not UTF-8 become U+FFFD. A value that cannot be
// encoded is a bug and panics.
func JSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("render: write JSON: %w", err))
	}
	return escapeHarmful(b.Bytes())
}

// escapeHarmful escapes the harmful characters that encoding/json does not.
// JSON outside of strings is ASCII, so each of them is in a string.
func escapeHarmful(text []byte) []byte {
	if !bytes.ContainsFunc(text, mustEscape) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if mustEscape(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, text[i:i+n]...)
		}
		i += n
	}
	return out
}

func mustEscape(r rune) bool { return r == 0x7f || isHarmful(r) }

// quotedIfBroken returns the quoted form of a path that JSON cannot hold
// exactly because it is not UTF-8, else "".
func quotedIfBroken(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return strconv.Quote(path)
}
