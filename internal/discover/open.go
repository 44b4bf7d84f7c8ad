package discover

import (
	"errors"
	"os"
)

// openTree returns the tree of a root: straight on the kernel where it can
// resolve paths without links, else the portable one.
func openTree(root *os.Root, portable bool) (tree, error) {
	if !portable {
		t, err := openKernelTree(root)
		if !errors.Is(err, errors.ErrUnsupported) {
			return t, err
		}
	}
	return &rootTree{root}, nil
}
