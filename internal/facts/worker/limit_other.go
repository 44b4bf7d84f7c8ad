//go:build !linux

package worker

// limitMemory does nothing: the system has no bound on memory that works.
func limitMemory() {}
