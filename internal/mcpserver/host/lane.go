package host

import "runtime"

// Lane is which calls a call waits for when there are many.
type Lane int

// The lanes. Searches share the processors among each other (package parallel),
// and quick calls need little: neither waits for a call of another lane.
const (
	Heavy    Lane = iota // what may take much memory
	Searches             // search
	Quick                // what shows a file or a list
	lanes
)

func newSlots() (slots [lanes]chan struct{}) {
	slots[Heavy] = make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0)))
	slots[Searches] = make(chan struct{}, 32)
	slots[Quick] = make(chan struct{}, 256)
	return slots
}
