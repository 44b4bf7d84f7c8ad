package clone

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"espy/internal/git"
)

// fetchedCommit is the ref of a commit that was asked for by its id.
const fetchedCommit = "refs/espy/commit"

// source is what a fetch asks for.
type source struct {
	ref    string // name on the server
	local  string // ref of the clone that keeps it
	format string // of object names: sha1 or sha256
}

// find asks the server which of its refs Options.Ref means.
func (t *transfer) find(ctx context.Context) (source, error) {
	if id := t.opts.Ref; git.IsCommitID(id) {
		return source{id, fetchedCommit, formatOf(id)}, nil
	}
	names := []string{"HEAD"}
	if t.opts.Ref != "" {
		names = []string{"refs/heads/" + t.opts.Ref, "refs/tags/" + t.opts.Ref}
		if !validRef(names[0]) {
			return source{}, &git.RevisionError{Revision: t.opts.Ref}
		}
	}
	out, err := t.git(ctx, append([]string{"ls-remote", "--quiet", "--symref", "--", t.from.url.String()}, names...)...)
	if err != nil {
		return source{}, err
	}
	refs, symbolic := parseRefs(out)
	for _, name := range names {
		id := refs[name]
		if id == "" {
			continue
		}
		if name != "HEAD" {
			return source{name, name, formatOf(id)}, nil
		}
		if branch := symbolic["HEAD"]; strings.HasPrefix(branch, "refs/heads/") && validRef(branch) {
			return source{branch, branch, formatOf(id)}, nil
		}
		return source{"HEAD", fetchedCommit, formatOf(id)}, nil
	}
	if t.opts.Ref != "" {
		return source{}, &git.RevisionError{Revision: t.opts.Ref}
	}
	return source{}, errors.New("it has no commits yet")
}

func formatOf(id string) string {
	if len(id) == 64 {
		return "sha256"
	}
	return "sha1"
}

// parseRefs reads the lines "id TAB name" and "ref: target TAB name".
func parseRefs(out []byte) (ids, symbolic map[string]string) {
	ids, symbolic = map[string]string{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, ok := strings.CutPrefix(value, "ref: "); ok {
			symbolic[name] = target
		} else if git.IsCommitID(value) {
			ids[name] = value
		}
	}
	return ids, symbolic
}

// validRef reports whether a full name of a ref can stand in a refspec: the
// rules of git-check-ref-format that keep one name from being something else.
func validRef(name string) bool {
	return name != "" && len(name) <= 1024 && !strings.ContainsAny(name, " ~^:?*[\\\x7f") && !strings.Contains(name, "..") && !strings.Contains(name, "//") &&
		!strings.Contains(name, "@{") && !strings.HasSuffix(name, "/") && !strings.HasSuffix(name, ".") && !strings.ContainsFunc(name, unicode.IsControl)
}
