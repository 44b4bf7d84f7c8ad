package git

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"espy/internal/listing"
)

// Staged returns the paths of the files whose content differs between an index
// and a commit: added, removed, changed or in conflict, in order. Links and
// submodules do not count. Git lists the files of the commit only where the
// index does not say that its tree is that of the commit.
func (r *Repository) Staged(ctx context.Context, commit string, x *Index) ([]string, error) {
	if same, err := r.IsTree(ctx, commit, x); err != nil || same {
		return nil, err
	}
	files, err := r.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	return differing(files, x), nil
}

// IsTree reports whether an index says that its tree is that of a commit.
func (r *Repository) IsTree(ctx context.Context, commit string, x *Index) (bool, error) {
	tree, err := r.treeID(ctx, commit)
	return err == nil && tree == x.Tree, err
}

// differing goes through the files of a commit and an index side by side.
func differing(files []TreeEntry, x *Index) (found []string) {
	add := func(path string) {
		if n := len(found); n == 0 || found[n-1] != path { // a path in conflict is in the index up to three times
			found = append(found, path)
		}
	}
	var id []byte
	for f, e := range listing.Join(files, x.Entries(), func(f *TreeEntry, e *IndexEntry) int { return e.ComparePath(f.Path) }) {
		wasFile := f != nil && f.Mode.IsFile()
		if e == nil {
			if wasFile {
				add(f.Path)
			}
			continue
		}
		id = hex.AppendEncode(id[:0], e.ID)
		equal := f != nil && e.Stage == 0 && f.ID == string(id) && wasFile == e.Regular()
		if !equal && (wasFile || e.Regular()) {
			add(string(e.Path))
		}
	}
	return found
}

// treeID returns the id of the tree of a commit.
func (r *Repository) treeID(ctx context.Context, commit string) (string, error) {
	if commitID(commit) == "" {
		return "", &RevisionError{Revision: commit}
	}
	out, err := r.read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{tree}")
	if err != nil {
		return "", err
	}
	id := commitID(strings.TrimSpace(string(out)))
	if id == "" {
		return "", fmt.Errorf("read git's tree of %.12s: %.60q is no id", commit, out)
	}
	return id, nil
}
