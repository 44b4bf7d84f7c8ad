package tree

import (
	"strings"
)

// markup reads a text of tags one piece after another: HTML, and the components
// of Vue and Svelte. It takes any text, in time that grows with its length.
type markup struct {
	src        string
	at         int
	open, shut string // what stands around an expression in the text; empty where there are none
	unclosed   int    // expressions without an end met so far
	tagAt      int    // where nextTag found one last
}

// piece is a tag or an expression.
type piece struct {
	kind       pieceKind
	span       span   // the whole tag; of an expression what stands inside
	name       string // of a tag
	nameAt     uint32
	attributes []attribute
	closed     bool // <a/>
	body       span // of a script or a style: its text
}

type pieceKind uint8

const (
	pieceOpening pieceKind = iota
	pieceClosing
	pieceExpression
)

// attribute is one of a tag. A value in braces has no name where the braces
// stand alone.
type attribute struct {
	name   string
	nameAt uint32
	value  span // without quotes or braces
	has    bool // a value
	braced bool // the value stood in braces
}

// maxUnclosedPieces bounds how often the end of an expression is looked for in vain.
const maxUnclosedPieces = 16

// next returns the next piece; ok is false at the end.
func (m *markup) next() (p piece, ok bool) {
	for m.at < len(m.src) {
		tag := m.nextTag()
		if m.open != "" && m.unclosed < maxUnclosedPieces {
			if e := strings.Index(m.src[m.at:tag], m.open); e >= 0 {
				m.at += e
				if p, ok := m.expression(); ok {
					return p, true
				}
				continue
			}
		}
		if m.at = tag; tag == len(m.src) {
			break
		}
		if p, ok := m.tag(); ok {
			return p, true
		}
	}
	return piece{}, false
}

// nextTag is the place of the next "<", or the end of the text. It is looked for
// once, however many expressions stand before it.
func (m *markup) nextTag() int {
	if m.tagAt >= m.at && (m.tagAt == len(m.src) || m.src[m.tagAt] == '<') {
		return m.tagAt
	}
	m.tagAt = len(m.src)
	if n := strings.IndexByte(m.src[m.at:], '<'); n >= 0 {
		m.tagAt = m.at + n
	}
	return m.tagAt
}

// expression reads the expression that opens here.
func (m *markup) expression() (piece, bool) {
	start := m.at + len(m.open)
	end := m.close(m.at)
	if end < 0 {
		m.unclosed++
		m.at = start
		return piece{}, false
	}
	m.at = end
	return piece{kind: pieceExpression, span: span{uint32(start), uint32(end - len(m.shut))}}, true
}

// close is the place behind the expression that opens at byte i, or -1.
func (m *markup) close(i int) int {
	if m.open == "{{" {
		n := strings.Index(m.src[i:], m.shut)
		if n < 0 || strings.Contains(m.src[i:i+n], "</") {
			return -1
		}
		return i + n + len(m.shut)
	}
	return closeBraces(m.src, i)
}

// closeBraces is the place behind the brace that closes the one at byte i, or -1.
// Braces in texts do not count.
func closeBraces(src string, i int) int {
	depth := 0
	for ; i < len(src); i++ {
		switch b := src[i]; b {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\'', '"', '`':
			i = closeQuote(src, i)
		}
	}
	return -1
}

// closeQuote is the place of the quote that closes the one at byte i. That of ' and "
// stands on the same line; without one the quote stands alone.
func closeQuote(src string, i int) int {
	for p := i + 1; p < len(src); p++ {
		switch b := src[p]; {
		case b == '\\':
			p++
		case b == src[i]:
			return p
		case b == '\n' && src[i] != '`':
			return i
		}
	}
	return i
}

// tag reads the tag that begins here, and skips comments and declarations.
func (m *markup) tag() (piece, bool) {
	rest := m.src[m.at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		m.skip("-->")
	case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
		m.skip(">")
	case len(rest) > 2 && rest[1] == '/' && isLetter(rest[2]):
		p := piece{kind: pieceClosing, nameAt: uint32(m.at + 2)}
		p.name = tagName(rest[2:])
		start := m.at
		m.skip(">")
		p.span = span{uint32(start), uint32(m.at)}
		return p, true
	case len(rest) > 1 && isLetter(rest[1]):
		return m.opening(), true
	default:
		m.at++
	}
	return piece{}, false
}

// skip goes behind the next end, or to the end of the text.
func (m *markup) skip(end string) {
	if n := strings.Index(m.src[m.at:], end); n >= 0 {
		m.at += n + len(end)
		return
	}
	m.at = len(m.src)
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isMarkupBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' }

// tagName is the name that a text begins with.
func tagName(s string) string {
	if n := strings.IndexAny(s, " \t\r\n\f/><={"); n >= 0 {
		return s[:n]
	}
	return s
}

// opening reads an opening tag, and of a script or a style what it holds.
func (m *markup) opening() piece {
	start := m.at
	p := piece{kind: pieceOpening, name: tagName(m.src[m.at+1:]), nameAt: uint32(m.at + 1)}
	m.at += 1 + len(p.name)
	for m.at < len(m.src) {
		switch b := m.src[m.at]; {
		case isMarkupBlank(b):
			m.at++
		case b == '>':
			m.at++
			p.span = span{uint32(start), uint32(m.at)}
			m.raw(&p)
			return p
		case b == '/':
			m.at++
			p.closed = m.at < len(m.src) && m.src[m.at] == '>'
		default:
			p.attributes = append(p.attributes, m.attribute())
		}
	}
	p.span = span{uint32(start), uint32(m.at)}
	return p
}

// raw reads what a script or a style holds, which is no markup.
func (m *markup) raw(p *piece) {
	if p.closed || p.name != "script" && p.name != "style" {
		return
	}
	end := m.at
	for {
		n := strings.Index(m.src[end:], "</")
		if n < 0 {
			end = len(m.src)
			break
		}
		if end += n; strings.EqualFold(tagName(m.src[end+2:min(end+2+len(p.name)+1, len(m.src))]), p.name) {
			break
		}
		end += 2
	}
	p.body = span{uint32(m.at), uint32(end)}
	m.at = end
}

func (m *markup) attribute() attribute {
	a := attribute{nameAt: uint32(m.at)}
	if m.open == "{" && m.src[m.at] == '{' {
		m.braced(&a)
		return a
	}
	start := m.at
	for m.at < len(m.src) && !isMarkupBlank(m.src[m.at]) && m.src[m.at] != '=' && m.src[m.at] != '>' && m.src[m.at] != '/' {
		m.at++
	}
	a.name = m.src[start:m.at]
	if m.at == start || m.at >= len(m.src) || m.src[m.at] != '=' {
		if m.at == start {
			m.at++ // a sign that begins no name
		}
		return a
	}
	m.at++
	m.value(&a)
	return a
}

// value reads the value of an attribute from here.
func (m *markup) value(a *attribute) {
	for m.at < len(m.src) && isMarkupBlank(m.src[m.at]) {
		m.at++
	}
	if m.at >= len(m.src) {
		return
	}
	a.has = true
	switch b := m.src[m.at]; {
	case b == '"' || b == '\'':
		start := m.at + 1
		end := m.quoted(start, b)
		a.value = span{uint32(start), uint32(end)}
		m.at = min(end+1, len(m.src))
	case b == '{' && m.open == "{":
		m.braced(a)
	default:
		start := m.at
		for m.at < len(m.src) && !isMarkupBlank(m.src[m.at]) && m.src[m.at] != '>' {
			m.at++
		}
		a.value = span{uint32(start), uint32(m.at)}
	}
}

// quoted is the place of the quote that ends a value. Of Svelte it may hold
// expressions with quotes.
func (m *markup) quoted(start int, quote byte) int {
	for i := start; i < len(m.src); i++ {
		switch {
		case m.src[i] == quote:
			return i
		case m.src[i] == '{' && m.open == "{" && m.unclosed < maxUnclosedPieces:
			if end := closeBraces(m.src, i); end > 0 {
				i = end - 1
			} else {
				m.unclosed++
			}
		}
	}
	return len(m.src)
}

// braced reads a value in braces.
func (m *markup) braced(a *attribute) {
	start := m.at
	end := -1
	if m.unclosed < maxUnclosedPieces {
		end = closeBraces(m.src, start)
	}
	if end < 0 {
		m.unclosed++
		m.at++
		return
	}
	a.has, a.braced, a.value = true, true, span{uint32(start + 1), uint32(end - 1)}
	m.at = end
}

// attributeOf returns the attribute of a name.
func (p *piece) attributeOf(name string) (attribute, bool) {
	for _, a := range p.attributes {
		if a.name == name {
			return a, true
		}
	}
	return attribute{}, false
}

// isScript reports whether a tag holds a script in JavaScript or TypeScript.
func (p *piece) isScript(src string) bool {
	if p.kind != pieceOpening || p.name != "script" || p.body.end <= p.body.start {
		return false
	}
	a, ok := p.attributeOf("type")
	if !ok || a.value.end <= a.value.start {
		return true
	}
	switch kind := strings.ToLower(src[a.value.start:a.value.end]); kind {
	case "module", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript", "text/babel", "text/typescript", "application/x-javascript":
		return true
	}
	return false
}

// onlyScripts returns a copy of a text of tags in which only the scripts stand:
// all else is blank, except for the ends of the lines.
func onlyScripts(text []byte) []byte {
	out := make([]byte, len(text))
	for i, b := range text {
		out[i] = ' '
		if b == '\n' || b == '\r' {
			out[i] = b
		}
	}
	m := markup{src: string(text)}
	for p, ok := m.next(); ok; p, ok = m.next() {
		if p.isScript(m.src) {
			copy(out[p.body.start:p.body.end], text[p.body.start:p.body.end])
		}
	}
	return out
}

// scriptsPrepare leaves the scripts of a component, as tsPrepare leaves them.
func scriptsPrepare(text []byte) []byte { return tsPrepare(onlyScripts(text)) }
