package tasks

import (
	"context"

	"espy/internal/code"
)

// Store keeps tasks. Its methods may be called by several goroutines, and by
// several processes over the same data. What a call has answered is kept even if
// the process is killed right after it.
type Store interface {
	// Create adds a task, whose id is new.
	Create(ctx context.Context, t *Task) error
	// Task returns the task of an id, or ErrNotFound.
	Task(ctx context.Context, id string) (*Task, error)
	// Update replaces a task by what change makes of it, or returns ErrNotFound or
	// the error of change. Nothing else changes the task meanwhile; change may be
	// called again.
	Update(ctx context.Context, id string, change func(*Task) error) error
	// List returns a page of the tasks that pass a filter, and how many pass it: the
	// newest created first, those of the same time by their ids.
	List(ctx context.Context, f Filter, p Page) (*List, error)
	// Mark returns a number that differs after every change of a task that names a
	// file or symbol, and 0 where no task does. It costs next to nothing.
	Mark(ctx context.Context) (int64, error)
	// Readers says how many connections answer questions at this moment.
	Readers() Readers
	Close() error
}

// Readers are the connections of a store that answer questions: how many there may be,
// are, and are at work.
type Readers struct{ Most, Open, Busy int }

// Filter says which tasks are listed. The zero value passes all.
type Filter struct {
	Status Status
	Branch string      // how a branch of it begins
	Text   string      // words, each of which stands in title, description or notes, in any case
	Repo   code.RepoID // of a file or symbol that it names
	Open   bool        // it is not complete

	// Only, where it is not nil: a task about code of these repositories, and of no
	// other.
	Only []code.RepoID
}

// Page is a part of a list.
type Page struct {
	Limit int    // tasks, from 1
	After string // the id of the task before the first; empty for the first page
}

// List is a page of tasks.
type List struct {
	Tasks []*Task
	Total int  // on all pages
	More  bool // there are tasks behind this page
}
