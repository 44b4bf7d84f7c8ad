package outline

import (
	"strings"
	"unicode/utf8"

	"espy/internal/lang"
)

// maxSignature bounds the bytes of a signature.
const maxSignature = 600

// OneLine puts a signature of a language, empty for none, on one line, without its
// comments. It has at most 600 bytes, and an ellipsis where it was longer.
func OneLine(s, language string) string {
	if l, ok := lang.ByName(language); ok {
		s = withoutComments(s, l)
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxSignature {
		return s
	}
	end := maxSignature
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + " ..."
}

// withoutComments takes the comments out of some code. Comments do not begin in
// literals.
func withoutComments(s string, l *lang.Language) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		n := commentAt(s[i:], l)
		if n > 0 {
			b.WriteByte(' ')
			i += n
			continue
		}
		n = max(1, literalAt(s[i:]))
		b.WriteString(s[i : i+n])
		i += n
	}
	return b.String()
}

// commentAt returns the length of the comment that a text begins with, 0 for none.
func commentAt(s string, l *lang.Language) int {
	for _, opener := range l.LineComments {
		if !strings.HasPrefix(s, opener) {
			continue
		}
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n
		}
		return len(s)
	}
	for _, c := range l.BlockComments {
		if !strings.HasPrefix(s, c[0]) {
			continue
		}
		if n := strings.Index(s[len(c[0]):], c[1]); n >= 0 {
			return len(c[0]) + n + len(c[1])
		}
	}
	return 0
}

// literalAt returns the length of the literal on one line that a text begins with,
// 0 for none: an apostrophe without another one behind it is none.
func literalAt(s string) int {
	quote := s[0]
	if quote != '"' && quote != '\'' && quote != '`' {
		return 0
	}
	for i := 1; i < len(s) && (s[i] != '\n' || quote == '`'); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return 0
}
