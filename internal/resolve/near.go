package resolve

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// isNear reports whether a file holds one of the symbols that are asked about, or
// imports from a file that does, and not so for their rivals. The key of a literal is a
// member of its own where the literal is of no known type.
func (w *weigher) isNear(id corpus.FileID, u *facts.Use, asked, rivals []corpus.Ref) bool {
	l := w.q.language(asked[0])
	if l == nil || !l.ImportsTell || u.Role == facts.RoleWrite || l.Builtins[w.q.Symbol(asked[0]).Name] {
		return false
	}
	near := w.q.nearby(id)
	is := func(r corpus.Ref) bool { return slices.Contains(near, r.File) }
	return slices.ContainsFunc(asked, is) && !slices.ContainsFunc(rivals, is)
}

// isApart reports whether the symbols that are asked about are all of repositories that
// a file is none of and from which it imports nothing.
func (w *weigher) isApart(id corpus.FileID, asked []corpus.Ref) bool {
	home := w.q.corpus.Home
	is := func(r corpus.Ref) bool {
		return home(r.File) == home(id) || slices.ContainsFunc(w.q.nearby(id), func(f corpus.FileID) bool { return home(f) == home(r.File) })
	}
	return w.q.corpus.Repo(id) != "" && !slices.ContainsFunc(asked, is)
}

// nearby are a file and those that hold what it imports.
func (q *Question) nearby(id corpus.FileID) []corpus.FileID {
	if all, ok := q.near[id]; ok {
		return all
	}
	all := []corpus.FileID{id}
	f := q.File(id)
	for i := range f.NumImports() {
		if f.Import(i).Flags&facts.Reexport != 0 {
			continue
		}
		a := q.infer.Imported(corpus.Ref{File: id, Index: int32(i)}, infer.Full())
		for _, r := range a.Refs {
			all = append(all, r.File)
		}
		for _, m := range a.Modules {
			all = append(all, m.Files...)
		}
	}
	if q.near == nil {
		q.near = map[corpus.FileID][]corpus.FileID{}
	}
	q.near[id] = all
	return all
}
