package outline

import "espy/internal/code"

// atMembers leaves the levels that end at this column. It reports whether the
// place is at the top of the file or directly within a type.
func (s *scanner) atMembers(column int) bool {
	for n := len(s.indents); n > 0 && s.indents[n-1].indent >= column; n-- {
		s.indents = s.indents[:n-1]
	}
	n := len(s.indents)
	return n == 0 || s.indents[n-1].class
}

// enter starts a level at the column.
func (s *scanner) enter(column int, isClass bool) {
	s.atMembers(column)
	s.indents = append(s.indents, level{indent: column, class: isClass})
}

// indented defines the name at the cursor. Its body ends by indentation.
func (s *scanner) indented(c *cursor, k code.Kind, isClass bool) {
	column := s.column()
	inType := s.atMembers(column) && len(s.indents) > 0
	s.indents = append(s.indents, level{indent: column, class: isClass})
	name := c.word()
	if len(name) == 0 {
		return
	}
	if k == code.KindFunc && inType {
		k = code.KindMethod
	}
	s.define(k, c.i-len(name), c.i)
}
