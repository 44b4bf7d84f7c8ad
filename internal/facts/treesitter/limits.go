//go:build cgo && !race

package treesitter

import "fmt"

// Bounds of one text.
const (
	maxBytes = 64 << 20
	maxNodes = 16 << 20
	maxDepth = 1000 // levels of the tree; what lies deeper is cut off
)

// work is what a parse takes.
type work struct {
	steps     uint64 // hundreds of parser operations
	allocated uint64 // bytes in all: of a text with errors an operation may copy all that was read
	held      uint64 // bytes at a time
	read      uint64 // pieces of 4 KiB of the text: a scanner may look far ahead at each token
}

// mostWork bounds the parse of a text of n bytes. A text in another language may
// take seconds to reach it.
func mostWork(n int) work {
	return work{steps: 2000 + uint64(n)/8, allocated: 256<<20 + 500*uint64(n), held: 480 << 20, read: 1500 + uint64(n)/256}
}

// beyond returns the bound of most that work is beyond.
func (w work) beyond(most work) error {
	switch {
	case w.steps > most.steps:
		return &limitError{"parser steps", w.steps, most.steps}
	case w.read > most.read:
		return &limitError{"pieces of text to read", w.read, most.read}
	case w.held > most.held:
		return &limitError{"bytes held by the parser", w.held, most.held}
	}
	return &limitError{"bytes copied by the parser", w.allocated, most.allocated}
}

// limitError reports a text beyond a bound.
type limitError struct {
	what       string
	got, limit uint64
}

func (e *limitError) Error() string {
	return fmt.Sprintf("more %s than the limit of %d", e.what, e.limit)
}
