package worker

// Bounds of a child.
const (
	maxMemory  = 512 << 20 // bytes
	maxSeconds = 10        // of processor time, for one file
)
