// Package framework finds edges that no compiler sees: what a framework joins by a
// text or by a convention. A route leads to its handler, a topic to who
// subscribes, a table to its model, a setting to who reads it.
//
// Every rule of a framework is a row of a table (package rules). A row is held by a
// sample of its framework in testdata.
package framework

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/links/edge"
	"espy/internal/links/framework/route"
	"espy/internal/links/framework/rules"
	"espy/internal/links/framework/site"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// finder applies rules to the files of one state of a repository.
type finder struct {
	*site.Finder
	prefixes  *route.Prefixes
	templates []template
	assets    map[string][]corpus.FileID    // scripts and styles by their names, once that is asked
	keysOf    map[edge.Kind]map[string]bool // what is known, once that is asked
	standing  map[corpus.Ref][]corpus.Ref   // what is injected for a type
	component map[corpus.Ref]bool           // types whose values a framework makes
	links     []edge.Link
}

func newFinder(a *locate.Ask) *finder {
	return &finder{Finder: site.New(a), standing: map[corpus.Ref][]corpus.Ref{}, component: map[corpus.Ref]bool{}, keysOf: map[edge.Kind]map[string]bool{}}
}

// Find finds the links of some kinds, or of all for none, by kind, key, path and
// line. left reports that the time was over before all were found.
func Find(a *locate.Ask, kinds ...edge.Kind) (all []edge.Link, left bool, err error) {
	f := newFinder(a)
	asked := func(k edge.Kind) bool { return len(kinds) == 0 || slices.Contains(kinds, k) }
	if asked(edge.Route) {
		if f.prefixes, err = route.Gather(f.Finder); err != nil {
			return nil, false, err
		}
	}
	for i := range rules.All {
		r := &rules.All[i]
		if !asked(r.Kind) {
			continue
		}
		if a.Late() {
			return edge.Sorted(f.links), true, nil
		}
		if err := f.apply(r); err != nil {
			return nil, false, err
		}
	}
	f.services()
	f.registered()
	return edge.Sorted(f.links), false, nil
}

// Entrances are the links by which others run code of the repository, by the
// symbols that they run.
type Entrances map[corpus.Ref][]edge.Link

// EntrancesOf returns the routes, the topics that are received and the services
// that are implemented. They are worked out once for all questions of an index.
func EntrancesOf(a *locate.Ask) (Entrances, error) {
	var failed error
	all := locate.Keep(a, func() (*Entrances, bool) {
		found, left, err := Find(a, edge.Route, edge.Topic, edge.Service)
		if err != nil {
			failed = err
			return &Entrances{}, false
		}
		all := Entrances{}
		for _, l := range found {
			to := l.To
			if to.Index == facts.None {
				to = l.At // written in place
			}
			if (l.Role == edge.Handles || l.Role == edge.Receives || l.Role == edge.Implements) && to.Index != facts.None {
				all[to] = append(all[to], l)
			}
		}
		return &all, !left
	})
	return *all, failed
}
