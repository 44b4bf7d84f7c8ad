package tasks

import (
	"context"
	"errors"
	"reflect"

	"espy/internal/permit"
	"espy/internal/usage"
)

// Fate is what an import made of a task.
type Fate string

// The fates.
const (
	Created   Fate = "created"
	Updated   Fate = "updated"   // it was imported before, and differs there now
	Unchanged Fate = "unchanged" // it is here as it is there
	Kept      Fate = "kept"      // it was changed here since, and stays so
)

// ImportOptions says how a task is imported.
type ImportOptions struct {
	Overwrite bool // also a task that was changed here since it was imported
	DryRun    bool // only say what would be done
}

// Import takes over a task of another tool with its id, times and history, so that
// importing it again changes nothing. Files and symbols that it was given here stay.
// Errors of what it holds are *usage.Error.
func (b *Book) Import(ctx context.Context, t Task, o ImportOptions) (Fate, error) {
	id, err := checkID(t.ID)
	if err == nil {
		err = errors.Join(t.check(), permitted(ctx))
	}
	if err != nil {
		return "", err
	}
	if permit.Limited(ctx) {
		return "", &usage.Error{Msg: "tasks of every repository are imported, and this token sees only some", Hint: "ask the operator for a token that sees all"}
	}
	t.ID = id
	have, err := b.store.Task(ctx, id)
	if errors.Is(err, ErrNotFound) {
		t.Version, t.Imported = 1, 1
		if o.DryRun {
			return Created, nil
		}
		return Created, b.store.Create(ctx, &t)
	}
	if err != nil {
		return "", err
	}
	if fate := have.fate(&t, o); fate != Updated || o.DryRun {
		return fate, nil
	}
	var fate Fate
	err = b.store.Update(ctx, id, func(have *Task) error {
		if fate = have.fate(&t, o); fate == Updated {
			*have = t.over(have)
		}
		return nil
	})
	return fate, err
}

// fate is what an import of from does to a task.
func (t *Task) fate(from *Task, o ImportOptions) Fate {
	switch {
	case reflect.DeepEqual(from.over(t).told(), t.told()):
		return Unchanged
	case t.Version != t.Imported && !o.Overwrite:
		return Kept
	}
	return Updated
}

// over is a task in place of what is here of it.
func (t *Task) over(have *Task) Task {
	now := *t
	now.Version = have.Version + 1
	now.Imported = now.Version
	now.Files, now.Symbols = have.Files, have.Symbols
	return now
}

// told is what a task says, in one form: without its versions, and with lists that
// are nil where they are empty.
func (t Task) told() Task {
	t.Version, t.Imported = 0, 0
	if len(t.Planning) == 0 {
		t.Planning = nil
	}
	if len(t.Branches) == 0 {
		t.Branches = nil
	}
	if len(t.Commits) == 0 {
		t.Commits = nil
	}
	return t
}
