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

// pagerCommand is the pager that the environment names, as a shell command; empty for
// none. Without a name it is less, where there is one.
func (p *program) pagerCommand() string {
	for _, name := range []string{"ESPY_PAGER", "PAGER"} {
		if command, ok := p.env[name]; ok {
			if command == "cat" {
				return ""
			}
			return command
		}
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less"
}

// paged begins to page what a question prints on a terminal. As for git, less ends by
// itself where one screen holds all (F), passes colours on (R) and leaves the screen
// as it is (X).
func (p *program) paged() {
	out, ok := p.rawStdout.(*os.File)
	if !ok || !p.terminal || p.noPager || p.json || p.shared != nil || p.env["TERM"] == "dumb" || p.env["TERM"] == "" || !p.progress {
		return
	}
	command := p.pagerCommand()
	if command == "" {
		return
	}
	env := p.pairs()
	for _, pair := range [][2]string{{"LESS", "FRX"}, {"LV", "-c"}} {
		if _, ok := p.env[pair[0]]; !ok {
			env = append(env, pair[0]+"="+pair[1])
		}
	}
	p.pager = &pager{out: out, command: command, env: env}
	p.stdout.Reset(p.pager)
}
