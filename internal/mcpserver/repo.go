package mcpserver

import (
	"context"
	"errors"

	"espy/internal/across"
	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/mcpserver/ahead"
	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/host"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// allRepos is the repo argument that means every attached repository.
const allRepos = "all"

// repo returns the repository that an argument names; without one, that of
// the folder the server was started in, attached when it is new.
func (s *Server) repo(ctx context.Context, ref string) (*workspace.Repo, error) {
	if ref == "" {
		return s.startRepo(ctx)
	}
	r, err := across.Find(ctx, s.ws, s.start, ref)
	if errors.As(err, new(*catalog.NotFoundError)) {
		// The repository of the start folder is attached on first use, by any of its names.
		if start, startErr := s.startRepo(ctx); startErr == nil && (start.Name() == ref || start.Root() == ref) {
			return start, nil
		}
	}
	return r, arguments.MissingRepo(err)
}

// find returns the attached repository that an argument names.
func (s *Server) find(ctx context.Context, ref string) (*workspace.Repo, error) {
	r, err := across.Find(ctx, s.ws, s.start, ref)
	return r, arguments.MissingRepo(err)
}

// repos returns the repositories of a repo argument, which may mean all or list several
// with commas.
func (s *Server) repos(ctx context.Context, ref string) ([]*workspace.Repo, error) {
	if ref == allRepos {
		all, err := s.ws.Repos(ctx)
		if err != nil || len(all) > 0 {
			return all, err
		}
		ref = ""
	}
	return across.List(ref, func(name string) (*workspace.Repo, error) { return s.repo(ctx, name) })
}

// oneRepo is a repo argument that names one repository, else empty.
func oneRepo(ref string) string {
	if ref == allRepos {
		return ""
	}
	return ref
}

// repoAt is repo at a branch, tag or commit; without one, as it is.
func (s *Server) repoAt(ctx context.Context, repo, ref string) (*workspace.Repo, error) {
	r, err := s.repo(ctx, repo)
	if err != nil {
		return nil, err
	}
	return r.At(ctx, ref)
}

// reposAt is repos at a branch, tag or commit; without one, as they are.
func (s *Server) reposAt(ctx context.Context, repo, ref string) ([]*workspace.Repo, error) {
	list, err := s.repos(ctx, repo)
	for i := range list {
		if err != nil {
			return nil, err
		}
		list[i], err = list[i].At(ctx, ref)
	}
	return list, err
}

// startRepo returns the repository of the start folder, attached when it is new.
// Where that folder cannot be one, such as the home folder, it is the first folder
// of the client that can.
func (s *Server) startRepo(ctx context.Context) (*workspace.Repo, error) {
	r, err := s.ws.Attach(ctx, s.start, workspace.AttachOptions{})
	if err == nil {
		return r, nil
	}
	roots, asked := host.RootsOf(ctx)
	if asked != nil {
		return nil, asked
	}
	for _, root := range roots {
		if r, err := s.ws.Attach(ctx, root, workspace.AttachOptions{}); err == nil {
			return r, nil
		}
	}
	return nil, &usage.Error{
		Msg:  "the start folder cannot be used as a repository: " + err.Error(),
		Hint: `name one with repo, or attach one with index(path="/path/to/repository")`,
	}
}

// prepare begins to follow the files of the start folder where they are indexed, and
// works out what first questions take long for. Nothing is attached or indexed anew.
func (s *Server) prepare(ctx context.Context) error {
	r, err := s.ws.Find(ctx, s.start)
	if err != nil {
		return err
	}
	return ahead.Prepare(ctx, r)
}

// owner returns the repository that an absolute path lies in, nil if it is in
// none. It attaches only the repository of the start folder.
func (s *Server) owner(ctx context.Context, path string) *workspace.Repo {
	r, err := s.ws.Find(ctx, path)
	if err == nil {
		return r
	}
	if start, err := s.startRepo(ctx); err == nil {
		if _, ok := code.Below(start.Root(), path); ok {
			return start
		}
	}
	return nil
}
