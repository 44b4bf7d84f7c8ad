// Package team brings what the programs of a team share to the repositories of one of
// them: who answers takes each view from the place where it is published, who indexes
// publishes there.
package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/parallel"
	"espy/internal/store/blob"
	"espy/internal/store/blob/local"
	"espy/internal/store/changelog"
	"espy/internal/store/manifest"
	"espy/internal/store/replica"
	"espy/internal/usage"
)

// Shared is what the programs of a team share.
type Shared struct {
	Catalog catalog.Catalog
	News    News
	Build   bool    // this program brings repositories up to date and publishes them; else it answers from what is published
	Stays   bool    // this program answers many questions
	Cache   *Cache  // of the parts on this machine; nil keeps all
	Vectors Vectors // of what is published, in the database; nil for none
	Log     *slog.Logger
}

// News says what is published.
type News interface {
	// Place returns the files of a family.
	Place(family code.RepoID) blob.Place

	// Edition returns the newest edition of a view, 0 for none. Where that cannot be
	// asked, since is when it could be last.
	Edition(ctx context.Context, family code.RepoID, view string) (edition int64, since time.Time, err error)
}

// Source is where the view of a repository comes from, and goes to. It is safe for
// concurrent use.
type Source struct {
	shared  *Shared
	repo    catalog.Repo
	replica replica.Replica
	cancel  context.CancelFunc
	ctx     context.Context // of the pulls, which go on when a question ends
	pulls   sync.WaitGroup

	mu     sync.Mutex
	have   int64     // edition in the folder, 0 where that is not known; guarded by mu
	behind time.Time // since when the folder may not show the newest; zero where it does; guarded by mu
	flight *flight   // under way, nil for none; guarded by mu
}

// flight is a pull that questions wait for.
type flight struct {
	mend bool
	done chan struct{}
	err  error // when it is done
}

// Answers reports that others index the repositories, and this program only answers.
func (s *Shared) Answers() bool { return s != nil && !s.Build }

// Repositories opens the catalogue of a team, or that of a folder where there is none.
func (s *Shared) Repositories(folder string) (catalog.Catalog, error) {
	if s != nil {
		return s.Catalog, nil
	}
	return catalog.Open(folder)
}

// Source returns that of a view of a repository. Its log of changes and some other files
// go with it.
func (s *Shared) Source(repo catalog.Repo, view string, beside ...replica.File) *Source {
	ctx, cancel := context.WithCancel(context.Background())
	folder := s.Catalog.Folder(repo.FamilyID())
	src := &Source{shared: s, repo: repo, ctx: ctx, cancel: cancel, replica: replica.Replica{
		Shared: s.News.Place(repo.FamilyID()), Folder: folder, View: view, Beside: append([]replica.File{
			{Name: "changes", Read: func() (raw []byte, err error) {
				err = within(folder, func(dir *local.Dir) error { raw, err = changelog.Raw(dir, view); return err })
				return raw, err
			}, Write: func(raw []byte) error {
				return within(folder, func(dir *local.Dir) error { return changelog.Restore(dir, view, raw) })
			}},
		}, beside...),
	}}
	src.useVectors()
	return src
}

func within(folder string, f func(*local.Dir) error) error {
	dir, err := local.Open(folder)
	if err != nil {
		return err
	}
	return f(dir)
}

// Close ends what is under way.
func (s *Source) Close() {
	s.cancel()
	s.pulls.Wait()
}

// waitParts is the part of the time of a question that it leaves to answer with what
// there is.
const waitParts = 5

// Fetch brings the folder to the newest edition. Where it is known to show that, it
// asks nobody. Where the newest cannot be had in time, what there is stays, and
// Behind says since when. To mend, it also brings the parts that are not there.
func (s *Source) Fetch(ctx context.Context, mend bool) error {
	edition, since, err := s.shared.News.Edition(ctx, s.repo.FamilyID(), s.replica.View)
	if err != nil {
		s.late(since)
		return err
	}
	if edition == 0 {
		return s.missing(replica.ErrUnpublished)
	}
	if s.upToDate(ctx, edition) && !mend {
		s.shared.Cache.use(s.replica.Folder, s.replica.View)
		return nil
	}
	f := s.fly(mend)
	quick, cancel := parallel.Early(ctx, waitParts)
	defer cancel()
	select {
	case <-f.done:
		err = f.err
	case <-quick.Done():
		err = fmt.Errorf("take %s from the database: %w", s.repo.Name, quick.Err())
	}
	if err != nil {
		s.late(time.Now())
	}
	return s.missing(err)
}

// upToDate reports whether the folder has an edition.
func (s *Source) upToDate(ctx context.Context, edition int64) bool {
	s.mu.Lock()
	have := s.have
	s.mu.Unlock()
	if have == 0 {
		have, _ = s.replica.Edition(ctx) // one that cannot be read is as none
	}
	if have != edition {
		return false
	}
	s.arrived(edition)
	return true
}

func (s *Source) arrived(edition int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have, s.behind = edition, time.Time{}
}

func (s *Source) late(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.behind.IsZero() {
		s.behind = since
	}
}

// Behind is since when the folder may not show what is published; zero where it does.
func (s *Source) Behind() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behind
}

// fly begins a pull, unless one is under way that does as much.
func (s *Source) fly(mend bool) *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flight != nil && (s.flight.mend || !mend) {
		return s.flight
	}
	f := &flight{mend: mend, done: make(chan struct{})}
	s.flight = f
	s.pulls.Go(func() {
		defer close(f.done)
		f.err = s.pull(f)
	})
	return f
}

func (s *Source) pull(f *flight) error {
	s.shared.Cache.use(s.replica.Folder, s.replica.View)
	p, err := s.replica.Pull(s.ctx, f.mend)
	if err == nil {
		s.arrived(p.Edition)
		if len(p.Parts) > 0 {
			s.shared.Log.Info("took a view from the database", "repo", s.repo.Name, "parts", len(p.Parts), "bytes", p.Bytes)
			s.shared.Cache.trim(s.ctx)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flight == f {
		s.flight = nil
	}
	return err
}

// renewTries bounds how often an indexing begins again, because another program
// publishes the same repository at the same time.
const renewTries = 5

// Renew brings the folder to what is published, has it brought up to date by build,
// and publishes it. Where another program publishes meanwhile, it begins again.
func (s *Source) Renew(ctx context.Context, build func() error) (err error) {
	if s.shared.Answers() {
		return &usage.Error{
			Msg:  s.repo.Name + " is answered from the team's database (setting database_url), and is not indexed by this process",
			Hint: "espy index " + s.repo.Place() + ", on a machine that can read it",
		}
	}
	for range renewTries {
		if err = s.base(ctx); err != nil {
			return err
		}
		if err = build(); err != nil {
			return err
		}
		if err = s.publish(ctx); !errors.Is(err, blob.ErrLost) {
			return err
		}
	}
	return err
}

// base brings the folder to the newest edition before it is brought up to date with
// the files, where there is one. One of an older release gives way.
func (s *Source) base(ctx context.Context) error {
	_, err := s.replica.Pull(ctx, false)
	var format *manifest.FormatError
	switch {
	case errors.Is(err, replica.ErrUnpublished), errors.As(err, &format) && !format.Newer():
		return s.replica.Follow(ctx)
	}
	return err
}

// publish publishes what the folder holds. blob.ErrLost says that there is a newer
// edition than base brought. Then parts are deleted that no reader needs any more.
func (s *Source) publish(ctx context.Context) error {
	if err := s.replica.Push(ctx); err != nil {
		return fmt.Errorf("publish %s: %w", s.repo.Name, err)
	}
	if _, err := s.replica.Shared.Sweep(ctx, blob.Grace); err != nil {
		s.shared.Log.Warn("old parts stay in the database", "repo", s.repo.Name, "err", err)
	}
	s.indexVectors(ctx)
	return nil
}

// Withdraw removes the view from the shared place.
func (s *Source) Withdraw(ctx context.Context) error {
	return s.replica.Shared.Drop(ctx, s.replica.View)
}

// missing says of an error what would help.
func (s *Source) missing(err error) error {
	var format *manifest.FormatError
	switch {
	case errors.Is(err, replica.ErrUnpublished):
		return &unpublishedError{repo: s.repo.Name, place: s.repo.Place(), err: err}
	case errors.As(err, &format):
		return &unpublishedError{repo: s.repo.Name, place: s.repo.Place(), format: format, err: err}
	}
	return err
}

// unpublishedError says that there is nothing of a repository that can be read.
type unpublishedError struct {
	repo, place string
	format      *manifest.FormatError // nil where there is nothing
	err         error
}

// Error implements error.
func (e *unpublishedError) Error() string {
	problem, hint := e.Explain()
	return problem + ": " + hint
}

// Explain returns the error and what would help.
func (e *unpublishedError) Explain() (problem, hint string) {
	switch {
	case e.format == nil:
		return fmt.Sprintf("nothing of %s is published in the team's database yet", e.repo),
			fmt.Sprintf("`espy index %s` with the same database_url, on a machine that can read it, publishes it", e.place)
	case e.format.Newer():
		return fmt.Sprintf("%s was published by a newer release of espy (format %d, this one reads %d)", e.repo, e.format.Found, e.format.Wanted),
			"upgrade this program: servers and workers of a team run one release"
	}
	return fmt.Sprintf("%s was published by an older release of espy (format %d, this one reads %d)", e.repo, e.format.Found, e.format.Wanted),
		fmt.Sprintf("`espy index %s` with this release publishes it anew", e.place)
}

// Unwrap returns the reason.
func (e *unpublishedError) Unwrap() error { return e.err }
