package route

import (
	"cmp"

	"espy/internal/links/framework/written"
)

func comparePaths(x, y Path) int {
	return cmp.Or(cmp.Compare(x.Text, y.Text), cmp.Compare(x.Confidence, y.Confidence))
}

// joinAll puts a path behind each of some prefixes, none of which is none before it.
func joinAll(all []Path, p Path) []Path {
	if len(all) == 0 {
		return []Path{p}
	}
	joined := make([]Path, len(all))
	for i, prefix := range all {
		joined[i] = join(prefix, p)
	}
	return joined
}

// product puts each of some paths behind each of some prefixes; none of either is
// the other.
func product(prefixes, paths []Path) (all []Path) {
	if len(paths) == 0 {
		return prefixes
	}
	for _, p := range paths {
		all = append(all, joinAll(prefixes, p)...)
	}
	return all
}

func join(prefix, p Path) Path {
	confidence := max(prefix.Confidence, p.Confidence)
	switch {
	case prefix.Text == "":
		return Path{p.Text, confidence}
	case p.Text == "":
		return Path{prefix.Text, confidence}
	}
	return Path{written.JoinPath(prefix.Text, p.Text), confidence}
}
