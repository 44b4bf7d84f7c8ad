// Package tasks keeps development tasks: what is to be done, how far it is, and
// which branches, commits, files and symbols it is about.
//
// A Book answers the questions of every front and checks what it is given; a
// Store keeps the tasks (package tasks/sqlite), and behaves as package
// tasks/taskstest says. The board (board.go) tells which open tasks name the code
// of an answer.
package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"espy/internal/code"
	"espy/internal/permit"
	"espy/internal/usage"
)

// Status says how far a task is.
type Status string

// The states. Any may follow any other.
const (
	Needed     Status = "need to be done"
	InProgress Status = "in-progress"
	Complete   Status = "complete"
)

// Statuses lists the states in their usual order.
var Statuses = []Status{Needed, InProgress, Complete}

// Task is one thing to be done. Lists are oldest first.
type Task struct {
	ID          string `json:"id"`      // a UUID
	Version     int    `json:"version"` // 1 when it is created, one more with each change
	Title       string `json:"title"`
	Description string `json:"description"`
	Notes       string `json:"notes"`
	Status      Status `json:"status"`

	Planning []string  `json:"planning_references"` // documents that plan it
	Files    []File    `json:"files"`
	Symbols  []Symbol  `json:"symbols"`
	Branches []string  `json:"branches"`
	Commits  []string  `json:"commits"`
	History  []Change  `json:"status_history"` // the first is its creation
	Created  time.Time `json:"created_at"`     // UTC
	Updated  time.Time `json:"updated_at"`     // UTC
}

// File is a file that a task is about.
type File struct {
	Repo code.RepoID `json:"repo_id"`
	Path string      `json:"path"` // relative to the root
}

// Symbol is a symbol that a task is about, by its name, a qualified name, or its
// id (path#Type.method).
type Symbol struct {
	Repo code.RepoID `json:"repo_id"`
	Name string      `json:"name"`
}

// Change is one change of the status.
type Change struct {
	From Status    `json:"from_status"` // empty at the creation
	To   Status    `json:"to_status"`
	At   time.Time `json:"changed_at"` // UTC
}

// ErrNotFound says that there is no task of an id.
var ErrNotFound = errors.New("task not found")

// ConflictError says that a task was changed since it was read.
type ConflictError struct {
	ID         string
	Have, Want int // versions: that of the store, and that of the caller
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("task %s is at version %d, not %d: it was changed meanwhile", e.ID, e.Have, e.Want)
}

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
	// Mark returns a number that differs after every change, and 0 where no task
	// names a file or symbol. It costs next to nothing.
	Mark(ctx context.Context) (int64, error)
	Close() error
}

// Filter says which tasks are listed. The zero value passes all.
type Filter struct {
	Status Status
	Branch string      // how a branch of it begins
	Text   string      // words, each of which stands in title, description or notes, in any case
	Repo   code.RepoID // of a file or symbol that it names
	Open   bool        // it is not complete
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

// Book is the tasks of a user.
type Book struct {
	store Store
	now   func() time.Time
	board *board
}

// New returns the tasks that a store keeps. now is the clock; nil is that of the
// machine.
func New(s Store, now func() time.Time) *Book {
	if now == nil {
		now = time.Now
	}
	return &Book{store: s, now: now, board: &board{store: s}}
}

// Create adds a task. Of t, what a caller may say counts: neither id, times nor
// history. Errors of what it says are *usage.Error.
func (b *Book) Create(ctx context.Context, t Task) (*Task, error) {
	if err := permitted(ctx, permit.Index); err != nil {
		return nil, err
	}
	t.ID, t.Version = uuid.NewString(), 1
	t.Created = b.now().UTC()
	t.Updated = t.Created
	t.Status = cmp.Or(t.Status, Needed)
	t.History = []Change{{To: t.Status, At: t.Created}}
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := b.store.Create(ctx, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// Task returns a task by its id, or ErrNotFound.
func (b *Book) Task(ctx context.Context, id string) (*Task, error) {
	id, err := checkID(id)
	if err = errors.Join(err, permitted(ctx, permit.Read)); err != nil {
		return nil, err
	}
	return b.store.Task(ctx, id)
}

// List returns a page of the tasks that pass a filter.
func (b *Book) List(ctx context.Context, f Filter, p Page) (*List, error) {
	if err := errors.Join(f.check(), permitted(ctx, permit.Read)); err != nil {
		return nil, err
	}
	return b.store.List(ctx, f, p)
}

// Edit is what changes in a task: fields that are nil stay as they are, and lists
// are added to.
type Edit struct {
	Title, Description, Notes *string
	Status                    *Status
	Planning                  []string
	Files                     []File
	Symbols                   []Symbol
	Branch, Commit            string // "" adds none
	Version                   int    // if not 0, the edit is refused where the task has another
}

// Task is the task that an edit of nothing makes.
func (e Edit) Task() (t Task) {
	e.apply(&t)
	return t
}

// Update changes a task and returns it. Where nothing differs, the task stays as
// it is and changed is false. Errors are *usage.Error, ErrNotFound and
// *ConflictError.
func (b *Book) Update(ctx context.Context, id string, e Edit) (out *Task, changed bool, err error) {
	if id, err = checkID(id); err == nil {
		err = permitted(ctx, permit.Index)
	}
	if err != nil {
		return nil, false, err
	}
	err = b.store.Update(ctx, id, func(t *Task) error {
		if e.Version != 0 && e.Version != t.Version {
			return &ConflictError{ID: id, Have: t.Version, Want: e.Version}
		}
		out = t
		if changed = e.apply(t); !changed {
			return nil
		}
		t.Version++
		t.Updated = later(b.now().UTC(), t.Updated)
		if n := len(t.History); t.Status != t.History[n-1].To {
			t.History = append(t.History, Change{From: t.History[n-1].To, To: t.Status, At: t.Updated})
		}
		return t.check()
	})
	if err != nil {
		return nil, false, err
	}
	return out, changed, nil
}

// permitted refuses who may not do what needs a role. Tasks are those of every
// repository: who sees only some repositories sees none of them.
func permitted(ctx context.Context, need permit.Role) error {
	if permit.Limited(ctx) {
		return &usage.Error{Msg: "tasks are those of every repository, and this token sees only some", Hint: "ask the operator for a token that sees all"}
	}
	return permit.Check(ctx, need, "changing tasks")
}

// later returns a time that is not before another, whatever a clock says.
func later(now, before time.Time) time.Time {
	if now.Before(before) {
		return before
	}
	return now
}

// apply changes a task, and reports whether anything differs.
func (e *Edit) apply(t *Task) (differs bool) {
	for _, f := range []struct{ to, from *string }{{&t.Title, e.Title}, {&t.Description, e.Description}, {&t.Notes, e.Notes}, {(*string)(&t.Status), (*string)(e.Status)}} {
		if f.from != nil && *f.to != *f.from {
			*f.to, differs = *f.from, true
		}
	}
	differs = add(&t.Planning, e.Planning) || differs
	differs = add(&t.Files, e.Files) || differs
	differs = add(&t.Symbols, e.Symbols) || differs
	differs = add(&t.Branches, named(e.Branch)) || differs
	return add(&t.Commits, named(e.Commit)) || differs
}

func named(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// add appends what a list lacks.
func add[T comparable](list *[]T, more []T) (added bool) {
	for _, v := range more {
		if !slices.Contains(*list, v) {
			*list, added = append(*list, v), true
		}
	}
	return added
}

// Close closes the store.
func (b *Book) Close() error { return b.store.Close() }
