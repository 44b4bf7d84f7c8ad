// Package listing holds what one look at a tree of files saw: every file with
// its stat and the hash of its content, and every path that was left out with
// the reason. Leaves are sorted by the bytes of their paths, so that a listing
// is compared with another by going through both side by side (Join).
package listing

import (
	"cmp"
	"iter"
	"slices"

	"espy/internal/code"
)

// Stat is what the file system tells about a file without reading it. Times are
// nanoseconds since the epoch.
type Stat struct {
	Size         int64
	MTime, CTime int64
	Inode        uint64
}

// Units of times, in nanoseconds.
const (
	millisecond = 1e6
	second      = int64(1e9)
)

// Racy reports whether a file could have been changed again, after a look at
// it, without its stat showing that: its change time is as new as the look,
// to the granularity of the file system's clock. The kernel stamps files with
// a clock that ticks every 1 to 10 ms; file systems without finer times keep
// whole seconds. A look made while the clock stood behind the files doubts all
// of them. (The method of git's index: "racy git" in its documentation.)
func (s Stat) Racy(looked int64) bool {
	changed := s.CTime
	if changed == 0 { // a system that tells none
		changed = s.MTime
	}
	granularity := int64(20 * millisecond)
	if changed%second == 0 {
		granularity = 2 * second
	}
	return changed > looked-granularity
}

// Leaf is one path. A leaf with a Reason was left out of the index; one with
// Dir set stands for everything below it.
type Leaf struct {
	Path   string
	Stat   Stat
	Hash   code.Hash // of the content; zero where nothing was read
	Reason string    // why it was left out, "" for an indexed file
	Detail string    // more on the reason, or ""
	Count  int       // how many names directly in the folder Path the leaf stands for; 0 for all
	Dir    bool
	Read   bool // the reason was found by reading: Stat tells whether it still holds
}

// Tree is the leaves of one look at a root, sorted by path.
type Tree struct {
	Looked int64 // when the look began, nanoseconds since the epoch
	Leaves []Leaf

	// Folders are those that the look listed, a folder before what is below it, in byte
	// order of their paths with a slash; none where it does not tell.
	Folders []Folder
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

// Join goes through a list and other entries side by side, both in order of
// their paths, as compare tells. It yields every entry of the list with each
// other entry of the same path; where there is none on one side, nil stands for
// it. List entries have different paths, others may share one.
func Join[A, B any](list []A, others iter.Seq[*B], compare func(*A, *B) int) iter.Seq2[*A, *B] {
	return func(yield func(*A, *B) bool) {
		i, met := 0, false // met: list[i] was yielded
		for b := range others {
			order := 1
			for ; i < len(list); i++ {
				if order = compare(&list[i], b); order >= 0 {
					break
				}
				if !met && !yield(&list[i], nil) {
					return
				}
				met = false
			}
			var a *A
			if i < len(list) && order == 0 {
				a, met = &list[i], true
			}
			if !yield(a, b) {
				return
			}
		}
		for ; i < len(list); i++ {
			if !met && !yield(&list[i], nil) {
				return
			}
			met = false
		}
	}
}
