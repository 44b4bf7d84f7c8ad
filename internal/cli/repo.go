package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/across"
	"espy/internal/catalog"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// allRepos is the --repo value that stands for every attached repository.
const allRepos = "all"

// repos resolves --repo values: names, UUIDs, paths or "all"; without any, the
// repository of the working directory, which is attached if it is new.
func (p *program) repos(ctx context.Context, w *workspace.Workspace, refs []string) ([]*workspace.Repo, error) {
	if len(refs) == 0 {
		r, err := p.here(ctx, w)
		return []*workspace.Repo{r}, err
	}
	if slices.Contains(refs, allRepos) {
		list, err := w.Repos(ctx)
		if err == nil && len(list) == 0 {
			err = &usage.Error{Msg: "no repository is attached", Hint: "espy index PATH adds one"}
		}
		return list, err
	}
	var list []*workspace.Repo
	for _, ref := range refs {
		some, err := across.List(ref, func(name string) (*workspace.Repo, error) { return p.repo(ctx, w, name) })
		if err != nil {
			return nil, err
		}
		for _, r := range some {
			if !slices.ContainsFunc(list, func(have *workspace.Repo) bool { return have.ID() == r.ID() && have.Ref() == r.Ref() }) {
				list = append(list, r)
			}
		}
	}
	return list, nil
}

// oneRepo is the one --repo value if it names one repository, else empty.
func oneRepo(refs []string) string {
	if len(refs) != 1 || refs[0] == allRepos {
		return ""
	}
	return refs[0]
}

// reposAt is repos at a branch, tag or commit; without one, as they are.
func (p *program) reposAt(ctx context.Context, w *workspace.Workspace, refs []string, at string) ([]*workspace.Repo, error) {
	list, err := p.repos(ctx, w, refs)
	for i := range list {
		if err != nil {
			return nil, err
		}
		list[i], err = list[i].At(ctx, at)
	}
	return list, err
}

// singleRepo returns the one repository that a command works on, at a branch, tag or
// commit.
func (p *program) singleRepo(ctx context.Context, w *workspace.Workspace, name, at string) (*workspace.Repo, error) {
	var refs []string
	if name != "" {
		refs = []string{name}
	}
	list, err := p.reposAt(ctx, w, refs, at)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, &usage.Error{Msg: "this command works on one repository", Hint: "name it with --repo; espy status lists them"}
	}
	return list[0], nil
}

// here returns the repository of the working directory: the nearest folder
// above it with a .git, else the one attached at or above it, else the working
// directory itself, which is attached for as long as questions are asked about it.
func (p *program) here(ctx context.Context, w *workspace.Workspace) (*workspace.Repo, error) {
	dir, err := p.workingDir()
	if err != nil {
		return nil, err
	}
	return p.around(ctx, w, dir)
}

// around returns the repository of a folder, as here does that of the working directory.
func (p *program) around(ctx context.Context, w *workspace.Workspace, dir string) (*workspace.Repo, error) {
	r, err := w.Find(ctx, dir)
	if err == nil && !gitBetween(dir, r.Root()) {
		return p.visited(w, r), nil
	}
	var missing *catalog.NotFoundError
	if err != nil && !errors.As(err, &missing) {
		return nil, err
	}
	return p.visit(ctx, w, dir)
}

// workingDir returns the working directory without symbolic links.
func (p *program) workingDir() (string, error) {
	dir, err := p.folder()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// folder returns the working directory as who asks names it.
func (p *program) folder() (string, error) {
	if p.dir != "" {
		return p.dir, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", &usage.Error{Msg: "the working directory is not there any more", Hint: "go to a folder that exists, or name a repository with --repo; espy status lists them"}
	}
	return dir, nil
}

// path returns a path as this process finds it: who asks may have another working
// directory.
func (p *program) path(name string) string {
	if p.dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.dir, name)
}

// open opens a file. Its errors name it as it was given.
func (p *program) open(name string) (*os.File, error) {
	f, err := os.Open(p.path(name))
	var about *fs.PathError
	if errors.As(err, &about) {
		about.Path = name
	}
	return f, err
}

// lookUp returns what workspace.Find does; a path may be relative to the working
// directory.
func (p *program) lookUp(ctx context.Context, w *workspace.Workspace, ref string) (*workspace.Repo, error) {
	dir, err := p.workingDir()
	if err != nil {
		return w.Find(ctx, ref)
	}
	return across.Find(ctx, w, dir, ref)
}

// gitBetween reports whether dir or a folder above it, but below root, has a .git.
func gitBetween(dir, root string) bool {
	for ; dir != root && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
	}
	return false
}

// repo resolves one --repo value. A folder that is not attached yet is attached.
func (p *program) repo(ctx context.Context, w *workspace.Workspace, ref string) (*workspace.Repo, error) {
	r, err := p.lookUp(ctx, w, ref)
	var missing *catalog.NotFoundError
	if err == nil || !errors.As(err, &missing) {
		return r, err
	}
	if info, statErr := os.Stat(p.path(ref)); statErr != nil || !info.IsDir() {
		return nil, missingRepo(err)
	}
	dir, err := filepath.Abs(p.path(ref))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("repository %s: %w", ref, err)
	}
	return p.around(ctx, w, dir)
}

// find returns the attached repository that a name, a UUID or a path means.
func (p *program) find(ctx context.Context, w *workspace.Workspace, ref string) (*workspace.Repo, error) {
	r, err := p.lookUp(ctx, w, ref)
	return r, missingRepo(err)
}

// missingRepo adds a hint to the error of a repository that is not attached, and says of
// an address that none can be cloned from what is wrong with it. Other errors are
// returned unchanged.
func missingRepo(err error) error {
	var missing *catalog.NotFoundError
	if !errors.As(err, &missing) {
		return err
	}
	e := &usage.Error{Msg: "no repository " + quote(missing.Ref), Hint: "espy status lists the repositories, espy index PATH adds one"}
	if catalog.IsURL(missing.Ref) {
		if _, bad := catalog.RemoteOf(missing.Ref); bad != nil {
			return bad
		}
		e.Hint = "espy index " + quote(missing.Ref) + " clones it and indexes it; espy status lists what there is"
		return e
	}
	if len(missing.Nearest) > 0 {
		e.Hint = "did you mean " + strings.Join(missing.Nearest, " or ") + "?"
	}
	return e
}

// attached resolves a command's optional REPO argument or --repo value to an
// attached repository; without one it is that of the working directory.
func (p *program) attached(ctx context.Context, w *workspace.Workspace, ref string) (*workspace.Repo, error) {
	if ref != "" {
		return p.find(ctx, w, ref)
	}
	dir, err := p.workingDir()
	if err != nil {
		return nil, err
	}
	return p.find(ctx, w, dir)
}
