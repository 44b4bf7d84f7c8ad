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

// Touch is a commit with the paths that it changed. Of the commit its id, author
// and time are known.
type Touch struct {
	Commit
	Paths []string
}

// Churn counts which files were changed by a commit and those before it, merges
// left out; the most often changed first, then by path. A file that was renamed
// counts under each of its names. It returns how many commits it looked at. The
// options First and End are ignored.
func (r *Repository) Churn(ctx context.Context, commit string, o LogOptions) (churn []Churn, commits int, err error) {
	touches, err := r.Touches(ctx, commit, o)
	return ChurnOf(touches), len(touches), err
}

// Touches lists commit and the commits before it, merges left out, the newest
// first, with the paths that they changed; a rename is both of its paths. The
// options First and End are ignored.
func (r *Repository) Touches(ctx context.Context, commit string, o LogOptions) ([]Touch, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	args := []string{"log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-decorate", "--no-notes", "--no-merges",
		"--no-renames", "--name-only", "-z", "--format=%x01%H%x00%an%x00%at%x00"}
	args = append(append(o.limits(args), commit, "--"), o.Paths...)
	out, err := r.read(ctx, args...)
	if err != nil {
		return nil, err
	}
	return parseTouches(out)
}

// ChurnOf counts how often each path was changed: the most often changed first,
// then by path.
func ChurnOf(touches []Touch) []Churn {
	files := map[string]*Churn{}
	for i := range touches {
		t := &touches[i]
		for _, p := range t.Paths {
			if files[p] == nil {
				files[p] = &Churn{Path: p, Last: Commit{ID: t.ID, Time: t.Time}}
			}
			files[p].Commits++
		}
	}
	all := make([]Churn, 0, len(files))
	for _, c := range files {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Churn) int { return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Path, b.Path)) })
	return all
}

// parseTouches reads fields that end in NULs: of each commit \x01 and its id, its
// author, its time, and behind a newline the paths that it changed.
func parseTouches(out []byte) (all []Touch, err error) {
	const author, moment, paths = 0, 1, 2
	at, next := (*Touch)(nil), paths
	for field := range bytes.SplitSeq(out, []byte{0}) {
		text := string(field)
		switch id, header := strings.CutPrefix(text, "\x01"); {
		case next == author:
			at.Author, next = text, moment
		case next == moment:
			seconds, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("read git's log: time of %s: %w", at.ID, err)
			}
			at.Time, next = time.Unix(seconds, 0).UTC(), paths
		case header && commitID(id) != "":
			all = append(all, Touch{Commit: Commit{ID: id}})
			at, next = &all[len(all)-1], author
		case text != "":
			if at == nil {
				return nil, fmt.Errorf("read git's log: %.60q is of no commit", text)
			}
			if len(at.Paths) == 0 {
				text = strings.TrimPrefix(text, "\n")
			}
			at.Paths = append(at.Paths, text)
		}
	}
	return all, nil
}
