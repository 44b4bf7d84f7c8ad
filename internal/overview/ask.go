package overview

import (
	"context"
	"path"
	"sync"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Ask answers a request about a repository as it is now.
func Ask(ctx context.Context, r *workspace.Repo, req Request, w workspace.Wait) (a *Answer, in hit.Searched, err error) {
	req.Path = path.Clean(place.FromRoot(req.Path))
	if req.Path == "." || req.Path == "/" {
		req.Path = ""
	}
	if err := locate.CheckLimits(req.Limit, 0); err != nil {
		return nil, in, err
	}
	var past *past
	var reading sync.WaitGroup
	reading.Go(func() { past = readPast(ctx, r, req.Path) })
	in, err = r.Explore(ctx, w, func(ctx context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) error {
			files := ask.Corpus.Under(req.Path)
			if _, one := ask.Corpus.Find(req.Path); one && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "is a file", Hint: "give a folder; the outline shows a file"}
			}
			if len(files) == 0 && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "not in the index", Hint: ask.NearestPath(req.Path)}
			}
			a = &Answer{Request: req, Pending: x.Pending()}
			reading.Wait()
			return (&surveyor{Answer: a, ask: ask, files: files, past: past}).survey()
		})
	})
	reading.Wait()
	if err != nil {
		return nil, in, err
	}
	a.In = in
	return a, in, nil
}

func (s *surveyor) survey() error {
	if err := s.quote(); err != nil {
		return err
	}
	s.count()
	s.builds()
	s.entries()
	s.modules()
	return s.change()
}
