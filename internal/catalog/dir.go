package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"espy/internal/code"
	"espy/internal/store/blob/local"
)

// Dir is the catalog below one folder: one repo.json in each repository's folder,
// replaced as a whole. What it says cannot be found out again, so repo.copy.json
// holds it a second time: one of them may be damaged or missing. It implements Catalog.
type Dir struct {
	dir   *local.Dir
	known memory
}

const (
	record = "repo.json"
	second = "repo.copy.json"
)

// Open returns the catalog kept in a folder, which is made where it is missing.
func Open(path string) (*Dir, error) {
	dir, err := local.Open(path)
	if err != nil {
		return nil, err
	}
	return &Dir{dir: dir}, nil
}

// Folder implements Catalog.
func (c *Dir) Folder(id code.RepoID) string { return filepath.Join(c.dir.Path(), string(id)) }

// List implements Catalog. A folder whose records are both missing or damaged is none.
func (c *Dir) List() ([]Repo, error) {
	repos, _, err := c.scan()
	return repos, err
}

// scan returns the repositories, and the folders that hold none: one being
// attached or removed at this moment, or left by a process that was killed
// while it did that, or without a record to be read.
func (c *Dir) scan() (repos []Repo, empty []string, err error) {
	entries, err := os.ReadDir(c.dir.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // removed, with all that was attached
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list repositories: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() || !isID(e.Name()) {
			continue
		}
		r, err := c.read(e.Name())
		switch {
		case err == nil:
			repos = append(repos, r)
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, local.ErrDamaged):
			empty = append(empty, e.Name())
		default:
			return nil, nil, err
		}
	}
	empty = slices.DeleteFunc(empty, func(folder string) bool { return len(family(repos, code.RepoID(folder))) > 0 })
	Sort(repos)
	return repos, empty, nil
}

// read returns the repository of a folder from the first record that is whole.
func (c *Dir) read(folder string) (Repo, error) {
	r, err := c.readRecord(folder, record)
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, local.ErrDamaged) {
		return r, err
	}
	if r, copyErr := c.readRecord(folder, second); copyErr == nil {
		return r, nil
	}
	return Repo{}, err
}

func (c *Dir) readRecord(folder, name string) (r Repo, err error) {
	path := filepath.Join(folder, name)
	at := time.Now()
	file, err := c.dir.Stat(path)
	if err != nil {
		return r, fmt.Errorf("read repository record: %w", err)
	}
	if known, ok := c.known.recall(path, file); ok {
		return known, nil
	}
	b, err := c.dir.Record(path)
	if err != nil {
		return r, fmt.Errorf("read repository record: %w", err)
	}
	if err := json.Unmarshal(b, &r); err != nil || string(r.ID) != folder || r.Family != "" && !isID(string(r.Family)) {
		return r, fmt.Errorf("read repository record %s: %w", path, errors.Join(local.ErrDamaged, err))
	}
	c.known.keep(path, file, at, r)
	return r, nil
}

// Attach implements Catalog. A folder that was removed since Open is made again.
func (c *Dir) Attach(ctx context.Context, r Repo) (Repo, error) {
	if old, ok := c.attached(r); ok {
		return old, nil
	}
	if _, err := local.Open(c.dir.Path()); err != nil {
		return Repo{}, err
	}
	unlock, err := c.dir.LockSoon(ctx)
	if err != nil {
		return Repo{}, err
	}
	defer unlock()
	repos, empty, err := c.scan()
	if err != nil {
		return Repo{}, err
	}
	rec, err := Settle(r, repos)
	if err != nil {
		return Repo{}, err
	}
	if err := c.clean(empty); err != nil {
		return Repo{}, err
	}
	if slices.ContainsFunc(repos, func(o Repo) bool { return o.ID == rec.ID && o.Name == rec.Name }) && c.whole(rec.ID) {
		return rec, nil
	}
	return rec, c.write(rec)
}

// attached returns a repository that is just as it is asked for.
func (c *Dir) attached(r Repo) (Repo, bool) {
	repos, err := c.List()
	if err != nil {
		return Repo{}, false
	}
	i := slices.IndexFunc(repos, func(o Repo) bool { return o.Place() == r.Place() && (r.Name == "" || r.Name == o.Name) })
	if i < 0 || !c.whole(repos[i].ID) {
		return Repo{}, false
	}
	return repos[i], true
}

// Has implements Catalog.
func (c *Dir) Has(id code.RepoID) bool {
	_, err := c.read(string(id))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// whole reports whether both records of a repository can be read and agree.
func (c *Dir) whole(id code.RepoID) bool {
	one, err := c.readRecord(string(id), record)
	two, copyErr := c.readRecord(string(id), second)
	return err == nil && copyErr == nil && one.Name == two.Name
}

// clean removes what killed processes left. The caller holds the lock, so
// that no one else attaches or removes. A folder that a job of what was removed
// still writes to is left for another time.
func (c *Dir) clean(empty []string) error {
	err := c.dir.Clean()
	for _, folder := range empty {
		if e := os.RemoveAll(filepath.Join(c.dir.Path(), folder)); !errors.Is(e, syscall.ENOTEMPTY) {
			err = errors.Join(err, e)
		}
	}
	if err != nil {
		return fmt.Errorf("clean the index folder: %w", err)
	}
	return nil
}

// family returns the repositories whose parts are in the folder of id.
func family(repos []Repo, id code.RepoID) (members []Repo) {
	for _, r := range repos {
		if r.FamilyID() == id {
			members = append(members, r)
		}
	}
	return members
}

// isID reports whether a folder's name is one that newID makes.
func isID(name string) bool {
	return len(name) == 36 && strings.Trim(name, "0123456789abcdef-") == ""
}

// write records a repository. Temporary files are made in the catalog's folder,
// which only the holder of the lock cleans.
func (c *Dir) write(r Repo) error {
	if err := os.MkdirAll(c.Folder(r.ID), 0o700); err != nil {
		return fmt.Errorf("add repository: %w", err)
	}
	b, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return fmt.Errorf("encode repository record: %w", err)
	}
	for _, name := range []string{record, second} {
		if err := c.dir.Replace(filepath.Join(string(r.ID), name), b); err != nil {
			return err
		}
	}
	return nil
}

// SetRemote implements Catalog.
func (c *Dir) SetRemote(ctx context.Context, id code.RepoID, remote Remote) error {
	unlock, err := c.dir.LockSoon(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	r, err := c.read(string(id))
	if err != nil {
		return err
	}
	r.Remote = &remote
	return c.write(r)
}

// Remove implements Catalog. What others of the family need in the folder stays.
func (c *Dir) Remove(ctx context.Context, id code.RepoID) error {
	unlock, err := c.dir.LockSoon(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	r, err := c.read(string(id))
	if err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	for _, name := range []string{second, record} { // until the last is gone the repository is attached
		if err := c.dir.Remove(filepath.Join(string(id), name)); err != nil {
			return fmt.Errorf("remove repository: %w", err)
		}
	}
	repos, _, err := c.scan()
	if err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	for _, folder := range slices.Compact([]code.RepoID{id, r.FamilyID()}) {
		if len(family(repos, folder)) > 0 {
			continue
		}
		if err := os.RemoveAll(c.Folder(folder)); err != nil {
			return fmt.Errorf("remove repository: %w", err)
		}
	}
	return nil
}
