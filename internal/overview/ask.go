package overview

import (
	"context"
	"path"
	"slices"
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
	var at *head
	var looking sync.WaitGroup
	looking.Go(func() { at = headOf(ctx, r) })
	in, err = r.Explore(ctx, w, func(ctx context.Context, _ *store.Snapshot, x *nav.Index) error {
		return x.Run(func(ask *locate.Ask) error {
			files := ask.Corpus.Under(req.Path)
			if _, one := ask.Corpus.Find(req.Path); one && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "is a file", Hint: "give a folder; the outline shows a file"}
			}
			if len(files) == 0 && req.Path != "" {
				return &usage.Error{Arg: "path", Value: req.Path, Msg: "not in the index", Hint: ask.NearestPath(req.Path)}
			}
			looking.Wait()
			a, err = keptOf(ask).answer(ctx, request{req, r.Name(), at.commit, at.depth}, func() (*Answer, bool, error) {
				a := &Answer{Request: req, Pending: x.Pending()}
				past := begun(func() *past { return at.read(ctx, req.Path) })
				err := (&surveyor{Answer: a, repo: r.Name(), ask: ask, files: files, past: past}).survey()
				return a, past().whole && !a.IsPartial(), err
			})
			return err
		})
	})
	looking.Wait()
	if err != nil {
		return nil, in, err
	}
	answer := *a // which other questions are answered with, too
	answer.In = in
	return &answer, in, nil
}

// begun begins work, and returns what waits for its result.
func begun(work func() *past) func() *past {
	done := make(chan *past, 1)
	go func() { done <- work() }()
	return sync.OnceValue(func() *past { return <-done })
}

// survey works out the parts of the answer. Once the time is over, those that take
// long are left out and named.
func (s *surveyor) survey() error {
	if err := s.quote(); err != nil {
		return err
	}
	s.count()
	if !s.late(PartBuilds) {
		s.builds()
	}
	if !s.late(PartEntries) {
		s.entries()
	}
	s.areas()
	if !s.late(PartUsed) {
		s.used()
	}
	if !s.late(PartSymbols) {
		s.symbols()
	}
	if !s.late(PartCycles) {
		s.cycles()
	}
	s.change()
	return nil
}

// atOnce is how many files or imports are looked at between two looks at the time.
const atOnce = 1 << 10

// late reports whether the time is over, and if so notes that a part is missing.
func (s *surveyor) late(part Part) bool {
	if !s.ask.Late() {
		return false
	}
	s.lacks(part)
	return true
}

// lacks notes that a part is missing, or not whole.
func (s *surveyor) lacks(part Part) {
	if !slices.Contains(s.Missing, part) {
		s.Missing = append(s.Missing, part)
	}
}
