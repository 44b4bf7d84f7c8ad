package origin

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/usage"
)

// Edition is what is published of a repository: the branch, tag or commit that was
// asked for or is checked out, and its commit. Both are empty outside git.
type Edition struct {
	ID          code.RepoID
	Ref, Commit string
}

// Editions are what is published of one code: each branch of a remote is a repository
// of its own, and so is each work tree of a folder.
type Editions struct {
	Of  catalog.Repo // whose code it is
	all []Edition
}

// Add adds what is published of a repository.
func (e *Editions) Add(one Edition) { e.all = append(e.all, one) }

// SameCode reports whether a repository has the same code at perhaps another revision.
func (e *Editions) SameCode(rec catalog.Repo) bool {
	if e.Of.Remote != nil {
		return rec.Remote != nil && rec.Remote.URL == e.Of.Remote.URL
	}
	return rec.Remote == nil && rec.FamilyID() == e.Of.FamilyID()
}

// Refs lists the revisions, each once.
func (e *Editions) Refs() (refs []string) {
	for _, one := range e.all {
		if one.Ref != "" && !slices.Contains(refs, one.Ref) {
			refs = append(refs, one.Ref)
		}
	}
	return refs
}

// minCommit is how much of the id of a commit names it.
const minCommit = 7

// Find returns the repository that shows a revision: HEAD, a branch or tag by its
// name, or a commit by seven digits of its id or more. An error says what there is.
func (e *Editions) Find(ref string) (code.RepoID, error) {
	name := strings.TrimPrefix(ref, "refs/heads/")
	for _, one := range e.all {
		if name != "" && name == one.Ref || name == "HEAD" && one.ID == e.Of.ID || len(name) >= minCommit && strings.HasPrefix(one.Commit, name) {
			return one.ID, nil
		}
	}
	return "", &unpublishedRefError{of: e.Of, ref: ref, refs: e.Refs()}
}

// unpublishedRefError says that no program of the team has published a revision.
type unpublishedRefError struct {
	of   catalog.Repo
	ref  string
	refs []string
}

// Error implements error.
func (e *unpublishedRefError) Error() string {
	problem, hint := e.Explain()
	return problem + ": " + hint
}

// shownRefs is how many revisions an error lists.
const shownRefs = 5

// Explain returns the error and what would help.
func (e *unpublishedRefError) Explain() (problem, hint string) {
	problem = fmt.Sprintf("%s is not published at %q in the team's database", place.Name(e.of.Name), usage.Shorten(e.ref, 200))
	near := nearest.Of(e.ref, e.refs, 3)
	if near == nil {
		near = e.refs[:min(len(e.refs), shownRefs)]
	}
	var names []string
	for _, n := range near {
		names = append(names, place.Name(n))
	}
	if len(names) > 0 {
		hint = "published are " + strings.Join(names, ", ") + "; "
	}
	if e.of.Remote != nil {
		return problem, hint + fmt.Sprintf("`espy index %s#REF` publishes another branch, tag or commit, as does branch=REF in the list of a worker", e.of.Remote.URL)
	}
	return problem, hint + "of a folder what it has checked out is published: ask for another revision where the folder is, with ESPY_DATABASE_URL= set to nothing"
}
