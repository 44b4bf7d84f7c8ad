package rustcode

import (
	"context"
	"iter"
	"log/slog"
	"sync"
	"time"

	"espy/internal/workspace"
)

// Options is what the profile needs.
type Options struct {
	Workspace *workspace.Workspace
	Start     string // folder that the server was started in: relative paths are below it
	Home      string // the user's home folder, which is not read because a server was started there
	Version   string
	Log       *slog.Logger // nil is silent
	NoSync    bool         // do not bring indexes up to date in the background
}

// server answers the tools.
type server struct {
	Options
	names []string // of the tools

	mu      sync.Mutex
	tracked map[string]bool // ids of the repositories that were asked about, guarded by mu
}

// Times of the background sync.
const (
	firstSync = 5 * time.Second
	syncEvery = 5 * time.Minute
)

// keepFresh brings the repositories that were asked about up to date, every five
// minutes.
func (s *server) keepFresh(ctx context.Context) {
	for range s.ticks(ctx) {
		s.refresh(ctx)
	}
}

// ticks are the times of the background sync, until ctx ends.
func (s *server) ticks(ctx context.Context) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		timer := time.NewTimer(firstSync)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-timer.C:
				timer.Reset(syncEvery)
				if !yield(now) {
					return
				}
			}
		}
	}
}

// refresh brings the repositories that were asked about up to date.
func (s *server) refresh(ctx context.Context) {
	all, err := s.Workspace.Repos(ctx)
	if err != nil {
		s.Log.Warn("the repositories cannot be listed", "err", err)
		return
	}
	for _, r := range all {
		if !s.isTracked(r) {
			continue
		}
		if err := r.Update(ctx, nil); err != nil && ctx.Err() == nil {
			s.Log.Warn("not brought up to date", "repo", r.Name(), "err", err)
		}
	}
}

func (s *server) track(r *workspace.Repo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tracked[string(r.ID())] = true
}

func (s *server) isTracked(r *workspace.Repo) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tracked[string(r.ID())]
}
