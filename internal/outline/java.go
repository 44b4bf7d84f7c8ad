package outline

var javaSyntax = syntax{dialect: &dialect{ctors: true, records: true, members: true, types: objectTypes}, act: table(clauses, actions{
	"/": slash, "\"": tripleEscaped, "'": charQuote,
})}
