package rules

import (
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// nearness is how near Kotlin looks for a function, 0 the nearest: among the members of
// what is at hand, what the file imports by name, its package, what it imports with a
// package. One that fits goes before all that are farther away.
func (j *java) nearness(id corpus.FileID, r corpus.Ref) int {
	f, s := j.read.File(id), j.read.Symbol(r)
	if s.Parent != facts.None || !j.kotlin.Is(id) {
		return 0
	}
	pkg := j.read.File(r.File).Facts.Package()
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Module == pkg && row.Name == s.Name {
			return 1
		}
	}
	if pkg == f.Facts.Package() {
		return 2
	}
	return 3
}
