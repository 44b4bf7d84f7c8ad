// Package framework finds edges that no compiler sees: what a framework joins by a
// text or by a convention. A route leads to its handler, a topic to who
// subscribes, a table to its model, a setting to who reads it.
//
// Every rule of a framework is a row of a table (the files rules_*.go): the names
// it looks for, the modules that must be imported, and where the key and the
// target stand. A row is held by a sample of its framework in testdata.
package framework

import (
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Kind says what a link is about.
type Kind string

// The kinds.
const (
	Route   Kind = "route"   // a path of HTTP: to its handler
	Topic   Kind = "topic"   // an event, a queue, a task by its name: who sends, who receives
	Table   Kind = "table"   // a table of a database: its declaration, its model, statements that name it
	Service Kind = "service" // a service of an interface definition: its methods, what implements them
	Setting Kind = "setting" // an environment variable or a key of a configuration: who sets, who reads
	Inject  Kind = "inject"  // what a framework passes to a function or a constructor
	View    Kind = "view"    // a template: who renders it
)

// Kinds lists every kind.
var Kinds = []Kind{Route, Topic, Table, Service, Setting, Inject, View}

// Role says what stands at the place of a link.
type Role string

// The roles.
const (
	Handles    Role = "handles"    // the target answers for the key
	Sends      Role = "sends"      // the code sends to the key
	Receives   Role = "receives"   // the target receives what is sent to the key
	Declares   Role = "declares"   // the place declares the key
	Reads      Role = "reads"      // the code reads or uses what the key stands for
	Sets       Role = "sets"       // the place gives the key its value
	Implements Role = "implements" // the target implements what the key names
)

// Link is one end of an edge: a place where a key stands. Links of one kind and one
// key belong together.
type Link struct {
	Kind       Kind
	Key        string // "GET /users/{id}", "orders.created", "DATABASE_URL"
	Role       Role
	By         string     // the framework, as its rule is called
	At         corpus.Ref // the file, and the symbol that holds the place; its index is facts.None at the top of the file
	Line       int
	To         corpus.Ref // the symbol that the framework runs; its index is facts.None where it is the place itself
	Confidence facts.Confidence
	Reason     string
}

// Find finds the links of some kinds, or of all for none, by kind, key, path and
// line. left reports that the time was over before all were found.
func Find(a *locate.Ask, kinds ...Kind) (all []Link, left bool, err error) {
	f := newFinder(a)
	for i := range rules {
		r := &rules[i]
		if len(kinds) > 0 && !slices.Contains(kinds, r.kind) {
			continue
		}
		if a.Late() {
			return sorted(a, f.links), true, nil
		}
		if err := f.apply(r); err != nil {
			return nil, false, err
		}
	}
	f.services()
	return sorted(a, f.links), false, nil
}

func sorted(a *locate.Ask, all []Link) []Link {
	slices.SortFunc(all, func(x, y Link) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, x.Kind), slices.Index(Kinds, y.Kind)), cmp.Compare(x.Key, y.Key), cmp.Compare(x.At.File, y.At.File),
			cmp.Compare(x.Line, y.Line), cmp.Compare(x.Role, y.Role), cmp.Compare(x.By, y.By), cmp.Compare(x.To.File, y.To.File), cmp.Compare(x.To.Index, y.To.Index))
	})
	return slices.CompactFunc(all, func(x, y Link) bool {
		return x.Kind == y.Kind && x.Key == y.Key && x.At == y.At && x.Line == y.Line && x.To == y.To && x.Role == y.Role
	})
}
