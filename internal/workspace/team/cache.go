package team

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"espy/internal/store/blob"
	"espy/internal/store/blob/local"
)

// Cache bounds what the folders of views take that were pulled. The views that were
// used least recently go first, never one that this process has used: what it has
// mapped it keeps. A nil Cache keeps all.
type Cache struct {
	folder string // whose folders are those of families
	limit  int64  // bytes
	log    *slog.Logger

	mu   sync.Mutex
	used map[cached]bool // by this process; guarded by mu

	trimming sync.Mutex // held by the one that trims
}

// cached is a view in the cache.
type cached struct{ folder, view string }

// NewCache returns the cache in a folder, of so many bytes; 0 for any number.
func NewCache(folder string, limit int64, log *slog.Logger) *Cache {
	return &Cache{folder: folder, limit: limit, log: log, used: map[cached]bool{}}
}

// use notes that this process uses a view.
func (c *Cache) use(folder, view string) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.used[cached{folder, view}] = true
	}
}

func (c *Cache) uses(x cached) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used[x]
}

// trim deletes the parts that no view lists any more, and then views until the cache
// has its size.
func (c *Cache) trim(ctx context.Context) {
	if c == nil || !c.trimming.TryLock() {
		return
	}
	defer c.trimming.Unlock()
	folders, err := filepath.Glob(filepath.Join(c.folder, "*"))
	var total int64
	for _, folder := range folders {
		dir, openErr := local.Open(folder)
		if openErr != nil {
			err = errors.Join(err, openErr)
			continue
		}
		_, sweepErr := dir.Place().Sweep(ctx, blob.Grace)
		err = errors.Join(err, sweepErr)
		total += local.SizeOf(folder)
	}
	if c.limit > 0 && total > c.limit {
		err = errors.Join(err, c.evict(ctx, folders, total))
	}
	if err != nil {
		c.log.Warn("the cache of the team's database is not trimmed", "err", err)
	}
}

// oldView is a view that may be deleted.
type oldView struct {
	cached
	dir  *local.Dir
	used time.Time
}

// evict deletes views, the one used least recently first, until the cache is small
// enough.
func (c *Cache) evict(ctx context.Context, folders []string, total int64) (err error) {
	for _, v := range c.old(ctx, folders) {
		freed, evictErr := v.dir.Place().Evict(ctx, v.view)
		if err = errors.Join(err, evictErr); evictErr == nil {
			c.log.Info("made room in the cache of the team's database", "folder", v.folder, "view", v.view, "bytes", freed)
		}
		if total -= freed; total <= c.limit {
			return err
		}
	}
	c.log.Warn("the views in use take more than the setting cache_bytes", "bytes", total, "limit", c.limit)
	return err
}

// old lists the views that this process does not use, the one used last last.
func (c *Cache) old(ctx context.Context, folders []string) (views []oldView) {
	for _, folder := range folders {
		dir, err := local.Open(folder)
		if err != nil {
			continue
		}
		names, err := dir.Place().Views(ctx)
		if err != nil {
			continue
		}
		for _, name := range names {
			v := oldView{cached: cached{folder, name}, dir: dir, used: dir.Place().Used(name)}
			if !c.uses(v.cached) {
				views = append(views, v)
			}
		}
	}
	slices.SortFunc(views, func(a, b oldView) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.folder, b.folder)) })
	return views
}
