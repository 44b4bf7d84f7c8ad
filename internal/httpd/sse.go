package httpd

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/httpd/body"
	"espy/internal/httpd/limit"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/message"
	"espy/internal/permit"
)

// legacy serves the transport of revision 2024-11-05: GET /sse opens a stream that
// brings all answers, and POST /messages takes the questions.
type legacy struct {
	tools   *host.Server
	serving context.Context // streams end with it
	log     *slog.Logger

	mu       sync.Mutex
	sessions map[string]*stream // guarded by mu
}

// stream is one open stream.
type stream struct {
	*mcp.SSEServerTransport
	id  string
	who *permit.Caller // that opened it, nil for the user of this machine

	mu   sync.Mutex
	conn mcp.Connection // guarded by mu; nil until it is connected
}

// Connect implements mcp.Transport.
func (s *stream) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := s.SSEServerTransport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = named{conn, s.id}
	return s.conn, nil
}

// named is a connection whose session has an id, by which tools may tell it from
// others.
type named struct {
	mcp.Connection
	id string
}

// SessionID implements mcp.Connection.
func (n named) SessionID() string { return n.id }

// refuse answers a request on the stream, as its client expects every answer, and
// reports whether it could.
func (s *stream) refuse(ctx context.Context, req *jsonrpc.Request, why *jsonrpc.Error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil && s.conn.Write(ctx, &jsonrpc.Response{ID: req.ID, Error: why}) == nil
}

func newLegacy(serving context.Context, tools *host.Server, log *slog.Logger) *legacy {
	return &legacy{tools: tools, serving: serving, log: log, sessions: map[string]*stream{}}
}

// open opens a stream.
func (l *legacy) open(w http.ResponseWriter, r *http.Request) {
	if p := limit.Stream(w, r); p != nil {
		p.Write(w)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	id := rand.Text()
	s := &stream{id: id, SSEServerTransport: &mcp.SSEServerTransport{Endpoint: "/messages?sessionid=" + id, Response: w, MaxRequestBodyBytes: body.Max}, who: permit.Of(r.Context())}
	l.keep(id, s)
	defer l.keep(id, nil)
	session, err := l.tools.Protocol().Connect(r.Context(), s, nil) // tells the client the id
	if err != nil {
		l.log.Error("a stream could not be opened", "err", err)
		return
	}
	defer session.Close()
	select {
	case <-r.Context().Done():
	case <-l.serving.Done():
	}
}

// keep keeps a session by its id, or forgets it.
func (l *legacy) keep(id string, s *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sessions[id] = s; s == nil {
		delete(l.sessions, id)
	}
}

// take takes one message of a session.
func (l *legacy) take(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	s := l.sessions[r.URL.Query().Get("sessionid")]
	l.mu.Unlock()
	if s == nil {
		problem.New(http.StatusNotFound, "no such session", "open one with GET /sse, and send to the address that it names").Write(w)
		return
	}
	if !same(s.who, permit.Of(r.Context())) {
		problem.New(http.StatusForbidden, "the session is another caller's", "open one of your own with GET /sse").Write(w)
		return
	}
	text, p := body.Read(w, r)
	if p != nil {
		p.Write(w)
		return
	}
	list, bad := body.Messages(text)
	if bad == nil && len(list) != 1 {
		bad = &message.Bad{Code: jsonrpc.CodeInvalidRequest, Text: "send one message"}
	}
	if bad == nil {
		if req, ok := list[0].(*jsonrpc.Request); ok {
			why := l.tools.Refuse(req)
			if why != nil && req.IsCall() && s.refuse(r.Context(), req, why) {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			bad = message.Refusal(req, why)
		}
	}
	if bad != nil {
		answer(w, http.StatusBadRequest, bad)
		return
	}
	s.ServeHTTP(w, r)
}

// same reports whether two callers may do the same under the same name.
func same(a, b *permit.Caller) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Role == b.Role && a.Only == b.Only && slices.Equal(a.Repos, b.Repos)
}
