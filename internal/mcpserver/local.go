package mcpserver

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/mcpserver/arguments"
)

// localize makes absolute paths in the arguments of a call relative to the root of
// the repository that they lie in, which is asked where the call names none. Other
// texts stay as they are.
func (s *Server) localize(ctx context.Context, c *call) {
	for _, name := range arguments.Places(c.Tool) {
		var one string
		var list []string
		raw := c.Args[name]
		if json.Unmarshal(raw, &one) == nil {
			list = []string{one}
		} else if json.Unmarshal(raw, &list) != nil {
			continue
		}
		changed := false
		for i, text := range list {
			if rel, ok := s.below(ctx, c, text); ok {
				list[i], changed = rel, true
			}
		}
		switch {
		case changed && raw[0] == '"':
			c.Args[name], _ = json.Marshal(list[0]) // a string
		case changed:
			c.Args[name], _ = json.Marshal(list) // strings
		}
	}
}

// acrossRepos are the tools whose paths may name their repository.
var acrossRepos = []string{"symbol", "references", "calls", "impact"}

// below returns the part of an absolute path below the root of the repository that
// the call asks, or of the one that it lies in where the call names none.
func (s *Server) below(ctx context.Context, c *call, text string) (rel string, ok bool) {
	if !filepath.IsAbs(text) {
		return "", false
	}
	var named string
	if raw := c.Args["repo"]; raw != nil && json.Unmarshal(raw, &named) != nil {
		return "", false
	}
	if named != "" && named != allRepos {
		r, err := s.repo(ctx, named)
		if err != nil {
			return "", false
		}
		return code.Below(r.Root(), text)
	}
	where := text
	if i := strings.IndexAny(text, "*?[{#:"); i > 0 { // not of a file or folder any more
		where = text[:i]
	}
	r := s.owner(ctx, where)
	if r == nil {
		return "", false
	}
	if rel, ok := code.Below(r.Root(), text); ok && named == allRepos && slices.Contains(acrossRepos, c.Tool) {
		return r.Name() + ":" + rel, true
	}
	if start, err := s.startRepo(ctx); err != nil || start.ID() != r.ID() {
		c.Args["repo"], _ = json.Marshal(r.Name()) // a string
	}
	return code.Below(r.Root(), text)
}
