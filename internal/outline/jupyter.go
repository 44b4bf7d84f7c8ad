package outline

import (
	"bytes"

	"espy/internal/code"
)

// jupyterSyntax is that of notebooks as they are written: a line of JSON for each line
// of a cell.
var jupyterSyntax = syntax{line: jupyterLine, act: table()}

// maxNotebookLine is the length in bytes from which a line of a notebook is a picture
// or another output: no text to rank or to show.
const maxNotebookLine = 4000

// jupyterLine finds headings, functions and classes in the sources of cells.
func jupyterLine(s *scanner) {
	c := s.cursor()
	end := s.lineEnd(s.first)
	if s.quiet != nil && (c.peek() != '"' || !s.cell.source || s.cell.markdown) {
		s.quiet = append(s.quiet, Span{s.first, end, false})
	}
	switch rest := c.rest(); {
	case end-s.first > maxNotebookLine:
		s.current().flags |= dataLine
	case bytes.HasPrefix(rest, []byte(`"cell_type":`)):
		s.cell = cell{markdown: bytes.Contains(rest, []byte(`"markdown"`))}
	case bytes.HasPrefix(rest, []byte(`"source": [`)):
		s.cell.source = !bytes.HasSuffix(bytes.TrimRight(rest, " ,\r"), []byte("]"))
	case rest[0] == ']':
		s.cell.source = false
	case rest[0] == '"' && s.cell.source:
		c.i++
		jupyterSource(s, &c)
	}
}

// jupyterSource looks at a line of the source of a cell.
func jupyterSource(s *scanner, c *cursor) {
	start := c.i
	if s.cell.markdown {
		for c.take('#') {
		}
		if level := c.i - start; level > 0 && level <= 6 && c.skip() {
			title, _, _ := bytes.Cut(c.rest(), []byte{'"'})
			s.heading(c.i, c.i+len(bytes.TrimSuffix(title, []byte(`\n`))), len(s.lines)-1)
		}
		return
	}
	c.skip()
	kind := code.KindFunc
	if c.i > start {
		kind = code.KindMethod
	}
	for _, word := range []string{"async ", "def ", "class "} {
		if !c.has(word) {
			continue
		}
		c.i += len(word)
		if word == "async " {
			continue
		}
		if word == "class " {
			kind = code.KindClass
		}
		if name := c.word(); len(name) > 0 {
			s.define(kind, c.i-len(name), c.i)
		}
		return
	}
}
