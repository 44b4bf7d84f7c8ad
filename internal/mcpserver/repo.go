package mcpserver

import (
	"context"
	"errors"

	"espy/internal/code"
	"espy/internal/mcpserver/arguments"
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
	r, err := s.ws.Find(ctx, ref)
	var missing *workspace.NotFoundError
	if errors.As(err, &missing) {
		// The repository of the start folder is attached on first use, by any of its names.
		if start, startErr := s.startRepo(ctx); startErr == nil && (start.Name() == ref || start.Root() == ref) {
			return start, nil
		}
	}
	return r, arguments.MissingRepo(err)
}

// find returns the attached repository that an argument names.
func (s *Server) find(ctx context.Context, ref string) (*workspace.Repo, error) {
	r, err := s.ws.Find(ctx, ref)
	return r, arguments.MissingRepo(err)
}

// repos returns the repositories of a repo argument, which may mean all.
func (s *Server) repos(ctx context.Context, ref string) ([]*workspace.Repo, error) {
	if ref == allRepos {
		all, err := s.ws.Repos(ctx)
		if err != nil || len(all) > 0 {
			return all, err
		}
		ref = ""
	}
	r, err := s.repo(ctx, ref)
	if err != nil {
		return nil, err
	}
	return []*workspace.Repo{r}, nil
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

func (s *Server) startRepo(ctx context.Context) (*workspace.Repo, error) {
	r, err := s.ws.Attach(ctx, s.start, workspace.AttachOptions{})
	if err != nil {
		return nil, &usage.Error{
			Msg:  "the start folder cannot be used as a repository: " + err.Error(),
			Hint: `name one with repo, or attach one with index(path="/path/to/repository")`,
		}
	}
	return r, nil
}

// prepare begins to follow the files of the start folder where they are indexed:
// the first question then need not walk them. Nothing is attached or indexed anew.
func (s *Server) prepare() {
	if s.ws == nil || s.profile != nil {
		return
	}
	s.jobs.Go(func() {
		r, err := s.ws.Find(s.base, s.start)
		if err == nil {
			err = r.Prepare(s.base)
		}
		if err != nil {
			s.log.Debug("not prepared", "start", s.start, "err", err)
		}
	})
}

// owner returns the repository that an absolute path lies in, and the path
// relative to its root. It attaches only the repository of the start folder.
func (s *Server) owner(ctx context.Context, path string) (*workspace.Repo, string, error) {
	outside := &usage.Error{
		Msg:  "path " + path + " is outside the attached repositories",
		Hint: `paths are relative to the root of the repository; index(path="/path/to/repository") attaches another`,
	}
	if r, err := s.startRepo(ctx); err == nil {
		if rel, ok := code.Below(r.Root(), path); ok {
			return s.deepest(ctx, r, path, rel)
		}
	}
	r, err := s.ws.Find(ctx, path)
	var missing *workspace.NotFoundError
	if errors.As(err, &missing) {
		return nil, "", outside
	}
	if err != nil {
		return nil, "", err
	}
	rel, ok := code.Below(r.Root(), path)
	if !ok {
		return nil, "", outside
	}
	return r, rel, nil
}

// deepest prefers a repository attached inside r, if the path is in one.
func (s *Server) deepest(ctx context.Context, r *workspace.Repo, path, rel string) (*workspace.Repo, string, error) {
	if inner, err := s.ws.Find(ctx, path); err == nil {
		if innerRel, ok := code.Below(inner.Root(), path); ok {
			return inner, innerRel, nil
		}
	}
	return r, rel, nil
}
