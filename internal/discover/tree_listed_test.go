package discover

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/discover/roots"
	"espy/internal/filetest"
	"espy/internal/glob"
	"espy/internal/listing"
)

// TestListed compares a walk over what an earlier one saw with a walk of the tree.
func TestListed(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/info/exclude": "excluded.txt\n", ".gitignore": "*.o\n/out/\n", ".ignore": "own.txt\n", "own.txt": "x", "excluded.txt": "x",
		"a.c": "x", "a.o": "x", "a/b.c": "x", "a/b.o": "x", "a/.hidden/c": "x", "a-b/c": "x", "a.b/c": "x", "out/d": "x", "out/e/.gitignore": "*", "out/e/f": "x", "id_rsa": "x", "big": string(make([]byte, 100)),
		"nested/.git/HEAD": "x", "nested/.gitignore": "g", "nested/g": "x", "nested/h": "x", "module/.git": "gitdir: ../.git/modules/module\n", "module/i": "x", "deep/er/and/deeper/j": "x",
	})
	filetest.Link(t, dir, "a.c", "link")
	filetest.Link(t, dir, "a", "folder-link")
	root, err := roots.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	saw, err := Walk(context.Background(), root, Policy{MaxFileBytes: 50}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	leaves := leavesOf(saw)
	for _, tt := range []struct {
		name string
		p    Policy
		keep func(path string, dir bool, v glob.Verdict) bool
	}{
		{"same policy", Policy{MaxFileBytes: 50}, nil},
		{"all files", Policy{NoGitignore: true, NoEspyignore: true, Secrets: true, MaxFileBytes: -1, Nested: []string{"submodule", "repository", "worktree"}}, nil},
		{"other ignore files", Policy{IgnoreFiles: []string{".ignore"}, MaxFileBytes: -1}, nil},
		{"chosen", Policy{MaxFileBytes: -1, Secrets: true, Nested: []string{"repository"}}, func(path string, dir bool, v glob.Verdict) bool { return v != glob.Ignored || path == "out" }},
		{"git's own folder", Policy{NoGitignore: true, MaxFileBytes: -1}, func(string, bool, glob.Verdict) bool { return true }},
		{"globs", Policy{Include: []string{"*.c"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want, err := Walk(context.Background(), root, tt.p, Options{Choose: tt.keep})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Walk(context.Background(), root, tt.p, Options{Choose: tt.keep, Listed: leaves})
			if err != nil {
				t.Fatal(err)
			}
			for i := range want.Entries {
				want.Entries[i].Mode = 0
			}
			for i := range got.Entries {
				got.Entries[i].Mode = 0
			}
			if diff := cmp.Diff(want.Entries, got.Entries); diff != "" {
				t.Errorf("files (-walked +listed):\n%s", diff)
			}
			if diff := cmp.Diff(want.Excluded, got.Excluded); diff != "" {
				t.Errorf("left out (-walked +listed):\n%s", diff)
			}
		})
	}
}

// leavesOf is what an index keeps of a walk.
func leavesOf(l *Listing) []listing.Leaf {
	var leaves []listing.Leaf
	for _, e := range l.Entries {
		leaves = append(leaves, listing.Leaf{Path: e.Path, Stat: listing.Stat{Size: e.Size, MTime: e.MtimeNS, CTime: e.CtimeNS, Inode: e.Inode}})
	}
	for _, x := range l.Excluded {
		leaves = append(leaves, listing.Leaf{Path: x.Path, Dir: x.Dir, Reason: string(x.Reason), Detail: x.Detail, Count: x.Count})
	}
	listing.Sort(leaves)
	return leaves
}
