package rustcode

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/mcpserver/host"
	"espy/internal/spots"
)

const definitionSchema = `{
	"type": "object",
	"properties": {
		"symbol_name": {"type": "string", "description": "Name of the symbol"},
		"directory": {"type": "string", "description": "Directory of the project"}
	},
	"required": ["symbol_name", "directory"]
}`

// maxSpots is how many places an answer lists.
const maxSpots = 2000

func (s *server) definitionTool() tool {
	return tool{
		name: "find_definition", schema: definitionSchema, failed: "Symbol search failed",
		description: `Find where a symbol is defined.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			f, req, err := s.namedIn(ctx, a)
			if err != nil {
				return "", err
			}
			answer, err := spots.Definitions(ctx, f.repo, req)
			if err != nil {
				return "", err
			}
			var b strings.Builder
			if len(answer.Spots) == 0 {
				fmt.Fprintf(&b, "No definition found for symbol '%s'", req.Name)
			} else {
				fmt.Fprintf(&b, "Found %d definition(s) for '%s':", len(answer.Spots)+answer.More, req.Name)
			}
			f.spots(&b, answer)
			return b.String(), nil
		},
	}
}

// namedIn reads the arguments of a question about a name.
func (s *server) namedIn(ctx context.Context, a *arguments) (f folder, req spots.Request, err error) {
	req = spots.Request{Name: strings.TrimSpace(a.text("symbol_name")), Exact: a.flag("exact"), Limit: maxSpots, Only: searched, Wait: waiting()}
	if a.err == nil && req.Name == "" {
		a.fail("symbol_name is empty; give the name of a symbol, such as TokenBucket")
	}
	f, err = s.open(ctx, a, notProject)
	return f, req, err
}

// spots lists places, one a line, without a line end behind the last, and what is left
// out.
func (f *folder) spots(b *strings.Builder, answer *spots.Answer) {
	for _, p := range answer.Spots {
		label := "reference"
		if p.Declaration {
			label = p.Name
		}
		fmt.Fprintf(b, "\n%s:%d:%d (%s)", f.file(p.Path), p.Line, p.Column, label)
	}
	if answer.More > 0 {
		fmt.Fprintf(b, "\nNote: %d more are not listed.", answer.More)
	}
	if answer.Left > 0 {
		fmt.Fprintf(b, "\nNote: at least %d more were not looked at.", answer.Left)
	}
	if answer.Pending > 0 {
		fmt.Fprintf(b, "\nNote: %d files are not parsed yet: ask again.", answer.Pending)
	}
}
