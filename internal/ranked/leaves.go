package ranked

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/query"
	"espy/internal/token"
)

// leaf is a word, a phrase or a name of a query.
type leaf struct {
	pos    int    // offset in the query
	text   string // a phrase with its quotes
	symbol bool   // it is what symbol: asks for
}

// leaves returns the words, phrases and names of a tree, in query order, those
// that are negated only if asked for.
func leaves(root query.Node, negated bool) []leaf {
	var all []leaf
	var walk func(n query.Node)
	walkAll := func(nodes []query.Node) {
		for _, n := range nodes {
			walk(n)
		}
	}
	walk = func(n query.Node) {
		switch n := n.(type) {
		case query.And:
			walkAll(n.Nodes)
		case query.Or:
			walkAll(n.Nodes)
		case query.Any:
			walkAll(n.Nodes)
		case query.Not:
			if negated {
				walk(n.Node)
			}
		case query.Word:
			all = append(all, leaf{n.Pos, n.Text, false})
		case query.Phrase:
			all = append(all, leaf{n.Pos, `"` + n.Text + `"`, false})
		case query.Symbol:
			all = append(all, leaf{n.Pos, n.Name, true})
		}
	}
	walk(root)
	slices.SortStableFunc(all, func(a, b leaf) int { return cmp.Compare(a.pos, b.pos) })
	return all
}

// join returns the texts of leaves with spaces between them.
func join(all []leaf) string {
	texts := make([]string, len(all))
	for i, l := range all {
		texts[i] = l.text
	}
	return strings.Join(texts, " ")
}

// splitWords returns the words of a text as they stand.
func splitWords(text string) []string {
	var words []string
	b := []byte(text)
	for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
		words = append(words, text[start:end])
	}
	return words
}
