package origin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/discover/roots"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/watch"
	"espy/internal/workspace/view"
	"espy/internal/worktree"
)

// tree is the origin of a repository that shows a work tree, or a plain folder.
type tree struct {
	view     *view.View
	checkout checkout
	follower follower
	sync     func(ctx context.Context, enter func(dir string)) error // brings the index up to date for the watcher
}

// newTree returns the origin of a work tree. sync brings the index up to date for
// its watcher, and calls enter with each folder before it is read.
func newTree(e *view.View, sync func(ctx context.Context, enter func(dir string)) error) *tree {
	t := &tree{view: e, sync: sync}
	t.checkout = checkout{view: e, open: t.Open, dirty: worktree.NewCounter(worktree.Options{
		Open: t.Open, Policy: func() discover.Policy { return e.Options().Policy }, History: t.Repository,
		Keep: func() string { return filepath.Join(e.Folder(), "blobs") },
	})}
	return t
}

func (t *tree) Frozen() bool { return false }

func (t *tree) Open() (*os.Root, error) {
	dir := t.view.Record().Root
	root, err := roots.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w (moved or removed? `espy remove %s` forgets it)", dir, err, t.view.Repo())
	}
	return root, nil
}

func (t *tree) Repository() (*git.Repository, error) {
	return git.Open(t.view.Record().Root, t.view.Env.Roots...)
}

var errNoCommit = errors.New("nothing is committed yet to the branch that is checked out")

func (t *tree) Head() (commit, branch string, err error) {
	root, err := t.Open()
	if err != nil {
		return "", "", err
	}
	defer root.Close()
	if commit, branch = git.Head(root); commit != "" {
		return commit, branch, nil
	}
	history, err := t.Repository() // its files do not tell; what git says of them does
	if err == nil {
		commit, err = history.Resolve(context.Background(), "HEAD")
	}
	if errors.As(err, new(*git.RevisionError)) {
		err = errNoCommit
	}
	if err != nil {
		return "", "", &NoHistoryError{Repo: t.view.Repo(), Err: err}
	}
	return commit, branch, nil
}

func (t *tree) Label(*store.Snapshot) {}

func (t *tree) Unindexed() code.Freshness {
	at := t.checkout.now()
	return code.Freshness{Head: at.Commit, Branch: at.Branch, Unchecked: true}
}

// Complete is true: what a generation lacks is seen when it is compared.
func (t *tree) Complete(*store.Snapshot) bool { return true }

func (t *tree) Update(ctx context.Context, u *view.Update) (settled bool, err error) {
	if err := t.awaitGit(ctx); err != nil {
		return false, err
	}
	return u.Write(ctx, func(batch *store.Batch, o index.Options) (bool, error) {
		root, err := t.Open()
		if err != nil {
			return false, err
		}
		defer root.Close()
		return t.view.IndexFiles(ctx, batch, root, o)
	})
}

// awaitGit waits until git does not write the files any more, so that they are
// those of one commit.
func (t *tree) awaitGit(ctx context.Context) error {
	root, err := t.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for git.Look(root).Busy {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (t *tree) Look(ctx context.Context, limit time.Duration) func(*store.Snapshot, *listing.Tree) {
	at := t.checkout.now()
	loaded := t.checkout.load(ctx, limit, at)
	return func(s *store.Snapshot, seen *listing.Tree) {
		if <-loaded; s == nil {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		t.checkout.tell(ctx, s, at, seen)
	}
}

// Compare does not walk the files where the watcher proves that nothing has
// changed since a comparison that found nothing.
func (t *tree) Compare(ctx context.Context, s *store.Snapshot, only []string) (*Comparison, error) {
	root, err := t.Open()
	if err != nil {
		return nil, err
	}
	if _, wanted := t.follower.current(); wanted {
		only = nil
	}
	plan, err := t.follower.compare(ctx, s, func(enter func(dir string)) (*index.Plan, error) {
		o := t.view.Options()
		o.Hooks.Enter, o.Only = enter, only
		return t.view.Compare(ctx, root, s, o)
	})
	if err != nil || plan == nil {
		return nil, errors.Join(err, root.Close())
	}
	if plan.Bounded() {
		s.Freshness.Compared = strings.Join(only, ", ")
	}
	if plan.Clean() && plan.LeavesOutOthers() {
		if err := see(s, plan.Others()); err != nil {
			return nil, errors.Join(err, root.Close())
		}
	}
	return &Comparison{plan, root}, nil
}

func (t *tree) Watch() error {
	return t.follower.start(func() watch.Options {
		return watch.Options{
			Files: t.traces,
			Stale: t.headMoved,
			Root:  t.view.Record().Root,
			Dir:   t.watchDir(),
			Sync:  t.sync,
			Early: Early,
			Delay: FollowDelay,
			Log:   t.view.Env.Log,
		}
	})
}

// watchDir is where the watchers of the files meet. It is not in the folder of a
// family: each of its work trees is watched by itself.
func (t *tree) watchDir() string { return filepath.Join(t.view.Folder(), "watch") }

// traces lists the files by which git shows what it checks out.
func (t *tree) traces() []string {
	root, err := t.Open()
	if err != nil {
		return nil
	}
	defer root.Close()
	return git.Traces(root)
}

// headMoved reports whether the newest generation is of another commit than
// what is checked out.
func (t *tree) headMoved() bool {
	root, err := t.Open()
	if err != nil {
		return false
	}
	defer root.Close()
	s, err := t.view.Newest()
	if err != nil {
		return false
	}
	defer s.Close()
	commit, branch := s.Checkout()
	now := git.Look(root)
	return now.Commit != commit || now.Branch != branch
}

func (t *tree) Watching(ctx context.Context) string {
	if state := t.follower.state(); state != "" {
		return state
	}
	if watch.Led(ctx, t.watchDir()) {
		return "watched by another process"
	}
	return ""
}

func (t *tree) Close() { t.follower.close() }

// Differs reports whether a file is not as a generation saw it.
func Differs(root *os.Root, l *listing.Leaf) bool {
	info, err := root.Lstat(l.Path)
	return err != nil || !info.Mode().IsRegular() || info.Size() != l.Stat.Size || info.ModTime().UnixNano() != l.Stat.MTime
}
