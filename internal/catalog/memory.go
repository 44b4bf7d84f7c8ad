package catalog

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// memory holds the records that were read, as every question looks for its repository
// among all. Records are replaced as a whole, so that a new one has another file.
type memory struct {
	mu      sync.Mutex
	records map[string]remembered // by path
}

type remembered struct {
	file fs.FileInfo
	repo Repo
}

// settled is how old a file is that is known by its time: one that was written just
// now may be replaced by another within the same tick of the clock.
const settled = time.Second

// recall returns the record of a file that is as it was when it was read.
func (m *memory) recall(path string, file fs.FileInfo) (Repo, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.records[path]
	return r.repo, ok && os.SameFile(r.file, file) && r.file.ModTime().Equal(file.ModTime()) && r.file.Size() == file.Size()
}

// keep remembers the record of a file as it was before it was read at a time.
func (m *memory) keep(path string, file fs.FileInfo, at time.Time, r Repo) {
	if at.Sub(file.ModTime()) < settled {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records == nil {
		m.records = map[string]remembered{}
	}
	m.records[path] = remembered{file, r}
}
