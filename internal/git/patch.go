package git

import "context"

// Patch returns what differs from one commit to another as a unified difference,
// of some files only unless paths is empty. Renames are told.
func (r *Repository) Patch(ctx context.Context, from, to string, paths []string) (string, error) {
	for _, c := range []string{from, to} {
		if commitID(c) == "" {
			return "", &RevisionError{Revision: c}
		}
	}
	args := []string{"diff-tree", "-r", "-p", "-M", "--no-ext-diff", "--no-textconv", "--no-color", from, to, "--"}
	out, err := r.read(ctx, append(args, paths...)...)
	return string(out), err
}
