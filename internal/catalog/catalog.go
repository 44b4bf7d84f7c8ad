// Package catalog knows which repositories are attached: their identity, name
// and root, one repo.json in each family's folder, replaced as a whole.
package catalog

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/store/blob/local"
)

// Repo is an attached repository.
type Repo struct {
	ID       code.RepoID     `json:"id"`
	Name     string          `json:"name"`
	Root     string          `json:"root"` // absolute, without symbolic links
	Attached time.Time       `json:"attached"`
	Policy   discover.Policy `json:"policy"`
}

// Catalog is the attached repositories below one folder. It is safe for use
// by several goroutines and processes.
type Catalog struct{ dir *local.Dir }

const record = "repo.json"

// Open returns the catalog kept in a folder, which is made where it is missing.
func Open(path string) (*Catalog, error) {
	dir, err := local.Open(path)
	if err != nil {
		return nil, err
	}
	return &Catalog{dir: dir}, nil
}

// Folder is where the family of a repository is kept.
func (c *Catalog) Folder(id code.RepoID) string { return filepath.Join(c.dir.Path(), string(id)) }

// List returns every repository, sorted by name.
func (c *Catalog) List() ([]Repo, error) {
	entries, err := os.ReadDir(c.dir.Path())
	if err != nil {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	var repos []Repo
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		r, err := c.read(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // being attached or removed at this moment
		}
		if err != nil {
			return nil, err
		}
		repos = append(repos, r)
	}
	slices.SortFunc(repos, func(a, b Repo) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Root, b.Root))
	})
	return repos, nil
}

func (c *Catalog) read(folder string) (Repo, error) {
	path := filepath.Join(c.dir.Path(), folder, record)
	b, err := os.ReadFile(path)
	if err != nil {
		return Repo{}, fmt.Errorf("read repository record: %w", err)
	}
	var r Repo
	if err := json.Unmarshal(b, &r); err != nil {
		return Repo{}, fmt.Errorf("read repository record %s: %w (remove the folder it is in to forget the repository)", path, err)
	}
	if string(r.ID) != folder {
		return Repo{}, fmt.Errorf("read repository record %s: it names repository %q (remove the folder it is in to forget it)", path, r.ID)
	}
	return r, nil
}

// NameError says that a name cannot be given to a repository.
type NameError struct{ Name, Reason string }

func (e *NameError) Error() string { return fmt.Sprintf("repository name %q: %s", e.Name, e.Reason) }

// Attach returns the repository with r.Root, adding it where it is new. An
// empty name becomes the base name of the root, numbered where that is taken;
// a name that is given renames a repository attached before.
func (c *Catalog) Attach(ctx context.Context, r Repo) (Repo, error) {
	unlock, err := c.dir.Lock(ctx)
	if err != nil {
		return Repo{}, err
	}
	defer unlock()
	repos, err := c.List()
	if err != nil {
		return Repo{}, err
	}
	if err := checkName(r, repos); err != nil {
		return Repo{}, err
	}
	for _, old := range repos {
		if old.Root == r.Root {
			return c.update(old, r)
		}
	}
	if r.Name == "" {
		r.Name = freeName(filepath.Base(r.Root), repos)
	}
	r.ID = newID()
	r.Attached = time.Now().UTC()
	return r, c.write(r)
}

func (c *Catalog) update(old, r Repo) (Repo, error) {
	if r.Name == "" || r.Name == old.Name {
		return old, nil
	}
	old.Name = r.Name
	return old, c.write(old)
}

func checkName(r Repo, repos []Repo) error {
	if r.Name == "" {
		return nil
	}
	if strings.ContainsAny(r.Name, "/\\\x00\n\r\t ") || strings.HasPrefix(r.Name, "-") || strings.HasPrefix(r.Name, ".") || len(r.Name) > 100 || r.Name == "all" {
		return &NameError{r.Name, "use up to 100 letters, digits, '.', '_' and '-', not beginning with '.' or '-', and not 'all'"}
	}
	for _, o := range repos {
		if o.Name == r.Name && o.Root != r.Root {
			return &NameError{r.Name, "is taken by " + o.Root + "; choose another or remove that one"}
		}
	}
	return nil
}

// freeName makes a name of a folder's that no repository has.
func freeName(base string, repos []Repo) string {
	base = strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' || r == '\\' || r == 0x7f || r == 0xfffd {
			return '_'
		}
		return r
	}, base)
	base = strings.TrimLeft(base, ".-")
	if len(base) > 90 {
		base = strings.ToValidUTF8(base[:90], "")
	}
	if base == "" || base == "all" {
		base = "repo"
	}
	name := base
	for n := 2; slices.ContainsFunc(repos, func(r Repo) bool { return r.Name == name }); n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name
}

func newID() code.RepoID {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return code.RepoID(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}

func (c *Catalog) write(r Repo) error {
	dir, err := local.Open(c.Folder(r.ID))
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return fmt.Errorf("encode repository record: %w", err)
	}
	return dir.Replace(record, append(b, '\n'))
}

// Remove forgets a repository and deletes its index. The work tree is not touched.
func (c *Catalog) Remove(ctx context.Context, id code.RepoID) error {
	unlock, err := c.dir.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.Remove(filepath.Join(c.Folder(id), record)); err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	if err := os.RemoveAll(c.Folder(id)); err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	return nil
}
