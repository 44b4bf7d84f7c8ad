package httpd

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/httpd/body"
	"espy/internal/httpd/limit"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/message"
)

const (
	// sessionTime is how long a session may be idle.
	sessionTime = 30 * time.Minute
	// maxSessions is how many sessions the tools of one path keep.
	maxSessions = 1_000
)

// endpoint serves tools by the protocol.
type endpoint struct {
	tools   *host.Server
	next    http.Handler
	serving context.Context // streams end with it
	alone   bool            // each request is answered where it came from, without a session
	most    int             // sessions

	mu      sync.Mutex
	opening int // requests at work that may begin a session, guarded by mu
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
	return &endpoint{tools: tools, next: next, serving: serving, alone: !stateful, most: maxSessions}
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
		if !e.alone && r.Header.Get(sessionHeader) == "" {
			if !e.begin() {
				p := problem.New(http.StatusServiceUnavailable, fmt.Sprintf("%d sessions are open, and no more are kept", e.most), "end those that are not needed with DELETE; one ends by itself after 30 minutes without a request")
				w.Header().Set("Retry-After", "60")
				p.Write(w)
				return
			}
			defer e.begun()
		}
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

// sessionHeader names the session of a request.
const sessionHeader = "Mcp-Session-Id"

// begin reports whether there is room for the session that a request may begin.
func (e *endpoint) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	open := e.opening
	for range e.tools.Protocol().Sessions() {
		open++
	}
	if open >= e.most {
		return false
	}
	e.opening++
	return true
}

// begun says that the session of a request, if it began one, is among those open.
func (e *endpoint) begun() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opening--
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
