package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"slices"
	"sync"
)

// Alone serves a client in this process.
type Alone func(ctx context.Context, in io.Reader, out io.Writer) error

// Run hands lines between a client and a server until the client's input has ended
// and its requests are answered. If the server ends before, alone goes on: it is
// told the handshake again, and the requests that nobody has answered.
func Run(ctx context.Context, conn net.Conn, in io.Reader, out io.Writer, alone Alone) error {
	r := &run{to: conn, opened: map[string]bool{}}
	go r.forward(in)
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	err := r.back(conn, out)
	conn.Close()
	if err != nil || ctx.Err() != nil || r.isDone() {
		return err
	}
	pr, pw := io.Pipe()
	defer pr.Close()
	again := &muted{out: out, ids: r.openedIDs()}
	go r.takeOver(pw)
	return alone(ctx, pr, again)
}

// run is what is known of a session that another process serves.
type run struct {
	mu        sync.Mutex
	to        io.Writer       // who gets the client's lines
	handshake [][]byte        // lines that begin the session
	opened    map[string]bool // ids of requests among them that are answered
	pending   []request       // what is not answered, the oldest first
	isOver    bool            // the client's input has ended
}

// request is a line of the client that wants an answer.
type request struct {
	id      string
	line    []byte
	opening bool
}

// message is what matters here of a line of the protocol.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// opening are the methods that begin a session, or set what lasts as long as it.
var opening = map[string]bool{"initialize": true, "notifications/initialized": true, "logging/setLevel": true}

// forward hands on the client's lines.
func (r *run) forward(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.keep(line).Write(line) // one that is lost is sent again to who takes over
		}
		if err != nil {
			r.end()
			return
		}
	}
}

// keep keeps a line where it may have to be sent again, and returns who gets it.
func (r *run) keep(line []byte) io.Writer {
	var m message
	asks := json.Unmarshal(line, &m) == nil && m.Method != ""
	r.mu.Lock()
	defer r.mu.Unlock()
	if asks && opening[m.Method] {
		r.handshake = append(r.handshake, line)
	}
	if asks && len(m.ID) > 0 {
		r.pending = append(r.pending, request{string(m.ID), line, opening[m.Method]})
	}
	return r.to
}

// end tells the server that the client's input has ended.
func (r *run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isOver = true
	closeInput(r.to)
}

func closeInput(to io.Writer) {
	switch to := to.(type) {
	case interface{ CloseWrite() error }:
		to.CloseWrite()
	case io.Closer:
		to.Close()
	}
}

// back hands the server's lines to the client, until there are no more. The error
// is that of the client.
func (r *run) back(conn io.Reader, out io.Writer) error {
	lines := bufio.NewReader(conn)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil { // half a line is not handed on: its request is asked again
			return nil
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		r.answered(line)
	}
}

// answered notes the request that a line answers.
func (r *run) answered(line []byte) {
	var m message
	if json.Unmarshal(line, &m) != nil || m.Method != "" || len(m.ID) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.pending, func(q request) bool { return q.id == string(m.ID) })
	if i < 0 {
		return
	}
	if r.pending[i].opening {
		r.opened[r.pending[i].id] = true
	}
	r.pending = slices.Delete(r.pending, i, i+1)
}

// isDone reports whether the client's input has ended and all is answered.
func (r *run) isDone() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.isOver && len(r.pending) == 0
}

func (r *run) openedIDs() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened
}

// takeOver sends to another server what it must know, and from then on the
// client's lines.
func (r *run) takeOver(to *io.PipeWriter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range r.handshake {
		to.Write(line)
	}
	for _, q := range r.pending {
		if !q.opening {
			to.Write(q.line)
		}
	}
	r.to = to
	if r.isOver {
		to.Close()
	}
}

// muted keeps from the client second answers to the requests that began its
// session.
type muted struct {
	out  io.Writer
	ids  map[string]bool // of those requests
	rest []byte          // of a line that has not ended
}

func (m *muted) Write(p []byte) (int, error) {
	if len(m.ids) == 0 && len(m.rest) == 0 {
		return m.out.Write(p)
	}
	m.rest = append(m.rest, p...)
	for {
		end := bytes.IndexByte(m.rest, '\n') + 1
		if end == 0 {
			return len(p), nil
		}
		line := m.rest[:end]
		m.rest = m.rest[end:]
		var got message
		if json.Unmarshal(line, &got) == nil && got.Method == "" && m.ids[string(got.ID)] {
			delete(m.ids, string(got.ID))
			continue
		}
		if _, err := m.out.Write(line); err != nil {
			return 0, err
		}
	}
}
