package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
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

// Visible is Clean for a text that is shown as it is written: the line ends of
// other systems and the tabs stay.
func Visible(text string) string {
	if !strings.ContainsFunc(text, place.Invisible) {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		line := strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r")
		lines[i] = clean(line) + l[len(line):]
	}
	return strings.Join(lines, "")
}

// clean makes one line of foreign text harmless: what cannot be seen
// (place.Invisible: control codes, marks of direction, zero-width characters,
// tags, selectors, separators of lines) becomes visible escapes such as \x1b and
// \u{202E}; bytes that are not UTF-8 become U+FFFD. Tabs stay, and so do the
// characters that join and colour emoji, where they stand in one.
func clean(text string) string { return string(appendClean(nil, []byte(text))) }

func appendClean(dst, text []byte) []byte {
	last := rune(0)
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != 0x7f || c == '\t' {
				dst = append(dst, c)
			} else {
				dst = appendEscape(dst, rune(c))
			}
			last = rune(c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case place.Invisible(r) && !inEmoji(last, r, text[i+n:]):
			dst = appendEscape(dst, r)
		default:
			dst = append(dst, text[i:i+n]...)
		}
		last = r
		i += n
	}
	return dst
}

const (
	joiner   = 0x200d // of emoji that are shown as one
	asText   = 0xfe0e // selects the form of the character before
	asEmoji  = 0xfe0f
	lightest = 0x1f3fb // of the colours of skin
	darkest  = 0x1f3ff
)

// inEmoji reports whether a selector or joiner stands where an emoji has one:
// behind a symbol, a joiner also before another.
func inEmoji(last, r rune, rest []byte) bool {
	symbol := unicode.Is(unicode.So, last) || last >= lightest && last <= darkest
	switch r {
	case asText, asEmoji:
		return symbol
	case joiner:
		next, _ := utf8.DecodeRune(rest)
		return (symbol || last == asEmoji) && unicode.Is(unicode.So, next)
	}
	return false
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
	return fmt.Appendf(dst, `\u{%04X}`, r)
}

// quoteText quotes an argument of a tool call as JSON does, with harmful
// characters escaped. A name that is not UTF-8 goes in its quoted form.
func quoteText(s string) string {
	if !utf8.ValidString(s) {
		s = strconv.Quote(s)
	}
	return strings.TrimSuffix(string(JSON(s)), "\n")
}

// shellQuote quotes a word for a POSIX shell when it needs it, so that the program
// gets it byte by byte. What cannot be seen is written by printf, since not every
// shell has $'...'; of such a word the line ends at the end are lost.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@%+,", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	if strings.ContainsFunc(s, unseen) || !utf8.ValidString(s) {
		return `"$(printf '` + octal(s) + `')"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// CommandLine writes a command as one types it in a POSIX shell.
func CommandLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellQuote(w)
	}
	return strings.Join(quoted, " ")
}

// octal writes a text for printf: letters, digits and the like as they are, every
// other byte by its number.
func octal(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= ' ' && c < 0x7f && !strings.ContainsRune(`\'"%$`+"`", rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return b.String()
}

func unseen(r rune) bool { return place.Invisible(r) || !strconv.IsPrint(r) }

// JSON writes a value as one line of compact JSON with a line end. Characters
// that cannot be seen are written as \u escapes, so the values stay exact and a
// reader of the line sees them; bytes that are not UTF-8 become U+FFFD. A value
// that cannot be encoded is a bug and panics.
func JSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("render: write JSON: %w", err))
	}
	return escapeInvisible(b.Bytes())
}

// escapeInvisible escapes the invisible characters that encoding/json does not.
// JSON outside of strings is ASCII, so each of them is in a string.
func escapeInvisible(text []byte) []byte {
	if !bytes.ContainsFunc(text, mustEscape) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case mustEscape(r) && r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		case mustEscape(r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, text[i:i+n]...)
		}
		i += n
	}
	return out
}

func mustEscape(r rune) bool { return r >= 0x7f && place.Invisible(r) }

// quotedIfBroken returns the quoted form of a path that JSON cannot hold
// exactly because it is not UTF-8, else "".
func quotedIfBroken(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return strconv.Quote(path)
}
