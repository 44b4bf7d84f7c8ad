package outline

import "espy/internal/code"

var cSyntax = syntax{dialect: &dialect{c: true, types: cTypes}, act: table(clauses, actions{
	"/": slash, "#": directive, "\"": quote, "'": charQuote,
})}

func cTypes(word []byte) (code.Kind, scopeKind) {
	switch string(word) {
	case "class":
		return code.KindClass, class
	case "struct", "union":
		return code.KindStruct, class
	case "enum":
		return code.KindEnum, enum
	case "namespace":
		return code.KindModule, namespace
	}
	return code.KindUnknown, noScope
}
