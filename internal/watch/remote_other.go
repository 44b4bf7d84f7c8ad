//go:build !linux

package watch

// remote: only Linux queues the events of all folders in order, which a proof needs.
func remote(string) string { return "this system does not tell the order of changes" }
