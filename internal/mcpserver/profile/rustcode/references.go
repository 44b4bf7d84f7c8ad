package rustcode

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/mcpserver/host"
	"espy/internal/spots"
)

func (s *server) referencesTool() tool {
	return tool{
		name: "find_references", schema: definitionSchema, failed: "Find references failed",
		description: `Find where a symbol is declared and used, also in imports and tests.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			f, req, err := s.namedIn(ctx, a)
			if err != nil {
				return "", err
			}
			answer, err := spots.References(ctx, f.repo, req)
			if err != nil {
				return "", err
			}
			var b strings.Builder
			if len(answer.Spots) == 0 {
				fmt.Fprintf(&b, "No references found for symbol '%s'", req.Name)
				if len(answer.Near) > 0 {
					fmt.Fprintf(&b, "\nSimilar names: %s", strings.Join(answer.Near, ", "))
				}
			} else {
				fmt.Fprintf(&b, "Found %d reference(s) for '%s':", len(answer.Spots)+answer.More, req.Name)
			}
			f.spots(&b, answer)
			if answer.Possible > 0 {
				fmt.Fprintf(&b, "\nNote: %d more places may mean it and are not listed.", answer.Possible)
			}
			return b.String(), nil
		},
	}
}
