package job

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

func TestIsStopped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells in /proc")
	}
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); cmd.Wait() }()
	if isStopped(cmd.Process.Pid) || isStopped(0) || isStopped(-1) {
		t.Error("a process that runs, or none, is said to be stopped")
	}
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Signal(syscall.SIGCONT)
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Skip("the system does not tell when a process was stopped")
	}
	if !isStopped(cmd.Process.Pid) {
		t.Error("a process that was stopped is said to run")
	}
}
