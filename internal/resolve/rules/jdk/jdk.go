// Package jdk is what is known of Java's library, and of functions that most programs
// take from elsewhere.
package jdk

import (
	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// Functional are the types of java.util.function and their like, whose values are
// functions: which of the type's arguments each parameter of such a function is, from 0.
// One of a type that is not generic is none of them.
var Functional = map[string][]int{
	"Consumer": {0}, "BiConsumer": {0, 1}, "ObjIntConsumer": {0}, "ObjLongConsumer": {0}, "ObjDoubleConsumer": {0},
	"Function": {0}, "BiFunction": {0, 1}, "UnaryOperator": {0}, "BinaryOperator": {0, 0}, "Comparator": {0, 0},
	"ToIntFunction": {0}, "ToLongFunction": {0}, "ToDoubleFunction": {0},
	"ToIntBiFunction": {0, 1}, "ToLongBiFunction": {0, 1}, "ToDoubleBiFunction": {0, 1},
	"Predicate": {0}, "BiPredicate": {0, 1},
}

// Passing are the functions of Java's library, of Guava and of Mockito that give their
// first argument, true for those that do so only as methods of a value.
var Passing = map[string]bool{"requireNonNull": false, "checkNotNull": false, "verify": false, "spy": false, "when": true}

// Conversions are the types of java.lang and java.util that methods are often
// told apart by, with all types above them but Object.
var Conversions = &infer.Conversions{
	Top: "Object", Text: "String", Class: "Class", Mirror: "KClass",
	Boxes: map[string]int32{
		"Byte": facts.LiteralByte, "Short": facts.LiteralShort, "Character": facts.LiteralChar, "Integer": facts.LiteralInt,
		"Long": facts.LiteralLong, "Float": facts.LiteralFloat, "Double": facts.LiteralDouble, "Boolean": facts.LiteralBool,
	},
	Above: map[string][]string{
		"String":            {"CharSequence", "Comparable", "Serializable", "Constable", "ConstantDesc"},
		"StringBuilder":     {"CharSequence", "Comparable", "Serializable", "Appendable", "AbstractStringBuilder"},
		"StringBuffer":      {"CharSequence", "Comparable", "Serializable", "Appendable", "AbstractStringBuilder"},
		"Byte":              {"Number", "Comparable", "Serializable", "Constable"},
		"Short":             {"Number", "Comparable", "Serializable", "Constable"},
		"Integer":           {"Number", "Comparable", "Serializable", "Constable", "ConstantDesc"},
		"Long":              {"Number", "Comparable", "Serializable", "Constable", "ConstantDesc"},
		"Float":             {"Number", "Comparable", "Serializable", "Constable", "ConstantDesc"},
		"Double":            {"Number", "Comparable", "Serializable", "Constable", "ConstantDesc"},
		"Character":         {"Comparable", "Serializable", "Constable"},
		"Boolean":           {"Comparable", "Serializable", "Constable"},
		"Number":            {"Serializable"},
		"Class":             {"Type", "GenericDeclaration", "AnnotatedElement", "Serializable", "Constable"},
		"KClass":            {"KAnnotatedElement", "KClassifier", "KDeclarationContainer"},
		"Enum":              {"Comparable", "Serializable", "Constable"},
		"Object":            {},
		"Collection":        {"Iterable"},
		"List":              {"Collection", "Iterable"},
		"Set":               {"Collection", "Iterable"},
		"Map":               {},
		"Iterable":          {},
		"Iterator":          {},
		"Unit":              {},
		"MutableList":       {"List", "MutableCollection", "Collection", "MutableIterable", "Iterable"},
		"MutableSet":        {"Set", "MutableCollection", "Collection", "MutableIterable", "Iterable"},
		"MutableMap":        {"Map"},
		"MutableCollection": {"Collection", "MutableIterable", "Iterable"},
		"Sequence":          {},
		"ArrayList":         {"AbstractList", "AbstractCollection", "List", "MutableList", "Collection", "Iterable", "RandomAccess", "Cloneable", "Serializable"},
		"HashSet":           {"AbstractSet", "AbstractCollection", "Set", "MutableSet", "Collection", "Iterable", "Cloneable", "Serializable"},
		"HashMap":           {"AbstractMap", "Map", "MutableMap", "Cloneable", "Serializable"},
		"Method":            {"Executable", "AccessibleObject", "GenericDeclaration", "Member", "AnnotatedElement"},
		"Field":             {"AccessibleObject", "Member", "AnnotatedElement"},
		"Regex":             {"Serializable"},
		"File":              {"Comparable", "Serializable"},
		"Locale":            {"Cloneable", "Serializable"},
		"Date":              {"Cloneable", "Comparable", "Serializable"},
		"Calendar":          {"Cloneable", "Comparable", "Serializable"},
		"TimeZone":          {"Cloneable", "Serializable"},
	},
	Results: map[string]string{
		"toString": "String", "getName": "String", "getSimpleName": "String", "toUpperCase": "String", "toLowerCase": "String",
		"substring": "String", "trim": "String", "format": "String", "getMessage": "String", "getClass": "Class", "java": "Class", "javaClass": "Class", "javaObjectType": "Class",
		"toMutableList": "MutableList", "toMutableSet": "MutableSet", "toMutableMap": "MutableMap",
		"associate": "Map", "associateBy": "Map", "associateWith": "Map", "groupBy": "Map", "asList": "List", "asIterable": "Iterable",
		"asSequence": "Sequence", "lineSequence": "Sequence", "asFlow": "Flow", "joinToString": "String", "toRegex": "Regex", "iterator": "Iterator", "trimIndent": "String", "trimMargin": "String",
	},
	Made: map[string]string{
		"listOf": "List", "listOfNotNull": "List", "emptyList": "List", "buildList": "List", "mutableListOf": "MutableList", "arrayListOf": "ArrayList",
		"setOf": "Set", "emptySet": "Set", "buildSet": "Set", "mutableSetOf": "MutableSet", "hashSetOf": "HashSet", "linkedSetOf": "MutableSet",
		"mapOf": "Map", "emptyMap": "Map", "buildMap": "Map", "mutableMapOf": "MutableMap", "hashMapOf": "HashMap", "linkedMapOf": "MutableMap",
		"sequenceOf": "Sequence", "emptySequence": "Sequence", "generateSequence": "Sequence", "sequence": "Sequence", "buildString": "String",
		"flowOf": "Flow", "emptyFlow": "Flow", "flow": "Flow", "channelFlow": "Flow", "callbackFlow": "Flow",
	},
	Numbers: map[string]int32{
		"length": facts.LiteralInt, "size": facts.LiteralInt, "hashCode": facts.LiteralInt, "compareTo": facts.LiteralInt,
		"compare": facts.LiteralInt, "indexOf": facts.LiteralInt, "lastIndexOf": facts.LiteralInt, "ordinal": facts.LiteralInt,
		"byteValue": facts.LiteralByte, "shortValue": facts.LiteralShort, "charValue": facts.LiteralChar, "intValue": facts.LiteralInt,
		"longValue": facts.LiteralLong, "floatValue": facts.LiteralFloat, "doubleValue": facts.LiteralDouble, "charAt": facts.LiteralChar,
		"equals": facts.LiteralBool, "equalsIgnoreCase": facts.LiteralBool, "isEmpty": facts.LiteralBool, "contains": facts.LiteralBool,
		"startsWith": facts.LiteralBool, "endsWith": facts.LiteralBool, "hasNext": facts.LiteralBool, "booleanValue": facts.LiteralBool,
		"currentTimeMillis": facts.LiteralLong, "nanoTime": facts.LiteralLong, "parseInt": facts.LiteralInt,
		"parseByte": facts.LiteralByte, "parseShort": facts.LiteralShort, "parseLong": facts.LiteralLong, "parseFloat": facts.LiteralFloat,
		"parseDouble": facts.LiteralDouble, "parseBoolean": facts.LiteralBool, "toInt": facts.LiteralInt, "toLong": facts.LiteralLong, "toFloat": facts.LiteralFloat, "toDouble": facts.LiteralDouble, "toShort": facts.LiteralShort, "toByte": facts.LiteralByte, "toBoolean": facts.LiteralBool,
	},
	Limits: map[string]bool{"MAX_VALUE": true, "MIN_VALUE": true, "MIN_NORMAL": true, "NaN": true, "POSITIVE_INFINITY": true, "NEGATIVE_INFINITY": true},
	Makers: map[string]bool{"valueOf": true},
}
