package shingle

import (
	"bytes"

	"espy/internal/lang"
	"espy/internal/outline"
)

// scanQuiet finds the comments and literals of a text in a language that has no
// outline, or in none that is known. Literals end with their line.
func scanQuiet(l *lang.Language, text []byte) (spans []outline.Span) {
	for at := 0; at < len(text); {
		end, comment := quietAt(l, text, at)
		if end == at {
			at++
			continue
		}
		spans = append(spans, outline.Span{Start: at, End: end, Comment: comment})
		at = end
	}
	return spans
}

// quietAt returns the end of the comment or literal that begins at a byte, the
// byte itself where none does.
func quietAt(l *lang.Language, text []byte, at int) (end int, comment bool) {
	if l != nil {
		for _, b := range l.BlockComments {
			if bytes.HasPrefix(text[at:], []byte(b[0])) {
				return endOf(text, at+len(b[0]), b[1]), true
			}
		}
		for _, opener := range l.LineComments {
			if bytes.HasPrefix(text[at:], []byte(opener)) && !(wordByte[opener[0]] && inWord(text, at)) {
				return lineEnd(text, at), true
			}
		}
	}
	if c := text[at]; c == '"' || c == '\'' && !inWord(text, at) || c == '`' {
		return quoteEnd(text, at), false
	}
	return at, false
}

// inWord reports whether the byte before at is part of a word, as in "don't".
func inWord(text []byte, at int) bool {
	return at > 0 && text[at-1] < 0x80 && wordByte[text[at-1]]
}

func endOf(text []byte, at int, closer string) int {
	if i := bytes.Index(text[at:], []byte(closer)); i >= 0 {
		return at + i + len(closer)
	}
	return len(text)
}

func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// quoteEnd returns the end of the literal that a quote opens, the quote itself
// where it is not closed on its line.
func quoteEnd(text []byte, at int) int {
	line := text[:lineEnd(text, at)]
	for i := at + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		}
	}
	return at
}
