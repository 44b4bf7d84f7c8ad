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
		case t.Recv == nil && makers[t.Name] != "":
			return makers[t.Name]
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

// makers are the types of what functions of Kotlin's libraries make.
var makers = map[string]string{
	"listOf": "List", "listOfNotNull": "List", "emptyList": "List", "buildList": "List", "mutableListOf": "MutableList", "arrayListOf": "ArrayList",
	"setOf": "Set", "emptySet": "Set", "buildSet": "Set", "mutableSetOf": "MutableSet", "hashSetOf": "HashSet", "linkedSetOf": "MutableSet",
	"mapOf": "Map", "emptyMap": "Map", "buildMap": "Map", "mutableMapOf": "MutableMap", "hashMapOf": "HashMap", "linkedMapOf": "MutableMap",
	"sequenceOf": "Sequence", "emptySequence": "Sequence", "generateSequence": "Sequence", "sequence": "Sequence",
	"arrayOf": "Array", "emptyArray": "Array", "arrayOfNulls": "Array", "buildString": "String",
	"flowOf": "Flow", "emptyFlow": "Flow", "flow": "Flow", "channelFlow": "Flow", "callbackFlow": "Flow",
}

// casts are the types of what methods give, whatever they are called on.
var casts = map[string]string{
	"toList": "List", "toMutableList": "MutableList", "asList": "List", "toSet": "Set", "toMutableSet": "MutableSet",
	"asSequence": "Sequence", "asIterable": "Iterable", "asFlow": "Flow", "toMap": "Map", "toMutableMap": "MutableMap",
	"lines": "List", "lineSequence": "Sequence", "toTypedArray": "Array", "joinToString": "String",
}

// same are the methods that give a value of the type that they are called on.
var same = map[string]bool{"apply": true, "also": true, "onEach": true}

// builtins are the types of Kotlin's literals.
var builtins = map[int32]string{
	facts.LiteralString: "String", facts.LiteralBool: "Boolean", facts.LiteralMirror: "KClass", facts.LiteralNumber: "Int",
	facts.LiteralByte: "Byte", facts.LiteralShort: "Short", facts.LiteralChar: "Char", facts.LiteralInt: "Int",
	facts.LiteralLong: "Long", facts.LiteralFloat: "Float", facts.LiteralDouble: "Double",
}
