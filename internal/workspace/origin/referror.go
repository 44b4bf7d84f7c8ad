package origin

import (
	"context"
	"fmt"
	"path"
	"strings"

	"espy/internal/git"
	"espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/usage"
)

// RefError says that a repository has no branch, tag or commit of a name.
type RefError struct {
	Repo, Ref string
	Nearest   []string // branches and tags, the likeliest first
	Shallow   bool     // the repository has only its newest commits
}

func (e *RefError) Error() string {
	return fmt.Sprintf("repo %s has no branch, tag or commit %q", e.Repo, e.Ref)
}

// Explain returns the error and which ref would do.
func (e *RefError) Explain() (problem, hint string) {
	problem = fmt.Sprintf("repo %s has no branch, tag or commit %q", place.Name(e.Repo), usage.Shorten(e.Ref, 200))
	names := make([]string, len(e.Nearest))
	for i, n := range e.Nearest {
		names[i] = place.Name(n)
	}
	switch {
	case e.Shallow && len(names) == 0:
		return problem, "the clone is shallow: it holds its newest commit only"
	case e.Shallow:
		return problem, "the clone is shallow and holds few commits; it has " + strings.Join(names, ", ")
	case len(names) > 0:
		return problem, "did you mean " + strings.Join(names, " or ") + "?"
	}
	return problem, "give the name of a branch or tag, or the id of a commit"
}

// NearestRefs lists the names that a ref may have meant, or a few of the newest.
func NearestRefs(ctx context.Context, history *git.Repository, ref string) []string {
	names, err := history.Refs(ctx)
	if err != nil {
		return nil
	}
	if near := nearest.Of(ref, names, 3); near != nil {
		return near
	}
	last := path.Base(ref)
	for _, n := range names {
		if path.Base(n) == last { // origin/topic for topic
			return []string{n}
		}
	}
	return names[:min(len(names), 3)]
}
