// Package framework finds edges that no compiler sees: what a framework joins by a
// text or by a convention. A route leads to its handler, a topic to who
// subscribes, a table to its model, a setting to who reads it.
//
// Every rule of a framework is a row of a table (the files rules_*.go): the names
// it looks for, the modules that must be imported, and where the key and the
// target stand. A row is held by a sample of its framework in testdata.
package framework

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Find finds the links of some kinds, or of all for none, by kind, key, path and
// line. left reports that the time was over before all were found.
func Find(a *locate.Ask, kinds ...Kind) (all []Link, left bool, err error) {
	f := newFinder(a)
	asked := func(k Kind) bool { return len(kinds) == 0 || slices.Contains(kinds, k) }
	if asked(Route) {
		if f.prefixes, err = f.gather(); err != nil {
			return nil, false, err
		}
	}
	for i := range rules {
		r := &rules[i]
		if !asked(r.kind) {
			continue
		}
		if a.Late() {
			return sorted(f.links), true, nil
		}
		if err := f.apply(r); err != nil {
			return nil, false, err
		}
	}
	f.services()
	f.registered()
	return sorted(f.links), false, nil
}

// Entrances are the links by which others run code of the repository, by the
// symbols that they run.
type Entrances map[corpus.Ref][]Link

// EntrancesOf returns the routes, the topics that are received and the services
// that are implemented. They are worked out once for all questions of an index.
func EntrancesOf(a *locate.Ask) (Entrances, error) {
	var failed error
	all := locate.Keep(a, func() (*Entrances, bool) {
		found, left, err := Find(a, Route, Topic, Service)
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
			if (l.Role == Handles || l.Role == Receives || l.Role == Implements) && to.Index != facts.None {
				all[to] = append(all[to], l)
			}
		}
		return &all, !left
	})
	return *all, failed
}
