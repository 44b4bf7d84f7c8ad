package origin

import (
	"context"
	"errors"
	"time"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/workspace/team"
	"espy/internal/workspace/view"
)

// published is the origin of a repository that another program indexes: its index is
// taken from the place where it is published. There are no files to compare it with,
// and no history.
type published struct {
	noFiles
	source *team.Source
}

// NewPublished returns the origin of a repository whose view comes from a source.
func NewPublished(e *view.View, source *team.Source) Origin { return &published{noFiles{e}, source} }

// ErrPublished says why a repository has no history here.
var ErrPublished = errors.New("the index comes from the team's database, which holds no history")

// whereHistory says where one is.
const whereHistory = "ask where the repository is: git log or git blame there, or espy with ESPY_DATABASE_URL= set to nothing; `espy changes --ref A..B` compares branches that are published, --since generation:N generations"

func (p *published) Repository() (*git.Repository, error) { return nil, ErrPublished }

func (p *published) Head() (commit, branch string, err error) { return "", "", ErrPublished }

// Look brings the newest generation. Where that fails what there is answers, and
// Label says since when it may be behind.
func (p *published) Look(ctx context.Context, limit time.Duration) func(*store.Snapshot, *listing.Tree) {
	if err := p.source.Fetch(ctx, false); err != nil {
		p.view.Env.Log.Info("what is published is not taken", "repo", p.view.Repo(), "err", err)
	}
	return p.noFiles.Look(ctx, limit)
}

func (p *published) Label(s *store.Snapshot) {
	s.Elsewhere = p.source.Elsewhere()
	if at := p.source.Behind(); !at.IsZero() {
		s.Freshness.Behind = at.UTC().Format(time.RFC3339)
	}
	if p.view.Record().Remote != nil {
		labelRemote(p.view, s)
		return
	}
	s.Freshness.Indexed = s.Written().UTC().Format(time.RFC3339)
	s.Freshness.Head, s.Freshness.Branch = s.Checkout()
}

func (p *published) Unindexed() code.Freshness { return code.Freshness{} }

// Complete asks for all parts, also those beside segments.
func (p *published) Complete(s *store.Snapshot) bool {
	_, err := s.Tree()
	return err == nil && len(s.Damaged)+len(s.Unparsed) == 0
}

func (p *published) Update(ctx context.Context, _ *view.Update) (settled bool, err error) {
	return true, p.source.Fetch(ctx, true)
}
