package worktree

import (
	"iter"
	"os"
	"path"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/pattern"
)

// converting matches the attributes that make git store other bytes than those
// of the work tree, beyond line endings.
var converting = pattern.New(`(?m)^[^#\n]*[ \t](filter=|ident\b|working-tree-encoding=)`)

// Converts reports whether attributes may make git store other bytes than those
// of the work tree, beyond line endings. files are the paths of the tree.
func Converts(root *os.Root, reader *discover.Reader, files iter.Seq[string]) bool {
	for name := range files {
		if path.Base(name) != ".gitattributes" {
			continue
		}
		content, left, err := reader.Read(name)
		if err == nil && left == nil && converting().Match(content.Raw) {
			return true
		}
	}
	return converting().Match(git.Attributes(root))
}

// Below reports whether a path lies in one of the folders.
func Below(name string, folders map[string]bool) bool {
	for dir := path.Dir(name); len(folders) > 0 && dir != "."; dir = path.Dir(dir) {
		if folders[dir] {
			return true
		}
	}
	return false
}
