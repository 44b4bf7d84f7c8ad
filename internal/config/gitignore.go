package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// findGlobalIgnore returns git's global ignore file: core.excludesFile of the
// user's own git configuration, else git/ignore beside it. Both files git
// reads are read, the one in the home folder winning as it does there; what
// they include is not followed. The git program is not run.
//
// A file that cannot be read is left out and told: it is git's and no reason
// to refuse work.
func findGlobalIgnore(d dirs) (found string, notices []string) {
	if d.config != "" {
		found = filepath.Join(d.config, "git", "ignore")
	}
	for _, path := range gitConfigs(d) {
		text, err := readRegular(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("the git configuration is not asked for the global ignore file: %v", err))
			continue
		}
		if value := excludesFile(string(text)); value != "" {
			found = value
		}
	}
	if rest, ok := strings.CutPrefix(found, "~/"); ok && d.home != "" {
		found = filepath.Join(d.home, rest)
	}
	return found, notices
}

// readRegular reads a file that is none to wait for, such as a pipe.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeCharDevice != 0: // /dev/null
		return nil, nil
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	return readFile(path)
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
