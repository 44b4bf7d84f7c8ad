package outline

var csharpSyntax = syntax{dialect: &dialect{ctors: true, records: true, sharp: true, members: true, types: objectTypes}, act: table(clauses, actions{
	"/": slash, "#": skipDirective, "\"": csharpQuote, "'": charQuote,
})}

// csharpQuote handles ", @" with doubled quotes, and """.
func csharpQuote(s *scanner, i int) int {
	if i > 0 && (s.text[i-1] == '@' || i > 1 && s.text[i-1] == '$' && s.text[i-2] == '@') {
		return rawQuote(s, i)
	}
	return tripleRaw(s, i)
}
