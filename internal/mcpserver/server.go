package mcpserver

import (
	"espy/internal/mcpserver/host"
	"espy/internal/workspace"
)

// Server serves the tools of one workspace.
type Server struct {
	*host.Server
	ws          *workspace.Workspace
	start       string
	version     string
	showSecrets bool
}
