package outline

var groovySyntax = syntax{dialect: &dialect{ctors: true, members: true, texts: true, types: objectTypes}, act: table(clauses, actions{
	"/": slash, "\"'": tripleEscaped, "\n": lineStatement,
})}

// lineStatement is the action of '\n' where a line end also ends a statement.
func lineStatement(s *scanner, i int) int {
	if p := s.wordStart(i, min(i+maxLook, len(s.text))); p >= len(s.text) || s.text[p] != '{' {
		endStatement(s, i)
	}
	return newline(s, i)
}
