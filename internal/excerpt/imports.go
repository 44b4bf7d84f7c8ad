package excerpt

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// imports tells the lines of a text that take in or pass on names of other files, or say
// which package the file is of, in whatever language. A statement goes on up to its last
// bracket.
func imports(lines [][]byte) []bool {
	is, open := make([]bool, len(lines)), 0
	listed := false // the line before heads a list that this one begins
	for i, line := range lines {
		text := bytes.TrimSpace(line)
		switch {
		case len(text) == 0:
			continue
		case open > 0, listed:
			listed = false
		default:
			var next []byte
			if i+1 < len(lines) {
				next = bytes.TrimSpace(lines[i+1])
			}
			how, ok := importing(text, next)
			if !ok {
				continue
			}
			if is[i] = true; how == alone {
				continue
			}
			listed = how == listing && depth(text) == 0
		}
		is[i] = true
		open = max(open+depth(text), 0)
	}
	return is
}

// maxStatement is how many bytes of a statement Imports returns at most, but for its last line.
const maxStatement = 8 << 10

// Imports returns the statements of a text by which it takes in names of other files, each
// on one line.
func Imports(text []byte) (all []string) {
	lines, _ := splitLines(text)
	open := 0 // brackets of the last statement
	for i, is := range imports(lines) {
		line := string(bytes.TrimSpace(lines[i]))
		switch {
		case !is || line == "" || open == 0 && isHead(line):
			continue
		case open == 0:
			all = append(all, line)
		case len(all[len(all)-1]) < maxStatement:
			all[len(all)-1] += " " + line
		}
		open = max(open+depth(lines[i]), 0)
	}
	return all
}

// isHead reports whether a statement says what package or module its file is of.
func isHead(statement string) bool {
	switch word, _ := cutWord([]byte(statement)); string(word) {
	case "package", "namespace", "module":
		return true
	}
	return false
}

// form is how the statement of an import is written.
type form uint8

const (
	usual   form = iota // up to its last bracket
	alone               // what it opens is not of it
	listing             // the names that a module passes on may follow it in brackets
)

// maxNames is how many words a line of an import has at most that marks none of them: a
// longer one is prose.
const maxNames = 4

// importing reports whether a line begins an import, and how that is written. Next is the
// line after it.
func importing(text, next []byte) (form, bool) {
	word, rest := cutWord(text)
	switch string(word) {
	case "pub", "public", "extern", "global":
		if bytes.HasPrefix(rest, []byte("(")) {
			if i := bytes.IndexByte(rest, ')'); i >= 0 {
				rest = bytes.TrimSpace(rest[i+1:])
			}
		}
		inner, after := cutWord(rest)
		switch string(inner) {
		case "use", "import", "crate", "using":
			return usual, true
		case "mod":
			return usual, bytes.HasSuffix(after, []byte(";"))
		}
		return usual, false
	case "#include", "#import", "@import", "require_relative", "require_once", "include_once":
		return usual, true
	case "import", "use", "using":
		spaced := len(text) > len(word) && (text[len(word)] == ' ' || text[len(word)] == '"' || text[len(word)] == '\'' || text[len(word)] == '{')
		called := bytes.HasPrefix(rest, []byte("(")) && len(rest) > 1 || bytes.HasPrefix(rest, []byte("var ")) || bytes.Contains(rest, []byte(" = new "))
		return usual, spaced && !called && isStatement(text)
	case "from":
		return usual, bytes.Contains(rest, []byte(" import "))
	case "require", "include", "load":
		rest = bytes.TrimPrefix(rest, []byte("("))
		return usual, len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'')
	case "alias", "open":
		r, _ := utf8.DecodeRune(rest)
		return usual, unicode.IsUpper(r) && !bytes.ContainsAny(rest, "=(") && isStatement(text)
	case "mod":
		return usual, bytes.HasSuffix(rest, []byte(";"))
	case "package", "namespace":
		return alone, len(rest) > 0 && isStatement(text)
	case "module":
		return listing, bytes.HasPrefix(next, []byte("(")) || bytes.HasSuffix(rest, []byte("("))
	case "export":
		return usual, bytes.HasPrefix(rest, []byte("*")) || bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("type {"))
	case "const", "let", "var", "local":
		_, value, found := bytes.Cut(rest, []byte("= require"))
		return usual, found && len(value) > 1 && (value[0] == '(' || value[0] == ' ' || value[0] == '"' || value[0] == '\'')
	}
	return usual, false
}

// isStatement reports whether a line that begins like an import is none of prose.
func isStatement(text []byte) bool {
	return bytes.ContainsAny(text, ";{\"'") || len(bytes.Fields(text)) <= maxNames
}

// cutWord returns the word that a text begins with, and what follows it without blanks.
func cutWord(text []byte) (word, rest []byte) {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n] == '#' || text[n] == '@' || 'a' <= text[n] && text[n] <= 'z') {
		n++
	}
	rest = bytes.TrimSpace(text[n:])
	if n == 1 && text[0] == '#' { // # include
		inner, after := cutWord(rest)
		if string(inner) == "include" {
			return []byte("#include"), after
		}
	}
	return text[:n], rest
}

// depth returns how many brackets a line opens more than it closes.
func depth(text []byte) (n int) {
	for _, c := range text {
		switch c {
		case '(', '{':
			n++
		case ')', '}':
			n--
		}
	}
	return n
}

// Beside returns the part of what a chunk says of the query, by weight, that it says beside
// its imports, and beside the notice of copyright at its top unless a line of that tells
// most: 1 where it says nothing at all.
func (c *Chunk) Beside() float64 {
	head := notice(c.lines)
	if head == 0 && !slices.Contains(c.taken, true) {
		return 1
	}
	var own, noted, passed uint64
	most := [2]float64{} // of a line, beside the notice and of it
	for i, set := range c.terms() {
		switch {
		case c.taken[i]:
			passed |= set
		case i < head:
			noted |= set
			most[1] = max(most[1], c.highlighter.weigh(set))
		default:
			own |= set
			most[0] = max(most[0], c.highlighter.weigh(set))
		}
	}
	if most[1] > most[0] {
		own |= noted
	}
	all := c.highlighter.weigh(own | noted | passed)
	if all == 0 {
		return 1
	}
	return c.highlighter.weigh(own) / all
}
