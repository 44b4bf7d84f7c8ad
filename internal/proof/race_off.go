//go:build !race

package proof

// Race says that the race detector is on.
const Race = false
