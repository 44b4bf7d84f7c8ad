package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/httpd/body"
	"espy/internal/httpd/limit"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/message"
)

// sessionTime is how long a session may be idle.
const sessionTime = 30 * time.Minute

// endpoint serves tools by the protocol.
type endpoint struct {
	tools   *host.Server
	next    http.Handler
	serving context.Context // streams end with it
	alone   bool            // each request is answered where it came from
}

// newEndpoint returns what serves tools, with sessions or without.
func newEndpoint(serving context.Context, tools *host.Server, stateful bool, log *slog.Logger) *endpoint {
	o := &mcp.StreamableHTTPOptions{
		Stateless:                    !stateful,
		MaxRequestBodyBytes:          body.Max,
		Logger:                       log,
		DisableLocalhostProtection:   true, // the door knows which hosts are this server's
		PropagateRequestCancellation: true,
	}
	if stateful {
		o.SessionTimeout = sessionTime
		o.EventStore = mcp.NewMemoryEventStore(nil)
	}
	next := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools.Protocol() }, o)
	return &endpoint{tools: tools, next: next, serving: serving, alone: !stateful}
}

// ServeHTTP checks the messages that a request brings, and hands it on.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	streams := r.Method == http.MethodGet
	if r.Method == http.MethodPost {
		methods, ok := e.take(w, r)
		if !ok {
			return
		}
		streams = slices.Contains(methods, "subscriptions/listen")
	}
	if streams {
		if p := limit.Stream(w, r); p != nil {
			p.Write(w)
			return
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(e.serving, cancel)()
		r = r.WithContext(ctx)
	}
	if e.alone {
		r = r.WithContext(host.WhileWanted(r.Context()))
	}
	e.next.ServeHTTP(w, r)
}

// take reads the messages of a request, or answers why they are not taken.
func (e *endpoint) take(w http.ResponseWriter, r *http.Request) (methods []string, ok bool) {
	text, p := body.Read(w, r)
	if p != nil {
		p.Write(w)
		return nil, false
	}
	list, bad := body.Messages(text)
	if bad != nil {
		answer(w, http.StatusBadRequest, bad)
		return nil, false
	}
	for _, m := range list {
		req, isRequest := m.(*jsonrpc.Request)
		if !isRequest {
			continue
		}
		methods = append(methods, req.Method)
		if why := e.tools.Refuse(req); why != nil {
			if bad := message.Refusal(req, why); bad != nil {
				answer(w, http.StatusOK, bad)
			} else {
				w.WriteHeader(http.StatusAccepted)
			}
			return nil, false
		}
	}
	if len(list) == 0 {
		problem.New(http.StatusBadRequest, "the body has no message", "send one JSON-RPC message").Write(w)
	}
	return methods, len(list) > 0
}

// answer writes an error of the protocol.
func answer(w http.ResponseWriter, status int, bad *message.Bad) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(bad.Answer()) //nolint:errcheck // the client is gone
}
