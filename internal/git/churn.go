package git

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Churn is how often a file was changed.
type Churn struct {
	Path    string
	Commits int
	Last    Commit // the newest of them, with its id and time only
}

// Churn counts which files were changed by a commit and those before it, merges
// left out; the most often changed first, then by path. A file that was renamed
// counts under each of its names. It returns how many commits it looked at. The
// options First and End are ignored.
func (r *Repository) Churn(ctx context.Context, commit string, o LogOptions) (churn []Churn, commits int, err error) {
	if commitID(commit) == "" {
		return nil, 0, &RevisionError{Revision: commit}
	}
	args := []string{"log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-decorate", "--no-notes", "--no-merges",
		"--no-renames", "--name-only", "-z", "--format=%x01%H%x00%at%x00"}
	args = append(append(o.limits(args), commit, "--"), o.Paths...)
	out, err := r.read(ctx, args...)
	if err != nil {
		return nil, 0, err
	}
	return parseChurn(out)
}

// parseChurn reads fields that end in NULs: of each commit \x01 and its id, its
// time, and behind a newline the paths that it changed.
func parseChurn(out []byte) ([]Churn, int, error) {
	files := map[string]*Churn{}
	var at Commit
	commits, timed, first := 0, true, false
	for field := range bytes.SplitSeq(out, []byte{0}) {
		text := string(field)
		switch id, header := strings.CutPrefix(text, "\x01"); {
		case header && commitID(id) != "":
			at, timed, first = Commit{ID: id}, false, true
			commits++
		case !timed:
			seconds, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, 0, fmt.Errorf("read git's log: time of %s: %w", at.ID, err)
			}
			at.Time, timed = time.Unix(seconds, 0).UTC(), true
		case text != "":
			if first {
				text, first = strings.TrimPrefix(text, "\n"), false
			}
			if at.ID == "" {
				return nil, 0, fmt.Errorf("read git's log: %.60q is of no commit", text)
			}
			if files[text] == nil {
				files[text] = &Churn{Path: text, Last: at}
			}
			files[text].Commits++
		}
	}
	all := make([]Churn, 0, len(files))
	for _, c := range files {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Churn) int { return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Path, b.Path)) })
	return all, commits, nil
}
