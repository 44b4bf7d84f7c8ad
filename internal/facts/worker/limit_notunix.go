//go:build !unix

package worker

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

// limitTime does nothing: the system has no bound on processor time.
func limitTime() {}

func timeIsUp() <-chan os.Signal { return nil }

func killedBy(*os.ProcessState) string { return "" }
