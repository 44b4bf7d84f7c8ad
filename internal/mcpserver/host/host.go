// Package host serves tools over the Model Context Protocol: it checks the
// arguments of a call, bounds its time and how many are at work, keeps a panic to
// the call that raised it, and turns errors into answers. What a tool answers is
// its own.
package host

//lint:file-ignore SA1019 clients of revisions before 2026-07-28 know roots and the log

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/notify"
	"espy/internal/nearest"
	"espy/internal/permit"
	"espy/internal/usage"
)

// defaultTimeout is the time of a call where the options name none.
const defaultTimeout = 10 * time.Second

// Limits bound a call in time.
type Limits struct{ Timeout time.Duration } // 0 is ten seconds

// Call is the time of a call: a twentieth of its bound is left to write the answer.
func (l Limits) Call() time.Duration { return l.timeout() * 19 / 20 }

func (l Limits) timeout() time.Duration { return cmp.Or(l.Timeout, defaultTimeout) }

// overrun is how long after its time a call is waited for. One that does not
// stop, as on a disk that hangs, is answered without it and goes on alone.
const overrun = 300 * time.Millisecond

// listTTL is how long a client may keep the list of tools, which is fixed in a build.
const listTTL = time.Hour

// Options is what a server of tools needs.
type Options struct {
	About        *mcp.Implementation
	Instructions string
	Log          *slog.Logger // nil logs nothing
	Limits       Limits
	Greeted      func(context.Context) error // runs behind the start over a pipe, or the first request, until the server ends
	Complete     Completer                   // of arguments of prompts and resources; nil offers neither

	resources bool // offers resources alone
}

// Completer completes an argument of a prompt or of a template of resources.
type Completer func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error)

// Tool is one tool of a server.
type Tool struct {
	About *mcp.Tool
	Lane  Lane
	Args  *arguments.Arguments
	Call  func(ctx context.Context, c *Call) (string, error)

	// Begin settles the form of the answer before the call, and returns what is
	// answered where the time is over before the call has an answer: empty for an
	// error. It may be nil.
	Begin func(c *Call) (partial string)
}

// Call is one call of a tool, its arguments checked against the schema.
type Call struct {
	Tool       string
	Args       map[string]json.RawMessage
	Progress   *notify.Notifier // nil where nobody asked for it
	Limits     Limits
	Roots      Roots // of the client
	Structured bool  // the answer is JSON, and is given as structured content too; Begin of a tool sets it
}

// Server serves tools: Espy's own, or those of a profile.
type Server struct {
	log     *slog.Logger
	mcp     *mcp.Server
	names   []string             // of the tools
	tools   map[string]Tool      // Espy's own, by name
	changes map[string]bool      // names of tools that change something
	ended   func(End)            // is told of the end of each call
	slots   [lanes]chan struct{} // calls at work, at most cap of each lane
	waiting atomic.Int64         // calls that wait for a slot
	limits  Limits
	profile *Profile // nil for Espy's own tools
	greeted func()

	jobs sync.WaitGroup // what goes on behind an answer
	base context.Context
	end  context.CancelFunc
}

// New returns a server without tools.
func New(o Options) *Server {
	s := newServer(o)
	s.mcp.AddReceivingMiddleware(s.guard, shorten, s.restrict)
	return s
}

func newServer(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{log: o.Log, slots: newSlots(), limits: o.Limits, tools: map[string]Tool{}, changes: map[string]bool{}, ended: func(End) {}}
	s.base, s.end = context.WithCancel(context.Background())
	s.greeted = sync.OnceFunc(func() {
		if o.Greeted == nil {
			return
		}
		s.Start(func(ctx context.Context) {
			if err := o.Greeted(ctx); err != nil {
				s.log.Debug("not prepared", "err", err)
			}
		})
	})
	s.mcp = mcp.NewServer(o.About, &mcp.ServerOptions{
		Instructions:      o.Instructions,
		Logger:            slog.New(quiet{o.Log.Handler()}),
		Capabilities:      capabilities(o),
		CompletionHandler: o.Complete,
		SetCacheable:      keptFor,
	})
	return s
}

// terse is a list of tools without hints that mean nothing for a tool that only
// reads, which the SDK writes.
type terse struct{ *mcp.ListToolsResult }

func (l terse) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(l.ListToolsResult)
	return bytes.ReplaceAll(text, []byte(`"idempotentHint":false,`), nil), err
}

// shorten lists the tools as terse.
func shorten(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if list, ok := res.(*mcp.ListToolsResult); ok && err == nil {
			return terse{list}, nil
		}
		return res, err
	}
}

// capabilities are tools alone, or all that a server offers which completes
// arguments of the rest.
func capabilities(o Options) *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if o.resources {
		c.Resources = &mcp.ResourceCapabilities{}
	}
	if o.Complete != nil {
		c.Prompts, c.Resources, c.Logging = &mcp.PromptCapabilities{}, &mcp.ResourceCapabilities{}, &mcp.LoggingCapabilities{}
	}
	return c
}

// keptFor tells how long a client may keep an answer: lists, which are fixed in a
// build, but nothing that was read.
func keptFor(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	if _, read := req.(*mcp.ReadResourceRequest); !read {
		c.TTLMs = int(listTTL.Milliseconds())
	}
}

// Add adds a tool. It is not for use while the server serves.
func (s *Server) Add(t Tool) {
	s.mcp.AddTool(t.About, s.handler(t))
	s.names = append(s.names, t.About.Name)
	s.tools[t.About.Name] = t
	s.changes[t.About.Name] = t.About.Annotations == nil || !t.About.Annotations.ReadOnlyHint
}

// Start begins work that goes on behind an answer, until it ends, the server
// does, or it is cancelled.
func (s *Server) Start(work func(context.Context)) (cancel context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.base)
	s.jobs.Go(func() {
		defer cancel()
		work(ctx)
	})
	return cancel
}

// Close ends the work behind answers, and waits for it.
func (s *Server) Close() {
	s.end()
	s.jobs.Wait()
}

// handler makes the SDK's handler of a tool, which turns errors into answers.
func (s *Server) handler(t Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p := notify.Of(ctx, req)
		defer p.Stop()
		c := &Call{Progress: p, Roots: rootsOf(req)}
		text, err := s.ask(ctx, t, c, req.Params.Arguments)
		switch {
		case errors.Is(err, context.Canceled): // nobody waits for an answer
			return nil, err
		case WantsRoots(err):
			return askForRoots(), nil
		case err != nil:
			s.say(ctx, req, err)
			return errorResult(err), nil
		}
		res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
		if c.Structured {
			res.StructuredContent = json.RawMessage(text)
		}
		return res, nil
	}
}

// say tells of a call that failed to a client that asked for the log.
func (s *Server) say(ctx context.Context, req *mcp.CallToolRequest, err error) {
	if req.Session == nil {
		return
	}
	said := &mcp.LoggingMessageParams{Level: "warning", Logger: req.Params.Name, Data: usage.Shorten(err.Error(), maxError)}
	if err := req.Session.Log(ctx, said); err != nil {
		s.log.Debug("not told", "err", err)
	}
}

// within returns the answer of a call, or the error of ctx where the call does
// not stop with it. The call leaves its slot when it ends.
func (s *Server) within(ctx context.Context, t Tool, c *Call) (string, error) {
	type answer struct {
		text  string
		err   error
		panic any
	}
	done := make(chan answer, 1)
	go func() {
		defer s.leave(t.Lane)
		var a answer
		defer func() {
			a.panic = recovered(recover())
			done <- a
		}()
		a.text, a.err = t.Call(ctx, c)
	}()
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(overrun, func() { close(over) }) })
	defer stop()
	select {
	case a := <-done:
		if a.panic != nil {
			panic(a.panic)
		}
		return a.text, a.err
	case <-over:
		return "", ctx.Err()
	}
}

// recovered keeps the stack of a panic, which is raised again by who waits for
// the call.
func recovered(cause any) any {
	if cause == nil {
		return nil
	}
	return fmt.Sprintf("%v\n%s", cause, debug.Stack())
}

// enter waits for a slot and reports whether it got one before ctx ended.
func (s *Server) enter(ctx context.Context, l Lane) bool {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	select {
	case s.slots[l] <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *Server) leave(l Lane) { <-s.slots[l] }

// guard recovers from a panic in one request, so that the others go on, and names
// the nearest tool if a tool is unknown.
func (s *Server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				stack := make([]byte, 16<<10)
				stack = stack[:runtime.Stack(stack, false)]
				s.log.Error("request panicked", "method", method, "panic", r, "stack", string(stack))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error of espy; its log has the details"}
			}
		}()
		s.greeted()
		ctx, done := wanted(permit.Calling(asked(ctx, req), method))
		defer done()
		if r, ok := req.(*mcp.CallToolRequest); ok {
			if err := s.admits(ctx, r.Params.Name); err != nil {
				return nil, protocolError(err)
			}
		}
		return next(ctx, method, req)
	}
}

func (s *Server) unknown(name string) error {
	if s.profile != nil && s.profile.Unknown != nil {
		return s.profile.Unknown(name)
	}
	return unknownTool(name, s.names)
}

func unknownTool(name string, names []string) error {
	hint := "the tools are " + strings.Join(names, ", ")
	if near := nearest.Of(name, names, 1); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q; %s", name, hint)}
}
