package rustcode

import (
	"context"
	"unicode/utf8"

	"espy/internal/discover"
	"espy/internal/mcpserver/host"
	"espy/internal/redact"
)

const fileSchema = `{
	"type": "object",
	"properties": {
		"file_path": {"type": "string", "description": "Path of the file"}
	},
	"required": ["file_path"]
}`

// maxShown is how many bytes a file may have to be shown.
const maxShown = 10 << 20

func (s *server) readFileTool() tool {
	return tool{
		name: "read_file_content", schema: fileSchema, failed: "Error reading file",
		description: `Read a text file.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (string, error) {
			src, err := s.find(ctx, a, fileErrors{"The specified path '%s' does not exist", "The specified path '%s' is not a file"})
			if err != nil {
				return "", err
			}
			if src.info.Size() > maxShown {
				return "", invalid("The file '%s' is too large to display (%d bytes)", src.given, src.info.Size())
			}
			content, raw, left, err := s.read(src, maxShown)
			if err != nil {
				return "", invalid("Error reading file '%s': %v", src.given, err)
			}
			return s.shown(src, content, raw, left)
		},
	}
}

// shown is the text of a file, with markers in the place of secrets.
func (s *server) shown(src source, content discover.Content, raw []byte, left *discover.Exclusion) (string, error) {
	text := content.Text
	switch {
	case left != nil && left.Reason != discover.ReasonBinary && left.Reason != discover.ReasonEncoding:
		return "", invalid("Error reading file '%s': %s", src.given, left.Reason.Explain())
	case left != nil && isBinary(raw):
		return "", invalid("The file '%s' appears to be a binary file and cannot be displayed as text", src.given)
	case left != nil:
		text = raw
	case isBinary(text):
		return "", invalid("The file '%s' appears to be a binary file and cannot be displayed as text", src.given)
	case len(text) == 0:
		return "File is empty.", nil
	}
	if !s.Workspace.Options().ShowSecrets {
		text = redact.Text(src.path, text)
	}
	return string(text), nil
}

// isBinary reports whether bytes are no text: they are not UTF-8, hold a NUL, or more
// than a tenth of them are control characters.
func isBinary(text []byte) bool {
	control := 0
	for _, b := range text {
		if b == 0 {
			return true
		}
		if b < 32 && b != '\t' && b != '\n' && b != '\r' {
			control++
		}
	}
	return !utf8.Valid(text) || control*10 > len(text)
}
