package outline

import "bytes"

// Languages of documents, whose definitions are their headings.

var orgSyntax = syntax{line: orgLine, act: table()}

// orgLine finds * headings, without the words for what is to do and the tags at their end.
func orgLine(s *scanner) {
	c := s.cursor()
	if s.column() > 0 || c.peek() != '*' {
		return
	}
	runOf(&c)
	if !c.skip() {
		return
	}
	if c.has("TODO ") || c.has("DONE ") {
		c.i += len("TODO ")
	}
	title := bytes.TrimRight(c.rest(), " \t\r")
	if n := bytes.LastIndexAny(title, " \t"); n > 0 && title[n+1] == ':' && bytes.HasSuffix(title, []byte(":")) {
		title = title[:n]
	}
	s.heading(c.i, c.i+len(title), len(s.lines)-1)
}

var texSyntax = syntax{line: texLine, act: table(actions{"%": texComment})}

// texLine finds \chapter{Title}, \section*{Title} and the like.
func texLine(s *scanner) {
	c := s.cursor()
	if !c.take('\\') {
		return
	}
	switch string(c.word()) {
	case "part", "chapter", "section", "subsection", "subsubsection", "paragraph":
	default:
		return
	}
	c.take('*')
	if c.peek() == '[' {
		c.balanced()
	}
	start := c.i + 1
	if c.peek() == '{' && c.balanced() {
		s.heading(start, c.i-1, len(s.lines)-1)
	}
}

// texComment handles comments; \% is a sign.
func texComment(s *scanner, i int) int {
	if i > 0 && s.text[i-1] == '\\' {
		return i + 1
	}
	return lineComment(s, i)
}

var typstSyntax = syntax{line: asciidocLine, act: table(actions{"/": slash})}
