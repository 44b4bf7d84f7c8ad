package learned

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"espy/internal/embedding"
	"espy/internal/embedding/adapt"
	"espy/internal/git"
	"espy/internal/replace"
	"espy/internal/store"
	"espy/internal/store/blob/local"
)

// Book keeps what was learned of one repository, for all processes.
type Book struct {
	folder string

	mu     sync.Mutex
	read   fs.FileInfo // of the record when it was read; guarded by mu, as what follows
	record *record     // nil for none
}

// NewBook returns the book of a repository in a folder of its own, which is made
// when something is learned.
func NewBook(folder string) *Book { return &Book{folder: folder} }

const fileName = "lesson.json"

// maxSize bounds the record, in bytes: one of a model of 1,000 numbers has 5.4 MB.
const maxSize = 8 << 20

// version is that of the record and of how lessons are made. Older ones are learned
// again.
const version = 3

// record is a lesson as it is kept.
type record struct {
	Version int    `json:"version"`
	Head    string `json:"head"` // the commit checked out when it was learned
	Model   string `json:"model"`
	Newest  string `json:"newest"`        // the newest commit that counted
	Why     string `json:"why,omitempty"` // it could not be studied
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

// Studied reports whether what a commit and those before it teach a model was
// studied, or cannot be.
func (b *Book) Studied(model, head string) bool {
	r := b.current()
	return head == "" || r != nil && r.Model == model && r.Head == head
}

// current returns the record as it is on disk. One that cannot be read is as none:
// it is written anew with the next commit.
func (b *Book) current() *record {
	b.mu.Lock()
	defer b.mu.Unlock()
	info, err := os.Stat(filepath.Join(b.folder, fileName))
	if err != nil {
		b.read, b.record = nil, nil
		return nil
	}
	if b.read == nil || !info.ModTime().Equal(b.read.ModTime()) || info.Size() != b.read.Size() {
		b.read, b.record = info, nil
		if info.Size() <= maxSize {
			b.record = load(b.folder)
		}
	}
	return b.record
}

// Raw returns the book as it is kept, nil for an empty one.
func (b *Book) Raw() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(b.folder, fileName))
	if errors.Is(err, fs.ErrNotExist) || len(data) > maxSize {
		return nil, nil
	}
	return data, err
}

// Restore makes what Raw returned the book.
func (b *Book) Restore(raw []byte) error {
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return err
	}
	return replace.File(filepath.Join(b.folder, fileName), raw)
}

func load(folder string) *record {
	dir, err := local.Open(folder)
	if err != nil {
		return nil
	}
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

// History is where the commits of a repository are.
type History interface {
	Repository() (*git.Repository, error)
}

// Study learns from the commits up to the one that is checked out, unless that was
// done. The commits of the week of that one do not count yet, so that a lesson is
// made again once a week at most. What cannot be studied is not tried again for
// the same commit; the record says why. Whoever studies has the folder for itself.
func (b *Book) Study(ctx context.Context, s *store.Snapshot, model embedding.Model, from History) error {
	if b.Studied(model.Identity(), s.Freshness.Commit) {
		return nil
	}
	r := &record{Version: version, Head: s.Freshness.Commit, Model: model.Identity()}
	repo, err := from.Repository()
	if err == nil {
		err = b.fill(ctx, r, s, model, repo)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		r.Newest, r.Lesson, r.Why = "", nil, err.Error()
	}
	return b.write(r)
}

// fill learns, or takes what the same commits taught before.
func (b *Book) fill(ctx context.Context, r *record, s *store.Snapshot, model embedding.Model, repo *git.Repository) (err error) {
	if r.Newest, err = newest(ctx, repo, r.Head); err != nil || r.Newest == "" {
		return err
	}
	if old := b.current(); old != nil && old.Model == r.Model && old.Newest == r.Newest {
		r.Lesson = old.Lesson
		return nil
	}
	commits, err := changed(ctx, repo, r.Newest)
	if err == nil {
		r.Lesson, err = learn(ctx, s, model, commits)
	}
	return err
}

// Commits returns the commits up to one that Study learns from.
func Commits(ctx context.Context, repo *git.Repository, head string) ([]git.Changed, error) {
	newest, err := newest(ctx, repo, head)
	if err != nil || newest == "" {
		return nil, err
	}
	return changed(ctx, repo, newest)
}

// newest returns the newest commit that counts, "" for none.
func newest(ctx context.Context, repo *git.Repository, head string) (string, error) {
	tip, err := repo.Log(ctx, head, git.LogOptions{Limit: 1})
	if err != nil || len(tip) == 0 {
		return "", err
	}
	before, err := repo.Log(ctx, head, git.LogOptions{Limit: 1, Before: week(tip[0].Time)})
	if err != nil || len(before) == 0 {
		return "", err
	}
	return before[0].ID, nil
}

func changed(ctx context.Context, repo *git.Repository, newest string) ([]git.Changed, error) {
	return repo.Changed(ctx, newest, git.LogOptions{Limit: maxCommits})
}

// week returns when the week of a time began, on a Monday in UTC.
func week(t time.Time) time.Time {
	t = t.UTC().Truncate(24 * time.Hour)
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
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
