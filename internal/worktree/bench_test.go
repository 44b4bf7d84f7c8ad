package worktree_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/listing"
	"espy/internal/workspace"
	"espy/internal/worktree"
)

// BenchmarkDirty counts, in the git work trees of ESPY_BENCH (separated by
// colons), the files that differ from HEAD: when nothing has changed since the
// last count, when a file has, when nothing is known yet, and when moreover
// every file must be read.
func BenchmarkDirty(b *testing.B) {
	for _, dir := range filepath.SplitList(os.Getenv("ESPY_BENCH")) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			b.Fatal(err)
		}
		defer root.Close()
		if at := git.Look(root); at.Commit != "" {
			benchDirty(b, dir, at)
		}
	}
}

func benchDirty(b *testing.B, dir string, at git.Checkout) {
	tree := treeOf(b, dir)
	touched := &listing.Tree{Looked: tree.Looked, Leaves: slices.Clone(tree.Leaves)}
	for i := range touched.Leaves {
		touched.Leaves[i].Stat.Inode++
	}
	trees := []*listing.Tree{tree, {Looked: tree.Looked, Leaves: tree.Leaves}}
	counter := func() *worktree.Counter {
		return worktree.NewCounter(worktree.Options{
			Open: func() (*os.Root, error) { return os.OpenRoot(dir) }, Policy: func() (p discover.Policy) { return p },
			History: func() (*git.Repository, error) { return git.Open(dir) },
		})
	}
	c := counter()
	for name, next := range map[string]func(i int) *listing.Tree{
		"same":   func(int) *listing.Tree { return tree },
		"edited": func(i int) *listing.Tree { return trees[i%2] },
		"index":  func(int) *listing.Tree { c = counter(); return tree },
		"read":   func(int) *listing.Tree { c = counter(); return touched },
	} {
		b.Run(filepath.Base(dir)+"/"+name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, _, err := c.Count(context.Background(), at, next(i)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(tree.Leaves)), "files")
		})
	}
}

// treeOf indexes a folder and returns what the index saw of it.
func treeOf(b *testing.B, dir string) *listing.Tree {
	b.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(context.Background(), dir, workspace.AttachOptions{Exact: true})
	if err != nil {
		b.Fatal(err)
	}
	s, err := r.Snapshot(context.Background(), workspace.Wait{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	tree, err := s.Tree()
	if err != nil {
		b.Fatal(err)
	}
	return tree
}
