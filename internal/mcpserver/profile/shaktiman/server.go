package shaktiman

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"espy/internal/catalog"
	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Options is what the profile needs.
type Options struct {
	Workspace *workspace.Workspace
	Root      string  // of the project, absolute
	Exact     bool    // the project is the very folder, not the nearest one above it with .git
	Config    *Config // read at the start, of Root; nil reads it
	Sessions  bool    // what was returned counts for later answers; not on the command line
	Log       *slog.Logger
	Now       func() time.Time // nil is the clock
}

// server answers the tools.
type server struct {
	Options
	host *host.Server
	seen *seen // nil without sessions

	mu     sync.Mutex
	recent *recent // what changed lately, guarded by mu
}

func newServer(o Options) *server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{Options: o}
	if o.Config == nil {
		s.Config = defaultConfig()
	}
	if o.Sessions {
		s.seen = newSeen(maxSeen)
	}
	return s
}

// tool is one tool. Failed begins its internal errors.
type tool struct {
	name, description, schema, failed string
	call                              func(ctx context.Context, a *arguments) (*answer, error)
}

// answer is what a tool has to say.
type answer struct {
	text  string   // of the tool
	human string   // of the command line, in format text
	value any      // of the command line, in format json
	count int      // results
	notes []string // what the reader must know
}

// How long a call takes at most, and waits for a first indexing and for changes.
const (
	callTime  = 30 * time.Second
	firstWait = 25 * time.Second
	freshWait = 3 * time.Second
)

func wait() workspace.Wait { return workspace.Wait{First: firstWait, Fresh: freshWait} }

// repo is the project, attached where it is new.
func (s *server) repo(ctx context.Context) (*workspace.Repo, error) {
	r, err := s.Workspace.Find(ctx, s.Root)
	if err == nil && (!s.Exact || r.Root() == s.Root) {
		return r, nil
	}
	var missing *catalog.NotFoundError
	if err != nil && !errors.As(err, &missing) {
		return nil, err
	}
	return s.Workspace.Attach(ctx, s.Root, workspace.AttachOptions{Exact: s.Exact})
}

// config is the configuration as it is now: a change of it counts at the next call.
// One that became invalid leaves the last one in force.
func (s *server) config() *Config {
	c, err := LoadConfig(s.Root, nil)
	if err != nil {
		s.Log.Warn("the configuration is not read again", "err", err)
		return s.Config
	}
	return c
}

// explained is an error with what would work instead.
func explained(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "the call took too long"
	}
	msg, hint := usage.Explain(err)
	if hint != "" {
		msg += "; " + hint
	}
	return msg
}

// list completes an answer by a value that is JSON in the tool.
func (a *answer) list(v any, count int, human string) *answer {
	a.text, a.value, a.count, a.human = strings.TrimSuffix(string(render.JSON(v)), "\n"), v, count, human
	return a
}
