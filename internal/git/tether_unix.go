//go:build unix && !linux

package git

import (
	"os/exec"
	"syscall"
)

// tether has a program and what it starts end when the context of cmd ends.
// With this process it ends as soon as it writes or asks.
func tether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
