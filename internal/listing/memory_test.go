package listing

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMemory compares what a memory says of made trees with the tree itself.
func TestMemory(t *testing.T) {
	for seed := range uint64(50) {
		tr, want := madeTree(rand.New(rand.NewPCG(seed, 1)))
		m := Remember(tr)
		for i, f := range tr.Folders {
			if !m.Knows(i + 1) {
				t.Fatalf("seed %d: the folder %q is not known", seed, f.Path)
			}
			if got := m.Find(f.Path); got != i+1 {
				t.Fatalf("seed %d: Find(%q) = %d, want %d", seed, f.Path, got, i+1)
			}
			var got []string
			for leaf, folder := range m.Names(i + 1) {
				if leaf != nil {
					got = append(got, leaf.Path)
				} else {
					got = append(got, m.Folder(folder).Path)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(want[f.Path], got); diff != "" {
				t.Fatalf("seed %d: names of %q (-want +got):\n%s", seed, f.Path, diff)
			}
		}
		if got := m.Find("none"); got != 0 {
			t.Fatalf("seed %d: Find(none) = %d", seed, got)
		}
	}
}

// madeTree returns a tree whose names try the order of paths, and the names of each of
// its folders.
func madeTree(r *rand.Rand) (*Tree, map[string][]string) {
	tr, names := &Tree{Looked: 1 << 60}, map[string][]string{}
	var fill func(dir string, depth int)
	fill = func(dir string, depth int) {
		for _, name := range []string{"a", "a-b", "a.b", "a0", "ab", "b"} {
			p := path.Join(dir, name)
			switch r.IntN(4) {
			case 0:
				tr.Leaves = append(tr.Leaves, Leaf{Path: p})
			case 1:
				tr.Leaves = append(tr.Leaves, Leaf{Path: p, Dir: true, Reason: "ignored"})
			case 2:
				if depth == 0 {
					continue
				}
				fill(p, depth-1)
			default:
				continue
			}
			names[dir] = append(names[dir], p)
		}
		slices.Sort(names[dir])
		tr.Folders = append(tr.Folders, Folder{Path: dir, Names: len(names[dir])})
	}
	fill("", 3)
	Sort(tr.Leaves)
	slices.SortFunc(tr.Folders, func(a, b Folder) int {
		return strings.Compare(strings.TrimPrefix(a.Path+"/", "/"), strings.TrimPrefix(b.Path+"/", "/"))
	})
	return tr, names
}

// TestMemoryKnows shows of which folders every name is known.
func TestMemoryKnows(t *testing.T) {
	leaf := func(paths ...string) (list []Leaf) {
		for _, p := range paths {
			list = append(list, Leaf{Path: p})
		}
		return list
	}
	for _, tt := range []struct {
		name   string
		leaves []Leaf
		want   string // of the root, a and a/b
	}{
		{"all", leaf("a/b/1", "a/b/2", "a/3", "z"), "true true true"},
		{"one that is not indexed yet", leaf("a/b/1", "a/3", "z"), "true true false"},
		{"one that nothing lists", leaf("a/b/1", "a/b/2", "a/3", "y", "z"), "false true true"},
		{"a folder that was not listed", leaf("a/b/1", "a/b/2", "a/c/3", "z"), "true false true"},
		{"names that are only counted", append(leaf("a/b/1", "a/3", "z"), Leaf{Path: "a/b", Count: 1, Reason: "ignored"}), "true true false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			Sort(tt.leaves)
			m := Remember(&Tree{Leaves: tt.leaves, Folders: []Folder{{Path: "", Names: 2}, {Path: "a", Names: 2}, {Path: "a/b", Names: 2}}})
			if got := fmt.Sprint(m.Knows(1), m.Knows(2), m.Knows(3)); got != tt.want {
				t.Errorf("known: %s, want %s", got, tt.want)
			}
		})
	}
	if m := (*Memory)(nil); m.Knows(1) || m.Find("a") != 0 {
		t.Error("no memory knows a folder")
	}
	if Remember(&Tree{}).Knows(1) {
		t.Error("the memory of an empty tree knows a folder")
	}
}

// TestMemoryHolds shows which stats vouch for the names of a folder.
func TestMemoryHolds(t *testing.T) {
	was := Stat{MTime: 1, CTime: 1e9 + 1, Inode: 7}
	for name, tt := range map[string]struct {
		was, now Stat
		looked   int64
		want     bool
	}{
		"the same":         {was, was, 2e9, true},
		"changed":          {was, Stat{MTime: 1, CTime: 1e9 + 2, Inode: 7}, 2e9, false},
		"another folder":   {was, Stat{MTime: 1, CTime: 1e9 + 1, Inode: 8}, 2e9, false},
		"as new as a look": {was, was, 1e9 + 2, false},
		"told by nothing":  {Stat{}, Stat{}, 9e9, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := Remember(&Tree{Looked: tt.looked, Folders: []Folder{{Stat: tt.was}}})
			if got := m.Holds(1, tt.now); got != tt.want {
				t.Errorf("Holds = %v, want %v", got, tt.want)
			}
		})
	}
}
