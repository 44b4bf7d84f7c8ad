package tasks

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"espy/internal/code"
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
	ID          string `json:"id"`                 // a UUID
	Version     int    `json:"version"`            // 1 when it is created, one more with each change
	Imported    int    `json:"imported,omitempty"` // the version that an import made; 0 for none
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

// add appends what a list lacks.
func add[T comparable](list *[]T, more []T) (added bool) {
	for _, v := range more {
		if !slices.Contains(*list, v) {
			*list, added = append(*list, v), true
		}
	}
	return added
}
