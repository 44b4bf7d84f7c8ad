package shebe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"espy/internal/session"
	"espy/internal/windows"
)

// legacy is the folder in which Shebe itself keeps sessions, one folder each
// with a meta.json. Their index is not read: a session is indexed again, from
// its stored path and settings, when it is first used.
type legacy string

// meta is the meta.json of a session of Shebe.
type meta struct {
	ID             string    `json:"id"`
	RepositoryPath string    `json:"repository_path"`
	CreatedAt      time.Time `json:"created_at"`
	LastIndexedAt  time.Time `json:"last_indexed_at"`
	FilesIndexed   int       `json:"files_indexed"`
	ChunksCreated  int       `json:"chunks_created"`
	IndexSize      int64     `json:"index_size_bytes"`
	SchemaVersion  int       `json:"schema_version"`
	Config         struct {
		ChunkSize int      `json:"chunk_size"`
		Overlap   int      `json:"overlap"`
		Include   []string `json:"include_patterns"`
		Exclude   []string `json:"exclude_patterns"`
	} `json:"config"`
}

// session reads the record of one session; fs.ErrNotExist where there is none.
func (l legacy) session(name string) (rec session.Record, err error) {
	if l == "" || !session.IsName(name) {
		return rec, fs.ErrNotExist
	}
	root, err := os.OpenRoot(string(l))
	if err != nil {
		return rec, fs.ErrNotExist
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.Join(name, "meta.json"))
	if err != nil {
		return rec, err
	}
	var m meta
	if err := json.Unmarshal(text, &m); err != nil {
		return rec, fmt.Errorf("read meta.json of %s: %w", name, err)
	}
	rec = session.Record{
		Schema: m.SchemaVersion, Name: name, Root: m.RepositoryPath, Created: m.CreatedAt, Indexed: m.LastIndexedAt,
		Include: m.Config.Include, Exclude: m.Config.Exclude, Files: m.FilesIndexed, Bytes: m.IndexSize,
		Windowing: windows.Cut{Size: m.Config.ChunkSize, Overlap: m.Config.Overlap},
		Windows:   windows.Stats{Windows: m.ChunksCreated},
	}
	switch {
	case m.ID != name:
		return rec, fmt.Errorf("meta.json of %s: it is of session %q", name, m.ID)
	case !filepath.IsAbs(rec.Root):
		return rec, fmt.Errorf("meta.json of %s: missing field `repository_path`", name)
	}
	return rec, rec.Windowing.Validate()
}

// list adds the sessions that are not in a list yet.
func (l legacy) list(known []session.Entry) []session.Entry {
	if l == "" {
		return known
	}
	entries, err := os.ReadDir(string(l))
	if err != nil {
		return known
	}
	names := map[string]bool{}
	for _, k := range known {
		names[k.Name] = true
	}
	for _, e := range entries {
		if names[e.Name()] {
			continue
		}
		rec, err := l.session(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		rec.Name = e.Name()
		known = append(known, session.Entry{Record: rec, Err: err})
	}
	return known
}

// remove deletes the folder of a session, where there is one.
func (l legacy) remove(name string) error {
	if _, err := l.session(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	root, err := os.OpenRoot(string(l))
	if err != nil {
		return err
	}
	defer root.Close()
	return root.RemoveAll(name)
}
