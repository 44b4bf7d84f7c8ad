package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// pager is standard output of a question on a terminal. The first output starts the
// pager of the user, as git does.
type pager struct {
	out     *os.File
	command string // of a shell
	env     []string

	run   *exec.Cmd // from the first output on
	input io.WriteCloser
}

// Write writes to the pager, or to the terminal where none can be started.
func (p *pager) Write(text []byte) (int, error) {
	if p.run == nil {
		p.start()
	}
	if p.input == nil {
		return p.out.Write(text)
	}
	n, err := p.input.Write(text)
	if errors.Is(err, os.ErrClosed) {
		err = syscall.EPIPE
	}
	return n, err
}

func (p *pager) start() {
	p.run = exec.Command("/bin/sh", "-c", p.command)
	p.run.Env, p.run.Stdout, p.run.Stderr = p.env, p.out, os.Stderr
	input, err := p.run.StdinPipe()
	if err == nil {
		err = p.run.Start()
	}
	if err == nil {
		p.input = input
		signal.Ignore(os.Interrupt) // it is the pager's, and the answer is known
	}
}

// wait waits until the reader has left the pager.
func (p *pager) wait() {
	if p == nil || p.input == nil {
		return
	}
	p.input.Close()
	p.run.Wait()
}
