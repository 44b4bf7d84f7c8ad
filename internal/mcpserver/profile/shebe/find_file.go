package shebe

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/glob"
	"espy/internal/mcpserver/host"
	"espy/internal/usage"
)

const findFileSchema = `{
	"type": "object",
	"properties": {
		"session": {"type": "string", "description": "Session name", "pattern": "^[a-zA-Z0-9_-]+$"},
		"pattern": {"type": "string", "description": "Glob or regular expression on the path", "minLength": 1},
		"pattern_type": {"type": "string", "description": "How the pattern is read", "enum": ["glob", "regex"], "default": "glob"},
		"limit": {"type": "integer", "description": "Files to list", "default": 100, "minimum": 1, "maximum": 10000}
	},
	"required": ["session", "pattern"]
}`

func (s *server) findFileTool() tool {
	return tool{
		name: "find_file", short: "Find files by pattern", schema: findFileSchema,
		description: `Find files of a session by a glob (*.go, **/test_*.py, src/**/*.ts) or a regular expression on the path.`,
		call:        s.findFile,
	}
}

func (s *server) findFile(ctx context.Context, a *arguments, _ host.Tell) (answer, error) {
	name, pattern, form, limit := a.text("session"), a.text("pattern"), a.textOr("pattern_type", "glob"), a.number("limit", defaultFiles)
	switch {
	case a.err != nil:
		return nil, a.err
	case pattern == "":
		return nil, invalid("pattern cannot be empty")
	case limit > 10_000:
		return nil, invalid("limit cannot exceed 10000")
	case limit < 1:
		return nil, invalid("limit must be between 1 and 10000")
	}
	matches, err := matcher(pattern, form)
	if err != nil {
		return nil, err
	}
	v, err := s.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	note := changes(ctx, v)
	defer note()
	paths, err := v.Paths()
	if err != nil {
		return nil, internal("Storage error: ", err)
	}
	var found []string
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, internal("Internal error: ", err)
		}
		if full := absolute(v, p); matches(full) || matches(p) {
			found = append(found, full)
		}
	}
	head := fmt.Sprintf("**Session:** `%s`\n**Pattern:** `%s`\n**Matches:** %d of %d total files\n\n", name, pattern, len(found), len(paths))
	if len(found) == 0 {
		return text(head + "No files match the pattern. Try a different pattern or check session." + note()), nil
	}
	return text(head + listed(found, limit, head) + note()), nil
}

// listed writes the first matches.
func listed(found []string, limit int, head string) string {
	lines := []string{"**Matched Files:**"}
	room := newBudget(head)
	shown := 0
	for _, full := range found[:min(limit, len(found))] {
		line := "- `" + full + "`"
		if !room.take(line + "\n") {
			break
		}
		lines = append(lines, line)
		shown++
	}
	switch {
	case shown < min(limit, len(found)):
		lines = append(lines, "", cutNote(shown, len(found)))
	case shown < len(found):
		lines = append(lines, "", fmt.Sprintf("Showing first %d of %d matches; raise limit to see more.", shown, len(found)))
	}
	return strings.Join(lines, "\n")
}

// fixedPart returns the longest stretch of a glob that each path which matches
// holds as it is. Looking for it is many times faster than matching.
func fixedPart(glob string) (longest string) {
	if strings.Contains(glob, "[") {
		return ""
	}
	glob = strings.ReplaceAll(glob, "**/", "**") // which may stand for nothing, the slash included
	for part := range strings.FieldsFuncSeq(glob, func(r rune) bool { return r == '*' || r == '?' }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// matcher reads a pattern. A glob matches a whole path, a regular expression
// any part of it.
func matcher(pattern, form string) (func(path string) bool, error) {
	switch form {
	case "glob":
		g, err := glob.CompileWild(pattern)
		if err != nil {
			return nil, invalid(fmt.Sprintf("Invalid glob pattern '%s': %v", usage.Shorten(pattern, maxEchoed), err))
		}
		part := fixedPart(pattern)
		return func(path string) bool { return strings.Contains(path, part) && g.Match(path) }, nil
	case "regex":
		re, err := glob.CompileRegexp(pattern)
		if err != nil {
			return nil, invalid(fmt.Sprintf("Invalid regex pattern '%s': %v", usage.Shorten(pattern, maxEchoed), err))
		}
		return re.MatchString, nil
	}
	return nil, invalid(fmt.Sprintf("Invalid pattern_type: '%s'. Must be 'glob' or 'regex'.", form))
}
