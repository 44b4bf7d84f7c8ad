// Package merkle remembers the files of a repository as a Merkle tree: its leaves are
// hashes of a path and the content there, in the order of the paths' hashes, and its
// root stands for all of them. Two trees tell which files came, changed and went.
//
// A tree is kept in a file: the eight bytes "espymrk1", the root, and of each leaf the
// hash of its path (8 bytes) and its own (16 bytes), all numbers big endian.
package merkle

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/replace"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Tree is the state of the files of a repository. The zero value is that of none.
type Tree struct {
	leaves []leaf // by path
}

// leaf is one file.
type leaf struct {
	path uint64
	hash [hashSize]byte // of path and content
}

const (
	magic    = "espymrk1"
	hashSize = 16
	leafSize = 8 + hashSize
)

// Changes are the differences between a tree and the files as they are.
type Changes struct {
	Added, Modified, Deleted int // files
	Unchanged                int
	Chunks                   int            // of added and modified files
	Languages                map[string]int // files by language, "" for none
	Left                     int            // files and folders that are not indexed
	Partial                  bool           // the first indexing is not finished
}

// Indexed is how many files are new or changed.
func (c *Changes) Indexed() int { return c.Added + c.Modified }

// Files is how many files there are.
func (c *Changes) Files() int { return c.Added + c.Modified + c.Unchanged }

// Compare compares a tree, nil for that of no files, with the files that pass in the
// index of a repository, and returns the tree of those.
func Compare(ctx context.Context, r *workspace.Repo, old *Tree, only func(path string) bool, w workspace.Wait) (c *Changes, now *Tree, err error) {
	err = r.Look(ctx, w, func(s *store.Snapshot) error { c, now = of(s, old, only); return nil })
	if err != nil {
		return nil, nil, err
	}
	return c, now, nil
}

// of is Compare for a snapshot.
func of(s *store.Snapshot, old *Tree, only func(path string) bool) (*Changes, *Tree) {
	if old == nil {
		old = &Tree{}
	}
	c, now := &Changes{Languages: map[string]int{}, Left: s.Left(), Partial: s.Freshness.Partial}, &Tree{}
	for i := range s.Segments {
		old.look(&s.Segments[i], only, c, now)
	}
	slices.SortFunc(now.leaves, func(a, b leaf) int { return cmp.Compare(a.path, b.path) })
	c.Deleted = len(old.leaves) - c.Unchanged - c.Modified
	return c, now
}

// look compares the live files of a segment, and adds their leaves.
func (t *Tree) look(seg *store.Segment, only func(path string) bool, c *Changes, now *Tree) {
	for f := range seg.NumFiles() {
		if !seg.Alive(f) {
			continue
		}
		path := seg.Reader.Path(f)
		if only != nil && !only(path) {
			c.Left++
			continue
		}
		l := newLeaf(path, seg.FileHash(f))
		now.leaves = append(now.leaves, l)
		c.Languages[seg.Language(f)]++
		switch at, known := t.find(l.path); {
		case known && t.leaves[at] == l:
			c.Unchanged++
			continue
		case known:
			c.Modified++
		default:
			c.Added++
		}
		first, end := seg.ChunksOf(f)
		c.Chunks += end - first
	}
}

func newLeaf(path string, content code.Hash) leaf {
	return leaf{path: xxh3.HashString(path), hash: xxh3.Hash128(append(content[:], path...)).Bytes()}
}

func (t *Tree) find(path uint64) (at int, known bool) {
	return slices.BinarySearchFunc(t.leaves, path, func(l leaf, p uint64) int { return cmp.Compare(l.path, p) })
}

// Record is a tree in a file, which the state that a question is put to is compared
// with.
type Record struct {
	Changes *Changes // since the tree was saved; nil before Look

	file     string
	only     func(path string) bool
	old, now *Tree
}

// OpenRecord reads a record of the files that pass, of all for nil. One that is damaged
// is an error, and begins anew.
func OpenRecord(file string, only func(path string) bool) (*Record, error) {
	old, err := Load(file)
	return &Record{file: file, only: only, old: old}, err
}

// Look compares a snapshot. It belongs inside segment.Guard.
func (r *Record) Look(s *store.Snapshot) { r.Changes, r.now = of(s, r.old, r.only) }

// Save keeps what was looked at last, where that is new and whole.
func (r *Record) Save() error {
	if r.Changes.Partial || r.old != nil && r.Changes.Indexed()+r.Changes.Deleted == 0 {
		return nil
	}
	return r.now.Save(r.file)
}

// root is the hash of all leaves: each level pairs the hashes of the one below, and
// passes on a last one that has no pair.
func (t *Tree) root() [hashSize]byte {
	level := make([][hashSize]byte, len(t.leaves))
	for i := range t.leaves {
		level[i] = t.leaves[i].hash
	}
	for len(level) > 1 {
		var up [][hashSize]byte
		for pair := range slices.Chunk(level, 2) {
			if len(pair) == 2 {
				pair[0] = xxh3.Hash128(append(pair[0][:], pair[1][:]...)).Bytes()
			}
			up = append(up, pair[0])
		}
		level = up
	}
	if len(level) == 0 {
		return [hashSize]byte{}
	}
	return level[0]
}

// Load reads the tree in a file, nil where there is no such file. A file that is
// damaged is an error.
func Load(file string) (*Tree, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("merkle: %w", err)
	}
	rest, ok := bytes.CutPrefix(text, []byte(magic))
	if !ok || len(rest) < hashSize || (len(rest)-hashSize)%leafSize != 0 {
		return nil, fmt.Errorf("merkle: %s is damaged", file)
	}
	root, rest := [hashSize]byte(rest), rest[hashSize:]
	t := &Tree{leaves: make([]leaf, 0, len(rest)/leafSize)}
	for ; len(rest) > 0; rest = rest[leafSize:] {
		t.leaves = append(t.leaves, leaf{binary.BigEndian.Uint64(rest), [hashSize]byte(rest[8:])})
	}
	if t.root() != root {
		return nil, fmt.Errorf("merkle: %s is damaged", file)
	}
	return t, nil
}

// Save writes the tree in the place of a file, as a whole.
func (t *Tree) Save(file string) error {
	root := t.root()
	text := append([]byte(magic), root[:]...)
	for _, l := range t.leaves {
		text = append(binary.BigEndian.AppendUint64(text, l.path), l.hash[:]...)
	}
	if err := replace.File(file, text); err != nil {
		return fmt.Errorf("merkle: %w", err)
	}
	return nil
}
