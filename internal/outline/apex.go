package outline

import (
	"bytes"

	"espy/internal/code"
)

var apexSyntax = syntax{dialect: &dialect{ctors: true, sharp: true, members: true, types: apexTypes}, act: table(clauses, actions{
	"/": slash, "'": quote,
})}

// apexTypes tells what a keyword declares, in small or capital letters. A trigger holds statements.
func apexTypes(word []byte) (code.Kind, scopeKind) {
	switch small := bytes.ToLower(word); string(small) {
	case "class", "interface", "enum":
		return objectTypes(small)
	case "trigger":
		return code.KindFunc, function
	}
	return code.KindUnknown, noScope
}
