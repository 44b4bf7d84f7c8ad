package git

import (
	"context"
	"fmt"
	"strings"
)

// Changed is a commit with what it changed.
type Changed struct {
	ID      string
	Message string
	Entries []Touched
}

// Touched is one path that a commit changed.
type Touched struct {
	Status byte // A added, M modified, D deleted, T changed its type
	Path   string
}

// Changed lists commit and the commits before it with the paths that they
// changed, merges left out, the newest first and never one before its children:
// so the tree before a commit holds nothing of those listed earlier. A rename is
// a path deleted and one added. The options First and End are ignored.
func (r *Repository) Changed(ctx context.Context, commit string, o LogOptions) ([]Changed, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	args := []string{"log", "--date-order", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-decorate", "--no-notes",
		"--name-status", "-z", "--format=%x01%H%x00%B"}
	out, err := r.read(ctx, append(append(o.limits(args), commit, "--"), o.Paths...)...)
	if err != nil {
		return nil, err
	}
	return parseChanged(out)
}

// parseChanged reads the records that Changed's format writes: \x01 and the
// commit, its message, then a status and a path by turns, each ended by NUL. Line
// breaks round a status and empty fields are git's own.
func parseChanged(out []byte) ([]Changed, error) {
	var all []Changed
	fields := strings.Split(string(out), "\x00")
	for i := 0; i < len(fields); i++ {
		field := strings.Trim(fields[i], "\n")
		id, start := strings.CutPrefix(field, "\x01")
		switch {
		case field == "":
		case i+1 == len(fields):
			return nil, fmt.Errorf("read git's log: it ends after %.40q", field)
		case start && commitID(id) != "":
			i++
			all = append(all, Changed{ID: id, Message: fields[i]})
		case !start && len(field) == 1 && len(all) > 0:
			i++
			c := &all[len(all)-1]
			c.Entries = append(c.Entries, Touched{Status: field[0], Path: fields[i]})
		default:
			return nil, fmt.Errorf("read git's log: field %d is %.40q, neither a commit nor a status", i, field)
		}
	}
	return all, nil
}
