package rustcode

import (
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

// lastSeen is what a search or an indexing of this profile last saw of a directory.
func (s *server) lastSeen(f folder) *merkle.Record {
	r, err := merkle.OpenRecord(record(f.repo, seenRecord), searched)
	if err != nil {
		s.Log.Warn("the record of the files is damaged and is made anew", "err", err)
	}
	return r
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
