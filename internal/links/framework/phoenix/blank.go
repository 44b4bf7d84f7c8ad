package phoenix

import (
	"bytes"

	"espy/internal/links/framework/written"
)

// closers are the bytes that end a sigil, by the one that opens it.
var closers = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>', '/': '/', '|': '|', '"': '"', '\'': '\''}

// blanked makes what is no code of a text of Elixir blank: comments, sigils and
// characters. All else keeps its place.
func blanked(text []byte) []byte {
	text = bytes.Clone(text)
	for i := 0; i < len(text); {
		var end int
		switch c := text[i]; {
		case c == '"' || c == '\'':
			i = written.Skip(text, i, len(text))
			continue
		case c == '#':
			end = written.LineEnd(text, i, len(text))
		case c == '~':
			end = sigilEnd(text, i)
		case c == '?' && i+1 < len(text) && bytes.IndexByte([]byte(`"'#~`), text[i+1]) >= 0:
			end = i + 2
		default:
			i++
			continue
		}
		for j := i; j < end; j++ {
			if text[j] != '\n' {
				text[j] = ' '
			}
		}
		i = end
	}
	return text
}

// sigilEnd is the byte behind a sigil, or behind its first byte where it is none.
func sigilEnd(text []byte, at int) int {
	i := at + 1 + written.NameEnd(string(text[at+1:min(len(text), at+20)]))
	if i == at+1 || i >= len(text) || closers[text[i]] == 0 {
		return at + 1
	}
	mark := []byte{closers[text[i]]}
	if c := text[i]; (c == '"' || c == '\'') && bytes.HasPrefix(text[i+1:], []byte{c, c}) {
		mark, i = []byte{c, c, c}, i+2
	}
	for i++; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if bytes.HasPrefix(text[i:], mark) {
			return i + len(mark)
		}
	}
	return len(text)
}
