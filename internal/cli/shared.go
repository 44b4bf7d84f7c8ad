package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"espy/internal/app"
)

// settingsHash stands for the settings that what a server has open depends on.
func (p *program) settingsHash() string {
	own := []string{"color", "log_level", "limit", "max_tokens", "timeout", "mcp_timeout"} // of a process, or told apart
	h := sha256.New()
	for _, s := range p.cfg.List() {
		if !slices.Contains(own, s.Key) {
			fmt.Fprintf(h, "%s=%v\n", s.Key, s.Value)
		}
	}
	fmt.Fprintln(h, p.cfg.Home, p.cfg.GlobalIgnore, p.cfg.Proxy, p.cfg.SSHAgent, p.cfg.EmbedKey, p.cfg.DatabaseURL, p.cfg.Packages)
	return hex.EncodeToString(h.Sum(nil))
}

// errNotHere ends a command in a server that has other folders or settings open. It
// is done by the process that asked.
var errNotHere = errors.New("other settings than those of the server")

// shared is what a server has open for the commands of others.
type shared struct {
	app      *app.App
	program  string        // the build, as programText has it when the server starts
	settings string        // a hash of those that it was opened with
	slots    chan struct{} // commands at work
}

// withShared runs f on what the server has open, where that is what was asked for.
func (p *program) withShared(o app.Options, f func(a *app.App) error) error {
	if p.settingsHash() != p.shared.settings || o.Build && p.cfg.DatabaseURL != "" || o.TasksDir != "" || o.TaskReaders != 0 {
		return errNotHere
	}
	if p.tasks == nil {
		p.tasks = p.shared.app.Tasks
	}
	return f(p.shared.app)
}

// codeOf is the exit code of a command that a server has done, and said all about.
type codeOf int

func (e codeOf) Error() string { return fmt.Sprintf("exit code %d", int(e)) }
