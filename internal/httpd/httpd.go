// Package httpd serves tools over HTTP: the Model Context Protocol in all its
// revisions, and what people and other programs ask of a server. Every request
// passes the same way: the door (package door), its body (package body), then
// what it asks for. Answers of tools are those of package host, whatever brings
// the question.
package httpd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"espy/internal/httpd/door"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/usage"
)

// Options is what a server needs.
type Options struct {
	Door     door.Options
	Tools    *host.Server            // served at /mcp
	Profiles map[string]*host.Server // served at /mcp/NAME
	Stateful bool                    // sessions, as clients before 2026-07-28 may want; then no client of that revision is served
	Version  string
	Health   func(context.Context) Health // of what the server stands on
	Log      *slog.Logger                 // nil logs nothing
}

// Bounds of a connection, and of the end.
const (
	headerTime = 5 * time.Second  // to send the headers of a request
	idleTime   = 2 * time.Minute  // between two requests
	writeTime  = 30 * time.Second // for the client to take what is written
	maxHeader  = 64 << 10         // bytes of headers
)

// DrainTime is how long requests at work may take when the server ends.
const DrainTime = 10 * time.Second

// Server serves tools over HTTP.
type Server struct {
	opts    Options
	log     *slog.Logger
	checkup *checkup
	handler http.Handler

	serving context.Context // streams end with it
	leave   context.CancelFunc
}

// New returns a server. It closes neither the tools nor the profiles.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d, err := door.New(o.Door)
	if err != nil {
		return nil, err
	}
	s := &Server{opts: o, log: o.Log, checkup: &checkup{version: o.Version, began: time.Now(), look: o.Health}}
	s.serving, s.leave = context.WithCancel(context.Background())
	s.handler = logged(o.Log, d.Handler(s.routes()))
	return s, nil
}

// routes says what answers which path.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", newEndpoint(s.serving, s.opts.Tools, s.opts.Stateful, s.log))
	for name, tools := range s.opts.Profiles {
		mux.Handle("/mcp/"+name, newEndpoint(s.serving, tools, s.opts.Stateful, s.log))
	}
	mux.HandleFunc("GET /health", s.checkup.health)
	mux.HandleFunc("GET /readyz", s.checkup.ready)
	mux.HandleFunc("/", s.unknown)
	return mux
}

// unknown answers a path that nothing is served at.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, "/mcp/"); ok {
		var names []string
		for n := range s.opts.Profiles {
			names = append(names, "/mcp/"+n)
		}
		slices.Sort(names)
		problem.New(http.StatusNotFound, fmt.Sprintf("no profile %q is served", usage.Shorten(name, 100)), "served are "+strings.Join(append([]string{"/mcp"}, names...), ", ")).Write(w)
		return
	}
	problem.New(http.StatusNotFound, fmt.Sprintf("nothing is served at %s", usage.Shorten(r.URL.Path, 200)), "the protocol is served at /mcp").Write(w)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve answers the clients of a listener until ctx ends. Then streams end at
// once, and requests at work have DrainTime to be answered.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		s.leave()
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.checkup.leaving.Store(true)
	s.leave()
	drain, cancel := context.WithTimeout(context.Background(), DrainTime)
	defer cancel()
	err := srv.Shutdown(drain)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	<-ended
	return err
}
