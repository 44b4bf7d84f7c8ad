// Package tally counts what a process does, for its operator.
package tally

import "sync/atomic"

// Tally is what was counted so far. It is safe for concurrent use.
type Tally struct {
	Files, Syntax, Vectors Count        // passes over the files of a repository, by their outcome
	Batches                Count        // requests to a model of vectors, by their outcome
	Texts                  atomic.Int64 // that were in them
	Snapshots, Symbols     Count        // looks into what is kept of an index: Good found it there
}

// Count counts two outcomes.
type Count struct{ Good, Bad atomic.Int64 }

// Note counts one outcome.
func (c *Count) Note(good bool) {
	if good {
		c.Good.Add(1)
	} else {
		c.Bad.Add(1)
	}
}
