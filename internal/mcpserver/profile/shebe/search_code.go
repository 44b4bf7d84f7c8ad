package shebe

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"espy/internal/mcpserver/host"
	"espy/internal/windows"
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

const (
	maxQuery = 500 // characters
	maxK     = 100
)

// searched is the answer of search_code.
type searched struct {
	query, processed, session, root string
	hits                            []windows.Hit
	took                            time.Duration
	note                            string // of changed files; see changes
}

func (s *server) searchCode(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	began := time.Now()
	query, session, k, literal := a.text("query"), a.text("session"), a.number("k", min(s.config.DefaultK, maxK)), a.flag("literal", false)
	if a.err != nil {
		return nil, a.err
	}
	if err := checkSearch(query, k, literal); err != nil {
		return nil, err
	}
	v, err := s.open(ctx, session)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	note := changes(ctx, v)
	defer note()
	f := &searched{query: query, processed: preprocess(query, literal), session: session, root: v.Root}
	expr, err := expression(query, f.processed, literal)
	if err != nil {
		return nil, err
	}
	if expr != nil {
		under(expr, v.Root)
		res, err := v.Search(ctx, expr, min(k, s.config.MaxK))
		if err != nil {
			return nil, internal("Internal error: ", err)
		}
		f.hits = res.Hits
	}
	f.took = time.Since(began)
	f.note = note()
	return f, nil
}

// expression is what a query asks for, nil where it has no word.
func expression(query, processed string, literal bool) (windows.Expr, error) {
	if literal {
		return literalQuery(query), nil
	}
	expr, err := parseQuery(processed)
	if err != nil {
		return nil, failure(codeSearch, "Search failed: Failed to parse query: "+err.Error(), "Check quotes, parentheses and operators; literal=true takes the query as it is.")
	}
	return expr, nil
}

func (f *searched) markdown() string {
	head := fmt.Sprintf("Found %d results for query '%s' (%dms):\n\n", len(f.hits), f.processed, f.took.Milliseconds())
	if len(f.hits) == 0 {
		return head + "No results found. Try different keywords or check session name." + f.note
	}
	var b strings.Builder
	room := newBudget(head)
	shown := 0
	for i, h := range f.hits {
		text := fmt.Sprintf("## Result %d (score: %.2f)\n**File:** `%s` (chunk %d, bytes %d-%d)\n\n%s\n\n",
			i+1, h.Score, f.path(i), h.Index, h.Start, h.End, fenced(language(h.Path), h.Text))
		if !room.take(text) {
			break
		}
		b.WriteString(text)
		shown++
	}
	tail := strings.TrimPrefix(f.note, "\n\n")
	if shown < len(f.hits) {
		tail = strings.TrimPrefix(tail+"\n\n"+cutNote(shown, len(f.hits)), "\n\n")
	}
	return head + b.String() + tail
}

// path is the absolute path of a hit.
func (f *searched) path(i int) string { return filepath.Join(f.root, f.hits[i].Path) }

// checkSearch refuses arguments in the order that the original does.
func checkSearch(query string, k int, literal bool) error {
	switch n := utf8.RuneCountInString(query); {
	case strings.TrimSpace(query) == "":
		return invalid("Query cannot be empty")
	case k > maxK:
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
