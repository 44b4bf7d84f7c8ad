// Package across asks about the symbols of several repositories together.
//
// Each repository says what packages it publishes and what it asks for: its manifests
// name them (published.go). Those that import packages of each other are linked
// (links.go), and joined to one index in which an import of one leads into another
// (explore.go). Only repositories that a question can concern are parsed: which these
// are is told by their manifests and their text (concern.go).
package across

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Question says what several repositories are asked.
type Question struct {
	Repos []*workspace.Repo
	Wait  workspace.Wait

	// Target is the symbol that the question is about. A path or an id in it may have
	// the name of its repository and a colon in front. It decides which repositories
	// the question concerns.
	Target locate.Target
	// From are repositories in which the question begins, instead of those of Target.
	From []*workspace.Repo
	// Follows says that more is asked about than uses of the name: who calls the
	// callers, what a change affects.
	Follows bool
}

// Searched are the repositories of an answer.
type Searched struct {
	Several bool           // more than one were asked: the paths of the answer name theirs
	Repos   []hit.Searched // those that the question concerns, by name
	Apart   []string       // those that it does not, by name
	Late    []string       // those that could not answer, with the reason
	Notes   []string       // for the reader: what else the answer lacks
}

// All is what was searched in all repositories together: files are counted together,
// and the answer is as fresh as all of them are.
func (s *Searched) All() hit.Searched {
	if len(s.Repos) == 0 {
		return hit.Searched{}
	}
	all := s.Repos[0]
	if s.Several {
		all.Repo = ""
	}
	for _, r := range s.Repos[1:] {
		all.Files += r.Files
		all.Excluded += r.Excluded
		f := &all.Freshness
		f.PendingFiles += r.Freshness.PendingFiles
		f.SyntaxPending += r.Freshness.SyntaxPending
		f.IndexedFiles += r.Freshness.IndexedFiles
		f.TotalFiles += r.Freshness.TotalFiles
		f.Partial = f.Partial || r.Freshness.Partial
		f.Unchecked = f.Unchecked || r.Freshness.Unchecked
	}
	return all
}

// order sorts the repositories by name, and refuses two of one name, which an answer
// could not tell apart.
func (q *Question) order() error {
	q.Repos = slices.Clone(q.Repos)
	slices.SortFunc(q.Repos, func(a, b *workspace.Repo) int { return strings.Compare(a.Name(), b.Name()) })
	for i := 1; i < len(q.Repos); i++ {
		if name := q.Repos[i].Name(); name == q.Repos[i-1].Name() {
			return &usage.Error{Arg: "repo", Value: name, Msg: "two repositories of that name are asked about", Hint: "ask about one of them by its path, or attach one by another name"}
		}
	}
	return nil
}

// looked are the repositories of a question before they are parsed.
type looked struct {
	repos   []*workspace.Repo
	snaps   []*store.Snapshot
	sources []*source
}

// look opens the repositories side by side and reads what they say of packages. One
// that cannot answer is named in what was searched. The snapshots must be closed.
func (q *Question) look(ctx context.Context, in *Searched) (*looked, error) {
	snaps := make([]*store.Snapshot, len(q.Repos))
	sources := make([]*source, len(q.Repos))
	failed := make([]error, len(q.Repos))
	var group errgroup.Group
	group.SetLimit(4)
	for i, r := range q.Repos {
		group.Go(func() error {
			if snaps[i], failed[i] = r.Snapshot(ctx, q.Wait); failed[i] == nil {
				sources[i] = read(snaps[i])
			}
			return nil
		})
	}
	_ = group.Wait() // what failed is kept by repository
	all := &looked{}
	for i, err := range failed {
		if err != nil {
			in.Late = append(in.Late, q.Repos[i].Name()+": "+err.Error())
			continue
		}
		all.repos, all.snaps, all.sources = append(all.repos, q.Repos[i]), append(all.snaps, snaps[i]), append(all.sources, sources[i])
	}
	if len(all.repos) == 0 || ctx.Err() != nil {
		return nil, errors.Join(all.close(), ctx.Err(), failed[0])
	}
	return all, nil
}

func (l *looked) close() (err error) {
	for _, s := range l.snaps {
		err = errors.Join(err, s.Close())
	}
	return err
}
