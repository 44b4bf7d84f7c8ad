package shebe

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"espy/internal/mcpserver"
	"espy/internal/search"
)

const searchCodeSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "Words (OR), \"phrases\", AND, OR, NOT, (groups), content:word, file_path:part", "minLength": 1, "maxLength": 500},
		"session": {"type": "string", "description": "Session to search", "pattern": "^[a-zA-Z0-9_-]+$"},
		"k": {"type": "integer", "description": "Results to return: 5 for a quick look, 20 wide, 50 and more thorough", "default": 10, "minimum": 1, "maximum": 100},
		"literal": {"type": "boolean", "description": "Find the query as exact text", "default": false}
	},
	"required": ["query", "session"]
}`

func (s *server) searchCodeTool() tool {
	return tool{
		name: "search_code", short: "Search indexed code", schema: searchCodeSchema,
		description: `Search the code of an indexed session by keywords, ranked with BM25. For large, unknown or mixed trees: start broad, then narrow with AND, "exact phrases" or file_path:. A relevant result is always among the hits, not always first. literal=true finds exact text. Not for regular expressions (grep) or renames (find_references first, then an editing tool).`,
		call:        s.searchCode,
	}
}

const maxQuery = 500 // characters

func (s *server) searchCode(ctx context.Context, a *arguments, _ mcpserver.Tell) (string, error) {
	began := time.Now()
	query, session, k, literal := a.text("query"), a.text("session"), a.number("k", s.config.DefaultK), a.flag("literal", false)
	if a.err != nil {
		return "", a.err
	}
	if err := checkSearch(query, k, literal); err != nil {
		return "", err
	}
	v, err := s.open(ctx, session)
	if err != nil {
		return "", err
	}
	defer v.Close()
	note := changes(ctx, v)
	defer note()
	processed := preprocess(query, literal)
	expr := literalQuery(query)
	if !literal {
		if expr, err = parseQuery(processed); err != nil {
			return "", failure(codeSearch, "Search failed: Failed to parse query: "+err.Error(), "Check quotes, parentheses and operators; literal=true takes the query as it is.")
		}
	}
	res := &search.WindowResult{}
	if expr != nil {
		under(expr, v.Root)
		if res, err = v.Search(ctx, expr, min(k, s.config.MaxK)); err != nil {
			return "", internal("Internal error: ", err)
		}
	}
	head := fmt.Sprintf("Found %d results for query '%s' (%dms):\n\n", len(res.Hits), processed, time.Since(began).Milliseconds())
	if len(res.Hits) == 0 {
		return head + "No results found. Try different keywords or check session name." + note(), nil
	}
	var b strings.Builder
	room := newBudget(head)
	shown := 0
	for i, h := range res.Hits {
		text := fmt.Sprintf("## Result %d (score: %.2f)\n**File:** `%s` (chunk %d, bytes %d-%d)\n\n%s\n\n",
			i+1, h.Score, absolute(v, h.Path), h.Index, h.Start, h.End, fenced(language(h.Path), h.Text))
		if !room.take(text) {
			break
		}
		b.WriteString(text)
		shown++
	}
	tail := strings.TrimPrefix(note(), "\n\n")
	if shown < len(res.Hits) {
		tail = strings.TrimPrefix(tail+"\n\n"+cutNote(shown, len(res.Hits)), "\n\n")
	}
	return head + b.String() + tail, nil
}

// checkSearch refuses arguments in the order that the original does.
func checkSearch(query string, k int, literal bool) error {
	switch n := utf8.RuneCountInString(query); {
	case strings.TrimSpace(query) == "":
		return invalid("Query cannot be empty")
	case k > 100:
		return invalid("k cannot exceed 100")
	case k < 1:
		return invalid("k must be between 1 and 100")
	case n > maxQuery:
		return invalid(fmt.Sprintf("Query too long: %d characters (maximum %d)", n, maxQuery))
	}
	if !literal {
		if err := checkFields(query); err != nil {
			return err
		}
	}
	return nil
}
