package mcpserver

import "espy/internal/render"

// shown completes the options of an answer with those of the server.
func (s *Server) shown(o render.Options) render.Options {
	o.ShowSecrets = s.showSecrets
	return o
}
