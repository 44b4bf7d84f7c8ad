package rank

import (
	"strings"

	"espy/internal/token"
)

// systems are names of folders, and ends of the names of files, that say which system code
// is for: whether it is Windows, else one of those that are alike.
var systems = map[string]bool{"win": true, "win32": true, "windows": true, "unix": false, "posix": false, "linux": false}

// Twin returns what files are called that do the same on different systems: src/*/fs.c of
// src/unix/fs.c and src/win/fs.c, exec_*.go of exec_windows.go.
func Twin(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if from, to, ok := systemIn(p); ok {
			parts[i] = p[:from] + "*" + p[to:]
		}
	}
	return strings.Join(parts, "/")
}

// IsForWindows reports whether a path says that its file is for Windows.
func IsForWindows(path string) bool {
	if !strings.Contains(path, "win") && !strings.Contains(path, "Win") { // as most do not
		return false
	}
	for p := range strings.SplitSeq(path, "/") {
		if from, to, ok := systemIn(p); ok && systems[strings.ToLower(p[from:to])] {
			return true
		}
	}
	return false
}

// systemIn returns where a part of a path names a system: all of it, or its end before
// the extension.
func systemIn(part string) (from, to int, ok bool) {
	if to = strings.IndexByte(part, '.'); to < 0 {
		to = len(part)
	}
	from = strings.LastIndexAny(part[:to], "_-") + 1
	_, ok = systems[strings.ToLower(part[from:to])]
	return from, to, ok
}

// AsksForWindows reports whether a text names Windows.
func AsksForWindows(text string) bool {
	b := []byte(text)
	for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
		if systems[strings.ToLower(text[start:end])] {
			return true
		}
	}
	return false
}
