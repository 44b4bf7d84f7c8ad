package rank

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/token"
)

// systems are names of folders, and ends of the names of files, that say which system code
// is for: whether it is Windows, else one of those that are alike.
var systems = map[string]bool{"win": true, "win32": true, "windows": true, "unix": false, "posix": false, "linux": false}

// Twin returns what files are called that do the same on different systems: src/*/fs.c of
// src/unix/fs.c and src/win/fs.c, exec_*.go of exec_windows.go; "" where a path names none.
func Twin(path []byte) string {
	if !slices.ContainsFunc(hints, func(h []byte) bool { return bytes.Contains(path, h) }) {
		return ""
	}
	named := false
	parts := strings.Split(string(path), "/")
	for i, p := range parts {
		if from, to, ok := systemIn(p); ok {
			parts[i], named = p[:from]+"*"+p[to:], true
		}
	}
	if !named {
		return ""
	}
	return strings.Join(parts, "/")
}

// hints are parts of the names of systems: most paths have none.
var hints = [][]byte{[]byte("win"), []byte("nix"), []byte("nux"), []byte("posix"), []byte("Win")}

// IsForWindows reports whether a path says that its file is for Windows.
func IsForWindows(path []byte) bool {
	if !bytes.Contains(path, []byte("win")) && !bytes.Contains(path, []byte("Win")) {
		return false
	}
	for p := range strings.SplitSeq(string(path), "/") {
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
	if n := to - from; n < 3 || n > len("windows") {
		return from, to, false
	}
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
