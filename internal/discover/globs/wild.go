package globs

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/glob"
)

// Wild is the include and exclude lists of a policy whose globs are read as glob.Wild does.
type Wild struct {
	base             string // absolute path of the root
	include, exclude []*glob.Wild
	endings          map[string]bool // of paths that exclude leaves out too
}

// NewWild compiles the lists of a policy for the root at base.
func NewWild(base string, include, exclude []string) (*Wild, error) {
	w := &Wild{base: base}
	var err error
	if w.include, err = compileWild("include", include); err != nil {
		return nil, err
	}
	if w.exclude, err = compileWild("exclude", exclude); err != nil {
		return nil, err
	}
	w.endings, w.exclude = glob.Endings(w.exclude)
	if slices.ContainsFunc(w.include, (*glob.Wild).All) {
		w.include = nil
	}
	return w, nil
}

func compileWild(list string, globs []string) (out []*glob.Wild, err error) {
	if len(globs) > maxGlobs {
		return nil, fmt.Errorf("%d %s patterns given: the limit is %d", len(globs), list, maxGlobs)
	}
	for _, text := range globs {
		g, err := glob.CompileWild(text)
		if err != nil {
			return nil, fmt.Errorf("invalid %s pattern '%s': %w", list, text, err)
		}
		out = append(out, g)
	}
	return out, nil
}

// LeavesOut reports whether the globs leave out a file or folder.
func (w *Wild) LeavesOut(path, name string, dir bool) bool {
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 && w.endings[name[dot:]] {
		return true
	}
	rooted := "/" + path
	for _, g := range w.exclude {
		if g.Match(rooted) || g.Match(path) || dir && strings.HasSuffix(g.String(), "/**") && g.Match(rooted+"/") {
			return true
		}
		if strings.HasPrefix(g.String(), "/") && g.Match(w.base+rooted) {
			return true
		}
	}
	if dir || len(w.include) == 0 {
		return false
	}
	return !slices.ContainsFunc(w.include, func(g *glob.Wild) bool {
		return g.Match(name) || g.Match(w.base+rooted) || g.Match(path) || g.Match(rooted)
	})
}
