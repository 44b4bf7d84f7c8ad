package shebe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"espy/internal/mcpserver/host"
	"espy/internal/redact"
	"espy/internal/session"
)

const readFileSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session name", "pattern": "^[a-zA-Z0-9_-]+$"},
		"file_path": {"type": "string", "description": "Path as in the results, or relative to the repository", "minLength": 1},
		"max_size_kb": {"type": "integer", "description": "Accepted for older clients; has no effect", "default": 1024, "minimum": 1, "maximum": 10240},
		"offset": {"type": "integer", "description": "Byte to begin at", "default": 0, "minimum": 0},
		"length": {"type": "integer", "description": "Bytes to read", "default": 20000, "minimum": 1, "maximum": 20000}
	},
	"required": ["session", "file_path"]
}`

func (s *server) readFileTool() tool {
	return tool{
		name: "read_file", short: "Read a file of a session", schema: readFileSchema,
		description: `Read a file of a session as it is now: whole up to 20,000 characters, a longer one piece by piece with offset. For long files use search_code or preview_chunk first.`,
		call:        s.readFile,
	}
}

const maxRead = 20_000 // characters, or bytes with offset and length

func (s *server) readFile(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name, arg := a.text("session"), a.text("file_path")
	kb, offset, length := a.number("max_size_kb", 1024), a.number("offset", 0), a.number("length", maxRead)
	switch {
	case a.err != nil:
		return nil, a.err
	case strings.TrimSpace(arg) == "":
		return nil, invalid("file_path cannot be empty")
	case kb > 10240:
		return nil, invalid("max_size_kb cannot exceed 10240 KB")
	case kb < 1:
		return nil, invalid("max_size_kb must be between 1 and 10240")
	case offset < 0:
		return nil, invalid("offset must be at least 0")
	case length < 1:
		return nil, invalid("length must be between 1 and 20000")
	}
	v, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	rel, ok := v.Find(arg)
	if !ok && v.IsBinary(arg) {
		return nil, refused(notText)
	}
	if !ok {
		return nil, refused(fmt.Sprintf("File '%s' not indexed in session '%s'. Check file_path or re-index the session.", arg, name))
	}
	raw, err := onDisk(v, rel, "File not found: %s. File may have been deleted since indexing. Try re-indexing the session.")
	if err != nil {
		return nil, err
	}
	f := &shownFile{path: absolute(v, rel), session: name, text: raw, part: marked{redact.Part{Path: rel, Text: raw}, v.ShowSecrets()}}
	switch {
	case a.has("offset") || a.has("length"):
		return text(f.piece(offset, min(length, maxRead))), nil
	case utf8.RuneCount(raw) > maxRead:
		return text(f.first()), nil
	}
	return text(f.whole()), nil
}

const notText = "File contains non-UTF-8 data (binary file). Cannot display in MCP response."

// onDisk reads a file of a session as it is now.
func onDisk(v *session.View, rel, gone string) ([]byte, error) {
	text, err := v.Disk(rel)
	var left *session.LeftOutError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refused(fmt.Sprintf(gone, absolute(v, rel)))
	case errors.As(err, &left) && (left.Reason == "binary" || left.Reason == "encoding"):
		return nil, refused(notText)
	case errors.As(err, &left):
		return nil, refused(fmt.Sprintf("File '%s' cannot be read: %s.", absolute(v, rel), left.Reason.Explain()))
	case err != nil:
		return nil, internal("I/O error: ", err)
	}
	return text, nil
}

// shownFile is a file to be shown.
type shownFile struct {
	path, session string
	text          []byte
	part          marked // of text
}

// marked is a text with markers in the place of its secrets, unless they are shown.
type marked struct {
	redact.Part
	secrets bool // are shown
}

// show returns a part of the text.
func (m *marked) show(start, end int) string {
	if m.secrets {
		return string(m.Text[start:end])
	}
	return string(m.Show(start, end))
}

// lines counts the lines of a text; one without a line end counts.
func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func (f *shownFile) whole() string {
	return fmt.Sprintf("**File:** `%s`\n**Session:** `%s`\n**Size:** %s (%d lines)\n**Language:** %s\n\n%s",
		f.path, f.session, size(int64(len(f.text))), lines(f.text), language(f.path), fenced(language(f.path), f.part.show(0, len(f.text))))
}

// first shows as many characters of a long file as are shown.
func (f *shownFile) first() string {
	total := utf8.RuneCount(f.text)
	end := 0
	for range maxRead {
		_, n := utf8.DecodeRune(f.text[end:])
		end += n
	}
	var b strings.Builder
	fmt.Fprintf(&b, "WARNING: FILE TRUNCATED - SHOWING FIRST %d CHARACTERS\n\nShowing: Characters 1-%d of %d total (%.1f%%)\n", maxRead, maxRead, total, 100*float64(maxRead)/float64(total))
	fmt.Fprintf(&b, "Reason: Maximum display limit is %d characters (MCP 25k token limit)\nNot shown: %d characters\n\n💡 SUGGESTIONS:\n", maxRead, total-maxRead)
	b.WriteString("- Use `search_code` to find specific content in this file\n- Use `preview_chunk` to view specific sections\n")
	fmt.Fprintf(&b, "- For full file, use bash: cat %s\n- Use offset parameter to read next chunk: offset=%d\n\n---\n\n", f.path, end)
	fmt.Fprintf(&b, "**File:** `%s`\n**Showing:** First %d characters (~%d lines)\n**Session:** `%s`\n**Size:** %s\n**Language:** %s\n\n%s\n\nNOTE: More content available. Use offset=%d to read next chunk.",
		f.path, maxRead, lines(f.text[:end]), f.session, size(int64(len(f.text))), language(f.path), fenced(language(f.path), f.part.show(0, end)), end)
	return b.String()
}

// piece shows whole characters from a byte on. What it says to go on with is
// the first byte that it does not show.
func (f *shownFile) piece(offset, length int) string {
	total := len(f.text)
	start := min(offset, total)
	for start < total && !utf8.RuneStart(f.text[start]) {
		start++
	}
	end := min(start+length, total)
	for end < total && end > start && !utf8.RuneStart(f.text[end]) {
		end--
	}
	if end == start && start < total { // not even one character fits: show it whole
		_, n := utf8.DecodeRune(f.text[start:])
		end = start + n
	}
	shown, from, to := f.text[start:end], offset, end
	if offset >= total {
		from, to = offset, offset
	}
	text := fmt.Sprintf("**File:** `%s`\n**Session:** `%s`\n**Size:** %s (showing bytes %d-%d of %d)\n**Language:** %s (%d lines in chunk)\n\n%s",
		f.path, f.session, size(int64(total)), from, to, total, language(f.path), lines(shown), fenced(language(f.path), f.part.show(start, end)))
	if end < total {
		text += fmt.Sprintf("\n\nNOTE: More content available. Use offset=%d to read next chunk.", end)
	}
	return text
}
