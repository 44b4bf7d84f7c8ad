// Package visits knows the repositories that only questions have asked about. Their
// indexes are kept for a while after the last question, and dropped then.
package visits

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/workspace"
)

// KeptFor is how long an index is kept after the last question about it.
const KeptFor = 30 * 24 * time.Hour

// often is how far apart questions are noted.
const often = time.Hour

// Log is the visits to the repositories of a workspace.
type Log struct{ of *workspace.Workspace }

// Of returns the visits to the repositories of a workspace.
func Of(w *workspace.Workspace) *Log { return &Log{w} }

// Begin notes that a question made the index of a repository. What a team shares is
// kept: others may ask about it from other machines.
func (l *Log) Begin(r *workspace.Repo, now time.Time) error {
	if l.of.Options().Team != nil {
		return nil
	}
	return catalog.Visit(r.Folder(), now)
}

// Again notes a question about a repository, where it is one that is visited.
func (l *Log) Again(r *workspace.Repo, now time.Time) error {
	if last, ok := catalog.Visited(r.Folder()); ok && now.Sub(last) > often {
		return catalog.Visit(r.Folder(), now)
	}
	return nil
}

// Keep has the index of a repository kept: it was asked for.
func (l *Log) Keep(r *workspace.Repo) error { return catalog.Keep(r.Folder()) }

// Until returns when the index of a repository is dropped, if nobody asks until then.
// ok is false for one that is kept.
func (l *Log) Until(id code.RepoID) (until time.Time, ok bool) {
	last, ok := catalog.Visited(filepath.Join(l.of.Options().DataDir, "repos", string(id)))
	return last.Add(KeptFor), ok
}

// Pruned is a repository whose index was dropped.
type Pruned struct {
	Name, Root string
	Last       time.Time // question about it
}

// Prune drops the indexes of the repositories that nobody has asked about for a time;
// none that a team shares.
func (l *Log) Prune(ctx context.Context, now time.Time, unasked time.Duration) (list []Pruned, err error) {
	if l.of.Options().Team != nil {
		return nil, nil
	}
	all, err := l.of.Repos(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		last, ok := catalog.Visited(r.Folder())
		if !ok || now.Sub(last) < unasked {
			continue
		}
		if err := l.of.Remove(ctx, r); err != nil {
			return list, fmt.Errorf("prune %s: %w", r.Name(), err)
		}
		list = append(list, Pruned{r.Name(), r.Root(), last})
	}
	return list, nil
}
