package outline

var dartSyntax = syntax{dialect: &dialect{ctors: true, members: true, trailing: true, types: objectTypes}, act: table(clauses, actions{
	"/": slash, "\"'": tripleEscaped,
})}
