package shebe

import (
	"context"
	"time"

	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/session"
)

// server answers the tools.
type server struct {
	all     *session.Sessions
	version string
	config  *Config
	now     func() time.Time
	say     func(line string) // tells a person that something long begins
}

func newServer(o Options) *server {
	s := &server{all: o.Sessions, version: o.Version, config: o.Config, now: o.Now, say: func(string) {}}
	if s.config == nil {
		s.config = defaultConfig()
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// answer is what a tool has to say. Those that commands of the command line
// share are an Answer as well.
type answer interface{ markdown() string }

// text is an answer that is only ever written as the tool does.
type text string

func (t text) markdown() string { return string(t) }

func written(a answer, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return bounded(render.Visible(a.markdown())), nil
}

// tool is one tool: short is what get_server_info says of it.
type tool struct {
	name, short, description, schema string
	slow                             bool // it indexes
	writes                           bool // it changes sessions
	call                             func(ctx context.Context, a *arguments, tell host.Tell) (answer, error)
}
