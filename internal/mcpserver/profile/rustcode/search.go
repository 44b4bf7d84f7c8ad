package rustcode

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/hybrid"
	"espy/internal/mcpserver/host"
)

const searchSchema = `{
	"type": "object",
	"properties": {
		"keyword": {"type": "string", "description": "Words to find"},
		"directory": {"type": "string", "description": "Directory to search"}
	},
	"required": ["keyword", "directory"]
}`

// found is how many results a search lists.
const found = 10

func (s *server) searchTool() tool {
	return tool{
		name: "search", schema: searchSchema, failed: "Search failed",
		description: `Search code by words and by meaning together. The directory is indexed on first use.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			keyword := a.text("keyword")
			a.models()
			if _, err := s.look(ctx, a, notFolder); err != nil {
				return "", err
			}
			if strings.TrimSpace(keyword) == "" {
				return "", invalid("Search keyword is empty. Please enter a valid keyword.")
			}
			f, err := s.open(ctx, a, notFolder)
			if err != nil {
				return "", err
			}
			return s.search(ctx, f, keyword)
		},
	}
}

func (s *server) search(ctx context.Context, f folder, keyword string) (string, error) {
	last := s.lastSeen(f)
	answer, err := hybrid.Search(ctx, s.Workspace, f.repo, hybrid.Request{Query: keyword, Limit: found, Preview: previewLines, Wait: waiting(), Only: searched, Look: last.Look})
	if err == nil {
		err = last.Save()
	}
	if err != nil {
		return "", err
	}
	changes := last.Changes
	if changes.Files() == 0 && !changes.Partial {
		return fmt.Sprintf("No Rust files suitable for indexing were found in '%s'.\nSkipped files: %d", f.given, changes.Left), nil
	}
	var b strings.Builder
	stats := fmt.Sprintf("%d files indexed (%d chunks), %d unchanged, %d skipped", changes.Indexed(), changes.Chunks, changes.Unchanged, changes.Left+changes.Deleted)
	if len(answer.Units) == 0 {
		fmt.Fprintf(&b, "No results found for '%s'.\nIndexed %s", keyword, strings.Replace(stats, " files indexed", " files", 1))
	} else {
		fmt.Fprintf(&b, "Found %d results for '%s':\n\n", len(answer.Units), keyword)
		for i, u := range answer.Units {
			f.write(&b, i, u, "Preview")
		}
		fmt.Fprintf(&b, "\n--- Indexing stats: %s ---", stats)
	}
	notes(&b, answer.Notes)
	return b.String(), nil
}
