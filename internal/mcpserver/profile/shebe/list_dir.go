package shebe

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/mcpserver/host"
	"espy/internal/session"
)

const listDirSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session name", "pattern": "^[a-zA-Z0-9_-]+$"},
		"limit": {"type": "integer", "description": "Files to list", "default": 100, "minimum": 1, "maximum": 500},
		"sort": {"type": "string", "description": "alpha: by path; size: largest first; indexed: in indexed order", "enum": ["alpha", "size", "indexed"], "default": "alpha"},
		"cursor": {"type": "string", "description": "From the answer before, for the next page"}
	},
	"required": ["session"]
}`

func (s *server) listDirTool() tool {
	return tool{
		name: "list_dir", short: "List the files of a session", schema: listDirSchema,
		description: `List all files of a session with their chunk counts, page by page. For some of them use find_file.`,
		call:        s.listDir,
	}
}

const defaultFiles, maxFiles = 100, 500

// orders says what each sort is called in an answer.
var orders = map[string]string{"alpha": "alphabetically sorted", "size": "largest first", "indexed": "in indexed order"}

// cursor is a place in a list. Its form is the original's.
type cursor struct {
	LastIndex   int    `json:"last_index"`
	Sort        string `json:"sort"`
	Fingerprint string `json:"fingerprint"`
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Errorf("shebe: encode a cursor: %w", err))
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func fingerprint(v *session.View) string {
	return fmt.Sprintf("%d-%d-%d", v.Files, v.Windows.Windows, v.Indexed.Unix())
}

func readCursor(text, sort, fingerprint string) (from int, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, invalid("Invalid cursor encoding: " + err.Error())
	}
	if !utf8.Valid(raw) {
		return 0, invalid("Invalid cursor UTF-8: the cursor holds other bytes")
	}
	var c cursor
	var given map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(raw, &c), json.Unmarshal(raw, &given)); err != nil {
		return 0, invalid("Invalid cursor format: " + err.Error())
	}
	for _, field := range []string{"last_index", "sort", "fingerprint"} {
		if given[field] == nil {
			return 0, invalid("Invalid cursor format: missing field `" + field + "`")
		}
	}
	switch {
	case c.LastIndex < 0:
		return 0, invalid("Invalid cursor format: last_index is negative")
	case c.Sort != sort:
		return 0, invalid(fmt.Sprintf("Cursor sort mode '%s' does not match requested sort mode '%s'. Use the same sort mode or omit the cursor.", c.Sort, sort))
	case c.Fingerprint != fingerprint:
		return 0, invalid("Cursor is stale (session was reindexed). Start from the first page by omitting the cursor.")
	}
	return c.LastIndex + 1, nil
}

func (s *server) listDir(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name, limit, sort, page := a.text("session"), a.number("limit", defaultFiles), a.textOr("sort", "alpha"), a.textOr("cursor", "")
	switch {
	case a.err != nil:
		return nil, a.err
	case orders[sort] == "":
		return nil, invalid(fmt.Sprintf("Invalid sort order: '%s'. Must be 'alpha', 'size' or 'indexed'.", sort))
	case limit < 1:
		return nil, invalid("limit must be between 1 and 500")
	}
	v, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	note := changes(ctx, v)
	defer note()
	l := &listing{session: name, sort: sort, view: v, paged: a.has("cursor")}
	if l.paged {
		if l.from, err = readCursor(page, sort, fingerprint(v)); err != nil {
			return nil, err
		}
	}
	if l.files, err = sorted(ctx, v, sort); err != nil {
		return nil, internal("Storage error: ", err)
	}
	l.cut(min(limit, maxFiles))
	return text(l.text() + note()), nil
}

func sorted(ctx context.Context, v *session.View, sort string) ([]session.File, error) {
	files, err := v.FileList()
	if err != nil || sort != "size" {
		return files, err
	}
	if err := v.SizesNow(ctx, files); err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b session.File) int { return cmp.Compare(b.Size, a.Size) })
	return files, nil
}

// listing is one page of a list.
type listing struct {
	session, sort string
	view          *session.View
	paged         bool // a cursor was given
	files         []session.File
	from, to      int
	rows          string
	short         bool // the 25k token limit cut it
}

const tableHead = "| File Path | Chunks |\n|-----------|--------|\n"

// cut writes the rows of the page.
func (l *listing) cut(limit int) {
	room := newBudget(tableHead + strings.Repeat(" ", 1500))
	var b strings.Builder
	l.from = min(l.from, len(l.files))
	end := min(l.from+limit, len(l.files))
	for l.to = l.from; l.to < end; l.to++ {
		f := l.files[l.to]
		row := fmt.Sprintf("| `%s` | %d |\n", absolute(l.view, f.Path), f.Windows)
		if !room.take(row) {
			l.short = true
			break
		}
		b.WriteString(row)
	}
	l.rows = strings.TrimSuffix(b.String(), "\n")
}

func (l *listing) text() string {
	total, shown := len(l.files), l.to-l.from
	var b strings.Builder
	switch {
	case total == 0:
		fmt.Fprintf(&b, "**Session:** %s\n**Files:** 0 (showing 0)\n\nNo files found in this session.", l.session)
		return b.String()
	case l.paged && shown == 0:
		fmt.Fprintf(&b, "**Session:** `%s`\n**Files:** %d (showing 0)\n\nNo more files.", l.session, total)
		return b.String()
	case l.paged:
		fmt.Fprintf(&b, "**Session:** `%s`\n**Files:** %d (showing %d-%d)\n\n", l.session, total, l.from+1, l.to)
	case shown == total:
		fmt.Fprintf(&b, "**Session:** %s\n**Files:** %d (showing %d)\n\n", l.session, total, shown)
	default:
		l.warn(&b, shown, total)
	}
	b.WriteString(tableHead + l.rows)
	if l.to < total {
		next := cursor{LastIndex: l.to - 1, Sort: l.sort, Fingerprint: fingerprint(l.view)}
		fmt.Fprintf(&b, "\n\nNOTE: More results available. Use cursor=%q to fetch next page.", next)
	}
	if l.short {
		b.WriteString("\n\n" + cutNote(shown, total))
	}
	return b.String()
}

func (l *listing) warn(b *strings.Builder, shown, total int) {
	fmt.Fprintf(b, "WARNING: OUTPUT TRUNCATED - MAXIMUM 500 FILES DISPLAYED\n\nShowing: %d of %d files (first %d, %s)\n", shown, total, shown, orders[l.sort])
	fmt.Fprintf(b, "Reason: Maximum display limit is 500 files (MCP 25k token limit)\nNot shown: %d files\n\nSUGGESTIONS:\n", total-shown)
	fmt.Fprintf(b, "- Use `find_file` with patterns to filter: find_file(session=%q, pattern=\"*.yaml\")\n", l.session)
	fmt.Fprintf(b, "- Use the cursor parameter to page through all results\n- For full file list, use bash: find %s -type f | sort\n\n---\n\n", l.view.Root)
	fmt.Fprintf(b, "**Files 1-%d (of %d total):**\n\n", shown, total)
}
