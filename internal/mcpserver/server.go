package mcpserver

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/notify"
	"espy/internal/nearest"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// defaultTimeout is the time of a call where the options name none.
const defaultTimeout = 10 * time.Second

// limits are the bounds in time of a call.
type limits struct {
	call  time.Duration // all of it: a twentieth is left to write the answer
	first time.Duration // waiting for the first indexing of a repository
	fresh time.Duration // looking for changed files
}

func limitsOf(timeout time.Duration) limits {
	return limits{call: timeout * 19 / 20, first: timeout * 4 / 5, fresh: min(timeout/2, 3*time.Second)}
}

// overrun is how long after its time a call is waited for. One that does not
// stop, as on a disk that hangs, is answered without it and goes on alone.
const overrun = 300 * time.Millisecond

// listTTL is how long a client may keep the list of tools, which is fixed in a build.
const listTTL = time.Hour

// Server serves the tools of one workspace.
type Server struct {
	ws      *workspace.Workspace
	start   string
	version string
	log     *slog.Logger
	mcp     *mcp.Server
	names   []string             // of the tools
	slots   [lanes]chan struct{} // calls at work, at most cap of each lane
	limits  limits
	profile *Profile // nil for Espy's own tools

	showSecrets bool

	greeted  sync.Once      // the first request has come
	jobs     sync.WaitGroup // what goes on behind an answer: indexing, and prepare
	base     context.Context
	stopJobs func()
}

// newServer returns a server without tools.
func newServer(about *mcp.Implementation, instructions string, log *slog.Logger) *Server {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Server{version: about.Version, log: log, slots: newSlots(), limits: limitsOf(defaultTimeout)}
	var cancel context.CancelFunc
	s.base, cancel = context.WithCancel(context.Background())
	s.stopJobs = func() { cancel(); s.jobs.Wait() }
	s.mcp = mcp.NewServer(about, &mcp.ServerOptions{
		Instructions: instructions,
		Logger:       log,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs = int(listTTL.Milliseconds()) },
	})
	return s
}

// add adds a tool. It is not for use while the server serves.
func (s *Server) add(t tool) {
	s.mcp.AddTool(t.describe(), s.handler(t))
	s.names = append(s.names, t.name)
}

// handler makes the SDK's handler of a tool: it checks the arguments, bounds
// time and calls at work, and turns errors into answers.
func (s *Server) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		given, err := t.args.Check(req.Params.Arguments)
		if err != nil {
			return errorResult(err), nil
		}
		ctx, cancel := context.WithTimeout(ctx, s.limits.call)
		defer cancel()
		if !s.enter(ctx, t.lane) {
			return errorResult(&usage.Error{Msg: "the server is busy with other calls", Hint: "ask again in a moment"}), nil
		}
		p := notify.Of(ctx, req)
		defer p.Stop()
		text, err := s.within(ctx, t, &call{tool: t.name, args: given, progress: p, limits: s.limits})
		if err != nil {
			return s.failed(ctx, t.name, err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
}

// lane is which calls a call waits for when there are many.
type lane int

// The lanes. Searches share the processors among each other (package parallel),
// and quick calls need little: neither waits for a call of another lane.
const (
	heavy    lane = iota // what may take much memory
	searches             // search
	quick                // what shows a file or a list
	lanes
)

func newSlots() (slots [lanes]chan struct{}) {
	slots[heavy] = make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0)))
	slots[searches] = make(chan struct{}, 32)
	slots[quick] = make(chan struct{}, 256)
	return slots
}

// within returns the answer of a call, or the error of ctx where the call does
// not stop with it. The call leaves its slot when it ends.
func (s *Server) within(ctx context.Context, t tool, c *call) (string, error) {
	type answer struct {
		text  string
		err   error
		panic any
	}
	done := make(chan answer, 1)
	go func() {
		defer s.leave(t.lane)
		var a answer
		defer func() {
			a.panic = recovered(recover())
			done <- a
		}()
		a.text, a.err = t.call(ctx, c)
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
func (s *Server) enter(ctx context.Context, l lane) bool {
	select {
	case s.slots[l] <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *Server) leave(l lane) { <-s.slots[l] }

// failed answers a call that ended in an error.
func (s *Server) failed(ctx context.Context, tool string, err error) (*mcp.CallToolResult, error) {
	switch context.Cause(ctx) {
	case nil:
	case context.DeadlineExceeded:
		err = &usage.Error{Msg: fmt.Sprintf("%s did not finish within %v", tool, s.limits.call), Hint: "narrow it with path, lang or scope; status shows whether indexing is in progress"}
	default: // cancelled: nobody waits for an answer
		return nil, ctx.Err()
	}
	s.log.Info("tool call failed", "tool", tool, "err", err)
	return errorResult(err), nil
}

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
		s.greeted.Do(s.prepare)
		if r, ok := req.(*mcp.CallToolRequest); ok && !slices.Contains(s.names, r.Params.Name) {
			return nil, s.unknown(r.Params.Name)
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
