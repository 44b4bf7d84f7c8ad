package rustcode

import (
	"path/filepath"
	"time"

	"espy/internal/merkle"
	"espy/internal/store"
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

// look tells whether files have changed since a search or an indexing of this profile
// last looked, and counts them.
type look struct {
	file    string // of the record
	old     *merkle.Tree
	changes *merkle.Changes
	now     *merkle.Tree
}

func (s *server) lookAt(f folder) *look {
	l := &look{file: record(f.repo, seenRecord)}
	var err error
	if l.old, err = merkle.Load(l.file); err != nil {
		s.Log.Warn("the record of the files is damaged and is made anew", "err", err)
	}
	return l
}

func (l *look) look(s *store.Snapshot) { l.changes, l.now = merkle.Of(s, l.old) }

// save records what was looked at, where that is new.
func (l *look) save() error {
	if l.changes.Partial || l.old != nil && l.changes.Indexed()+l.changes.Deleted == 0 {
		return nil
	}
	return l.now.Save(l.file)
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
