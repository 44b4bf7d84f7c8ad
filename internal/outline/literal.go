package outline

import "bytes"

// This file passes over comments and literals. Each function is an action or
// serves one: it takes the place of the first byte and returns the place after
// the last. A literal that may span lines and has no end is passed over to the
// end of its line only, since its first quote was probably not one.

// lineComment passes over the rest of the line.
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
func nestedSlash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '*' {
		return s.nestedComment(i, "/*", "*/")
	}
	return slash(s, i)
}

// blockComment passes over the comment that opens with two bytes at i.
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

// nestedComment passes over a comment that may hold others.
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

// quote passes over a literal with backslash escapes that ends on its line, or
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

// longQuote passes over a literal with backslash escapes that may span lines.
func longQuote(s *scanner, i int) int {
	return s.toQuote(i, s.text[i], true)
}

// rawQuote passes over a literal without escapes that may span lines.
func rawQuote(s *scanner, i int) int {
	return s.toQuote(i, s.text[i], false)
}

// toQuote passes over the literal that starts at i and ends at the next q.
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

// hasStray reports whether a line between i and end is one that literals do
// not hold, such as a definition: the quote at i then was none.
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

// charQuote handles ' where it opens a character: in C, Java, Go, Zig. Between
// letters or digits it separates digits (C++).
func charQuote(s *scanner, i int) int {
	if i > 0 && i+1 < len(s.text) && isDigit(s.text[i-1]) && letter[s.text[i+1]] != 0 {
		return i + 1
	}
	return quote(s, i)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// triple handles """ literals beside plain " ones; escapes say whether a
// backslash escapes within the former.
func triple(s *scanner, i int, escapes bool) int {
	q := s.text[i]
	if i+2 >= len(s.text) || s.text[i+1] != q || s.text[i+2] != q {
		return quote(s, i)
	}
	return s.toTriple(i, i+3, q, escapes)
}

// toTriple passes over the literal of i whose text starts at p and that ends with three q.
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

// heredoc is a text that starts after the current line and ends at a line that is its word.
type heredoc struct {
	word     []byte
	indented bool // the end may be indented
	loose    bool // the end may be followed by code (PHP)
}

// maxHeredocs is how many may start on one line.
const maxHeredocs = 8

// heredocAt handles << in shell, Ruby, PHP and Perl. Flags are the bytes that may
// stand before the word, such as - and ~. It returns -1 where no heredoc starts.
func (s *scanner) heredocAt(i int, flags string, bare, loose bool) int {
	p := i + 2
	h := heredoc{loose: loose, indented: loose}
	for p < len(s.text) && bytes.IndexByte([]byte(flags), s.text[p]) >= 0 {
		h.indented = h.indented || s.text[p] == '-' || s.text[p] == '~'
		p++
	}
	if !h.indented && !bare && (p >= len(s.text) || s.text[p] != '\'' && s.text[p] != '"' && !isUpper(s.text[p])) {
		return -1
	}
	c := cursor{s.text, p, s.lookEnd(min(p, len(s.text)))}
	switch q := c.peek(); q {
	case '\'', '"', '`':
		h.word = c.quoted(q)
	case '\\':
		c.i++
		h.word = c.word()
	default:
		h.word = c.word()
	}
	if len(h.word) == 0 || len(s.heredocs) >= maxHeredocs {
		return -1
	}
	s.heredocs = append(s.heredocs, h)
	return c.i
}

// passHeredocs passes over the heredocs that start at the line of i, and begins the line after them.
func (s *scanner) passHeredocs(i int) int {
	for _, h := range s.heredocs {
		end := s.heredocEnd(i, h)
		if end < 0 {
			continue
		}
		s.addLine(i, insideLine)
		i = s.pass(i, end, insideLine)
		if h.loose { // code goes on after the word
			s.heredocs = s.heredocs[:0]
			return i
		}
		if i < len(s.text) {
			i++ // the line end
		}
	}
	s.heredocs = s.heredocs[:0]
	s.beginLine(i)
	return i
}

// heredocEnd is the place after the word that ends h, or -1 when there is none.
func (s *scanner) heredocEnd(i int, h heredoc) int {
	if s.unclosed >= maxUnclosed {
		return -1
	}
	for i < len(s.text) {
		p, end := i, s.lineEnd(i)
		if h.indented {
			for p < end && isBlank(s.text[p]) {
				p++
			}
		}
		if bytes.HasPrefix(s.text[p:end], h.word) {
			after := p + len(h.word)
			if tail := bytes.TrimRight(s.text[after:end], " \t\r"); len(tail) == 0 || h.loose && letter[tail[0]] == 0 {
				if h.loose {
					return after
				}
				return end
			}
		}
		i = end + 1
	}
	s.unclosed++
	return -1
}
