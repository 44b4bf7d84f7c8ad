package reading

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/query"
)

// Leaf is a word, a phrase or a name of a query.
type Leaf struct {
	Pos    int    // offset in the query
	Text   string // a phrase with its quotes
	Symbol bool   // it is what symbol: asks for
}

// Leaves returns the words, phrases and names of a tree, in query order, those
// that are negated only if asked for.
func Leaves(root query.Node, negated bool) []Leaf {
	var all []Leaf
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
			all = append(all, Leaf{n.Pos, n.Text, false})
		case query.Phrase:
			all = append(all, Leaf{n.Pos, `"` + n.Text + `"`, false})
		case query.Symbol:
			all = append(all, Leaf{n.Pos, n.Name, true})
		}
	}
	walk(root)
	slices.SortStableFunc(all, func(a, b Leaf) int { return cmp.Compare(a.Pos, b.Pos) })
	return all
}

// Join returns the texts of leaves with spaces between them.
func Join(all []Leaf) string {
	texts := make([]string, len(all))
	for i, l := range all {
		texts[i] = l.Text
	}
	return strings.Join(texts, " ")
}
