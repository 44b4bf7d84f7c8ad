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
	"time"

	"github.com/google/uuid"

	"espy/internal/code"
	"espy/internal/permit"
)

// Book is the tasks of a user.
type Book struct {
	store Store
	opts  Options
	board *board
}

// Options are what a Book asks others for.
type Options struct {
	Now func() time.Time // the clock; nil is that of the machine
	// Seen are the repositories that exist for who asks. Nil is none for who does not
	// see all.
	Seen func(ctx context.Context) ([]code.RepoID, error)
}

// New returns the tasks that a store keeps.
func New(s Store, o Options) *Book {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Book{store: s, opts: o, board: &board{store: s}}
}

// Create adds a task. Of t, what a caller may say counts: neither id, times nor
// history. Errors of what it says are *usage.Error.
func (b *Book) Create(ctx context.Context, t Task) (*Task, error) {
	sight, err := b.sight(ctx)
	if err = errors.Join(err, permitted(ctx)); err != nil {
		return nil, err
	}
	t.ID, t.Version = uuid.NewString(), 1
	t.Created = b.opts.Now().UTC()
	t.Updated = t.Created
	t.Status = cmp.Or(t.Status, Needed)
	t.History = []Change{{To: t.Status, At: t.Created}}
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := sight.keeps(&t); err != nil {
		return nil, err
	}
	if err := b.store.Create(ctx, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// Task returns a task by its id, or ErrNotFound, also of one that does not exist for
// who asks.
func (b *Book) Task(ctx context.Context, id string) (*Task, error) {
	id, err := checkID(id)
	if err != nil {
		return nil, err
	}
	sight, err := b.sight(ctx)
	if err != nil {
		return nil, err
	}
	t, err := b.store.Task(ctx, id)
	if err == nil && !sight.sees(t) {
		return nil, ErrNotFound
	}
	return t, err
}

// List returns a page of the tasks that pass a filter.
func (b *Book) List(ctx context.Context, f Filter, p Page) (*List, error) {
	sight, err := b.sight(ctx)
	if err = errors.Join(err, f.check()); err != nil {
		return nil, err
	}
	return b.store.List(ctx, sight.narrow(f), p)
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
	sight, err := b.sight(ctx)
	if err == nil {
		id, err = checkID(id)
	}
	if err = errors.Join(err, permitted(ctx)); err != nil {
		return nil, false, err
	}
	err = b.store.Update(ctx, id, func(t *Task) error {
		if !sight.sees(t) {
			return ErrNotFound
		}
		if e.Version != 0 && e.Version != t.Version {
			return &ConflictError{ID: id, Have: t.Version, Want: e.Version}
		}
		out = t
		if changed = e.apply(t); !changed {
			return nil
		}
		t.Version++
		t.Updated = later(b.opts.Now().UTC(), t.Updated)
		if n := len(t.History); t.Status != t.History[n-1].To {
			t.History = append(t.History, Change{From: t.History[n-1].To, To: t.Status, At: t.Updated})
		}
		return errors.Join(t.check(), sight.keeps(t))
	})
	if err != nil {
		return nil, false, err
	}
	return out, changed, nil
}

// permitted refuses who may not change tasks.
func permitted(ctx context.Context) error { return permit.Check(ctx, permit.Index, "changing tasks") }

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

// Near returns the open tasks that name code of repositories, which are given by
// their names, nil for none.
func (b *Book) Near(ctx context.Context, repos map[string]code.RepoID) *Near {
	if b == nil {
		return nil
	}
	sight, err := b.sight(ctx)
	if err != nil {
		return &Near{Err: err}
	}
	return b.board.near(ctx, repos, sight)
}

// Close closes the store.
func (b *Book) Close() error { return b.store.Close() }

// Readers says how many connections answer questions about tasks at this moment.
func (b *Book) Readers() Readers { return b.store.Readers() }
