// Package stdio serves one client of the Model Context Protocol over standard
// input and output: one JSON-RPC message a line. It accepts fewer lines than the
// SDK's transport, but a bad line is answered and does not end the session.
package stdio

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/message"
)

const (
	// drain is how long requests may still be answered after the end of the input.
	drain = 1500 * time.Millisecond
	// parentCheck is how often the server checks that its parent is alive.
	parentCheck = 500 * time.Millisecond
	// farewell is how long the session may take to end.
	farewell = 300 * time.Millisecond
	// unreadTime is how long a client may leave a line unread that waits for room
	// in its pipe, and leftTime the same after its input has ended: it is gone then.
	unreadTime = time.Minute
	leftTime   = 5 * time.Second
	// ahead is how many lines are read before they are asked for, so that the end
	// of the input is seen behind them.
	ahead = 64
)

// Options change how a client is served. The zero value is useful.
type Options struct {
	Refuse func(*jsonrpc.Request) *jsonrpc.Error // refuses a request before it is decoded; nil refuses none
	Queue  func(*jsonrpc.Request) string         // requests of one queue are handed on one after the other; "" is none, nil gives none
	Greet  bool                                  // answer calls of a client that did not initialize
	Drain  time.Duration                         // how long requests may still be answered after the end of the input; 0 is 1.5 s
	Parent func() int                            // id of the parent process; nil is os.Getppid
}

// Serve serves one client over in and out until in ends, ctx ends or the parent
// process dies. Each of these ends it within two seconds, or within the drain
// that o sets. Nothing but protocol is written to out. A line that is not a
// message is answered with an error and never ends the session. Neither in nor
// out is closed.
func Serve(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Parent == nil {
		o.Parent = os.Getppid
	}
	go WatchParent(ctx, cancel, o.Parent, o.Parent())
	c := newConn(in, out, o)
	defer c.Close()
	session, err := s.Connect(ctx, c, nil)
	if err != nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	go c.watchReader(ctx, cancel)
	select {
	case err = <-ended:
	case <-ctx.Done():
		c.Close() // ends the reading, which cancels the calls under way
		select {
		case err = <-ended:
		case <-time.After(farewell):
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}

// watchReader calls lost when the client does not read what is written to it, or
// has closed its input and was given all the time to take its answers.
func (c *conn) watchReader(ctx context.Context, lost func()) {
	tick := time.NewTicker(parentCheck / 5)
	defer tick.Stop()
	input := c.inputEnded
	var left time.Time // when the input ended
	for {
		select {
		case <-ctx.Done():
			return
		case <-input:
			input, left = nil, time.Now()
		case now := <-tick.C:
			since := c.writingSince.Load()
			patience := unreadTime
			if !left.IsZero() {
				patience = min(leftTime, c.drain)
			}
			if since != nil && now.Sub(*since) > patience || !left.IsZero() && now.Sub(left) > c.drain {
				lost()
				return
			}
		}
	}
}

// WatchParent calls lost when the parent process is no longer the first one,
// which happens when it dies. A death signal of the kernel (PR_SET_PDEATHSIG)
// would not do: it is sent when the thread that started the process ends.
func WatchParent(ctx context.Context, lost func(), parent func() int, first int) {
	tick := time.NewTicker(parentCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if parent() != first {
				lost()
				return
			}
		}
	}
}

// conn is an mcp.Connection over lines, and the mcp.Transport that hands it
// out. The SDK's own transport ends the session at the first line it cannot
// decode; conn answers such a line and goes on.
type conn struct {
	lines  chan line // from the reading goroutine
	out    io.Writer
	refuse func(*jsonrpc.Request) *jsonrpc.Error // nil refuses nothing
	drain  time.Duration                         // how long Read waits for answers after the end of the input
	turns  *turns
	greets bool // clients that did not initialize are answered

	ended   bool             // of the input; Read's own
	drained <-chan time.Time // when Read waits no longer; nil before the end of the input

	closeOnce sync.Once
	closed    chan struct{}

	mu        sync.Mutex
	open      map[jsonrpc.ID]*request // requests not answered yet, guarded by mu
	answering int                     // answers being written, guarded by mu
	hello     json.RawMessage         // what initialize was answered, nil before; guarded by mu
	found     json.RawMessage         // what server/discover was answered, nil before; guarded by mu

	inputEnded   chan struct{}             // closed when the input has ended
	writingSince atomic.Pointer[time.Time] // when the line began that is being written; nil for none

	writing  sync.Mutex  // held while a line is written
	notified atomic.Bool // the last thing written was a notification
}

// request is one that waits for its answer.
type request struct {
	hello     bool // it is initialize
	finds     bool // it is server/discover
	soon      bool // the answer does not wait for the client
	cancelled bool // the client no longer wants it
}

// line is one line of the input, or its end.
type line struct {
	text []byte
	err  error // errTooLong, or what ended the input
}

func newConn(in io.Reader, out io.Writer, o Options) *conn {
	c := &conn{
		lines: make(chan line, ahead), inputEnded: make(chan struct{}), out: out, refuse: o.Refuse, drain: cmp.Or(o.Drain, drain),
		turns: newTurns(o), greets: o.Greet, closed: make(chan struct{}), open: map[jsonrpc.ID]*request{},
	}
	go c.readLines(bufio.NewReaderSize(in, 64<<10))
	return c
}

// Connect implements mcp.Transport.
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements mcp.Connection. A pipe has one session without a name.
func (c *conn) SessionID() string { return "" }

// Close ends Read. The reading goroutine waits until input arrives, since a read
// of a pipe cannot be interrupted portably.
func (c *conn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

func (c *conn) readLines(in *bufio.Reader) {
	for {
		text, err := readLine(in)
		if len(text) > 0 && errors.Is(err, io.EOF) { // a last line without a line end
			c.deliver(line{text: text})
			text = nil
		}
		over := err != nil && !errors.Is(err, errTooLong)
		if over {
			close(c.inputEnded)
		}
		if !c.deliver(line{text, err}) || over {
			return
		}
	}
}

func (c *conn) deliver(l line) bool {
	select {
	case c.lines <- l:
		return true
	case <-c.closed:
		return false
	}
}

// readLine reads a line without its line end. A line longer than maxLine is
// skipped and reported as errTooLong.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(text)+len(part) > maxLine+1 {
			return passLine(in, append(text[:min(len(text), endsKept)], part...), err)
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(text, []byte("\n")), err
		}
	}
}

// endsKept is how many bytes are kept of the beginning and of the end of a line
// that is too long.
const endsKept = 4 << 10

// passLine skips the rest of a line that is too long. It returns both ends of it,
// where the id of the request may be.
func passLine(in *bufio.Reader, begun []byte, err error) ([]byte, error) {
	head, tail := begun[:min(len(begun), endsKept)], begun
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = in.ReadSlice('\n')
		tail = append(tail[max(0, len(tail)-endsKept):], part...)
	}
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, tail[max(0, len(tail)-endsKept):]), errTooLong
}

// Read implements mcp.Connection: it returns the next message. It answers lines
// that are not messages itself.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if msg := c.turns.next(); msg != nil {
			if c.introducedAgain(msg) {
				continue
			}
			return msg, nil
		}
		if c.ended && c.allAnswered() {
			return nil, io.EOF
		}
		select {
		case <-ctx.Done():
			return nil, io.EOF
		case <-c.closed:
			return nil, io.EOF
		case <-c.drained:
			return nil, io.EOF
		case <-c.turns.changed:
		case l := <-c.lines:
			if l.err != nil && !errors.Is(l.err, errTooLong) { // however the input ended
				c.ended, c.drained = true, time.After(c.drain)
				continue
			}
			if msg := c.accept(l); msg != nil {
				c.turns.add(msg)
			}
		}
	}
}

// accept returns the message of a line, or nil after it has answered a bad line.
func (c *conn) accept(l line) jsonrpc.Message {
	var msg jsonrpc.Message
	bad := tooLong(l.text)
	if l.err == nil {
		msg, bad = message.Check(l.text)
	}
	req, ok := msg.(*jsonrpc.Request)
	if ok && bad == nil && c.refuse != nil {
		bad = message.Refusal(req, c.refuse(req))
	}
	if ok && bad == nil {
		bad = c.note(req)
	}
	if bad != nil {
		c.write(bad.Answer()) //nolint:errcheck // a broken pipe ends the session at the next answer
		return nil
	}
	return msg
}

// note records a request, and refuses one whose id is in use.
func (c *conn) note(req *jsonrpc.Request) *message.Bad {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case req.Method == cancel:
		var p struct {
			RequestID any `json:"requestId"`
		}
		if json.Unmarshal(req.Params, &p) != nil {
			return nil
		}
		if id, err := jsonrpc.MakeID(p.RequestID); err == nil && c.open[id] != nil {
			c.open[id].cancelled = true
			if c.turns.drop(id) {
				delete(c.open, id)
			}
		}
	case !req.IsCall():
	case c.open[req.ID] != nil:
		return &message.Bad{Code: jsonrpc.CodeInvalidRequest, Text: "request id in use: wait for its answer, or choose another"}
	default:
		c.open[req.ID] = &request{hello: req.Method == initialize, finds: req.Method == discover, soon: req.Method != subscribe}
	}
	return nil
}

const (
	cancel     = "notifications/cancelled"
	initialize = "initialize"
	discover   = "server/discover"
	subscribe  = "subscriptions/listen" // is answered when the client stops listening
)

// allAnswered reports whether every request that can be answered is, for a client
// that sends its requests and closes the input at once.
func (c *conn) allAnswered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, req := range c.open {
		if req.soon {
			return false
		}
	}
	return c.answering == 0
}

// Write implements mcp.Connection.
func (c *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(coded(msg))
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	if res, ok := msg.(*jsonrpc.Response); ok {
		wanted := c.answer(res)
		defer c.answered(res.ID)
		if !wanted || res.ID == greeting {
			return nil
		}
		if c.notified.Swap(false) {
			c.taken(ctx)
		}
	}
	err = c.write(append(text, '\n'))
	if req, ok := msg.(*jsonrpc.Request); ok && !req.IsCall() {
		c.notified.Store(true)
	}
	return err
}

// Bounds of the wait for a notification to be read.
const (
	takenTime = time.Second           // at most
	takenLook = time.Millisecond      // between two looks
	blindWait = 20 * time.Millisecond // where nothing can be looked at
)

// taken waits until the client has read the notifications that were written. If a
// client with the protocol's TypeScript library reads a progress notification
// together with the answer of its call, it handles the answer first, and then does
// not know the call of the notification.
func (c *conn) taken(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, takenTime)
	defer cancel()
	every := takenLook
	for empty := 0; ; {
		n, known := unread(c.out)
		switch {
		case !known:
			every = blindWait
		case n > 0:
			empty = 0
		default:
			// The read that took the last byte may still take what is written now.
			if empty++; empty == 2 {
				return
			}
		}
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		}
		if !known {
			return
		}
	}
}

func (c *conn) write(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	began := time.Now()
	c.writingSince.Store(&began)
	defer c.writingSince.Store(nil)
	_, err := c.out.Write(text)
	return err
}

// answer frees an id before its answer is written, since the client may use the id
// again once it has read the answer. It reports whether the client wants the
// answer: a cancelled request gets none.
func (c *conn) answer(res *jsonrpc.Response) (wanted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	req := c.open[res.ID]
	delete(c.open, res.ID)
	if c.hello == nil && res.Error == nil && (res.ID == greeting || req != nil && req.hello) {
		c.hello = res.Result
	}
	if req != nil && req.finds && res.Error == nil {
		c.found = res.Result
	}
	c.answering++
	return req == nil || !req.cancelled
}

// answered ends the turn of a request whose answer was written.
func (c *conn) answered(id jsonrpc.ID) {
	c.mu.Lock()
	c.answering--
	c.mu.Unlock()
	c.turns.end(id)
}
