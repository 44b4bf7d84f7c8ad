package worktree

import (
	"encoding/hex"
	"os"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/listing"
)

// Blobs are the ids, in hexadecimal, of the blobs that the files of a tree hold as git
// last found them, by path: of those that nobody has touched since, as far as their stat
// tells. Ends of lines may differ from those of the blob; where git converts files
// otherwise there are none. The commit tells how long ids are.
func Blobs(root *os.Root, commit string, policy discover.Policy, tree *listing.Tree) (map[string]string, error) {
	x, err := git.ReadIndex(root, commit)
	if err != nil {
		return nil, err
	}
	reader, err := discover.NewReader(root, policy)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	s := &scan{index: x, reader: reader, tree: tree}
	if s.converted(root) {
		return nil, nil
	}
	ids := map[string]string{}
	for l, e := range listing.Join(tree.Leaves, x.Entries(), func(l *listing.Leaf, e *git.IndexEntry) int { return e.ComparePath(l.Path) }) {
		if l != nil && e != nil && l.Read && l.Reason == "" && e.Stage == 0 && e.Regular() && s.untouched(l, e) {
			ids[l.Path] = hex.EncodeToString(e.ID)
		}
	}
	return ids, nil
}
