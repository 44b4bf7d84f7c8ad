// Package blob says what a place does that keeps the files of a family: a folder
// (package local) or the database of a team (package postgres). Package store/replica
// copies from one to the other.
//
// A place holds parts, which never change, and views. A view is a record with the
// names of its parts; it is replaced as a whole, by who knows which edition he
// replaces. A part that no view lists is deleted after a time of grace, so that a
// writer may put parts before their view, and a reader may take them after it was
// replaced.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Place keeps the files of one family. It is safe for concurrent use, by several
// processes too. What it does not hold is an error that wraps fs.ErrNotExist.
type Place interface {
	// Put keeps a part that write writes, whole or not at all. One that there is
	// stays, and write is not called.
	Put(ctx context.Context, name string, write func(io.Writer) error) error

	// Get writes a part.
	Get(ctx context.Context, name string, w io.Writer) error

	// Missing returns which of some parts there are not. The others stay for the
	// time of grace from now.
	Missing(ctx context.Context, names []string) ([]string, error)

	// Publish makes v the newest of its view, in place of edition base, 0 for none,
	// and returns its edition: v.Edition, or one that the view never had where that
	// is 0. ErrLost says that the view is of another edition than base;
	// fs.ErrNotExist that a part is missing which v lists.
	Publish(ctx context.Context, v View, base int64) (edition int64, err error)

	// View returns the newest edition of a view.
	View(ctx context.Context, name string) (View, error)

	// Edition returns the newest edition of a view, 0 where there is none.
	Edition(ctx context.Context, name string) (int64, error)

	// Views returns the names of the views, sorted.
	Views(ctx context.Context) ([]string, error)

	// Drop removes a view, also one that there is not.
	Drop(ctx context.Context, name string) error

	// Sweep deletes the parts that no view has listed for the time of grace, by the
	// clock of the place, and returns how many it deleted.
	Sweep(ctx context.Context, grace time.Duration) (int, error)
}

// View is what a place keeps of a view.
type View struct {
	Name    string
	Edition int64             // tells what was published apart; 0 is nothing yet
	Record  []byte            // its manifest: text, of which a newline at the end does not count
	Parts   []string          // that it is made of; only Publish looks at them
	Beside  map[string]string // files that go with it, by the name that readers know, and the parts that hold them
}

// Listed returns the parts that go with the view.
func (v *View) Listed() []string {
	seen, all := map[string]bool{}, []string(nil)
	add := func(part string) {
		if !seen[part] {
			seen[part] = true
			all = append(all, part)
		}
	}
	for _, part := range v.Parts {
		add(part)
	}
	for _, part := range v.Beside {
		add(part)
	}
	return all
}

// Grace is how long a part stays that no view lists.
const Grace = time.Hour

// ErrLost says that a view is not of the edition any more that was to be replaced.
var ErrLost = errors.New("another process has published it meanwhile")

const maxName = 200

// CheckName refuses what cannot be the name of a part or view in every place.
func CheckName(name string) error {
	bad := name == "" || name == "." || name == ".." || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, "/\x00")
	if bad {
		return fmt.Errorf("no file can be called %.*q: a name has 1 to %d bytes of UTF-8 without / and NUL", maxName, name, maxName)
	}
	return nil
}
