// Package catalog knows which repositories are attached: their identity, name
// and root. Dir keeps them in a folder, package catalog/postgres in the database of
// a team.
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
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/git/clone"
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

// written is a Repo in JSON, which has no bytes that are not text. Where a path has such
// bytes they stand beside it.
type written struct {
	*plain
	RootBytes []byte `json:"root_bytes,omitempty"`
	GitBytes  []byte `json:"git_bytes,omitempty"`
}

type plain Repo

// MarshalJSON implements json.Marshaler.
func (r Repo) MarshalJSON() ([]byte, error) {
	return json.Marshal(written{(*plain)(&r), notText(r.Root), notText(r.Git)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Repo) UnmarshalJSON(b []byte) error {
	of := written{plain: (*plain)(r)}
	err := json.Unmarshal(b, &of)
	if of.RootBytes != nil {
		r.Root = string(of.RootBytes)
	}
	if of.GitBytes != nil {
		r.Git = string(of.GitBytes)
	}
	return err
}

// notText returns the bytes of a path that no JSON holds, nil of any other.
func notText(path string) []byte {
	if utf8.ValidString(path) && !strings.ContainsRune(path, 0) {
		return nil
	}
	return []byte(path)
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

// RemoteOf takes an address and the ref behind it apart.
func RemoteOf(address string) (Remote, error) {
	address, ref, _ := strings.Cut(address, "#")
	public, err := clone.PublicURL(address)
	return Remote{URL: strings.TrimRight(public, "/"), Ref: ref}, err
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

// Catalog is the attached repositories. It is safe for use by several goroutines and
// processes. What it does not hold is an error that wraps fs.ErrNotExist.
type Catalog interface {
	// List returns every repository, sorted by name.
	List() ([]Repo, error)

	// Has reports whether a repository is attached, as far as can be told.
	Has(id code.RepoID) bool

	// Folder is a repository's own. The parts of its index are in that of FamilyID.
	Folder(id code.RepoID) string

	// Attach returns the repository with r.Place, adding it where it is new, as
	// Settle says.
	Attach(ctx context.Context, r Repo) (Repo, error)

	// SetRemote replaces what is known of a repository on another machine.
	SetRemote(ctx context.Context, id code.RepoID, remote Remote) error

	// Remove forgets a repository and deletes what is kept of it, except what others
	// of its family need: their parts stay until the last of them is removed. The
	// views that it had in the family's folder are the caller's to drop. The work
	// tree is not touched.
	Remove(ctx context.Context, id code.RepoID) error
}

// Settle returns the record of a repository among those that are attached: that of
// the same place, or a new one. An empty name becomes the base name of the place,
// numbered where that is taken; a name that is given renames a repository attached
// before.
func Settle(r Repo, repos []Repo) (Repo, error) {
	if err := checkName(r, repos); err != nil {
		return Repo{}, err
	}
	for _, old := range repos {
		if old.Place() == r.Place() {
			old.Name = cmp.Or(r.Name, old.Name)
			return old, nil
		}
	}
	if r.Name == "" {
		r.Name = freeName(r.base(), repos)
	}
	r.ID = newID()
	r.Attached = time.Now().UTC()
	join(&r, repos)
	return r, nil
}

// Sort puts repositories into the order of List.
func Sort(repos []Repo) {
	slices.SortFunc(repos, func(a, b Repo) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Place(), b.Place()))
	})
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

// nameError says that a name cannot be given to a repository.
type nameError struct{ Name, Reason string }

func (e *nameError) Error() string { return fmt.Sprintf("repository name %q: %s", e.Name, e.Reason) }

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
