package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Step is a commit: what it says of itself, and the paths that it changed.
type Step struct {
	Message string
	Paths   []string
}

// Together lists, of a commit and those before it, merges and first commits left out,
// what each says and the paths that it changed, the newest first. A rename is two paths.
// The options First and End are ignored; with Paths only the commits that touch one of
// them are listed, with all that they changed.
func (r *Repository) Together(ctx context.Context, commit string, o LogOptions) ([]Step, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	args := []string{"log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-decorate", "--no-notes", "--no-merges", "--min-parents=1",
		"--no-renames", "--full-diff", "--name-only", "-z", "--format=%x01%H%x00%B%x00"}
	out, err := r.read(ctx, append(append(o.limits(args), commit, "--"), o.Paths...)...)
	if err != nil {
		return nil, err
	}
	return parseTogether(out)
}

// parseTogether reads fields that end in NULs: \x01 and a commit, its message, then the
// paths that it changed, the first of them behind a newline.
func parseTogether(out []byte) (all []Step, err error) {
	begun := false
	for field := range bytes.SplitSeq(out, []byte{0}) {
		text := string(bytes.TrimPrefix(field, []byte("\n")))
		switch id, header := strings.CutPrefix(text, "\x01"); {
		case begun:
			all[len(all)-1].Message, begun = strings.TrimSpace(text), false
		case text == "":
		case header && commitID(id) != "":
			all, begun = append(all, Step{}), true
		case len(all) == 0:
			return nil, fmt.Errorf("read git's log: %.60q is of no commit", text)
		default:
			all[len(all)-1].Paths = append(all[len(all)-1].Paths, text)
		}
	}
	return all, nil
}
