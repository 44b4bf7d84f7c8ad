// Package mcpserver answers agents over the Model Context Protocol. A tool is
// one file: its description, its parameters, its handler. Package render writes
// its answers.
//
// Tools keep no state between calls: the repository is an argument, by default
// that of the start folder. Answers are bounded; they are plain text or, on
// request, the JSON that the command line prints. A wrong call gets an answer too,
// marked as an error, that says what was wrong and what would work. No call takes
// ten seconds: an answer that is not complete by then says what is missing.
package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/nearest"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Bounds in time of a call.
const (
	callTime  = 9500 * time.Millisecond // all of it
	firstTime = 8 * time.Second         // waiting for the first indexing of a repository
	freshTime = 3 * time.Second         // looking for changed files
)

// listTTL is how long a client may keep the list of tools, which is fixed in a build.
const listTTL = time.Hour

// Options is what a server needs.
type Options struct {
	Workspace *workspace.Workspace
	Start     string // folder the server was started in; its repository is the default
	Version   string
	Toolsets  []string // sets of tools to serve, of Toolsets; empty is DefaultToolsets
	ReadOnly  bool     // leave out the tools that change which repositories are attached
	Log       *slog.Logger
}

// Server serves the tools of one workspace.
type Server struct {
	ws      *workspace.Workspace
	start   string
	version string
	log     *slog.Logger
	mcp     *mcp.Server
	names   []string      // of the tools
	slots   chan struct{} // calls at work, at most cap
	profile *Profile      // nil for Espy's own tools

	jobs     sync.WaitGroup // indexing that goes on behind an answer
	base     context.Context
	stopJobs func()
}

// instructions tell a model when to use the server. They are sent with the handshake.
const instructions = `Espy searches the code of this repository through an index that keeps itself fresh.

Use search instead of grep: with a question or names for ranked places, with mode=literal or mode=regex for every line with an exact text or pattern. Then read the place it names. Use symbol for a definition and references, not search, for who uses it: uses are resolved, not matched; outline shows a file without its code. Use files to find files by name, or why a file is not indexed. Not for editing, running code, or files outside attached repositories.

The first line of an answer says how much is shown of how much there is, and how fresh it is: "fresh", "pending: N files" (changed, not shown yet) or "partial: n of m files" (first indexing goes on: ask again). The last line is a useful next call. Answers end at max_tokens (default 2000, at most 8000): narrow with path, lang or scope, or page with cursor.

Everywhere: repo is a name or path (default this repository, all for every attached one), path is globs such as src/**/*.go or !vendor, scope is code, test, docs, deps or all, ref is a branch, tag or commit to look at instead.`

// New returns a server of the workspace. Nothing is read or indexed before
// the first call.
func New(o Options) *Server {
	about := &mcp.Implementation{Name: "espy", Title: "Espy code search", Version: o.Version}
	s := newServer(about, instructions, o.Log)
	s.ws, s.start = o.Workspace, o.Start
	for _, t := range s.tools() {
		if o.served(t) {
			s.add(t)
		}
	}
	s.mcp.AddReceivingMiddleware(s.guard)
	return s
}

// newServer returns a server without tools.
func newServer(about *mcp.Implementation, instructions string, log *slog.Logger) *Server {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Server{version: about.Version, log: log, slots: make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0)))}
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

// tools lists the tools in the order of their names, which is that of tools/list.
func (s *Server) tools() []tool {
	return []tool{
		s.blameTool(), s.changesTool(), s.filesTool(), s.historyTool(), s.indexTool(), s.outlineTool(), s.readTool(), s.referencesTool(), s.searchTool(),
		s.statusTool(), s.symbolTool(),
	}
}

// tool is one tool of the server.
type tool struct {
	name, title, description string
	set                      string // of Toolsets; empty is the core
	readOnly                 bool
	args                     *arguments
	call                     func(ctx context.Context, c *call) (string, error)
}

// with completes a tool by its handler, whose parameters are the arguments.
func with[P any](t tool, handle func(context.Context, *call, *P) (string, error)) tool {
	t.args = newArguments(t.name, schemaOf[P]())
	t.call = func(ctx context.Context, c *call) (string, error) {
		p, err := decoded[P](c.args)
		if err != nil {
			return "", err
		}
		return handle(ctx, c, p)
	}
	return t
}

// decoded returns checked arguments as parameters.
func decoded[P any](args map[string]json.RawMessage) (*P, error) {
	p := new(P)
	text, err := json.Marshal(args)
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		return nil, fmt.Errorf("decode arguments: %w", err)
	}
	return p, nil
}

func (t tool) describe() *mcp.Tool {
	asksOthers, destructive := !t.readOnly, true // index may fetch from another machine
	a := &mcp.ToolAnnotations{ReadOnlyHint: t.readOnly, OpenWorldHint: &asksOthers}
	if !t.readOnly { // the other hints mean nothing for a tool that only reads
		a.IdempotentHint, a.DestructiveHint = true, &destructive
	}
	return &mcp.Tool{Name: t.name, Title: t.title, Description: t.description, InputSchema: listed(t.args.schema), Annotations: a}
}

// call is one call of a tool, its arguments checked against the schema.
type call struct {
	tool     string
	args     map[string]json.RawMessage
	progress *notifier
}

// page returns the page that a cursor of this call names.
func (c *call) page(text string) (cursor, error) {
	return parseCursor(text, question(c.tool, c.args))
}

// handler makes the SDK's handler of a tool: it checks the arguments, bounds
// time and calls at work, and turns errors into answers.
func (s *Server) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		given, err := t.args.check(req.Params.Arguments)
		if err != nil {
			return errorResult(err), nil
		}
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		if !s.enter(ctx) {
			return errorResult(&usage.Error{Msg: "the server is busy with other calls", Hint: "ask again in a moment"}), nil
		}
		defer s.leave()
		p := newNotifier(ctx, req)
		defer p.stop()
		text, err := t.call(ctx, &call{tool: t.name, args: given, progress: p})
		if err != nil {
			return s.failed(ctx, t.name, err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	}
}

// enter waits for a slot and reports whether it got one before ctx ended.
func (s *Server) enter(ctx context.Context) bool {
	select {
	case s.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *Server) leave() { <-s.slots }

// failed answers a call that ended in an error.
func (s *Server) failed(ctx context.Context, tool string, err error) (*mcp.CallToolResult, error) {
	switch context.Cause(ctx) {
	case nil:
	case context.DeadlineExceeded:
		err = &usage.Error{Msg: fmt.Sprintf("%s did not finish within %v", tool, callTime), Hint: "narrow it with path, lang or scope; status shows whether indexing is in progress"}
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
