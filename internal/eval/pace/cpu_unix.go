//go:build unix

package pace

import (
	"syscall"
	"time"
)

// processorTime is what the process has used so far, of user and system.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
