package rustcode

import (
	"context"
	"path/filepath"
	"time"

	"espy/internal/merkle"
	"espy/internal/workspace"
)

// What the profile remembers of the files of a repository, by who is told of changes.
const (
	seenRecord  = "rust-code-mcp-seen.merkle"
	indexRecord = "rust-code-mcp.merkle" // of index_codebase, which health_check tells of
)

// record is the file of a record.
func record(r *workspace.Repo, name string) string { return filepath.Join(r.Folder(), name) }

// How long a question waits for a first indexing and for changed files.
const (
	firstWait = 100 * time.Second
	freshWait = 3 * time.Second
)

func waiting() workspace.Wait { return workspace.Wait{First: firstWait, Fresh: freshWait} }

// check looks whether files have changed since a search or an indexing of this profile
// last looked, and counts them.
func (s *server) check(ctx context.Context, f folder) (*merkle.Changes, error) {
	file := record(f.repo, seenRecord)
	old, err := merkle.Load(file)
	if err != nil {
		s.Log.Warn("the record of the files is damaged and is made anew", "err", err)
	}
	changes, now, err := merkle.Compare(ctx, f.repo, old, waiting())
	if err != nil || changes.Partial || old != nil && changes.Indexed()+changes.Deleted == 0 {
		return changes, err
	}
	return changes, now.Save(file)
}

// embedder names the models that meanings are compared by.
func (s *server) embedder() string {
	m := s.Workspace.Models()
	switch {
	case m.Remote != nil:
		return m.Remote.Identity()
	case m.Local != nil:
		return m.Local.Identity()
	}
	return "none"
}
