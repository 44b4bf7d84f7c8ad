//go:build !cgo || race

package treesitter

import "espy/internal/facts/tree"

// Parse returns tree.ErrNoGrammars: the program was built without cgo,
// or with the race detector, under which the grammars take minutes to compile.
func Parse(string, []byte) (*tree.Tree, error) { return nil, tree.ErrNoGrammars }
