package lines

import (
	"iter"
	"slices"

	"espy/internal/code"
	"espy/internal/hit"
)

// part is a file of the window and which of its matching lines are shown.
type part struct {
	seg        *counted
	found      fileCount
	skip, take int // of its lines
	hits       []hit.Hit
	read       bool // hits are all of them
}

// cutWindow returns the files of the window: of all matching lines those from an
// offset on, at most limit of them.
func cutWindow(segments []*counted, offset, limit int) []part {
	var parts []part
	for s, f := range ordered(segments) {
		if offset >= f.lines {
			offset -= f.lines
			continue
		}
		take := min(f.lines-offset, limit)
		if take == 0 {
			break
		}
		parts = append(parts, part{seg: s, found: f, skip: offset, take: take})
		offset, limit = 0, limit-take
	}
	return parts
}

// ordered yields the files with matches in the order of the answer: by group,
// repository and path.
func ordered(segments []*counted) iter.Seq2[*counted, fileCount] {
	return func(yield func(*counted, fileCount) bool) {
		for group := range groups {
			rest := segments
			for len(rest) > 0 {
				n := 1
				for n < len(rest) && rest[n].Snap == rest[0].Snap {
					n++
				}
				if !merge(rest[:n], group, yield) {
					return
				}
				rest = rest[n:]
			}
		}
	}
}

// merge yields the files of one group of the segments of one repository in path order.
func merge(segments []*counted, group int, yield func(*counted, fileCount) bool) bool {
	type cursor struct {
		seg  *counted
		rest []fileCount
		path string
	}
	var cursors []cursor
	advance := func(c *cursor) bool {
		for len(c.rest) > 0 && groupOf(c.seg.Class(c.rest[0].file)) != group {
			c.rest = c.rest[1:]
		}
		if len(c.rest) > 0 {
			c.path = c.seg.Path(c.rest[0].file)
		}
		return len(c.rest) > 0
	}
	for _, s := range segments {
		if c := (cursor{seg: s, rest: s.files}); advance(&c) {
			cursors = append(cursors, c)
		}
	}
	for len(cursors) > 0 {
		first := 0
		for i := range cursors {
			if cursors[i].path < cursors[first].path {
				first = i
			}
		}
		c := &cursors[first]
		f := c.rest[0]
		if !yield(c.seg, f) {
			return false
		}
		if c.rest = c.rest[1:]; !advance(c) {
			cursors = slices.Delete(cursors, first, first+1)
		}
	}
	return true
}

// groups is the number of groups that groupOf returns.
const groups = 3

// groupOf orders files of different use: code, then what speaks about code,
// then what nobody here wrote by hand.
func groupOf(c code.Class) int {
	switch {
	case c&(code.ClassVendor|code.ClassGenerated|code.ClassMinified|code.ClassLock) != 0:
		return 2
	case c&(code.ClassTest|code.ClassExample|code.ClassBench|code.ClassDocs) != 0:
		return 1
	}
	return 0
}
