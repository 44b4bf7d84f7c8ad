//go:build unix

package worker

import (
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
)

// detach keeps the signals of a terminal from the child. It ends with its input,
// and Ctrl-C must not condemn a file.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// limitTime gives the process maxSeconds more of processor time. Clock time is not
// limited: it depends on the load.
func limitTime() {
	var used syscall.Rusage
	var limit syscall.Rlimit
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil || syscall.Getrlimit(syscall.RLIMIT_CPU, &limit) != nil {
		return
	}
	limit.Cur = min(limit.Max, uint64(used.Utime.Sec)+uint64(used.Stime.Sec)+maxSeconds)
	syscall.Setrlimit(syscall.RLIMIT_CPU, &limit)
}

// timeIsUp returns a channel that receives when the time of limitTime is up.
func timeIsUp() <-chan os.Signal {
	over := make(chan os.Signal, 1)
	signal.Notify(over, syscall.SIGXCPU)
	return over
}

// outside are the signals that no fault of a program sends to it: those of a
// user, of the system that ends, and of the kernel when memory is short.
var outside = []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}

// killedBy names the signal from outside that ended a process, "" where none did.
func killedBy(p *os.ProcessState) string {
	status, ok := p.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || !slices.Contains(outside, status.Signal()) {
		return ""
	}
	return status.Signal().String()
}
