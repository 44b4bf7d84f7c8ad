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
		name = made(t)
	}
	if name == "" {
		return nil
	}
	return append(append([]string{name}, Conversions.Above[name]...), "Any")
}

// maxMade bounds the calls whose results are looked through.
const maxMade = 16

// made is the type of what comes from elsewhere: one that is named, or what a function of
// the library gives.
func made(t infer.Thing) string {
	for range maxMade {
		switch {
		case t.Recv == nil && Conversions.Made[t.Name] != "":
			return Conversions.Made[t.Name]
		case t.Recv == nil:
			return t.Name
		case Conversions.Results[t.Name] != "":
			return Conversions.Results[t.Name]
		case casts[t.Name] != "":
			return casts[t.Name]
		case !same[t.Name]:
			return ""
		}
		t = *t.Recv
	}
	return ""
}

// casts are the types of what further methods of Kotlin's library give, which Java has as
// functions that give something else.
var casts = map[string]string{"toList": "List", "toSet": "Set", "toMap": "Map", "toTypedArray": "Array"}

// same are the methods that give a value of the type that they are called on.
var same = map[string]bool{"apply": true, "also": true, "onEach": true}

// builtins are the types of Kotlin's literals.
var builtins = map[int32]string{
	facts.LiteralString: "String", facts.LiteralBool: "Boolean", facts.LiteralMirror: "KClass", facts.LiteralNumber: "Int",
	facts.LiteralByte: "Byte", facts.LiteralShort: "Short", facts.LiteralChar: "Char", facts.LiteralInt: "Int",
	facts.LiteralLong: "Long", facts.LiteralFloat: "Float", facts.LiteralDouble: "Double",
}
