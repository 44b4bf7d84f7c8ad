package worker

// Bounds of a child.
const (
	maxMemory  = 3 << 30 // bytes
	maxSeconds = 60      // of processor time, for one file
)
