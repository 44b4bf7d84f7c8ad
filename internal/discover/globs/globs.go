// Package globs has the lists of globs by which a policy keeps files, or leaves them out.
package globs

import (
	"fmt"

	"espy/internal/glob"
	"espy/internal/usage"
)

const maxGlobs = 1000 // globs of one list

// List is the include or exclude list of a policy.
type List []glob.Glob

// New compiles a list. Errors name it and the glob.
func New(list string, patterns []string) (List, error) {
	if len(patterns) > maxGlobs {
		return nil, fmt.Errorf("%s: %d globs given: the limit is %d; join some with braces, as in *.{js,ts}", list, len(patterns), maxGlobs)
	}
	gs := make(List, 0, len(patterns))
	for _, p := range patterns {
		g, err := glob.Compile(p)
		if err != nil {
			return nil, usage.Of(list, err)
		}
		gs = append(gs, g)
	}
	return gs, nil
}

// Match reports whether a glob matches this very file or folder.
func (gs List) Match(path string, dir bool) bool {
	for i := range gs {
		if gs[i].Match(path, dir) {
			return true
		}
	}
	return false
}

// Reaches reports whether a glob may match something below a folder.
func (gs List) Reaches(dir string) bool {
	for i := range gs {
		if gs[i].Reaches(dir) {
			return true
		}
	}
	return false
}

// Covers reports whether a glob matches a file or one of the folders above it.
func (gs List) Covers(path string) bool {
	for i := range gs {
		if gs[i].Covers(path, false) {
			return true
		}
	}
	return false
}
