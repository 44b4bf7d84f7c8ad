package tree

// Steps counts the steps of reading a tree.
func Steps(t *Tree, text []byte, parse Parser) int {
	return read(t, languages[t.Grammar.Name], text, parse).steps
}
