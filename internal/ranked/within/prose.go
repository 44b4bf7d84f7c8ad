package within

import (
	"bytes"

	"espy/internal/lang"
)

// timesProse is how often a word counts that is told about the code, in a comment or in
// the documentation of a function: texts of neighbours say much the same.
const timesProse = 0.1

// documented are the languages in which a literal that begins a line documents what it
// stands in.
var documented = map[string]bool{"elixir": true, "julia": true, "python": true}

// prose tells lines of comments and of documentation from those of code, one after the
// other.
type prose struct {
	lines  []string    // openers of a comment that ends with its line
	blocks [][2]string // opener and closer
	quotes bool        // literals document

	until []byte // closer of what is open, nil for nothing
	code  bool   // that is a literal of the code
}

// newProse returns one for a language, of whose comments nothing may be known.
func newProse(language string) *prose {
	l, ok := lang.ByName(language)
	if !ok {
		return &prose{}
	}
	return &prose{lines: l.LineComments, blocks: l.BlockComments, quotes: documented[l.Name]}
}

// begin forgets what is open: a definition begins.
func (p *prose) begin() { p.until = nil }

// has reports whether the next line is prose. A comment behind code is none.
func (p *prose) has(line []byte) bool {
	line = bytes.TrimSpace(line)
	if p.until != nil {
		code := p.code
		if i := bytes.Index(line, p.until); i >= 0 {
			rest := line[i+len(p.until):]
			p.until = nil
			p.quoted(rest)
		}
		return !code
	}
	for _, b := range p.blocks {
		if rest, ok := bytes.CutPrefix(line, []byte(b[0])); ok {
			if !bytes.Contains(rest, []byte(b[1])) {
				p.until, p.code = []byte(b[1]), false
			}
			return true
		}
	}
	for _, opener := range p.lines {
		if bytes.HasPrefix(line, []byte(opener)) {
			return true
		}
	}
	return p.quoted(line)
}

// quoted reports whether a line begins with a literal of several lines that documents. It
// notes what stays open.
func (p *prose) quoted(line []byte) (documents bool) {
	at, quote := firstOf(line)
	documents = at >= 0 && p.quotes && (len(bytes.TrimLeft(line[:at], "rRuU")) == 0 || line[0] == '@')
	for first := true; at >= 0; first = false {
		line = line[at+len(quote):]
		end := bytes.Index(line, quote)
		if end < 0 {
			p.until, p.code = quote, !documents || !first
			return documents
		}
		line = line[end+len(quote):]
		at, quote = firstOf(line)
	}
	return documents
}

// firstOf returns where the first literal of several lines begins, -1 for none, and its
// quote.
func firstOf(line []byte) (at int, quote []byte) {
	at = -1
	for _, q := range []string{`"""`, "'''"} {
		if i := bytes.Index(line, []byte(q)); i >= 0 && (at < 0 || i < at) {
			at, quote = i, []byte(q)
		}
	}
	return at, quote
}
