package shebe

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"espy/internal/mcpserver/host"
	"espy/internal/redact"
)

const previewChunkSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session name", "pattern": "^[a-zA-Z0-9_-]+$"},
		"file_path": {"type": "string", "description": "Path as in the results, or relative to the repository", "minLength": 1},
		"chunk_index": {"type": "integer", "description": "Number of the chunk, as in the results", "minimum": 0},
		"context_lines": {"type": "integer", "description": "Lines before and after", "default": 10, "minimum": 0, "maximum": 100}
	},
	"required": ["session", "file_path", "chunk_index"]
}`

func (s *server) previewChunkTool() tool {
	return tool{
		name: "preview_chunk", short: "Show a chunk with the lines round it", schema: previewChunkSchema,
		description: `Show one chunk of a search result with the lines before and after it.`,
		call:        s.previewChunk,
	}
}

func (s *server) previewChunk(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name, arg, around := a.text("session"), a.text("file_path"), a.number("context_lines", 10)
	if _, ok := a.given["chunk_index"]; !ok {
		a.fail("missing field `chunk_index`")
	}
	n := a.number("chunk_index", -1)
	switch {
	case a.err != nil:
		return nil, a.err
	case strings.TrimSpace(arg) == "":
		return nil, invalid("file_path cannot be empty")
	case n < 0:
		return nil, invalid("chunk_index must be at least 0")
	case around > 100:
		return nil, invalid("context_lines cannot exceed 100")
	case around < 0:
		return nil, invalid("context_lines must be between 0 and 100")
	}
	v, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	rel, ok := v.Find(arg)
	p := &preview{name: name, index: n, around: around}
	if ok {
		if p.text, err = v.Text(rel); err != nil {
			return nil, internal("Storage error: ", err)
		}
	}
	windows := v.Windowing.Append(nil, p.text)
	if !ok && v.IsBinary(arg) {
		return nil, notShown(refused(notText))
	}
	if n >= len(windows) {
		return nil, refused(fmt.Sprintf("Chunk not found: file '%s', chunk index %d. File may not be indexed or chunk index invalid.", arg, n))
	}
	p.part = marked{redact.Part{Path: rel, Text: p.text}, v.ShowSecrets()}
	p.path, p.of, p.start, p.end = absolute(v, rel), len(windows), windows[n].Start, windows[n].End
	now, err := onDisk(v, rel, "File not found: %s. May have been deleted or moved since indexing. Try re-indexing the session.")
	if err != nil {
		return nil, notShown(err)
	}
	p.stale = !bytes.Equal(bytes.TrimPrefix(now, []byte("\xef\xbb\xbf")), p.text)
	return text(p.String()), nil
}

// notShown shortens the error of a binary file to this tool's words.
func notShown(err error) error {
	if err.Error() == notText {
		return refused(strings.TrimSuffix(notText, " Cannot display in MCP response."))
	}
	return err
}

// preview is a chunk to be shown with the lines round it.
type preview struct {
	name, path string
	text       []byte // as it was indexed
	part       marked // of text
	index, of  int    // the chunk, and how many the file has
	start, end int    // bytes of the chunk
	around     int
	stale      bool // the file has changed since
}

// span returns the first and last line of a stretch of text, from 0. A last
// byte that ends a line belongs to that line.
func span(text []byte, start, end int) (first, last int) {
	first = bytes.Count(text[:start], []byte("\n"))
	return first, first + bytes.Count(text[start:max(start, end-1)], []byte("\n"))
}

// maxPreviewLine is the bytes of a line that are shown whole.
const maxPreviewLine = 4000

// shorten cuts a very long line, that begins at a byte of the text, to what the
// chunk has of it, or else to its beginning.
func (p *preview) shorten(line string, at int) string {
	if len(line) <= maxPreviewLine {
		return p.part.show(at, at+len(line))
	}
	from, to := max(p.start-at, 0), min(p.end-at, len(line))
	if from >= to {
		from, to = 0, maxPreviewLine
		for !utf8.RuneStart(line[to]) {
			to--
		}
	}
	text := p.part.show(at+from, at+to)
	if from > 0 {
		text = "..." + text
	}
	if to < len(line) {
		text += "..."
	}
	return text
}

func (p *preview) String() string {
	all := strings.Split(strings.TrimSuffix(string(p.text), "\n"), "\n")
	first, last := span(p.text, p.start, p.end)
	first, last = min(first, len(all)-1), min(last, len(all)-1)
	var b strings.Builder
	fmt.Fprintf(&b, "**File:** `%s`\n**Chunk:** %d of %d (bytes %d-%d)\n**Context:** %d lines before/after\n**Session:** `%s`\n**Chunk Lines:** %d-%d (of %d total)\n\n",
		p.path, p.index, p.of, p.start, p.end, p.around, p.name, first+1, last+1, len(all))
	if p.stale {
		b.WriteString("NOTE: The file changed since this session was indexed; this is the indexed text.\n\n")
	}
	var shown []string
	room := newBudget(b.String())
	at := lineStarts(p.text)
	for i := max(0, first-p.around); i <= min(len(all)-1, last+p.around); i++ {
		line := fmt.Sprintf("%4d | %s", i+1, p.shorten(strings.TrimSuffix(all[i], "\r"), at[i]))
		if i == first {
			line += "  <-- chunk starts here"
		}
		if i == last {
			line += "  <-- chunk ends here"
		}
		if !room.take(line + "\n") {
			line = fmt.Sprintf("%4d | ... (25k token limit)", i+1)
			shown = append(shown, line)
			break
		}
		shown = append(shown, line)
	}
	b.WriteString(fenced(language(p.path), strings.Join(shown, "\n")))
	return b.String()
}
