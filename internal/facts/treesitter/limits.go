//go:build cgo && !race

package treesitter

import "fmt"

// Bounds of one text.
const (
	maxBytes = 64 << 20
	maxNodes = 16 << 20
	maxDepth = 1000 // levels of the tree; what lies deeper is cut off
)

// maxSteps bounds the parse of a text of n bytes, in hundreds of parser
// operations. None of 5,000 ordinary files took half of it. A text in another
// language may take seconds to reach it.
func maxSteps(n int) uint64 { return 2000 + uint64(n)/8 }

// limitError reports a text beyond a bound.
type limitError struct {
	what       string
	got, limit uint64
}

func (e *limitError) Error() string {
	return fmt.Sprintf("more %s than the limit of %d", e.what, e.limit)
}
