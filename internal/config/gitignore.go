package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// findGlobalIgnore returns git's global ignore file: core.excludesFile of the
// user's own git configuration, else git/ignore beside it. Both files git
// reads are read, the one in the home folder winning as it does there; what
// they include is not followed. The git program is not run.
func findGlobalIgnore(d dirs) (string, error) {
	found := ""
	if d.config != "" {
		found = filepath.Join(d.config, "git", "ignore")
	}
	for _, path := range gitConfigs(d) {
		text, err := readFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("git configuration: %w", err)
		}
		if value := excludesFile(string(text)); value != "" {
			found = value
		}
	}
	if rest, ok := strings.CutPrefix(found, "~/"); ok && d.home != "" {
		found = filepath.Join(d.home, rest)
	}
	return found, nil
}

func gitConfigs(d dirs) []string {
	var paths []string
	if d.config != "" {
		paths = append(paths, filepath.Join(d.config, "git", "config"))
	}
	if d.home != "" {
		paths = append(paths, filepath.Join(d.home, ".gitconfig"))
	}
	return paths
}

// excludesFile returns the last core.excludesFile that a git configuration
// sets, or "". See "Syntax" in git-config(1).
func excludesFile(text string) string {
	section, value := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, line, _ = strings.Cut(name, "]")
			section, line = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(line)
		}
		name, rest, ok := strings.Cut(line, "=")
		if ok && section == "core" && strings.EqualFold(strings.TrimSpace(name), "excludesfile") {
			value = gitValue(strings.TrimSpace(rest))
		}
	}
	return value
}

// gitValue undoes the quoting of a value and drops a comment after it.
func gitValue(text string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '"':
			quoted = !quoted
		case ch == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case !quoted && (ch == '#' || ch == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(ch)
		}
	}
	return strings.TrimSpace(b.String())
}
