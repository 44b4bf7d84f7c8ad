package mcpserver

import (
	"espy/internal/mcpserver/host"
	"espy/internal/tasks"
	"espy/internal/workspace"
)

// Server serves the tools of one workspace.
type Server struct {
	*host.Server
	ws          *workspace.Workspace
	book        *tasks.Book // nil for none
	start       string
	version     string
	showSecrets bool
}
