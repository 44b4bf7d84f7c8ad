package job

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"espy/internal/progress"
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

// TestUnready holds that a question that waits is told which other process it waits for.
func TestUnready(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		at      progress.Report
		process int
	}{
		"this process works":                 {progress.Report{Phase: progress.Index, Files: 3, TotalFiles: 9}, 0},
		"another process holds the lock":     {progress.Report{Phase: progress.Wait, Holder: os.Getppid()}, os.Getppid()},
		"the lock's holder is not known yet": {progress.Report{Phase: progress.Wait}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := newSlot(t, t.TempDir()), newBlocked()
			j, _ := s.Start(Work{Brief: true, Do: func(ctx context.Context, j *Job) error {
				j.Tell(tt.at)
				return b.do(ctx, j)
			}})
			<-b.entered
			if e := Unready("r", s, nil); e.Process != tt.process || e.At != tt.at {
				t.Errorf("process %d at %+v, want %d at %+v", e.Process, e.At, tt.process, tt.at)
			}
			close(b.release)
			if err := wait(t, j); err != nil {
				t.Error(err)
			}
		})
	}
}
