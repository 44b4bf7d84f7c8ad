// Package httpd serves tools over HTTP: the Model Context Protocol in all its
// revisions, and what people and other programs ask of a server. Every request
// passes the same way: the door (package door), its body (package body), then
// what it asks for. Answers of tools are those of package host, whatever brings
// the question.
package httpd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"espy/internal/httpd/api"
	"espy/internal/httpd/auth"
	"espy/internal/httpd/door"
	"espy/internal/httpd/limit"
	"espy/internal/httpd/metrics"
	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/host"
	"espy/internal/tally"
	"espy/internal/usage"
)

// Options is what a server needs.
type Options struct {
	Door     door.Options
	Auth     *auth.Auth              // nil asks nobody for a token
	Issuer   *auth.Issuer            // whose metadata is served; nil is none
	Tools    *host.Server            // served at /mcp
	Profiles map[string]*host.Server // served at /mcp/NAME
	API      *host.Server            // Espy's own tools, served at /api/v1; nil serves none
	Stateful bool                    // sessions, as clients before 2026-07-28 may want; then no client of that revision is served
	Rate     int                     // requests a minute of one caller; 0 sets no limit
	Requests int                     // at work at a time; 0 is 64 a processor
	Streams  int                     // open at a time; 0 is 1,000
	Version  string
	Tally    *tally.Tally                                // of what the indexes do; nil counts nothing
	Team     func(context.Context) (metrics.Team, error) // what the database of a team says; nil for none
	Health   func(context.Context) Health                // of what the server stands on
	Log      *slog.Logger                                // nil logs nothing
}

// Bounds of a connection, and of the end.
const (
	headerTime = 5 * time.Second  // to send the headers of a request
	idleTime   = 2 * time.Minute  // between two requests
	writeTime  = 30 * time.Second // for the client to take what is written
	maxHeader  = 64 << 10         // bytes of headers
)

// maxStreams is how many streams are open at a time, where the options say nothing.
const maxStreams = 1_000

// maxRequests is how many requests are at work at a time, where the options say
// nothing: as many as are answered in a fraction of a second, so that nobody waits
// in vain behind them.
func maxRequests() int { return max(128, 64*runtime.GOMAXPROCS(0)) }

// DrainTime is how long requests at work may take when the server ends.
const DrainTime = 10 * time.Second

// Server serves tools over HTTP.
type Server struct {
	opts    Options
	log     *slog.Logger
	checkup *checkup
	gate    *limit.Gate
	metrics *metrics.Metrics
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
	s.gate = limit.NewGate(cmp.Or(o.Requests, maxRequests()), cmp.Or(o.Streams, maxStreams))
	s.metrics = metrics.New(o.Version, cmp.Or(o.Tally, new(tally.Tally)), s.gate.Load)
	if o.Team != nil {
		s.metrics.Team(o.Team)
	}
	s.measure()
	s.handler = logged(o.Log, s.metrics.Requested, d.Handler(s.routes()))
	return s, nil
}

// measure measures each server of tools once, however many paths it is served at.
func (s *Server) measure() {
	watched := map[*host.Server]bool{nil: true}
	watch := func(name string, tools *host.Server) {
		if !watched[tools] {
			watched[tools] = true
			s.metrics.Watch(name, tools)
		}
	}
	for name, tools := range s.opts.Profiles {
		watch(name, tools)
	}
	watch("espy", s.opts.Tools)
	watch("api", s.opts.API)
}

// routes says what answers which path.
func (s *Server) routes() http.Handler {
	open := http.NewServeMux() // needs no token
	open.HandleFunc("GET /health", s.checkup.health)
	open.HandleFunc("GET /readyz", s.checkup.ready)
	if s.opts.Issuer != nil {
		paths, metadata := s.opts.Issuer.Metadata()
		for _, p := range paths {
			open.Handle(p, metadata)
		}
	}
	open.Handle("/", s.gate.Handler(s.known(limit.NewRate(s.opts.Rate, nil).Handler(s.tools()))))
	return open
}

// known lets only those in who may ask questions.
func (s *Server) known(next http.Handler) http.Handler {
	if s.opts.Auth == nil {
		return next
	}
	return s.opts.Auth.Handler(next)
}

// tools says what answers questions.
func (s *Server) tools() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", newEndpoint(s.serving, s.opts.Tools, s.opts.Stateful, s.log))
	for name, tools := range s.opts.Profiles {
		mux.Handle("/mcp/"+name, newEndpoint(s.serving, tools, s.opts.Stateful, s.log))
	}
	old := newLegacy(s.serving, s.opts.Tools, s.log)
	mux.HandleFunc("GET /sse", old.open)
	mux.HandleFunc("POST /messages", old.take)
	if s.opts.API != nil {
		mux.Handle(api.Path, api.New(s.opts.API, s.opts.Version, s.log))
	}
	mux.Handle("GET /metrics", s.metrics.Handler())
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

// listener is what reads requests, with the bounds of a connection.
func (s *Server) listener() *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// Serve answers the clients of a listener until ctx ends. Then streams end at
// once, and requests at work have DrainTime to be answered.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	srv := s.listener()
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
