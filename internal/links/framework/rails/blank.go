package rails

import (
	"bytes"

	"espy/internal/links/framework/written"
)

// newSource makes what is no code of a text of Ruby blank: comments, what stands
// between =begin and =end and behind __END__, and regular expressions. All else
// keeps its place.
func newSource(file string, text []byte) source {
	text = bytes.Clone(text)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case atLine(text, i, "__END__"):
			wipe(text, i, len(text))
			i = len(text)
		case atLine(text, i, "=begin"):
			end := len(text)
			if n := bytes.Index(text[i:], []byte("\n=end")); n >= 0 {
				end = written.LineEnd(text, i+n+1, len(text))
			}
			wipe(text, i, end)
			i = end
		case c == '#':
			end := written.LineEnd(text, i, len(text))
			wipe(text, i, end)
			i = end
		case c == '/' && beginsRegexp(text, i):
			end := regexpEnd(text, i)
			wipe(text, i, end)
			i = end
		case c == '"' || c == '\'' || c == '`':
			i = written.Skip(text, i, len(text))
		default:
			i++
		}
	}
	return source{file, text}
}

func atLine(text []byte, i int, word string) bool {
	return (i == 0 || text[i-1] == '\n') && bytes.HasPrefix(text[i:], []byte(word))
}

func wipe(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// beginsRegexp reports whether a / begins a regular expression: what stands before
// it is no value.
func beginsRegexp(text []byte, i int) bool {
	before := bytes.TrimRight(text[:i], " \t")
	return len(before) == 0 || bytes.IndexByte([]byte("(,=:[{|!&~>?\n;"), before[len(before)-1]) >= 0
}

// regexpEnd is the byte behind a regular expression, or behind its first byte where
// it does not end in its line.
func regexpEnd(text []byte, i int) int {
	for j := i + 1; j < len(text) && text[j] != '\n'; j++ {
		switch text[j] {
		case '\\':
			j++
		case '/':
			return j + 1
		}
	}
	return i + 1
}
