package structure

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/pattern"
)

// chain is a part of a pattern that a text must hold: the name of a thing and those of
// its members, with the signs between them.
type chain struct {
	names []string // the first is empty where a hole or nothing stands there
	signs []string // in front of the other names
}

var (
	chainForm = pattern.New(`[A-Za-z_][A-Za-z0-9_]*|\?\.|->|::|\.`)
	spaces    = " \t\r\n\\"
)

// chains are those of a pattern that has holes.
func chains(text string) (all []chain) {
	text = holeForm().ReplaceAllStringFunc(text, func(hole string) string { return strings.Repeat("$", len(hole)) })
	var c chain
	done := 0 // end of the last part of c
	end := func() {
		if n := len(c.names); n > 0 && len(c.signs) == n { // a sign in front of a hole
			c.signs = c.signs[:n-1]
		}
		if len(c.signs) > 0 {
			all = append(all, c)
		}
		c = chain{}
	}
	for _, at := range chainForm().FindAllStringIndex(text, -1) {
		part := text[at[0]:at[1]]
		if strings.Trim(text[done:at[0]], spaces) != "" {
			end()
		}
		isName := ofWord(part[0])
		whole := !isName || (at[0] == 0 || !ofHole(text[at[0]-1])) && (at[1] == len(text) || !ofHole(text[at[1]]))
		switch n := len(c.names); {
		case !whole:
			end()
		case isName && n == len(c.signs):
			c.names = append(c.names, part)
		case isName:
			end()
			c.names = append(c.names, part)
		case n == len(c.signs):
			end()
			c.names, c.signs = append(c.names, ""), append(c.signs, part)
		default:
			c.signs = append(c.signs, part)
		}
		done = at[1]
	}
	end()
	return all
}

// ofHole reports whether a name that stands beside a byte goes on in it.
func ofHole(b byte) bool { return b == '$' || ofWord(b) }

// in reports whether a text may hold a chain: always where a comment, which may stand
// within it, is near.
func (c *chain) in(text []byte) bool {
	last := len(c.names) - 1
	name := []byte(c.names[last])
	for from := 0; ; {
		i := bytes.Index(text[from:], name)
		if i < 0 {
			return false
		}
		at := from + i
		from = at + len(name)
		if !(at > 0 && ofWord(text[at-1])) && !(from < len(text) && ofWord(text[from])) && c.ends(text[:at]) {
			return true
		}
	}
}

// ends reports whether a text may end with a chain but for its last name.
func (c *chain) ends(text []byte) bool {
	for k := len(c.signs) - 1; k >= 0; k-- {
		for _, part := range []string{c.signs[k], c.names[k]} {
			rest, near := cut(text, part)
			if near || rest == nil {
				return near
			}
			text = rest
		}
	}
	return true
}

// cut takes a name or a sign from the end of a text, nil where another one stands there;
// near says that a comment may. In front of a name a word of the language may stand.
func cut(text []byte, part string) (rest []byte, near bool) {
	text, near = trim(text)
	isName := part == "" || ofWord(part[0])
	if !isName && len(text) > 0 && ofWord(text[len(text)-1]) && !near {
		text, near = trim(bytes.TrimRightFunc(text, func(r rune) bool { return r >= 0x80 || ofWord(byte(r)) }))
	}
	rest, ok := bytes.CutSuffix(text, []byte(part))
	if near || !ok || part != "" && isName && len(rest) > 0 && ofWord(rest[len(rest)-1]) {
		return nil, near
	}
	return rest, false
}

// trim takes blanks from the end of a text; comment says that one may stand in front of
// them: it ends there, or with the line.
func trim(text []byte) (rest []byte, comment bool) {
	rest = bytes.TrimRight(text, spaces)
	if bytes.HasSuffix(rest, []byte("*/")) || bytes.HasSuffix(rest, []byte("]]")) {
		return rest, true
	}
	if bytes.IndexByte(text[len(rest):], '\n') < 0 {
		return rest, false
	}
	line := rest[max(0, len(rest)-maxLine):]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	return rest, slices.ContainsFunc(comments, func(mark []byte) bool { return bytes.Contains(line, mark) })
}

// maxLine bounds what is looked at of a line, in bytes.
const maxLine = 400

// comments are how those begin that end with their line.
var comments = [][]byte{[]byte("//"), []byte("#"), []byte("--")}
