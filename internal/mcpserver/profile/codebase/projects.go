package codebase

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

	"github.com/gofrs/flock"
	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"espy/internal/code"
	"espy/internal/mcpserver/host"
	"espy/internal/pattern"
	"espy/internal/replace"
)

// projects are what repositories are grouped by in V2. They are kept in one file,
// projects.json, which processes replace under a lock. Those that no project has
// belong to the default one.
type projects struct {
	dir string

	// working has the project of the working directory by the session that set it; the
	// session "" is that of a transport without any. Those asked last are kept.
	working *lru.Cache[string, string]
}

// maxWorking is how many sessions have a working directory.
const maxWorking = 2_000

// project is a group of repositories.
type project struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Database string        `json:"database_name"`
	Repos    []code.RepoID `json:"repositories,omitempty"`
}

// defaultProject is the project of what no other has.
var defaultProject = project{ID: "default", Name: "default", Database: "cb_proj_default_00000000"}

func newProjects(dataDir string) *projects {
	working, err := lru.New[string, string](maxWorking)
	if err != nil {
		panic(err) // the size is above 0
	}
	return &projects{dir: filepath.Join(dataDir, "codebase-mcp"), working: working}
}

func (p *projects) file() string { return filepath.Join(p.dir, "projects.json") }

// list returns the projects beside the default one.
func (p *projects) list() (list []project, err error) {
	text, err := os.ReadFile(p.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("read the projects: %w", err)
	}
	return list, nil
}

// change replaces the projects by what f makes of them.
func (p *projects) change(f func([]project) []project) error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return fmt.Errorf("write the projects: %w", err)
	}
	lock := flock.New(p.file()+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("write the projects: %w", err)
	}
	defer lock.Close()
	list, err := p.list()
	if err != nil {
		return err
	}
	return replaceJSON(p.file(), f(list))
}

// replaceJSON writes a value as JSON in the place of a file, as a whole.
func replaceJSON(file string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return replace.File(file, text)
}

var projectForm = pattern.New(`\A[a-z0-9]+(-[a-z0-9]+)*\z`)

const maxProject = 50 // characters

// resolve returns the project of the argument project_id, else that of the working
// directory, else the default one.
func (p *projects) resolve(ctx context.Context, a *arguments) (*project, error) {
	id := a.text("project_id")
	if a.has("project_id") && (len(id) > maxProject || !projectForm().MatchString(id)) {
		a.fail("Invalid project_id format: %s", id)
	}
	if a.err != nil {
		return nil, a.err
	}
	if id == "" {
		id, _ = p.working.Get(host.SessionOf(ctx))
	}
	if id == "" || id == defaultProject.ID {
		return &defaultProject, nil
	}
	list, err := p.list()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(o project) bool { return o.ID == id || o.Name == id })
	if i < 0 {
		sentence := fmt.Sprintf("Project '%s' not found in registry", id)
		return nil, newError(codeOwn, "Project not found", sentence+": set_working_directory registers the project of a .codebase-mcp/config.json")
	}
	return &list[i], nil
}

// holds returns what reports whether a repository is in a project.
func (p *projects) holds(of *project) (func(code.RepoID) bool, error) {
	list, err := p.list()
	if err != nil {
		return nil, err
	}
	return func(id code.RepoID) bool {
		i := slices.IndexFunc(list, func(o project) bool { return slices.Contains(o.Repos, id) })
		return i < 0 && of.ID == defaultProject.ID || i >= 0 && list[i].ID == of.ID
	}, nil
}

// put makes a repository one of a project.
func (p *projects) put(of *project, id code.RepoID) error {
	return p.change(func(list []project) []project {
		for i := range list {
			o := &list[i]
			o.Repos = slices.DeleteFunc(o.Repos, func(r code.RepoID) bool { return r == id })
			if o.ID == of.ID {
				o.Repos = append(o.Repos, id)
			}
		}
		return list
	})
}

// register adds a project, or returns the one of its id or name.
func (p *projects) register(id, name string) (*project, error) {
	var out project
	err := p.change(func(list []project) []project {
		i := slices.IndexFunc(list, func(o project) bool { return id != "" && o.ID == id || id == "" && o.Name == name })
		if i >= 0 {
			list[i].Name = name
			out = list[i]
			return list
		}
		if id == "" {
			id = uuid.NewString()
		}
		out = project{ID: id, Name: name, Database: databaseName(id, name)}
		return append(list, out)
	})
	if err != nil {
		return nil, err
	}
	return &out, nil
}

// databaseName is the name that the original gives the database of a project.
func databaseName(id, name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	return fmt.Sprintf("cb_proj_%.30s_%.8s", clean, strings.ReplaceAll(id, "-", ""))
}
