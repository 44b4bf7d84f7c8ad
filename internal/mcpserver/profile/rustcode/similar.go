package rustcode

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/hybrid"
	"espy/internal/mcpserver/host"
)

const similarSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "Code, or what it does in words"},
		"directory": {"type": "string", "description": "Directory to search"},
		"limit": {"type": "integer", "description": "Results at most", "minimum": 1, "default": 5}
	},
	"required": ["query", "directory"]
}`

// maxSimilar is how many results are listed, whatever limit says.
const maxSimilar = 100

func (s *server) similarTool() tool {
	return tool{
		name: "get_similar_code", schema: similarSchema, failed: "Search error",
		description: `Find code that means the like of a text or of other code.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			query, limit := a.text("query"), a.limit(5)
			a.models()
			if _, err := s.look(ctx, a, notFolder); err != nil {
				return "", err
			}
			if strings.TrimSpace(query) == "" {
				return "", invalid("Search query is empty. Please enter a valid query.")
			}
			f, err := s.open(ctx, a, notFolder)
			if err != nil {
				return "", err
			}
			return s.similar(ctx, f, query, limit)
		},
	}
}

func (s *server) similar(ctx context.Context, f folder, query string, limit int) (string, error) {
	answer, err := hybrid.Similar(ctx, s.Workspace, f.repo, hybrid.Request{Query: query, Limit: min(limit, maxSimilar), Preview: previewLines, Only: searched, Wait: waiting()})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if len(answer.Units) == 0 {
		fmt.Fprintf(&b, "No similar code found for query: '%s'", query)
	} else {
		fmt.Fprintf(&b, "Found %d similar code snippet(s) for query '%s':\n\n", len(answer.Units), query)
		for i, u := range answer.Units {
			f.write(&b, i, u, "Code preview")
		}
	}
	if limit > maxSimilar {
		fmt.Fprintf(&b, "\nNo more than %d results are listed.", maxSimilar)
	}
	notes(&b, answer.Notes)
	return b.String(), nil
}
