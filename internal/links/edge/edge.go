// Package edge says what a link is: one end of an edge that a framework makes by a
// text or by a convention.
package edge

import (
	"cmp"
	"slices"

	"espy/internal/facts"
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
	View    Kind = "view"    // a template: who renders it; a script or a style: which page loads it
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
	Writes     Role = "writes"     // the code changes what the key stands for, or removes it
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

// Sorted orders links and keeps the most certain of those that say the same.
func Sorted(all []Link) []Link {
	slices.SortFunc(all, func(x, y Link) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, x.Kind), slices.Index(Kinds, y.Kind)), cmp.Compare(x.Key, y.Key), cmp.Compare(x.At.File, y.At.File),
			cmp.Compare(x.Line, y.Line), cmp.Compare(x.Role, y.Role), cmp.Compare(x.To.File, y.To.File), cmp.Compare(x.To.Index, y.To.Index),
			cmp.Compare(x.Confidence, y.Confidence), cmp.Compare(x.By, y.By))
	})
	return slices.CompactFunc(all, func(x, y Link) bool {
		return x.Kind == y.Kind && x.Key == y.Key && x.At == y.At && x.Line == y.Line && x.To == y.To && x.Role == y.Role
	})
}
