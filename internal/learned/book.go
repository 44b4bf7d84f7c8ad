package learned

import (
	"context"
	"encoding/json"
	"io/fs"
	"sync"
	"time"

	"espy/internal/embedding"
	"espy/internal/embedding/adapt"
	"espy/internal/git"
	"espy/internal/store"
	"espy/internal/store/blob/local"
)

// Book keeps what was learned of one repository in its folder, for all processes.
type Book struct {
	folder string

	mu     sync.Mutex
	read   fs.FileInfo // of the record when it was read; guarded by mu, as what follows
	record *record     // nil for none
}

// NewBook returns the book of the repository whose index is in a folder.
func NewBook(folder string) *Book { return &Book{folder: folder} }

const fileName = "learned.json"

// version is that of the record and of how lessons are made. Older ones are learned
// again.
const version = 1

// record is a lesson as it is kept.
type record struct {
	Version int    `json:"version"`
	Head    string `json:"head"` // the commit checked out when it was learned
	Model   string `json:"model"`
	Newest  string `json:"newest"` // the newest commit that counted
	Lesson  *Lesson
	Weight  []byte `json:"weight,omitempty"` // of its adapter
}

// Lesson returns what was learned for a model, nil where nothing was.
func (b *Book) Lesson(model string) *Lesson {
	r := b.current()
	if r == nil || r.Model != model {
		return nil
	}
	return r.Lesson
}

// Adapter returns the adapter of questions to a model, nil for none.
func (b *Book) Adapter(model string) *adapt.Adapter {
	if l := b.Lesson(model); l != nil {
		return l.Adapter
	}
	return nil
}

// current returns the record as it is on disk. One that cannot be read is as none:
// it is written anew with the next commit.
func (b *Book) current() *record {
	b.mu.Lock()
	defer b.mu.Unlock()
	dir, err := local.Open(b.folder)
	if err != nil {
		return nil
	}
	info, err := dir.Stat(fileName)
	if err != nil {
		b.read, b.record = nil, nil
		return nil
	}
	if b.read == nil || !info.ModTime().Equal(b.read.ModTime()) || info.Size() != b.read.Size() {
		b.read, b.record = info, load(dir)
	}
	return b.record
}

func load(dir *local.Dir) *record {
	data, err := dir.Record(fileName)
	if err != nil {
		return nil
	}
	var r record
	if json.Unmarshal(data, &r) != nil || r.Version != version {
		return nil
	}
	if r.Lesson != nil && len(r.Weight) > 0 {
		r.Lesson.Adapter = &adapt.Adapter{Model: r.Model}
		if r.Lesson.Adapter.UnmarshalBinary(r.Weight) != nil {
			return nil
		}
	}
	return &r
}

// Study learns from the commits up to the one that is checked out, unless that was
// done. The commits of the week of that one do not count yet, so that a lesson is
// made again once a week at most. Whoever studies has the folder for itself.
func (b *Book) Study(ctx context.Context, s *store.Snapshot, model embedding.Model, repo *git.Repository, head string) error {
	old := b.current()
	if old != nil && old.Head == head && old.Model == model.Identity() {
		return nil
	}
	tip, err := repo.Log(ctx, head, git.LogOptions{Limit: 1})
	if err != nil || len(tip) == 0 {
		return err
	}
	before := week(tip[0].Time)
	newest, err := repo.Log(ctx, head, git.LogOptions{Limit: 1, Before: before})
	if err != nil || len(newest) == 0 {
		return err
	}
	r := &record{Version: version, Head: head, Model: model.Identity(), Newest: newest[0].ID}
	if old != nil && old.Model == r.Model && old.Newest == r.Newest {
		r.Lesson = old.Lesson
	} else if r.Lesson, err = lesson(ctx, s, model, repo, r.Newest); err != nil {
		return err
	}
	return b.write(r)
}

// week returns when the week of a time began, on a Monday in UTC.
func week(t time.Time) time.Time {
	t = t.UTC().Truncate(24 * time.Hour)
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

func lesson(ctx context.Context, s *store.Snapshot, model embedding.Model, repo *git.Repository, newest string) (*Lesson, error) {
	commits, err := repo.Changed(ctx, newest, git.LogOptions{Limit: maxCommits})
	if err != nil {
		return nil, err
	}
	return Learn(ctx, s, model, commits)
}

func (b *Book) write(r *record) (err error) {
	if r.Lesson != nil && r.Lesson.Adapter != nil {
		if r.Weight, err = r.Lesson.Adapter.MarshalBinary(); err != nil {
			return err
		}
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	dir, err := local.Open(b.folder)
	if err != nil {
		return err
	}
	return dir.Replace(fileName, data)
}
