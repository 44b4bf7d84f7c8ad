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
	return written.Blank(text, func(text []byte, at int) (end int, blank bool) {
		switch c := text[at]; {
		case c == '"' || c == '\'':
			return written.Skip(text, at, len(text)), false
		case c == '#':
			return written.LineEnd(text, at, len(text)), true
		case c == '~':
			return sigilEnd(text, at), true
		case c == '?' && at+1 < len(text) && bytes.IndexByte([]byte(`"'#~`), text[at+1]) >= 0:
			return at + 2, true
		}
		return at + 1, false
	})
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
