package discover

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxGlobs     = 1000 // globs of one list
	maxGlobBytes = 1000 // bytes of one glob
)

// glob is one include or exclude glob.
type glob struct {
	pattern string
	name    bool   // matched against the base name
	dirOnly bool   // had a trailing slash
	base    string // folders that every match lies in: "a/b" of a/b/*.go
}

type globs []glob

func newGlobs(patterns []string) (globs, error) {
	if len(patterns) > maxGlobs {
		return nil, fmt.Errorf("%d globs given: the limit is %d; join some with braces, as in *.{js,ts}", len(patterns), maxGlobs)
	}
	gs := make(globs, 0, len(patterns))
	for _, p := range patterns {
		g, err := newGlob(p)
		if err != nil {
			return nil, err
		}
		gs = append(gs, g)
	}
	return gs, nil
}

func newGlob(p string) (glob, error) {
	if len(p) > maxGlobBytes {
		return glob{}, fmt.Errorf("glob of %d bytes: the limit is %d", len(p), maxGlobBytes)
	}
	text, anchored := strings.CutPrefix(strings.TrimPrefix(p, "./"), "/")
	text, dirOnly := strings.CutSuffix(text, "/")
	if text == "" {
		return glob{}, fmt.Errorf("glob %q is empty: write a pattern such as src/** or *.go", p)
	}
	if !doublestar.ValidatePattern(text) {
		return glob{}, fmt.Errorf("glob %q is malformed: close its brackets and braces, or escape them with a backslash", p)
	}
	g := glob{pattern: text, dirOnly: dirOnly, name: !anchored && !strings.Contains(text, "/")}
	if !g.name {
		if base, _ := doublestar.SplitPattern(text); base != "." {
			g.base = base
		}
	}
	return g, nil
}

// match reports whether the glob names this very file or folder.
func (g *glob) match(path, name string, dir bool) bool {
	if g.dirOnly && !dir {
		return false
	}
	if g.name {
		path = name
	}
	return doublestar.MatchUnvalidated(g.pattern, path)
}

func (gs globs) match(path, name string, dir bool) bool {
	for i := range gs {
		if gs[i].match(path, name, dir) {
			return true
		}
	}
	return false
}

// mayMatchBelow reports whether a glob could match something below the folder dir.
func (gs globs) mayMatchBelow(dir string) bool {
	for i := range gs {
		base := gs[i].base
		if base == "" || below(dir, base) || below(base, dir) {
			return true
		}
	}
	return false
}

// below reports whether path is dir or lies below it; both relative.
func below(dir, path string) bool {
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}

// covers reports whether a glob matches path or one of the folders above it.
func (gs globs) covers(path string, dir bool) bool {
	if len(gs) == 0 {
		return false
	}
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && gs.match(path[:i], baseName(path[:i]), true) {
			return true
		}
	}
	return gs.match(path, baseName(path), dir)
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// isName reports whether s is one component of a path.
func isName(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\\\x00")
}
