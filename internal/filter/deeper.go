package filter

import (
	"strings"

	"espy/internal/glob"
	"espy/internal/hit"
	"espy/internal/segment"
)

// Deeper tells which globs of paths match no live file, because a glob with a
// slash begins at the root, and do with any folders in front, or because a glob is a whole
// name, and do as a part of names. It looks at every file. Its error is damage to the index.
func (f *Filter) Deeper() (found []hit.Deeper, err error) {
	err = segment.Guard(func() error {
		found = f.deeper()
		return nil
	})
	return found, err
}

func (f *Filter) deeper() (found []hit.Deeper) {
	if len(f.Segments) == 0 {
		return nil
	}
	for _, p := range f.Segments[0].rules.paths {
		for _, g := range p.only {
			if f.matching(g.String()) > 0 {
				continue
			}
			for _, instead := range []string{g.Anywhere(), g.Part()} {
				if n := f.matching(instead); n > 0 {
					found = append(found, hit.Deeper{Glob: g.String(), Instead: instead, Files: n})
					break
				}
			}
		}
	}
	return found
}

// matching counts the live files that a glob covers.
func (f *Filter) matching(text string) (n int) {
	g, err := glob.Compile(text)
	if err != nil {
		return 0 // empty, or longer than a glob may be, with more in front
	}
	held := literal(text)
	for _, s := range f.Segments {
		for file := range s.NumFiles() {
			if p := s.Path(file); strings.Contains(p, held) && s.Alive(file) && g.Covers(p, false) {
				n++
			}
		}
	}
	return n
}

// literal returns a text that every path has that a glob covers: its longest run
// without wildcards and slashes, "" where alternatives leave none.
func literal(glob string) (longest string) {
	if strings.ContainsAny(glob, `{[\`) {
		return ""
	}
	for _, run := range strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune("/*?", r) }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}
