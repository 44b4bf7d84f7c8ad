package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Step is a commit: what it says of itself, and the paths that it changed.
type Step struct {
	ID      string
	Parents []string // ids
	Message string
	Paths   []string // none of a merge
}

// Single reports whether the commit has one parent: it is neither a merge nor a first one.
func (s *Step) Single() bool { return len(s.Parents) == 1 }

// single are the options that list such commits alone.
var single = []string{"--no-merges", "--min-parents=1"}

// Together lists, of a commit and those before it, merges and first commits left out,
// what each says and the paths that it changed, the newest first. A rename is two paths.
// The options First and End are ignored; with Paths only the commits that touch one of
// them are listed, with all that they changed. Where git fails, as an object is missing,
// those that were listed before come with its error.
func (r *Repository) Together(ctx context.Context, commit string, o LogOptions) ([]Step, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	return r.steps(ctx, append(append(o.limits(slices.Clone(single)), commit, "--"), o.Paths...)...)
}

// Recent lists a commit and those before it in the order of Together, with merges and
// first commits, at most so many.
func (r *Repository) Recent(ctx context.Context, commit string, most int) ([]Step, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	return r.steps(ctx, "--max-count="+strconv.Itoa(most), commit, "--")
}

// Steps lists commits by their ids, in this order.
func (r *Repository) Steps(ctx context.Context, ids []string) ([]Step, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	for _, id := range ids {
		if commitID(id) == "" {
			return nil, &RevisionError{Revision: id}
		}
	}
	return r.steps(ctx, append(append([]string{"--no-walk=unsorted"}, ids...), "--")...)
}

// Order returns the ids of the commits that Together lists, at most so many.
func (r *Repository) Order(ctx context.Context, commit string, most int) ([]string, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	out, err := r.read(ctx, append(append([]string{"rev-list"}, single...), "--max-count="+strconv.Itoa(most), commit, "--")...)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(out)), nil
}

func (r *Repository) steps(ctx context.Context, which ...string) ([]Step, error) {
	args := []string{"log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-decorate", "--no-notes",
		"--no-renames", "--full-diff", "--name-only", "-z", "--format=%x00%x01%H %P%x00%B%x00"}
	out, err := r.read(ctx, append(args, which...)...)
	if err != nil && !errors.As(err, new(*failedError)) {
		return nil, err
	}
	all, bad := parseTogether(out)
	if err == nil {
		err = bad
	}
	return all, err
}

// parseTogether reads fields that end in NULs: behind an empty one \x01, a commit and its
// parents, its message, an empty field, then the paths that it changed, the first of them
// behind a newline.
func parseTogether(out []byte) (all []Step, err error) {
	begun, before := false, []byte(nil)
	for field := range bytes.SplitSeq(out, []byte{0}) {
		ids, header := strings.CutPrefix(string(field), "\x01")
		id, parents, _ := strings.Cut(ids, " ")
		switch {
		case begun:
			all[len(all)-1].Message, begun = strings.TrimSpace(string(field)), false
		case len(field) == 0:
		case header && len(before) == 0 && commitID(id) != "":
			all, begun = append(all, Step{ID: id, Parents: strings.Fields(parents)}), true
		case len(all) == 0:
			return nil, fmt.Errorf("read git's log: %.60q is of no commit", field)
		default:
			c := &all[len(all)-1]
			c.Paths = append(c.Paths, string(bytes.TrimPrefix(field, []byte("\n"))))
		}
		before = field
	}
	return all, nil
}
