// Package catalog knows which repositories are attached: their identity, name
// and root, one repo.json in each repository's folder, replaced as a whole. What
// it says cannot be found out again, so repo.copy.json holds it a second time:
// one of them may be damaged or missing.
//
// Work trees of one git repository are a family: the folder of the one that was
// attached first keeps the parts of the index for all of them, and stays until
// the last is removed. Each has a view of its own there.
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
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/store/blob/local"
)

// Repo is an attached repository.
type Repo struct {
	ID       code.RepoID     `json:"id"`
	Name     string          `json:"name"`
	Root     string          `json:"root"` // absolute, without symbolic links
	Attached time.Time       `json:"attached"`
	Policy   discover.Policy `json:"policy"`

	Git    string      `json:"git,omitempty"`    // git folder that its family shares, absolute, without symbolic links; "" outside git
	Family code.RepoID `json:"family,omitempty"` // whose folder the parts of its index are in; "" is its own

	Remote *Remote `json:"remote,omitempty"` // of a repository on another machine, which has no root

	Package *Package `json:"package,omitempty"` // of one that is a package of others, whose name is its own and not unique
}

// Package says what a package of others is in its root.
type Package struct {
	Only  []string `json:"only,omitempty"`  // its files and folders in the root, with slashes; none for all
	Fixed bool     `json:"fixed,omitempty"` // they never change
}

// Remote says where a repository on another machine is, and what was received
// of it last.
type Remote struct {
	URL       string    `json:"url"`                // without user of https and password
	Ref       string    `json:"ref,omitempty"`      // branch, tag or commit that is wanted; "" for the branch that the machine has checked out
	Commit    string    `json:"commit,omitempty"`   // received last; empty before the first time
	Committed time.Time `json:"committed,omitzero"` // of Commit, UTC
	Fetched   time.Time `json:"fetched,omitzero"`   // when the remote was asked last and answered, UTC
	Failed    string    `json:"failed,omitempty"`   // why it could not be asked since; empty where it was not tried
	FailedAt  time.Time `json:"failed_at,omitzero"` // UTC
}

// Place is what a repository is of: the root of its files, with # and the name
// of a package; or the URL of one on another machine, with # and the ref where one
// is wanted. No two have the same.
func (r Repo) Place() string {
	switch {
	case r.Package != nil:
		return r.Root + "#" + r.Name
	case r.Remote == nil:
		return r.Root
	case r.Remote.Ref != "":
		return r.Remote.URL + "#" + r.Remote.Ref
	}
	return r.Remote.URL
}

// FamilyID returns whose folder the parts of the repository's index are in.
func (r Repo) FamilyID() code.RepoID { return cmp.Or(r.Family, r.ID) }

// View returns the name of the repository's view in the folder of another, and
// "" in its own.
func (r Repo) View() string {
	if r.FamilyID() == r.ID {
		return ""
	}
	return "tree." + string(r.ID)
}

// base is the name that a repository has from its place.
func (r Repo) base() string {
	if r.Remote == nil {
		return filepath.Base(r.Root)
	}
	name := strings.TrimSuffix(path.Base(r.Remote.URL), ".git")
	if r.Remote.Ref != "" {
		name += "-" + r.Remote.Ref
	}
	return name
}

// Catalog is the attached repositories below one folder. It is safe for use
// by several goroutines and processes.
type Catalog struct{ dir *local.Dir }

const (
	record = "repo.json"
	second = "repo.copy.json"
)

// Open returns the catalog kept in a folder, which is made where it is missing.
func Open(path string) (*Catalog, error) {
	dir, err := local.Open(path)
	if err != nil {
		return nil, err
	}
	return &Catalog{dir: dir}, nil
}

// Folder is a repository's own. The parts of its index are in that of FamilyID.
func (c *Catalog) Folder(id code.RepoID) string { return filepath.Join(c.dir.Path(), string(id)) }

// List returns every repository, sorted by name. A folder whose records are
// both missing or damaged is none.
func (c *Catalog) List() ([]Repo, error) {
	repos, _, err := c.scan()
	return repos, err
}

// scan returns the repositories, and the folders that hold none: one being
// attached or removed at this moment, or left by a process that was killed
// while it did that, or without a record to be read.
func (c *Catalog) scan() (repos []Repo, empty []string, err error) {
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
	slices.SortFunc(repos, func(a, b Repo) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place(), b.Place()))
	})
	return repos, empty, nil
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

// join makes a new repository one of the family of a work tree of the same git
// repository, where one is attached.
func join(r *Repo, repos []Repo) {
	if r.Git == "" {
		return
	}
	i := slices.IndexFunc(repos, func(o Repo) bool { return o.sharedFolder() == r.Git })
	if i >= 0 {
		r.Family = repos[i].FamilyID()
	}
}

// sharedFolder is r.Git, also of a record that older programs wrote, or that
// was written before the root became a work tree of git.
func (r Repo) sharedFolder() string {
	if r.Git != "" {
		return r.Git
	}
	if r.Root == "" {
		return ""
	}
	dir, err := git.Common(r.Root)
	if err != nil {
		return ""
	}
	return dir
}

// read returns the repository of a folder from the first record that is whole.
func (c *Catalog) read(folder string) (Repo, error) {
	r, err := c.readRecord(folder, record)
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, local.ErrDamaged) {
		return r, err
	}
	if r, copyErr := c.readRecord(folder, second); copyErr == nil {
		return r, nil
	}
	return Repo{}, err
}

func (c *Catalog) readRecord(folder, name string) (r Repo, err error) {
	path := filepath.Join(folder, name)
	b, err := c.dir.Record(path)
	if err != nil {
		return r, fmt.Errorf("read repository record: %w", err)
	}
	if err := json.Unmarshal(b, &r); err != nil || string(r.ID) != folder || r.Family != "" && !isID(string(r.Family)) {
		return r, fmt.Errorf("read repository record %s: %w", path, errors.Join(local.ErrDamaged, err))
	}
	return r, nil
}

// nameError says that a name cannot be given to a repository.
type nameError struct{ Name, Reason string }

func (e *nameError) Error() string { return fmt.Sprintf("repository name %q: %s", e.Name, e.Reason) }

// Attach returns the repository with r.Place, adding it where it is new. An
// empty name becomes the base name of the place, numbered where that is taken;
// a name that is given renames a repository attached before. A folder that was
// removed since Open is made again.
func (c *Catalog) Attach(ctx context.Context, r Repo) (Repo, error) {
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
	if err := checkName(r, repos); err != nil {
		return Repo{}, err
	}
	if err := c.clean(empty); err != nil {
		return Repo{}, err
	}
	for _, old := range repos {
		if old.Place() == r.Place() {
			return c.update(old, r)
		}
	}
	if r.Name == "" {
		r.Name = freeName(r.base(), repos)
	}
	r.ID = newID()
	r.Attached = time.Now().UTC()
	join(&r, repos)
	return r, c.write(r)
}

// attached returns a repository that is just as it is asked for.
func (c *Catalog) attached(r Repo) (Repo, bool) {
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

// Has reports whether a repository is attached, as far as can be told.
func (c *Catalog) Has(id code.RepoID) bool {
	_, err := c.read(string(id))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// whole reports whether both records of a repository can be read and agree.
func (c *Catalog) whole(id code.RepoID) bool {
	one, err := c.readRecord(string(id), record)
	two, copyErr := c.readRecord(string(id), second)
	return err == nil && copyErr == nil && one.Name == two.Name
}

// clean removes what killed processes left. The caller holds the lock, so
// that no one else attaches or removes. A folder that a job of what was removed
// still writes to is left for another time.
func (c *Catalog) clean(empty []string) error {
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

// update renames a repository, and writes its records anew where they differ.
func (c *Catalog) update(old, r Repo) (Repo, error) {
	if c.whole(old.ID) && (r.Name == "" || r.Name == old.Name) {
		return old, nil
	}
	old.Name = cmp.Or(r.Name, old.Name)
	return old, c.write(old)
}

func checkName(r Repo, repos []Repo) error {
	if r.Name == "" || r.Package != nil {
		return nil
	}
	if strings.ContainsAny(r.Name, "/\\\x00\n\r\t ") || strings.HasPrefix(r.Name, "-") || strings.HasPrefix(r.Name, ".") || len(r.Name) > 100 || r.Name == "all" {
		return &nameError{r.Name, "use up to 100 letters, digits, '.', '_' and '-', not beginning with '.' or '-', and not 'all'"}
	}
	for _, o := range repos {
		if o.Name == r.Name && o.Place() != r.Place() {
			return &nameError{r.Name, "is taken by " + o.Place() + "; choose another or remove that one"}
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
	if strings.Trim(base, "_") == "" || base == "all" {
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

// isID reports whether a folder's name is one that newID makes.
func isID(name string) bool {
	return len(name) == 36 && strings.Trim(name, "0123456789abcdef-") == ""
}

// write records a repository. Temporary files are made in the catalog's folder,
// which only the holder of the lock cleans.
func (c *Catalog) write(r Repo) error {
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

// SetRemote replaces what is known of a repository on another machine.
func (c *Catalog) SetRemote(ctx context.Context, id code.RepoID, remote Remote) error {
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

// Remove forgets a repository and deletes its folder, except what others of its
// family need: their parts stay until the last of them is removed. The views that
// it had in the family's folder are the caller's to drop. The work tree is not touched.
func (c *Catalog) Remove(ctx context.Context, id code.RepoID) error {
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
