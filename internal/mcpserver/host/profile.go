package host

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/notify"
	"espy/internal/permit"
)

// Profile replaces Espy's tools with those of another program, under the names
// that its clients know. The profile alone decides what they answer, errors
// included.
type Profile struct {
	Name    string // of the server, in the handshake
	Version string
	Tools   []ProfileTool     // in the order of tools/list
	Aliases map[string]string // other names of tools
	Unknown func(tool string) *jsonrpc.Error
	Refuse  func(method string, id bool, params json.RawMessage) *jsonrpc.Error // refuses a message before it is decoded; nil lets it pass
	Queue   func(arguments json.RawMessage) string                              // calls of one queue are answered in their order; "" is none

	Instructions string // of the handshake
	Resources    []ProfileResource
}

// ProfileResource is one resource of a profile.
type ProfileResource struct {
	URI, Name, MIME string
	Read            func(ctx context.Context) (string, error)
}

// ProfileTool is one tool of a profile. If Call returns a *jsonrpc.Error, that is
// the answer; any other error is answered as an internal error. Call is not bounded
// in time. Its arguments are as the client sent them, or {} if it sent none.
type ProfileTool struct {
	Name, Description string
	Schema            json.RawMessage
	ReadOnly          bool // it changes nothing: callers that may only read are offered it
	Slow              bool // it may take minutes, and does not count against the calls at work
	Call              func(ctx context.Context, arguments json.RawMessage, tell Tell) (string, error)

	Annotations *mcp.ToolAnnotations // nil for none

	// Result is Call for a tool whose answers are more than one text; nil where Call is set.
	Result func(ctx context.Context, arguments json.RawMessage, tell Tell) (*mcp.CallToolResult, error)
}

// Tell reports the progress of a call to a client that asked for it. It never waits.
type Tell func(message string, done, total float64)

// NewProfile returns a server of a profile.
func NewProfile(p Profile, log *slog.Logger) *Server {
	s := newServer(Options{About: &mcp.Implementation{Name: p.Name, Version: p.Version}, Instructions: p.Instructions, Log: log, resources: len(p.Resources) > 0})
	s.profile = &p
	for _, r := range p.Resources {
		s.mcp.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, MIMEType: r.MIME}, r.reader())
	}
	list := make([]*mcp.Tool, len(p.Tools))
	for i := range p.Tools {
		t := &p.Tools[i]
		list[i] = &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema, Annotations: t.Annotations}
		s.mcp.AddTool(list[i], func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.callProfile(ctx, t, req)
		})
		s.names = append(s.names, t.Name)
		s.changes[t.Name] = !t.ReadOnly
	}
	for name, tool := range p.Aliases {
		s.names = append(s.names, name)
		s.changes[name] = s.changes[tool]
	}
	s.mcp.AddReceivingMiddleware(s.guard, s.restrict, p.rewrite(list))
	return s
}

// rewrite restores the profile's order in tools/list, which the SDK sorts, and
// resolves aliases of tools.
func (p *Profile) rewrite(list []*mcp.Tool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch r := req.(type) {
			case *mcp.ListToolsRequest:
				res, err := next(ctx, method, req)
				if all, ok := res.(*mcp.ListToolsResult); ok && err == nil {
					all.Tools = list
				}
				return res, err
			case *mcp.CallToolRequest:
				if name, ok := p.Aliases[r.Params.Name]; ok {
					r.Params.Name = name
				}
			}
			return next(ctx, method, req)
		}
	}
}

// reader reads the resource.
func (r *ProfileResource) reader() mcp.ResourceHandler {
	return func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		text, err := r.Read(ctx)
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.MIME, Text: text}}}, nil
	}
}

func (s *Server) callProfile(ctx context.Context, t *ProfileTool, req *mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
	defer s.timed(t.Name, &err)()
	ctx = permit.Calling(inSession(ctx, req), t.Name)
	if !t.Slow {
		if !s.enter(ctx, Heavy) {
			return nil, ctx.Err()
		}
		defer s.leave(Heavy)
	}
	arguments := req.Params.Arguments
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	p := notify.Of(ctx, req)
	defer p.Stop()
	tell := Tell(func(string, float64, float64) {})
	if p != nil {
		tell = p.Tell
	}
	ctx = rootsOf(req).In(ctx)
	if t.Result != nil {
		if res, err = t.Result(ctx, arguments, tell); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return res, err
	}
	text, err := t.Call(ctx, arguments, tell)
	var known *jsonrpc.Error
	switch {
	case err == nil:
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(text, "\uFFFD")}}}, nil
	case errors.As(err, &known):
		return nil, known
	case WantsRoots(err):
		return askForRoots(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	s.log.Debug("tool call failed", "tool", t.Name, "err", err)
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// queue returns the queue that a request waits in, "" for none.
func (p *Profile) queue(req *jsonrpc.Request) string {
	var call struct{ Arguments json.RawMessage }
	if p.Queue == nil || req.Method != "tools/call" || json.Unmarshal(req.Params, &call) != nil {
		return ""
	}
	return p.Queue(call.Arguments)
}

// refuse asks the profile whether a request is refused before it is decoded.
func (p *Profile) refuse(req *jsonrpc.Request) *jsonrpc.Error {
	if p == nil || p.Refuse == nil {
		return nil
	}
	return p.Refuse(req.Method, req.IsCall(), req.Params)
}
