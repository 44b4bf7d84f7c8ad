package discover

import (
	"fmt"
	"strings"

	"espy/internal/glob"
	"espy/internal/usage"
)

const maxGlobs = 1000 // globs of one list

// globs is the include or exclude list of a policy.
type globs []glob.Glob

// newGlobs compiles a list. Errors name it and the glob.
func newGlobs(list string, patterns []string) (globs, error) {
	if len(patterns) > maxGlobs {
		return nil, fmt.Errorf("%s: %d globs given: the limit is %d; join some with braces, as in *.{js,ts}", list, len(patterns), maxGlobs)
	}
	gs := make(globs, 0, len(patterns))
	for _, p := range patterns {
		g, err := glob.Compile(p)
		if err != nil {
			return nil, usage.Of(list, err)
		}
		gs = append(gs, g)
	}
	return gs, nil
}

// match reports whether a glob matches this very file or folder.
func (gs globs) match(path string, dir bool) bool {
	for i := range gs {
		if gs[i].Match(path, dir) {
			return true
		}
	}
	return false
}

// reach reports whether a glob may match something below a folder.
func (gs globs) reach(dir string) bool {
	for i := range gs {
		if gs[i].Reaches(dir) {
			return true
		}
	}
	return false
}

// cover reports whether a glob matches a file or one of the folders above it.
func (gs globs) cover(path string) bool {
	for i := range gs {
		if gs[i].Covers(path, false) {
			return true
		}
	}
	return false
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// isName reports whether s is one component of a path.
func isName(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\\\x00")
}
