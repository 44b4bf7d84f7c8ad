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
	switch string(bytes.ToLower(word)) {
	case "class":
		return code.KindClass, class
	case "interface":
		return code.KindInterface, iface
	case "enum":
		return code.KindEnum, enum
	case "trigger":
		return code.KindFunc, function
	}
	return code.KindUnknown, noScope
}
