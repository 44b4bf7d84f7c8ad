package origin

import (
	"context"
	"os"
	"time"

	"espy/internal/code"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/workspace/view"
)

// fixed is the origin of a package in a cache, as of Go's modules: the files of a
// version never change. They are indexed once, and read from the index then, also
// where the cache is gone.
type fixed struct{ *tree }

func (f *fixed) Frozen() bool { return true }

func (f *fixed) Open() (*os.Root, error) { return noFiles{f.view}.Open() }

func (f *fixed) Look(ctx context.Context, limit time.Duration) func(*store.Snapshot, *listing.Tree) {
	return noFiles{f.view}.Look(ctx, limit)
}

func (f *fixed) Unindexed() code.Freshness { return code.Freshness{} }

// Complete asks for every file under the policy of now.
func (f *fixed) Complete(s *store.Snapshot) bool { return f.view.Complete(s, "") }

func (f *fixed) Compare(context.Context, *store.Snapshot, []string) (*Comparison, error) {
	return nil, nil
}

func (f *fixed) Update(ctx context.Context, u *view.Update) (settled bool, err error) {
	if s, err := f.view.Newest(); err == nil {
		whole := !u.Force && f.Complete(s)
		if err := s.Close(); err != nil || whole {
			return true, err
		}
	}
	return f.tree.Update(ctx, u)
}

func (f *fixed) Watch() error { return noFiles{f.view}.Watch() }

func (f *fixed) Watching(context.Context) string { return "" }
