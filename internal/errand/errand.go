// Package errand has a command done by another process, which has open what the
// command needs.
//
// A connection carries frames: a letter, four bytes with the length of the rest, the
// rest. Who does the command sends
//
//	o  bytes of its standard output
//	e  bytes of its standard error
//	r  nothing: it reads standard input, and waits for an i or a z
//	x  one byte: it has ended, with this exit code
//
// and who asked for it
//
//	i  bytes of standard input
//	z  nothing: standard input has ended
//
// Who asks hands on no output before the end. So where the connection ends without an
// x, nothing has happened for its user, and it can do the command itself. Who has
// gone closes the connection, which cancels the command.
package errand

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"
	"time"
)

// Kinds of frames.
const (
	output   = 'o'
	problems = 'e'
	wanted   = 'r'
	exit     = 'x'
	input    = 'i'
	inputEnd = 'z'
)

const (
	// maxFrame bounds the rest of a frame in bytes.
	maxFrame = 64 << 10
	// stall is how long a frame may wait for a reader that has stopped.
	stall = 30 * time.Second
)

// errNoEnd says that the connection ended before the command did.
var errNoEnd = errors.New("the server ended the connection before the command was done")

// Ask has the command of a connection done. It returns its standard output and exit
// code. With an error the command was not done, or not to its end.
func Ask(conn io.ReadWriter, stdin io.Reader, stderr io.Writer) (stdout []byte, code int, err error) {
	var out bytes.Buffer
	buf := make([]byte, maxFrame)
	for {
		kind, text, err := read(conn, buf)
		if err != nil {
			return nil, 0, fmt.Errorf("%w: %w", errNoEnd, err)
		}
		switch kind {
		case output:
			out.Write(text)
		case problems:
			_, err = stderr.Write(text)
		case wanted:
			err = give(conn, stdin, buf)
		case exit:
			if len(text) != 1 {
				return nil, 0, errors.New("an end without an exit code")
			}
			return out.Bytes(), int(text[0]), nil
		default:
			err = fmt.Errorf("a frame of unknown kind %q", kind)
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// give sends the next bytes of standard input.
func give(conn io.Writer, stdin io.Reader, buf []byte) error {
	n, err := stdin.Read(buf)
	if n > 0 || err == nil {
		return write(conn, input, buf[:n])
	}
	return write(conn, inputEnd, nil)
}

// Streams are those of who asked for a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Do runs a command for who is at the other side of a connection, and sends its exit
// code. The context that it gives ends when the other side has gone. An error of the
// command, or a panic, ends the connection instead.
func Do(ctx context.Context, conn net.Conn, command func(ctx context.Context, s Streams) (code int, err error)) error {
	ctx, cancel := context.WithCancel(ctx)
	c := &caller{conn: conn, given: make(chan []byte)}
	var listening sync.WaitGroup
	listening.Go(func() {
		defer cancel()
		c.listen(ctx)
	})
	code, err := run(ctx, command, Streams{In: &reader{c: c, done: ctx.Done()}, Out: writer{c, output}, Err: writer{c, problems}})
	if err == nil {
		err = c.send(exit, []byte{byte(code)})
	}
	cancel()
	err = errors.Join(err, conn.Close())
	listening.Wait()
	return err
}

// run keeps a panic to the command that raised it.
func run(ctx context.Context, command func(context.Context, Streams) (int, error), s Streams) (code int, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the command panicked: %v\n%s", cause, debug.Stack())
		}
	}()
	return command(ctx, s)
}

// caller is the other side of a command.
type caller struct {
	conn  net.Conn
	mu    sync.Mutex  // held while a frame is sent
	given chan []byte // standard input; closed at its end
}

// listen takes what the other side sends, until it has gone.
func (c *caller) listen(ctx context.Context) {
	buf, isOver := make([]byte, maxFrame), false
	for {
		kind, text, err := read(c.conn, buf)
		if err != nil {
			return
		}
		switch {
		case kind == inputEnd && !isOver:
			isOver = true
			close(c.given)
		case kind == input && !isOver:
			select {
			case c.given <- bytes.Clone(text):
			case <-ctx.Done():
				return
			}
		}
	}
}

func (c *caller) send(kind byte, text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.conn.SetWriteDeadline(time.Now().Add(stall)); err != nil {
		return err
	}
	return write(c.conn, kind, text)
}

// reader is the standard input of the other side, which is asked for it piece by
// piece.
type reader struct {
	c    *caller
	done <-chan struct{} // is closed when the command is cancelled
	rest []byte
	end  bool
}

func (r *reader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 && !r.end {
		if err := r.c.send(wanted, nil); err != nil {
			return 0, err
		}
		select {
		case text, more := <-r.c.given:
			r.rest, r.end = text, !more
		case <-r.done:
			return 0, context.Canceled
		}
	}
	if r.end {
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// writer is an output of the other side.
type writer struct {
	c    *caller
	kind byte
}

func (w writer) Write(p []byte) (int, error) {
	for at := 0; at < len(p); at += maxFrame {
		if err := w.c.send(w.kind, p[at:min(at+maxFrame, len(p))]); err != nil {
			return at, err
		}
	}
	return len(p), nil
}

// write sends a frame.
func write(to io.Writer, kind byte, text []byte) error {
	frame := append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(text))), text...)
	_, err := to.Write(frame)
	return err
}

// read takes a frame, whose rest is put into buf.
func read(from io.Reader, buf []byte) (kind byte, text []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if int64(n) > int64(len(buf)) {
		return 0, nil, fmt.Errorf("a frame of %d bytes, at most %d are taken", n, len(buf))
	}
	_, err = io.ReadFull(from, buf[:n])
	return head[0], buf[:n], err
}
