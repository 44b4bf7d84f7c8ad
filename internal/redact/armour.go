package redact

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/pattern"
)

// maxLine is the longest line of a key of many lines, in bytes.
const maxLine = 256

var (
	beginMark = []byte("-----BEGIN ")
	endMark   = []byte("-----END ")
	keyMark   = []byte("PRIVATE KEY")
)

// armour returns the parts of private keys in text[start:end]: on each of its
// lines what is of the body, so that the lines stay.
func armour(p *Part, start, end int) (found []Span) {
	text := p.Text
	if at := bytes.LastIndexByte(text[max(0, start-maxLine):start], '\n'); at >= 0 {
		start = max(0, start-maxLine) + at + 1
	}
	if mayContinue(text[start:min(len(text), max(end, start+maxLine))]) {
		found = p.continued(start, end)
	}
	for at := start; ; {
		i := bytes.Index(text[at:end], keyMark)
		if i < 0 {
			return found
		}
		at += i + len(keyMark)
		line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
		if b := bytes.LastIndex(line, beginMark); b >= 0 {
			found = append(found, body(text, at-len(line)+b)...)
		}
	}
}

// continued returns the parts of a key that begins before text[start:end].
func (p *Part) continued(start, end int) (found []Span) {
	from := max(0, start-maxKey)
	if start >= p.clear {
		from = max(from, p.clear-len(beginMark))
	}
	if i := lastIndex(p.Text[from:start], beginMark); i >= 0 {
		return body(p.Text, from+i)
	}
	p.clear = start
	if start >= maxKey || p.Before == nil {
		return nil
	}
	before := p.Before()
	text := slices.Concat(before, p.Text[:min(len(p.Text), end+maxKey)])
	i := lastIndex(text[:len(before)+start], beginMark)
	if i < 0 {
		return nil
	}
	found = body(text, i)
	for k := range found {
		found[k].Start, found[k].End = max(0, found[k].Start-len(before)), found[k].End-len(before)
	}
	return found
}

// lastIndex is bytes.LastIndex for what hardly ever occurs, which looking from the
// front tells much sooner.
func lastIndex(text, mark []byte) int {
	last := -1
	for from := 0; ; from = last + 1 {
		i := bytes.Index(text[from:], mark)
		if i < 0 {
			return last
		}
		last = from + i
	}
}

// mayContinue reports whether a text may begin inside of a key: its first line is
// a piece of base64, but for what surrounds it where a program or a setting holds
// it. A short piece is one only with what words do not have.
func mayContinue(text []byte) bool {
	i := 0
	for i < len(text) && around[text[i]] {
		i++
	}
	from, odd := i, false
	for i < len(text) && isBase64(text[i]) {
		odd = odd || classes[text[i]]&isLetter == 0
		i++
	}
	if n := i - from; n < minPiece || n < wholeLine && !odd {
		return false
	}
	for i < len(text) && text[i] != '\n' {
		if !around[text[i]] && strings.IndexByte(`.;)\nr`, text[i]) < 0 {
			return false
		}
		i++
	}
	return true
}

// around are the bytes that may stand round a piece of a key on its line.
var around = func() (set [256]bool) {
	for _, c := range []byte(" \t\r\"'`#*,|>-") {
		set[c] = true
	}
	return set
}()

// wholeLine is a length that a piece has and a word on a line of its own does not.
const wholeLine = 40

// minPiece is the shortest part of a key on a line of its own, in bytes.
const minPiece = 4

// body returns the parts of the key that begins its armour at a place of a text.
func body(text []byte, begin int) (found []Span) {
	key := text[begin:min(len(text), begin+maxKey)]
	dashes := bytes.Index(key[len(beginMark):min(len(key), 120)], []byte("-----"))
	if dashes < 0 || !bytes.Contains(key[:len(beginMark)+dashes], keyMark) {
		return nil
	}
	from := len(beginMark) + dashes + len("-----")
	if !filled().Match(key[from:min(len(key), from+600)]) {
		return nil // only spoken of
	}
	if to := bytes.Index(key[from:], endMark); to >= 0 {
		key = key[:from+to]
	}
	for from < len(key) {
		n := bytes.IndexByte(key[from:], '\n')
		line := key[from:]
		if n >= 0 {
			line = line[:n]
		}
		if !headerLine().Match(line) {
			found = appendPieces(found, line, begin+from)
		}
		from += len(line) + 1
	}
	return found
}

// filled is the beginning of a body: headers, and a line of base64, the ends of
// lines written as they are or as \n.
var filled = pattern.New(`\A(?:\s|\\r|\\n|\\|[|>"'+,#*/]|[A-Z][A-Za-z-]+: [^\n]*\n)*[A-Za-z0-9+/=]{24,}`)

// headerLine is a line such as "DEK-Info: AES-128-CBC,0123".
var headerLine = pattern.New(`^[\s"'#*+]*[A-Z][A-Za-z-]+: `)

// appendPieces appends the base64 of one line of a key, which stands at a place of the
// text. Pieces that only a written line end parts are one.
func appendPieces(found []Span, line []byte, at int) []Span {
	first := len(found)
	for i := 0; i < len(line); {
		switch {
		case line[i] == '\\':
			i += 2
		case isBase64(line[i]):
			from := i
			for i < len(line) && isBase64(line[i]) {
				i++
			}
			if n := len(found); n > first && isWrittenEnd(line[found[n-1].End-at:from]) {
				found[n-1].End = at + i
			} else if i-from >= minPiece {
				found = append(found, Span{at + from, at + i, keyRule})
			}
		default:
			i++
		}
	}
	return found
}

func isBase64(c byte) bool {
	return classes[c]&(isDigit|isLetter) != 0 || c == '+' || c == '/' || c == '='
}

// isWrittenEnd reports whether a text between two pieces is a written line end.
func isWrittenEnd(text []byte) bool {
	switch string(text) {
	case `\n`, `\r\n`, `\\n`, `\\r\\n`:
		return true
	}
	return false
}
