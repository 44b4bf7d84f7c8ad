// Package treesitter parses text with the tree-sitter grammars that are linked
// in. It holds all C of the program: the runtime, the grammars and a shim that
// parses a text and writes its whole tree into one Go array. Built without cgo,
// or with the race detector, it has no grammars.
//
// The bounds (limits.go) count bytes, nodes, depth and steps of the parser, never
// time: results do not depend on the load of the machine. C code may still crash
// or hang, so package worker runs it in a process of its own.
package treesitter
