package jdk

import (
	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// Receivers are the names of a type from elsewhere and of those above it, as extensions
// name what they are written for, the nearest first.
func Receivers(t infer.Thing) []string {
	name := ""
	switch t.Kind {
	case infer.AValue:
		return []string{"Any"}
	case infer.AList:
		return []string{"List", "MutableList", "Array", "Set", "MutableSet", "Collection", "MutableCollection", "Iterable", "Sequence"}
	case infer.AMap:
		return []string{"Map", "MutableMap"}
	case infer.ABuiltin:
		name = builtins[t.Argument]
	case infer.Elsewhere:
		if name = t.Name; t.Recv != nil {
			name = Conversions.Results[name]
		}
	}
	if name == "" {
		return nil
	}
	return append(append([]string{name}, Conversions.Above[name]...), "Any")
}

// builtins are the types of Kotlin's literals.
var builtins = map[int32]string{
	facts.LiteralString: "String", facts.LiteralBool: "Boolean", facts.LiteralMirror: "KClass", facts.LiteralNumber: "Int",
	facts.LiteralByte: "Byte", facts.LiteralShort: "Short", facts.LiteralChar: "Char", facts.LiteralInt: "Int",
	facts.LiteralLong: "Long", facts.LiteralFloat: "Float", facts.LiteralDouble: "Double",
}
