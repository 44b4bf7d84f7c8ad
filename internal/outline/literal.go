package outline

import (
	"bytes"
	"slices"
)

// Comments and literals are skipped. Each function here is an action or part of
// one: it takes the place of the first byte and returns the place after the
// last. A literal without an end is skipped to the end of its line only: its
// first quote was probably not one.

// lineComment skips the rest of the line.
func lineComment(s *scanner, i int) int {
	s.markComment(i)
	return s.lineEnd(i)
}

// slash handles // and /* comments.
func slash(s *scanner, i int) int {
	if i+1 < len(s.text) {
		switch s.text[i+1] {
		case '/':
			return lineComment(s, i)
		case '*':
			return s.blockComment(i, "*/")
		}
	}
	return i + 1
}

// nestedSlash handles // and /* comments where the latter nest.
var nestedSlash = nestedOr("/*", "*/", slash)

// nestedOr returns an action for comments that nest. What does not open one is left to
// another action, nil for code.
func nestedOr(open, end string, other action) action {
	return func(s *scanner, i int) int {
		switch {
		case bytes.HasPrefix(s.text[i:], []byte(open)):
			return s.nestedComment(i, open, end)
		case other != nil:
			return other(s, i)
		}
		return i + 1
	}
}

// slashes handles // comments.
func slashes(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '/' {
		return lineComment(s, i)
	}
	return i + 1
}

// blockComment skips the comment that opens with two bytes at i.
func (s *scanner) blockComment(i int, end string) int {
	s.markComment(i)
	n := s.find(i+2, end)
	if n < 0 {
		return s.lineEnd(i)
	}
	return s.pass(i, n+len(end), insideLine|attachedLine)
}

// find returns the place of end at or after i, or -1 when there is none.
func (s *scanner) find(i int, end string) int {
	if s.unclosed >= maxUnclosed || i > len(s.text) {
		return -1
	}
	n := bytes.Index(s.text[i:], []byte(end))
	if n < 0 {
		s.unclosed++
		return -1
	}
	return i + n
}

// nestedComment skips a comment that may hold others.
func (s *scanner) nestedComment(i int, open, end string) int {
	s.markComment(i)
	if s.unclosed >= maxUnclosed {
		return s.lineEnd(i)
	}
	depth, p := 1, i+len(open)
	for depth > 0 {
		n := bytes.IndexByte(s.text[p:], end[len(end)-1])
		if n < 0 {
			s.unclosed++
			return s.lineEnd(i)
		}
		// Count the openers up to this possible end.
		q := p + n
		depth += bytes.Count(s.text[p:q], []byte(open))
		if q > p && s.text[q-1] == end[0] {
			depth--
		}
		p = q + 1
	}
	return s.pass(i, p, insideLine|attachedLine)
}

// quote skips a literal with backslash escapes that ends on its line, or
// goes on after a backslash at the end of a line.
func quote(s *scanner, i int) int {
	q := s.text[i]
	for p := i + 1; p < len(s.text); p++ {
		switch s.text[p] {
		case q:
			return p + 1
		case '\n':
			return p
		case '\\':
			if p++; p < len(s.text) && s.text[p] == '\n' {
				s.addLine(p+1, insideLine)
			}
		}
	}
	return len(s.text)
}

// longQuote skips a literal with backslash escapes that may span lines.
func longQuote(s *scanner, i int) int {
	return s.toQuote(i, s.text[i], true)
}

// rawQuote skips a literal without escapes that may span lines.
func rawQuote(s *scanner, i int) int {
	return s.toQuote(i, s.text[i], false)
}

// toQuote skips the literal that starts at i and ends at the next q.
func (s *scanner) toQuote(i int, q byte, escapes bool) int {
	lines := false
	for p := i + 1; p < len(s.text); p++ {
		switch s.text[p] {
		case q:
			if lines && s.hasStray(i, p) {
				return s.lineEnd(i)
			}
			if !lines {
				return p + 1
			}
			return s.pass(i, p+1, insideLine)
		case '\n':
			if lines = true; s.unclosed >= maxUnclosed {
				return p
			}
		case '\\':
			if escapes {
				if p++; p < len(s.text) && s.text[p] == '\n' {
					lines = true
				}
			}
		}
	}
	s.unclosed++
	return s.lineEnd(i)
}

// hasStray reports whether a line between i and end looks like code, such as a
// definition. Then the quote at i did not open a literal.
func (s *scanner) hasStray(i, end int) bool {
	if s.syntax.stray == nil {
		return false
	}
	for {
		n := bytes.IndexByte(s.text[i:end], '\n')
		if n < 0 {
			return false
		}
		i += n + 1
		if s.syntax.stray(s.text[i:s.lookEnd(i)]) {
			s.unclosed++
			return true
		}
	}
}

// charQuote handles the ' of a character. Between digits it only separates them (C++).
func charQuote(s *scanner, i int) int {
	if i > 0 && i+1 < len(s.text) && isDigit(s.text[i-1]) && letter[s.text[i+1]] != 0 {
		return i + 1
	}
	return quote(s, i)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// triple handles """ literals and plain " ones. With escapes, a backslash escapes
// within """ too.
func triple(s *scanner, i int, escapes bool) int {
	if !s.opensTriple(i) {
		return quote(s, i)
	}
	return s.toTriple(i, i+3, s.text[i], escapes)
}

// opensTriple reports whether the quote at i is the first of three.
func (s *scanner) opensTriple(i int) bool {
	return i+2 < len(s.text) && s.text[i+1] == s.text[i] && s.text[i+2] == s.text[i]
}

// longTriple handles triple quotes and plain ones, both over several lines.
func longTriple(s *scanner, i int) int {
	if s.opensTriple(i) {
		return s.toTriple(i, i+3, s.text[i], true)
	}
	return longQuote(s, i)
}

// character skips the sign at i and the character that it quotes: ?x, $x, ?\n.
func character(s *scanner, i int) int {
	if i+2 < len(s.text) && s.text[i+1] == '\\' && s.text[i+2] != '\n' {
		return i + 3
	}
	if i+1 < len(s.text) && s.text[i+1] != '\n' {
		return i + 2
	}
	return i + 1
}

// endsAt returns an action for words that end the code, alone on their line.
func endsAt(words ...string) action {
	return func(s *scanner, i int) int {
		if i == int(s.current().start) && slices.Contains(words, string(bytes.TrimRight(s.text[i:s.lookEnd(i)], " \t\r"))) {
			return s.pass(i, len(s.text), insideLine)
		}
		return i + 1
	}
}

// toTriple skips the literal of i whose text starts at p and that ends with three q.
func (s *scanner) toTriple(i, p int, q byte, escapes bool) int {
	if s.unclosed >= maxUnclosed {
		return s.lineEnd(i)
	}
	for p < len(s.text) {
		n := bytes.IndexByte(s.text[p:], q)
		if n < 0 {
			break
		}
		from := p
		p += n + 1
		if escapes && escaped(s.text[from:p-1]) {
			continue
		}
		if p+1 < len(s.text) && s.text[p] == q && s.text[p+1] == q {
			for p += 2; p < len(s.text) && s.text[p] == q; p++ { // """" ends with a quote of its own
			}
			return s.pass(i, p, insideLine)
		}
	}
	s.unclosed++
	return s.lineEnd(i)
}

// escaped reports whether b ends with an odd number of backslashes.
func escaped(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// tripleRaw is an action: " and """ without escapes in the latter (Kotlin, Scala).
func tripleRaw(s *scanner, i int) int { return triple(s, i, false) }

// tripleEscaped is an action: " and """ (Python, Java, Swift, Elixir).
func tripleEscaped(s *scanner, i int) int { return triple(s, i, true) }

// hashes handles " after # signs (Swift) or after r and # signs (Rust): the
// literal ends at a quote with as many # signs. It returns -1 when there are none.
func (s *scanner) hashes(i int) int {
	n := 0
	for n < i && s.text[i-1-n] == '#' {
		n++
	}
	if n == 0 || n > 16 {
		return -1
	}
	end := make([]byte, 0, 20)
	end = append(end, '"')
	for range n {
		end = append(end, '#')
	}
	p := s.find(i+1, string(end))
	if p < 0 {
		return s.lineEnd(i)
	}
	return s.pass(i, p+len(end), insideLine)
}

// tick tells the quote of a character from the mark of a lifetime (Rust) or a symbol (Scala).
func tick(s *scanner, i int) int {
	t := s.text[i+1:]
	switch {
	case len(t) > 1 && t[0] == '\\':
		return quote(s, i)
	case len(t) > 1 && t[1] == '\'' && t[0] != '\n':
		return i + 3
	case len(t) > 0 && t[0] >= 0x80:
		t = t[:min(len(t), 5)] // at most one rune
		if n := bytes.IndexByte(t, '\''); n > 0 && bytes.IndexByte(t[:n], '\n') < 0 {
			return i + n + 2
		}
	}
	return i + 1
}

// delimited skips the literal of i whose opening delimiter is at p.
func (s *scanner) delimited(i, p int) int {
	if s.unclosed >= maxUnclosed {
		return i + 1
	}
	open, end := s.text[p], s.text[p]
	switch open {
	case '(':
		end = ')'
	case '[':
		end = ']'
	case '{':
		end = '}'
	case '<':
		end = '>'
	}
	depth := 1
	for q := p + 1; q < len(s.text); q++ {
		switch b := s.text[q]; {
		case b == '\\':
			q++
		case b == end:
			if depth--; depth == 0 {
				return s.pass(i, q+1, insideLine)
			}
		case b == open:
			depth++
		}
	}
	s.unclosed++
	return s.lineEnd(i)
}

// valueMayBegin reports whether a value may follow the code before i.
func (s *scanner) valueMayBegin(i int) bool {
	p := i - 1
	for p >= 0 && (isBlank(s.text[p]) || s.text[p] == '\n') && i-p < maxLook {
		p--
	}
	if p < 0 {
		return true
	}
	switch s.text[p] {
	case '(', ',', '=', ':', '[', '!', '&', '|', '?', '{', ';', '+', '-', '*', '%', '~', '^':
		return true
	case '>':
		return p > 0 && s.text[p-1] == '='
	}
	return s.endsWithKeyword(p)
}

// endsWithKeyword reports whether the word that ends at p is a keyword before a value.
func (s *scanner) endsWithKeyword(p int) bool {
	start := p
	for start >= 0 && letter[s.text[start]] != 0 && p-start < 12 {
		start--
	}
	switch string(s.text[start+1 : p+1]) {
	case "return", "typeof", "case", "in", "of", "void", "delete", "throw", "new", "else", "do", "yield", "await", "default",
		"when", "if", "unless", "and", "or", "not", "while", "until", "then", "elsif": // the latter are Ruby's
		return true
	}
	return false
}
