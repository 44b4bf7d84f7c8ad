// Package mcpserver answers agents over the Model Context Protocol. A tool is
// one file: its description, its parameters, its handler. Package render writes
// its answers.
//
// Tools keep no state between calls: the repository is an argument, by default
// that of the start folder. Answers are bounded; they are plain text or, on
// request, the JSON that the command line prints. A wrong call gets an answer too,
// marked as an error, that says what was wrong and what would work. No call takes
// longer than Options.Timeout: an answer that is not complete by then says what
// is missing.
package mcpserver

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/surface"
	"espy/internal/queue"
	"espy/internal/tasks"
	"espy/internal/workspace"
)

// Options is what a server needs.
type Options struct {
	Workspace *workspace.Workspace
	Start     string // folder the server was started in; its repository is the default
	Version   string
	Toolsets  []string    // sets of tools to serve, of Toolsets; empty is DefaultToolsets
	ReadOnly  bool        // leave out the tools that change which repositories are attached
	Tasks     *tasks.Book // nil for none: there is no set of tools for them then
	Log       *slog.Logger

	// Team tells of a team: its jobs, nil where there are none, and notes. It may be nil.
	Team func(context.Context) (jobs *queue.Counts, notes []string)

	// Timeout bounds the time of a call; 0 is ten seconds. An answer that is not
	// complete by then says what is missing.
	Timeout time.Duration
}

// instructions tell a model when to use the server. They are sent with the handshake.
const instructions = `Espy searches the code of this repository through an index that stays fresh.

Start with context: for a question, symbol, path:LINE, diff or issue it gives definitions, callers, callees and tests in one call. Use search instead of grep: words for ranked places, mode=literal or regex for every matching line. Use symbol for a definition, references or calls, not search, for its uses: they are resolved, not matched. impact names the tests to run. Not for editing, running code, or files outside attached repositories.

The first line of an answer says how much is shown of how much there is, and how fresh: fresh, "pending: N files" (changed, not shown yet) or "partial: n of m files" (still indexing: ask again). "next:" is a useful next call. Answers end at max_tokens (default 2000, at most 8000): narrow, or page with cursor.

Tools take repo (name or path; default this one, all for every one), ref (branch, tag, commit), limit, cursor, format (text, json) and, where it fits, path (globs: src/**/*.go, !vendor), lang, scope (code, test, docs, deps, all), queries (several questions), seen (the token of an answer: leaves out what that showed).`

// New returns a server of the workspace. Nothing is attached or indexed before
// the first call. From its start over a pipe, or from the first request on, it follows the
// files of the start folder, where that is attached.
func New(o Options) *Server {
	s := &Server{ws: o.Workspace, book: o.Tasks, start: o.Start, version: o.Version, team: o.Team, showSecrets: o.Workspace.Options().ShowSecrets}
	s.Server = host.New(host.Options{
		About:        &mcp.Implementation{Name: "espy", Title: "Espy code search", Version: o.Version, Icons: []mcp.Icon{{Source: surface.Icon, MIMEType: "image/svg+xml", Sizes: []string{"any"}}}},
		Instructions: instructions,
		Log:          o.Log,
		Limits:       host.Limits{Timeout: o.Timeout},
		Greeted:      s.prepare,
		Complete:     surface.Complete(source{s}),
	})
	for _, t := range s.tools() {
		if o.served(t) {
			s.Add(s.served(t))
		}
	}
	surface.Add(s.Protocol(), source{s})
	return s
}

// tools lists the tools in the order of their names, which is that of tools/list.
func (s *Server) tools() []tool {
	return []tool{
		s.auditTool(),
		s.blameTool(),
		s.callsTool(),
		s.hierarchyTool(),
		s.changesTool(),
		s.contextTool(),
		s.dependenciesTool(),
		s.filesTool(),
		s.historyTool(),
		s.impactTool(),
		s.indexTool(),
		s.linksTool(),
		s.outlineTool(),
		s.overviewTool(),
		s.readTool(),
		s.referencesTool(),
		s.searchTool(),
		s.similarTool(),
		s.statusTool(),
		s.symbolTool(),
		s.taskTool(),
		s.tasksTool(),
	}
}
