// Package merkle holds what was seen of a tree of files at one moment: every
// file with its content hash and stat, every path that was left out with its
// reason, and one root hash that differs whenever an indexed path or a byte
// of it differs.
//
// A directory's hash is the XXH3-128 of its entries in order: name length,
// name, kind (file or directory) and the entry's hash. Leaves are sorted by
// the bytes of their paths, in which every directory is contiguous, so the
// root is computed in one pass with a stack and two trees are compared by
// merging them.
package merkle

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
)

// Stat is what the file system says of a file without reading it. Times are
// nanoseconds since the epoch.
type Stat struct {
	Size         int64
	MTime, CTime int64
	Inode        uint64
}

// Leaf is one path. A leaf with a Reason was left out of the index; one with
// Dir set stands for everything below it.
type Leaf struct {
	Path   string
	Stat   Stat
	Hash   code.Hash // of the content; zero where nothing was read
	Reason string    // why it was left out, "" for an indexed file
	Detail string    // more on the reason, or ""
	Count  int       // how many names directly in a folder the leaf stands for; 0 for all
	Dir    bool
	Read   bool // the reason was found by reading: Stat tells whether it still holds
}

// Tree is the leaves of one look at a root, sorted by path.
type Tree struct {
	Looked int64 // when the look began, nanoseconds since the epoch
	Leaves []Leaf
}

// Sort puts leaves in the order a Tree needs.
func Sort(leaves []Leaf) {
	slices.SortFunc(leaves, func(a, b Leaf) int { return cmp.Compare(a.Path, b.Path) })
}

// Find returns the leaf of a path.
func (t *Tree) Find(path string) (*Leaf, bool) {
	i, ok := slices.BinarySearchFunc(t.Leaves, path, func(l Leaf, p string) int { return cmp.Compare(l.Path, p) })
	if !ok {
		return nil, false
	}
	return &t.Leaves[i], true
}

// Root returns the hash over the paths and contents of the indexed files.
func (t *Tree) Root() code.Hash {
	var b rootBuilder
	for i := range t.Leaves {
		if l := &t.Leaves[i]; l.Reason == "" {
			b.add(l.Path, l.Hash)
		}
	}
	return b.finish()
}

// rootBuilder folds sorted paths into directory hashes.
type rootBuilder struct {
	names []string // open directories below the root
	bufs  [][]byte // encoded entries of the root and of each open directory
}

func (b *rootBuilder) add(path string, hash code.Hash) {
	if len(b.bufs) == 0 {
		b.bufs = append(b.bufs, nil)
	}
	dirs := strings.Split(path, "/")
	name := dirs[len(dirs)-1]
	dirs = dirs[:len(dirs)-1]
	same := 0
	for same < len(dirs) && same < len(b.names) && dirs[same] == b.names[same] {
		same++
	}
	b.closeTo(same)
	for _, d := range dirs[same:] {
		b.names = append(b.names, d)
		b.bufs = append(b.bufs, nil)
	}
	b.entry(name, 'f', hash)
}

// closeTo ends every open directory deeper than depth.
func (b *rootBuilder) closeTo(depth int) {
	for len(b.names) > depth {
		last := len(b.names) - 1
		hash := sum(b.bufs[last+1])
		name := b.names[last]
		b.names, b.bufs = b.names[:last], b.bufs[:last+1]
		b.entry(name, 'd', hash)
	}
}

func (b *rootBuilder) entry(name string, kind byte, hash code.Hash) {
	top := &b.bufs[len(b.bufs)-1]
	*top = binary.AppendUvarint(*top, uint64(len(name)))
	*top = append(*top, name...)
	*top = append(*top, kind)
	*top = append(*top, hash[:]...)
}

func (b *rootBuilder) finish() code.Hash {
	b.closeTo(0)
	if len(b.bufs) == 0 {
		return sum(nil)
	}
	return sum(b.bufs[0])
}

func sum(p []byte) code.Hash { return code.Hash(xxh3.Hash128(p).Bytes()) }

// Changes is what differs between two trees. Paths are sorted.
type Changes struct {
	Added, Changed, Removed []string
	Renamed                 []Rename // pairs taken from Added and Removed, which keep them too
}

// Rename is a file whose content went from one path to another.
type Rename struct{ From, To string }

// Empty reports whether nothing differs.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Changed)+len(c.Removed) == 0 }

// Diff compares the indexed files of two trees by path and content.
func Diff(old, new *Tree) Changes {
	var c Changes
	gone := map[code.Hash][]string{}
	var came []*Leaf
	a, b := indexed(old), indexed(new)
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Path < b[0].Path:
			c.Removed = append(c.Removed, a[0].Path)
			gone[a[0].Hash] = append(gone[a[0].Hash], a[0].Path)
			a = a[1:]
		case len(a) == 0 || b[0].Path < a[0].Path:
			c.Added = append(c.Added, b[0].Path)
			came = append(came, b[0])
			b = b[1:]
		default:
			if a[0].Hash != b[0].Hash {
				c.Changed = append(c.Changed, b[0].Path)
			}
			a, b = a[1:], b[1:]
		}
	}
	for _, l := range came {
		if from := gone[l.Hash]; len(from) > 0 {
			c.Renamed = append(c.Renamed, Rename{From: from[0], To: l.Path})
			gone[l.Hash] = from[1:]
		}
	}
	return c
}

func indexed(t *Tree) []*Leaf {
	if t == nil {
		return nil
	}
	out := make([]*Leaf, 0, len(t.Leaves))
	for i := range t.Leaves {
		if t.Leaves[i].Reason == "" {
			out = append(out, &t.Leaves[i])
		}
	}
	return out
}
