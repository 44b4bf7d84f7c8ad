package query

import "slices"

// side joins what stands side by side: the words to one Any, in the place of
// the first, and the rest as conditions beside it. Nil nodes stand for filters.
func side(items []Node) Node {
	var words, all []Node
	at := 0
	for _, n := range items {
		switch n := n.(type) {
		case nil:
			continue
		case Word:
			words = append(words, n)
		case Any:
			words = append(words, n.Nodes...)
		default:
			all = append(all, n)
			continue
		}
		if at == 0 {
			all = append(all, nil) // kept for the Any
			at = len(all)
		}
	}
	switch {
	case len(words) == 1:
		all[at-1] = words[0]
	case len(words) > 1:
		all[at-1] = Any{words}
	}
	return group(all, func(nodes []Node) Node { return And{nodes} })
}

// group joins the operands of one operator: nil nodes vanish, nodes of the same
// operator dissolve, repeated nodes count once, and a single node stands alone.
func group(nodes []Node, join func([]Node) Node) Node {
	_, and := join(nil).(And)
	var flat []Node
	for _, n := range nodes {
		switch n := n.(type) {
		case nil:
		case And:
			flat = extend(flat, and, n, n.Nodes)
		case Or:
			flat = extend(flat, !and, n, n.Nodes)
		default:
			flat = append(flat, n)
		}
	}
	flat = distinct(flat)
	switch len(flat) {
	case 0:
		return nil
	case 1:
		return flat[0]
	}
	return join(flat)
}

// extend appends the nodes within n where n has the operator that is being joined, else n itself.
func extend(flat []Node, same bool, n Node, within []Node) []Node {
	if same {
		return append(flat, within...)
	}
	return append(flat, n)
}

// distinct keeps the first of nodes that print alike.
func distinct(nodes []Node) []Node {
	seen := make(map[string]bool, len(nodes))
	return slices.DeleteFunc(nodes, func(n Node) bool {
		text := printed(n)
		if seen[text] {
			return true
		}
		seen[text] = true
		return false
	})
}

func negate(n Node) Node {
	if inner, ok := n.(Not); ok {
		return inner.Node
	}
	return Not{n}
}
