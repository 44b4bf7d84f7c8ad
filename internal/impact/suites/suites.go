// Package suites gathers the files of tests of an index, by their paths and by the tests
// that stand in code.
package suites

import (
	"slices"

	"espy/internal/impact/suite"
	"espy/internal/impact/within"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Suites are the files of tests of a repository.
type Suites struct {
	ByPath    map[string]corpus.FileID   // by path in it
	BySubject map[string][]corpus.FileID // by what they test, in the order of their paths
	Names     *suite.Names
	Beside    map[string]corpus.FileID // files of code with tests beside it, by path in it
}

// Of returns the files of tests of each repository, as far as the time suffices. All
// questions over one state share them: do not change them.
func Of(a *locate.Ask) []*Suites {
	return *locate.Keep(a, func() (*[]*Suites, bool) {
		var all []*Suites
		for _, one := range a.Corpus.Members() {
			all = append(all, gather(a, one))
		}
		return &all, !a.Late()
	})
}

func gather(a *locate.Ask, one *corpus.Corpus) *Suites {
	s := &Suites{map[string]corpus.FileID{}, map[string][]corpus.FileID{}, nil, within.Of(a, one)}
	var paths []string
	for id := range one.Files() {
		if p := one.Path(id); suite.Is(p, one.Language(id), one.Class(id)) {
			s.ByPath[p] = id
			delete(s.Beside, p)
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	for _, p := range paths {
		subject := suite.Subject(p)
		s.BySubject[subject] = append(s.BySubject[subject], s.ByPath[p])
	}
	s.Names = suite.NewNames(paths)
	return s
}
