// Package worker runs the grammars in child processes, so that a crash, a hang
// or too much memory in their C code costs one file and never the program.
//
// The parent hands each child (espy parse-worker) one file at a time over its
// standard input and reads the facts from its standard output. Both ends are
// the same program: the messages (encode.go) need no version.
package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"espy/internal/facts"
	"espy/internal/facts/tree"
	"espy/internal/structure"
)

// Command is the hidden command of this program that calls Serve.
const Command = "parse-worker"

// ErrUnavailable reports that no file can be parsed: there is no command, it does
// not start, or it has no grammars. It says nothing about the file.
var ErrUnavailable = errors.New("the parser is not available")

// Failure condemns a file: its content cannot be parsed, now or later, and need
// not be tried again.
type Failure struct{ Reason string }

func (e *Failure) Error() string { return e.Reason }

// Options says how files are parsed.
type Options struct {
	Command []string      // program and arguments of a child; needed
	Workers int           // children at most; 0 means 1
	Hang    time.Duration // a child that is silent for that long is killed; 0 means 10 minutes, far beyond its bound of processor time
}

// Pool parses files in children, started on demand. Several goroutines may use it;
// further calls wait for a child.
type Pool struct {
	options Options
	slots   chan *child // nil: a child that is not started
}

// New makes a pool. Close ends its children.
func New(o Options) *Pool {
	o.Workers = max(o.Workers, 1)
	if o.Hang == 0 {
		o.Hang = 10 * time.Minute
	}
	p := &Pool{options: o, slots: make(chan *child, o.Workers)}
	for range o.Workers {
		p.slots <- nil
	}
	return p
}

// HasGrammar reports whether files of a language, by its name in package lang, can
// be parsed.
func HasGrammar(language string) bool { return tree.HasGrammar(language) }

// Parse returns the facts of one file. The path only tells dialects apart. The
// names share memory with a copy of text. A *Failure condemns the file; any other
// error says nothing about it.
func (p *Pool) Parse(ctx context.Context, language, path string, text []byte) (f *facts.File, err error) {
	grammar := tree.GrammarOf(language, path, text)
	if grammar == "" {
		return nil, fmt.Errorf("parse %s: no grammar for %q", path, language)
	}
	err = p.ask(ctx, request{grammar: grammar, text: text}, func(answer []byte) error {
		body, err := readAnswer(answer, statusFacts)
		if err == nil {
			f, err = decode(body, string(text))
		}
		return err
	})
	return f, err
}

// Match returns where a pattern matches in one file, and whether all of it was looked
// at. A *structure.NoCodeError says that the pattern is none of the language; else as Parse.
func (p *Pool) Match(ctx context.Context, pattern structure.Pattern, language, path string, text []byte) (found []structure.Match, all bool, err error) {
	grammar := matchGrammar(language, path, text)
	if grammar == "" {
		return nil, false, &structure.NoCodeError{Reason: "there is no grammar of " + language}
	}
	err = p.ask(ctx, request{grammar: grammar, pattern: pattern.String(), text: text}, func(answer []byte) error {
		body, err := readAnswer(answer, statusMatches)
		if err == nil {
			found, all, err = decodeMatches(body, len(text))
		}
		return err
	})
	return found, all, err
}

// Matches reports whether patterns can be compared with files of a language, by its
// name in package lang.
func (*Pool) Matches(language string) bool { return matchGrammar(language, "", nil) != "" }

// matchGrammar names the grammar that patterns are compared by. Facts of Go come from
// its own parser.
func matchGrammar(language, path string, text []byte) string {
	if language == "go" {
		return language
	}
	return tree.GrammarOf(language, path, text)
}

// ask has a child answer a request. read takes the answer, which is gone when it returns.
func (p *Pool) ask(ctx context.Context, r request, read func(answer []byte) error) error {
	var c *child
	select {
	case c = <-p.slots:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { p.slots <- c }()
	// What one child dies of may be the fault of the files before or of the
	// machine, as is a bound of time under load: only a fresh child condemns, and
	// only by a death of its own. One that was killed from outside, as when memory
	// is short, says nothing.
	for fresh := false; ; fresh = true {
		if c == nil {
			started, err := start(p.options.Command)
			if err != nil {
				return fmt.Errorf("%w: %w", ErrUnavailable, err)
			}
			c = started
		}
		answer, err := c.ask(ctx, r, p.options.Hang)
		if err == nil {
			return read(answer)
		}
		var died *deathError
		if !errors.As(err, &died) {
			return err
		}
		c.end()
		c = nil
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case fresh && died.outside:
			return fmt.Errorf("%w: it is tried again by the next pass", died)
		case fresh:
			return &Failure{died.Error()}
		}
	}
}

// Close ends the children after the running calls. It may be called again.
func (p *Pool) Close() error {
	for range p.options.Workers {
		if c := <-p.slots; c != nil {
			c.end()
		}
	}
	for range p.options.Workers {
		p.slots <- nil
	}
	return nil
}

// child is one process.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	stderr head
	buf    []byte
}

func start(command []string) (*child, error) {
	if len(command) == 0 {
		return nil, errors.New("no command is set")
	}
	c := &child{cmd: exec.Command(command[0], command[1:]...)}
	c.cmd.Env = []string{} // nothing of the parent's
	c.cmd.Stderr = &c.stderr
	detach(c.cmd)
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return c, c.cmd.Start()
}

// deathError reports that a child ended, or was killed, in the middle of a file.
type deathError struct {
	outside bool // by a signal that no fault of its own sends
	cause   string
}

func (e *deathError) Error() string { return "the parser " + e.cause }

// ask sends a request and waits for its answer.
func (c *child) ask(ctx context.Context, r request, hang time.Duration) ([]byte, error) {
	var hung bool
	var mu sync.Mutex // guards hung
	watchdog := time.AfterFunc(hang, func() {
		mu.Lock()
		hung = true
		mu.Unlock()
		c.cmd.Process.Kill()
	})
	stop := context.AfterFunc(ctx, func() { c.cmd.Process.Kill() })
	answer, err := c.exchange(r)
	watchdog.Stop()
	if !stop() && err == nil {
		err = ctx.Err() // killed after its last word
	}
	mu.Lock()
	defer mu.Unlock()
	if err != nil {
		return nil, c.death(err, hung, hang)
	}
	return answer, nil
}

func (c *child) exchange(r request) ([]byte, error) {
	if err := writeRequest(c.in, r); err != nil {
		return nil, err
	}
	var err error
	c.buf, err = readFrame(c.out, c.buf)
	return c.buf, err
}

// death says how the child ended, which an exchange failed with.
func (c *child) death(err error, hung bool, hang time.Duration) error {
	gone := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) // before it is killed here
	c.end()
	if hung {
		return &deathError{cause: fmt.Sprintf("gave no answer for %v", hang)}
	}
	if sig := killedBy(c.cmd.ProcessState); gone && sig != "" {
		return &deathError{outside: true, cause: "was ended from outside (" + sig + ")"}
	}
	if line := c.stderr.first(); line != "" {
		return &deathError{cause: "crashed: " + line}
	}
	return &deathError{cause: fmt.Sprintf("crashed (%s)", c.cmd.ProcessState)}
}

// end ends the process and waits for it. It may be called again.
func (c *child) end() {
	c.in.Close()
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

// maxHead is the number of bytes kept of the output of a child.
const maxHead = 1000

// head keeps the beginning of the output of a child, for the message. It embeds no
// buffer: its ReadFrom would let copies past the bound.
type head struct{ text bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	if room := maxHead - h.text.Len(); room > 0 {
		h.text.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (h *head) first() string {
	line, _, _ := bytes.Cut(h.text.Bytes(), []byte("\n"))
	return string(bytes.ToValidUTF8(line, []byte("?")))
}
