//go:build unix

package clone

import (
	"context"
	"os/exec"
	"syscall"
)

// tether is a shell script that becomes the program of its arguments, and
// leaves behind one that ends all of its process group at the end of its input.
const tether = `exec 3<&0 </dev/null; { read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec 3<&-; exec "$0" "$@"`

// tethered returns a command that ends, with all it has started, when the
// context or this process ends. (A death signal of Linux would reach the
// command alone: git's helper would wait for its server until that gives up.)
func tethered(ctx context.Context, program string, args []string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", tether, program}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	_, err := cmd.StdinPipe() // ends with this process, or once the command has ended
	return cmd, err
}
