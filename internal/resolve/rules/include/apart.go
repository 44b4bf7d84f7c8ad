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
	Opaque   bool         // of types, which headers announce for others: a body is not all that its file's lines lead to
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

// Belongs reports whether a definition is that of the program that a file is of: the
// file includes it, or none of them all.
func (i *Graph) Belongs(n *Namesakes, file corpus.FileID, d corpus.Ref) bool {
	if len(n.Defined) < 2 || file == d.File || i.sees(n, file, d.File) || !slices.Contains(n.Defined, d) {
		return true
	}
	return !slices.ContainsFunc(n.Defined, func(o corpus.Ref) bool { return o.File == file || i.sees(n, file, o.File) })
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
	if len(all) == 0 && n.Opaque {
		all = i.announced(n, r)
	}
	if n.of == nil {
		n.of = map[corpus.Ref][]corpus.Ref{}
	}
	n.of[r] = all
	return all
}

// announced are the definitions that a declaration may announce for others: those that
// include it, and the nearest ones by their folders.
func (i *Graph) announced(n *Namesakes, r corpus.Ref) (all []corpus.Ref) {
	nearest, shared := []corpus.Ref(nil), -1
	for _, d := range n.Defined {
		near := commonFolders(i.lines.corpus.Path(d.File), i.lines.corpus.Path(r.File))
		if near > shared {
			nearest, shared = nil, near
		}
		if near == shared {
			nearest = append(nearest, d)
		}
		if i.sees(n, d.File, r.File) {
			all = append(all, d)
		}
	}
	return append(all, nearest...)
}

// sees reports whether a file includes another one that declares a name, by others too.
func (i *Graph) sees(n *Namesakes, from, to corpus.FileID) bool {
	return i.Sight(from, "\x00"+n.Name, n.Declared).Has(to)
}
