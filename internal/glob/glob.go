// Package glob matches paths with globs in the three dialects that Espy takes:
// its own (Glob), that of ignore files (Rules) and that of Rust's glob crate (Wild).
//
// Paths have slashes between their components and are compared as bytes. Unless
// a function says otherwise they are relative, with no slash at either end.
package glob

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"espy/internal/code"
	"espy/internal/usage"
)

// maxBytes bounds a glob: matching may take time quadratic in its length.
const maxBytes = 1000

// Glob is a glob of the settings and of queries, in the syntax of doublestar:
// `*` stops at slashes, `**` crosses them, braces give alternatives.
//
// A glob without an inner slash matches a name at any depth, unless a leading
// slash ties it to the root. A trailing slash limits it to folders. A glob that
// matches a folder covers everything below it.
type Glob struct {
	text    string // as it was written
	pattern string
	name    bool   // matched against single names
	folder  bool   // had a trailing slash
	prefix  string // what every path that it covers begins with
	base    string // what every match is, or lies in: "a/b" of a/b/*.go and of a/b
}

// Compile compiles a glob of up to 1000 bytes. The error is a *usage.Error of
// the argument "glob".
func Compile(glob string) (Glob, error) {
	bad := func(msg, hint string) (Glob, error) {
		return Glob{}, &usage.Error{Arg: "glob", Value: glob, Msg: msg, Hint: hint}
	}
	if len(glob) > maxBytes {
		return bad(tooLong(glob), "name fewer alternatives in one glob")
	}
	text, anchored := strings.CutPrefix(strings.TrimPrefix(glob, "./"), "/")
	text, folder := strings.CutSuffix(text, "/")
	if text == "" || text == "." {
		return bad("empty glob", "write one such as net/** or *_test.go")
	}
	if !doublestar.ValidatePattern(text) {
		return bad("malformed glob", "close its brackets and braces, or put a backslash before them")
	}
	g := Glob{text: glob, pattern: text, folder: folder, name: !anchored && !strings.Contains(text, "/")}
	if !g.name {
		g.tie()
	}
	return g, nil
}

// String returns the glob as it was written.
func (g *Glob) String() string { return g.text }

// Anywhere returns the glob that matches at any depth what this one matches below
// the root alone; "" where it does so itself, or where it was tied to the root.
func (g *Glob) Anywhere() string {
	text := strings.TrimPrefix(g.text, "./")
	if g.name || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "**/") {
		return ""
	}
	return "**/" + text
}

// Part returns the glob that matches what has the name of this one as a part of its name;
// "" where it has wildcards there, or is tied to one folder.
func (g *Glob) Part() string {
	i := strings.LastIndexByte(g.text, '/')
	above, last := g.text[:i+1], g.text[i+1:]
	if last == "" || strings.ContainsAny(last, `*?[{\\`) || above != "" && !strings.HasSuffix(above, "**/") {
		return ""
	}
	return above + "*" + last + "*"
}

// tooLong says that a glob is longer than it may be.
func tooLong(glob string) string {
	return fmt.Sprintf("a glob of %d bytes; the limit is %d", len(glob), maxBytes)
}

// tie finds the parts of paths that the glob fixes.
func (g *Glob) tie() {
	g.prefix = g.pattern
	if i := strings.IndexAny(g.pattern, `*?[{\`); i >= 0 {
		g.prefix = g.pattern[:i]
	}
	if g.base = g.pattern; g.prefix == g.pattern {
		return
	}
	if g.base, _ = doublestar.SplitPattern(g.pattern); g.base == "." {
		g.base = ""
	}
}

// Match reports whether the glob matches this very file or folder.
func (g *Glob) Match(path string, folder bool) bool {
	if g.folder && !folder {
		return false
	}
	if g.name {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	return doublestar.MatchUnvalidated(g.pattern, path)
}

// Covers reports whether the glob matches the file or folder, or one of the
// folders above it.
func (g *Glob) Covers(path string, folder bool) bool {
	if !strings.HasPrefix(path, g.prefix) {
		return false
	}
	for start, i := 0, 0; ; i++ {
		whole := i == len(path)
		if !whole && path[i] != '/' {
			continue
		}
		part := path[:i]
		if g.name {
			part = path[start:i]
		}
		if (!whole || folder || !g.folder) && doublestar.MatchUnvalidated(g.pattern, part) {
			return true
		}
		if whole {
			return false
		}
		start = i + 1
	}
}

// Tied reports whether every match lies in one folder, or is one file or folder.
func (g *Glob) Tied() bool { return g.base != "" }

// Within reports whether every match of the glob lies in a folder, or below it.
func (g *Glob) Within(folder string) bool {
	_, below := code.Below(folder, g.base)
	return g.base != "" && below
}

// Reaches reports whether the glob may match something below a folder.
func (g *Glob) Reaches(folder string) bool {
	if g.base == "" {
		return true
	}
	_, above := code.Below(folder, g.base)
	_, below := code.Below(g.base, folder)
	return above || below
}
