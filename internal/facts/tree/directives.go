package tree

import "bytes"

// lineReader goes through a text whose lines of the preprocessor begin with a hash sign.
type lineReader struct {
	text []byte
	at   int
}

// next is the byte behind the one at hand, 0 at the end.
func (r *lineReader) next() byte {
	if r.at+1 < len(r.text) {
		return r.text[r.at+1]
	}
	return 0
}

// find returns where a text stands from a byte on, else the end.
func (r *lineReader) find(what string, from int) int {
	if from < len(r.text) {
		if i := bytes.Index(r.text[from:], []byte(what)); i >= 0 {
			return from + i
		}
	}
	return len(r.text)
}

// isDirective reports whether a directive begins here.
func (r *lineReader) isDirective() bool {
	return r.text[r.at] == '#' && startsLine(r.text, r.at)
}

// comment passes the comment that begins here, and reports whether one does.
func (r *lineReader) comment() bool {
	if r.text[r.at] != '/' {
		return false
	}
	switch r.next() {
	case '/':
		r.at = r.find("\n", r.at)
		return true
	case '*':
		r.at = r.find("*/", r.at+2) + 2
		return true
	}
	return false
}

// byteOrderMark is what some editors begin a text with.
var byteOrderMark = []byte("\uFEFF")

// startsLine reports whether only blanks stand before a byte on its line.
func startsLine(text []byte, at int) bool {
	from := 0
	if bytes.HasPrefix(text, byteOrderMark) {
		from = len(byteOrderMark)
	}
	for at--; at >= from && text[at] != '\n'; at-- {
		if text[at] != ' ' && text[at] != '\t' && text[at] != '\r' {
			return false
		}
	}
	return true
}
