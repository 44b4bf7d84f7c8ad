package outline

import (
	"bytes"

	"espy/internal/code"
)

// This file holds prose and data: headings of Markdown, reStructuredText and
// AsciiDoc, and the sections and outermost keys of configuration files.

func init() {
	none := actions(nil)
	syntaxes["markdown"] = &syntax{line: markdownLine, act: none}
	syntaxes["rst"] = &syntax{line: rstLine, act: none}
	syntaxes["asciidoc"] = &syntax{line: asciidocLine, act: none}
	syntaxes["yaml"] = &syntax{line: yamlLine, act: actions(map[string]action{"#": startComment})}
	syntaxes["toml"] = &syntax{line: sectionLine, act: actions(map[string]action{"#": startComment, "\"'": tripleEscaped, "[": openParen, "]": closeParen})}
	syntaxes["ini"] = &syntax{line: sectionLine, act: actions(map[string]action{"#;": startComment})}
	syntaxes["terraform"] = &syntax{line: terraformLine, act: actions(map[string]action{"#": startComment, "/": slash, "\"": quote, "<": terraformLess,
		"{": openBrace, "}": closeBrace, "([": openParen, ")]": closeParen})}
	syntaxes["json"] = &syntax{line: jsonLine, act: actions(map[string]action{"\"": quote, "{[": openParen, "}]": closeParen, "/": slash}), everywhere: true}
}

// startComment handles comments that stand first on their line.
func startComment(s *scanner, i int) int {
	if i == s.first {
		return lineComment(s, i)
	}
	return i + 1
}

// key adds a KindKey definition, of which a file has MaxKeys at most.
func (s *scanner) key(start, end int) {
	if s.keys < MaxKeys && end > start {
		s.keys++
		s.define(code.KindKey, start, end)
	}
}

// heading adds a heading without the blanks round it.
func (s *scanner) heading(start, end, at int) {
	for end > start && (isBlank(s.text[end-1])) {
		end--
	}
	for start < end && isBlank(s.text[start]) {
		start++
	}
	s.defineAt(code.KindHeading, start, end, at, at)
}

// markdownLine finds # headings, and headings underlined with = or -. Fenced
// code is passed over.
func markdownLine(s *scanner) {
	c := s.cursor()
	if s.guard[1] > 0 { // within a fence
		if c.peek() == byte(s.guard[0]) && markdownFence(&c) >= s.guard[1] && len(bytes.TrimSpace(c.rest())) == 0 {
			s.guard = [2]int{}
		}
		s.current().flags |= insideLine
		return
	}
	switch b := c.peek(); b {
	case '`', '~':
		if n := markdownFence(&c); n >= 3 && bytes.IndexByte(c.rest(), '`') < 0 {
			s.guard = [2]int{int(b), n}
		}
	case '#':
		for c.take('#') {
		}
		if c.i-s.first <= 6 && c.skip() {
			end := c.end
			for end > c.i && (isBlank(s.text[end-1]) || s.text[end-1] == '#') {
				end--
			}
			s.heading(c.i, end, len(s.lines)-1)
		}
	case '=', '-':
		s.underlined(b == '=' || c.i+2 < c.end)
	}
}

// markdownFence counts the fence characters at the cursor.
func markdownFence(c *cursor) int {
	b, start := c.peek(), c.i
	for c.peek() == b && c.i < c.end {
		c.i++
	}
	return c.i - start
}

// underlined takes the line above as a heading when the current line is
// nothing but one character and ok holds.
func (s *scanner) underlined(ok bool) {
	n := len(s.lines) - 1
	if !ok || n == 0 || s.lines[n-1].flags&(blankLine|insideLine|startLine) != 0 {
		return
	}
	c := s.cursor()
	markdownFence(&c)
	if c.skip(); c.i < c.end {
		return
	}
	above := cursor{s.text, int(s.lines[n-1].start), int(s.lines[n].start) - 1}
	if above.skip(); isBullet(above.peek()) || above.end-above.i > MaxNameBytes {
		return
	}
	s.heading(above.i, above.end, n-1)
}

// isBullet reports whether a line that starts with b is a list, a quotation or a table rather than a heading.
func isBullet(b byte) bool { return bytes.IndexByte([]byte("-*+>|=#"), b) >= 0 }

// rstLine finds titles underlined with punctuation.
func rstLine(s *scanner) {
	c := s.cursor()
	if b := c.peek(); bytes.IndexByte([]byte("=-~^\"'`#*+.:_"), b) < 0 || s.column() > 0 {
		return
	}
	width := markdownFence(&c)
	n := len(s.lines) - 1
	if width < 3 || n == 0 {
		return
	}
	title := bytes.TrimRight(s.text[s.lines[n-1].start:s.lines[n].start], " \t\r\n")
	s.underlined(len(title) > 0 && len(title) <= width && !isBlank(title[0]))
}

// asciidocLine finds == headings.
func asciidocLine(s *scanner) {
	c := s.cursor()
	for c.take('=') {
	}
	if n := c.i - s.first; n >= 1 && n <= 6 && s.column() == 0 && c.skip() {
		s.heading(c.i, c.end, len(s.lines)-1)
	}
}

// yamlLine finds the outermost keys. Lines of block scalars are indented.
func yamlLine(s *scanner) {
	if s.column() > 0 || s.keys >= MaxKeys {
		return
	}
	c := s.cursor()
	start := c.i
	var end int
	if q := c.peek(); q == '"' || q == '\'' {
		name := c.quoted(q)
		start, end = c.i-1-len(name), c.i-1
	} else {
		for c.i < c.end && (letter[c.peek()] != 0 || bytes.IndexByte([]byte("-./"), c.peek()) >= 0) {
			c.i++
		}
		end = c.i
	}
	if c.peek() == ':' && (c.i+1 >= c.end || isBlank(c.at(1))) && s.text[start] != '-' {
		s.key(start, end)
	}
}

// sectionLine finds [section] lines, and keys before the first of them.
func sectionLine(s *scanner) {
	c := s.cursor()
	if s.column() > 0 || s.keys >= MaxKeys {
		return
	}
	if c.take('[') {
		c.take('[')
		start := c.i
		for c.i < c.end && c.peek() != ']' {
			c.i++
		}
		if c.peek() == ']' {
			s.group = code.KindKey
			s.key(start, c.i)
			s.mark()
		}
		return
	}
	if s.group == code.KindKey {
		return
	}
	start := c.i
	for c.i < c.end && (letter[c.peek()] != 0 || bytes.IndexByte([]byte("-."), c.peek()) >= 0) {
		c.i++
	}
	end := c.i
	if c.skip(); c.peek() == '=' {
		s.key(start, end)
	}
}

// terraformLess handles <<EOT and <<-EOT.
func terraformLess(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '<' {
		if n := s.heredocAt(i, "-~", true, false); n >= 0 {
			return n
		}
	}
	return i + 1
}

// terraformLine finds the blocks: resource "type" "name" {, by their last label.
func terraformLine(s *scanner) {
	c := s.cursor()
	if len(s.scopes) > 0 || s.column() > 0 {
		return
	}
	word := c.word()
	if len(word) == 0 {
		return
	}
	start, end := c.i-len(word), c.i
	for c.skip(); c.peek() == '"'; c.skip() {
		name := c.quoted('"')
		start, end = c.i-1-len(name), c.i-1
	}
	switch c.peek() {
	case '{':
		s.mark()
		s.key(start, end)
	case '=':
		s.key(start, end)
	}
}

// jsonLine finds the outermost keys of a JSON object.
func jsonLine(s *scanner) {
	if s.paren != 1 || s.keys >= MaxKeys {
		return
	}
	c := s.cursor()
	if c.peek() != '"' {
		return
	}
	name := c.quoted('"')
	start, end := c.i-1-len(name), c.i-1
	if c.skip(); c.peek() == ':' {
		s.key(start, end)
	}
}
