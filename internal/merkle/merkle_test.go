package merkle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
)

func tree(files ...string) *Tree {
	t := &Tree{Looked: 7}
	for i := 0; i < len(files); i += 2 {
		t.Leaves = append(t.Leaves, Leaf{Path: files[i], Hash: sum([]byte(files[i+1])), Stat: Stat{Size: int64(len(files[i+1]))}})
	}
	Sort(t.Leaves)
	return t
}

func TestRootTellsTreesApart(t *testing.T) {
	trees := map[string]*Tree{
		"none":            tree(),
		"one":             tree("a", "1"),
		"other name":      tree("b", "1"),
		"other content":   tree("a", "2"),
		"two":             tree("a", "1", "b", "1"),
		"in a directory":  tree("a/b", "1"),
		"deeper":          tree("a/b/c", "1"),
		"dash beside":     tree("a-b", "1", "a/b", "1"),
		"slash moved":     tree("ab/c", "1"),
		"slash moved on":  tree("a/bc", "1"),
		"joined entries":  tree("a", "1", "b/c", "1", "b/d", "2"),
		"swapped content": tree("a", "1", "b/c", "2", "b/d", "1"),
	}
	seen := map[code.Hash]string{}
	for name, tr := range trees {
		t.Run(name, func(t *testing.T) {
			if other, ok := seen[tr.Root()]; ok {
				t.Errorf("trees %q and %q have the same root hash", name, other)
			}
			seen[tr.Root()] = name
		})
	}
	left := tree("a", "1")
	left.Leaves = append(left.Leaves, Leaf{Path: "z", Reason: "binary"})
	if left.Root() != tree("a", "1").Root() {
		t.Error("a path that is left out changes the root hash")
	}
}

func TestDiff(t *testing.T) {
	old := tree("a", "1", "b", "2", "d/e", "3", "d/f", "4")
	now := tree("a", "1", "b", "9", "d/f", "4", "g", "3", "h", "5")
	want := Changes{Added: []string{"g", "h"}, Changed: []string{"b"}, Removed: []string{"d/e"}, Renamed: []Rename{{From: "d/e", To: "g"}}}
	if diff := cmp.Diff(want, Diff(old, now)); diff != "" {
		t.Errorf("Diff (-want +got):\n%s", diff)
	}
	if !Diff(old, old).Empty() || Diff(nil, old).Empty() {
		t.Error("Diff with itself must be empty, with nothing must not")
	}
}

func TestDiffIsEmptyExactlyWhenRootsAreEqual(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func() *Tree {
		files := map[string]string{}
		for range rnd.IntN(4) {
			files[fmt.Sprintf("%c/%c", 'a'+rnd.IntN(2), 'a'+rnd.IntN(2))] = fmt.Sprint(rnd.IntN(2))
		}
		var flat []string
		for p, c := range files {
			flat = append(flat, p, c)
		}
		return tree(flat...)
	}
	for range 5000 {
		a, b := random(), random()
		if got, want := Diff(a, b).Empty(), a.Root() == b.Root(); got != want {
			t.Fatalf("Diff empty = %v, roots equal = %v for %v and %v", got, want, a.Leaves, b.Leaves)
		}
	}
}

func TestEncodeDecode(t *testing.T) {
	want := tree("a\xffb", "1", "dir/x", "2", "dir/y\n", "3")
	want.Leaves = append(want.Leaves,
		Leaf{Path: "node_modules", Dir: true, Reason: "ignored", Detail: ".gitignore:1", Count: 3},
		Leaf{Path: "z.bin", Reason: "binary", Read: true, Stat: Stat{Size: 5, MTime: -3, CTime: 9, Inode: 1 << 63}})
	Sort(want.Leaves)
	got, err := Decode(want.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded tree (-want +got):\n%s", diff)
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	whole := tree("a", "1", "dir/x", "2").Encode()
	for i := range whole {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 0x10
		if _, err := Decode(bad); !errors.Is(err, ErrCorrupt) {
			t.Errorf("byte %d changed: error %v, want ErrCorrupt", i, err)
		}
		if _, err := Decode(whole[:i]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut at %d: error %v, want ErrCorrupt", i, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(tree("a", "1", "dir/x", "2").Encode())
	f.Fuzz(func(t *testing.T, p []byte) {
		if len(p) > 8 { // a right checksum, so that the fields are reached
			p = appendSum(p[:len(p)-8])
		}
		tr, err := Decode(p)
		if err != nil {
			return
		}
		again, err := Decode(tr.Encode())
		if err != nil {
			t.Fatalf("decoding what was encoded: %v", err)
		}
		if diff := cmp.Diff(tr.Leaves, again.Leaves); diff != "" {
			t.Fatalf("round trip (-want +got):\n%s", diff)
		}
	})
}
