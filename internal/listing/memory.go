package listing

import (
	"iter"
	"slices"
	"strings"
)

// Folder is a folder whose names a look listed.
type Folder struct {
	Path  string // "" for the root
	Stat  Stat   // from before its names were listed, without a size; zero where it does not vouch for them
	Names int    // how many it held
}

// Memory tells which names the folders of an earlier look held. A folder is known by
// its place among Tree.Folders, from 1; 0 is none. A nil Memory knows none.
type Memory struct {
	tree  *Tree
	spans []span // of Tree.Folders
}

// span says where what lies below a folder stands.
type span struct {
	from, to int // among Tree.Leaves
	end      int // the first of Tree.Folders behind those below the folder
	names    int // of the folder, among both; -1 where something else is between them
}

// Remember makes the memory of a tree.
func Remember(t *Tree) *Memory {
	m := &Memory{tree: t, spans: make([]span, len(t.Folders))}
	var open []int // the folders from the root to the one at hand
	enter := func(path string, leaf, folder int) {
		for len(open) > 0 && !below(t.Folders[open[len(open)-1]].Path, path) {
			s := &m.spans[open[len(open)-1]]
			s.to, s.end = leaf, folder
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return
		}
		s, prefix := &m.spans[open[len(open)-1]], len(t.Folders[open[len(open)-1]].Path)
		if strings.IndexByte(path[prefix+1:], '/') >= 0 {
			s.names = -1
		} else if s.names >= 0 {
			s.names++
		}
	}
	leaf := 0
	for i := range t.Folders {
		path := t.Folders[i].Path
		for ; leaf < len(t.Leaves) && before(t.Leaves[leaf].Path, path); leaf++ {
			if t.Leaves[leaf].Count == 0 {
				enter(t.Leaves[leaf].Path, leaf, i)
			}
		}
		if path != "" {
			enter(path, leaf, i)
		}
		m.spans[i].from = leaf
		open = append(open, i)
	}
	for ; leaf < len(t.Leaves); leaf++ {
		if t.Leaves[leaf].Count == 0 {
			enter(t.Leaves[leaf].Path, leaf, len(t.Folders))
		}
	}
	for _, i := range open {
		m.spans[i].to, m.spans[i].end = len(t.Leaves), len(t.Folders)
	}
	return m
}

// below reports whether a path lies below a folder.
func below(dir, path string) bool {
	return dir == "" || len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// before reports whether a path comes before those below a folder.
func before(path, dir string) bool {
	n := min(len(path), len(dir))
	if c := strings.Compare(path[:n], dir[:n]); c != 0 || dir == "" {
		return c < 0
	}
	return len(path) <= len(dir) || path[len(dir)] < '/'
}

// Folder returns a folder that is known.
func (m *Memory) Folder(known int) *Folder { return &m.tree.Folders[known-1] }

// Find returns the place of a folder, 0 for none.
func (m *Memory) Find(path string) int {
	if m == nil {
		return 0
	}
	all := m.tree.Folders
	i, ok := slices.BinarySearchFunc(all, path, func(f Folder, path string) int { return compareFolders(f.Path, path) })
	if !ok {
		return 0
	}
	return i + 1
}

// compareFolders compares paths of folders as if each ended in a slash, the root first.
func compareFolders(a, b string) int {
	n := min(len(a), len(b))
	switch c := strings.Compare(a[:n], b[:n]); {
	case c != 0 || len(a) == len(b):
		return c
	case len(a) == n && (n == 0 || b[n] >= '/'), len(b) == n && n > 0 && a[n] < '/':
		return -1
	}
	return 1
}

// Knows reports whether every name of a folder is known.
func (m *Memory) Knows(known int) bool {
	if m == nil || known == 0 || known > len(m.spans) {
		return false
	}
	return m.spans[known-1].names == m.Folder(known).Names
}

// Last reports whether every name of a folder is known and none is a folder that was listed.
func (m *Memory) Last(known int) bool {
	return m.Knows(known) && m.spans[known-1].end == known
}

// Holds reports whether a folder that has a stat now holds the names that are known: no
// name came or went since it was listed.
func (m *Memory) Holds(known int, now Stat) bool {
	f := m.Folder(known)
	return now == f.Stat && now.Inode != 0 && !now.Racy(m.tree.Looked)
}

// Names yields the names of a folder: the leaf of a file or of a folder that was left
// out, or the place of a folder.
func (m *Memory) Names(known int) iter.Seq2[*Leaf, int] {
	return func(yield func(*Leaf, int) bool) {
		s := m.spans[known-1]
		at := s.from
		leaves := func(to int) bool {
			for ; at < to; at++ {
				if l := &m.tree.Leaves[at]; l.Count == 0 && !yield(l, 0) {
					return false
				}
			}
			return true
		}
		for sub := known; sub < s.end; sub = m.spans[sub].end {
			if !leaves(m.spans[sub].from) || !yield(nil, sub+1) {
				return
			}
			at = m.spans[sub].to
		}
		leaves(s.to)
	}
}
