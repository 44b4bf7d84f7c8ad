// Package treesitter parses text with the tree-sitter grammars that are linked
// in. It holds all C of the program: the runtime, the grammars and a shim that
// parses a text and writes its whole tree into one Go array. Built without cgo,
// or with the race detector, it has no grammars.
//
// The bounds count bytes, nodes, depth and steps of the parser, never time, so
// that what a text gives does not depend on the load of the machine. C code may
// still crash or hang: package worker runs it in a process of its own.
package treesitter

import "fmt"

// Bounds of one text.
const (
	MaxBytes = 64 << 20
	MaxNodes = 16 << 20
	MaxDepth = 1000 // levels of the tree; what lies deeper is cut off
)

// maxSteps bounds the parse of a text of n bytes, in hundreds of parser
// operations. Of 5,000 ordinary files none took a half of it; text that is no
// program of its language may take seconds to reach it.
func maxSteps(n int) uint64 { return 2000 + uint64(n)/8 }

// LimitError reports a text that is beyond a bound.
type LimitError struct {
	What       string
	Got, Limit uint64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("more %s than the limit of %d", e.What, e.Limit)
}
