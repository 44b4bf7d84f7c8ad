package worker

import "syscall"

// limitMemory bounds the memory of the process, in Go and in C together.
func limitMemory() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &limit) != nil {
		return
	}
	limit.Cur = min(limit.Max, maxMemory)
	syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
}
