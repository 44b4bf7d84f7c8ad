package include

import (
	"slices"

	"espy/internal/resolve/corpus"
)

// Namesakes are the declarations of one name that may be of one thing, as far as their
// words say: those of several programs in one repository, too.
type Namesakes struct {
	Name     string
	Declared []corpus.Ref // all that bear the name, by path and place
	Defined  []corpus.Ref // those of the thing that have a body
	Opaque   bool         // a body does not answer for what it includes: of types, which headers announce for others
	of       map[corpus.Ref][]corpus.Ref
}

// Apart reports whether two declarations are of different programs: each stands with
// bodies, in its file, in one that it includes or in one that includes it, and they
// have none of these in common. A declaration that stands with no body says nothing.
func (i *Graph) Apart(n *Namesakes, a, b corpus.Ref) bool {
	if len(n.Defined) < 2 || a.File == b.File {
		return false
	}
	x, y := i.bodies(n, a), i.bodies(n, b)
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, func(r corpus.Ref) bool { return slices.Contains(y, r) })
}

// bodies are the definitions that a declaration stands with.
func (i *Graph) bodies(n *Namesakes, r corpus.Ref) []corpus.Ref {
	all, ok := n.of[r]
	if ok {
		return all
	}
	for _, d := range n.Defined {
		if d == r {
			all = []corpus.Ref{d}
			break
		}
		if d.File == r.File || i.sees(n, r.File, d.File) || !n.Opaque && i.sees(n, d.File, r.File) {
			all = append(all, d)
		}
	}
	if n.of == nil {
		n.of = map[corpus.Ref][]corpus.Ref{}
	}
	n.of[r] = all
	return all
}

// sees reports whether a file includes another one that declares a name, by others too.
func (i *Graph) sees(n *Namesakes, from, to corpus.FileID) bool {
	return i.Sight(from, "\x00"+n.Name, n.Declared).Has(to)
}
