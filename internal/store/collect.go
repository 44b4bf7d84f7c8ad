package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/store/changelog"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// Drop removes the views for which drop is true, and the parts that no other
// view needs. It waits a moment for the writer's lock. Snapshots that are open stay whole.
func (f *Family) Drop(ctx context.Context, drop func(view string) bool) error {
	unlock, err := f.dir.LockSoon(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return f.DropLocked(drop)
}

// DropLocked is Drop for the holder of the writer's lock.
func (f *Family) DropLocked(drop func(view string) bool) error {
	views, err := f.Views()
	if err != nil {
		return err
	}
	dropped := false
	for _, v := range views {
		if drop(v) {
			err = errors.Join(err, f.dir.Remove(manifest.Name(v)), changelog.Remove(f.dir, v))
			dropped = true
		}
	}
	if err != nil || !dropped {
		return err
	}
	return f.collect()
}

// collect removes the kept generations that are damaged, too many, too old or too
// large, and the parts that no manifest of the family lists. The caller holds the
// writer's lock and adds no part meanwhile, since a new part is not listed yet.
func (f *Family) collect() error {
	names, err := f.dir.Names()
	if err != nil {
		return err
	}
	slices.Sort(names)
	used, kept, err := f.manifests(names)
	if err != nil {
		return nil // of a newer program, or unreadable just now: leave all as it is
	}
	listed := map[string]bool{}
	for _, m := range used {
		m.List(listed)
	}
	stay := keepFirst(used, kept)
	for i, k := range kept {
		if i < stay && k.manifest.Whole(names) {
			k.manifest.List(listed)
		} else {
			err = errors.Join(err, f.dir.Remove(manifest.Name(k.view)))
		}
	}
	for _, n := range names {
		if isPart(n) && !listed[n] {
			err = errors.Join(err, f.dir.Remove(n))
		}
	}
	return err
}

// keptView is a generation that is kept.
type keptView struct {
	view     string
	manifest *manifest.Manifest
}

// manifests reads the generations that views show, and those that are kept, the
// newest first. A kept one that cannot be read counts as old. A view that is
// damaged or of an older format is left out: it is rebuilt before it is used.
func (f *Family) manifests(names []string) (used []*manifest.Manifest, kept []keptView, err error) {
	for _, n := range names {
		view, ok := strings.CutPrefix(strings.TrimSuffix(n, ".json"), "view-")
		if !ok {
			continue
		}
		m, err := f.readManifest(view)
		isKept := strings.HasPrefix(view, keptPrefix)
		switch {
		case err == nil && isKept && m.Kept != nil:
			kept = append(kept, keptView{view, m})
		case isKept && (err == nil || Rebuildable(err)):
			kept = append(kept, keptView{view, &manifest.Manifest{Kept: &time.Time{}}})
		case Rebuildable(err):
		case err != nil:
			return nil, nil, err
		default:
			used = append(used, m)
		}
	}
	slices.SortFunc(kept, func(a, b keptView) int { return b.manifest.Kept.Compare(*a.manifest.Kept) })
	return used, kept, nil
}

// keepFirst returns how many of the kept generations stay.
func keepFirst(used []*manifest.Manifest, kept []keptView) int {
	sizes, need := map[string]bool{}, int64(0)
	for _, m := range used {
		need += m.AddSizes(sizes)
	}
	limit, extra := max(need, keptBytes), int64(0)
	for i, k := range kept {
		extra += k.manifest.AddSizes(sizes)
		if i == keptViews || extra > limit || time.Since(*k.manifest.Kept) > keptFor {
			return i
		}
	}
	return len(kept)
}

// Disk is what a family takes on disk.
type Disk struct {
	Bytes     int64 // of the parts that its views need
	Kept      int   // generations that are kept
	KeptBytes int64 // of the parts that only those need
}

// Disk measures the family. It leaves out the parts of views that cannot be read.
func (f *Family) Disk() (d Disk, err error) {
	names, err := f.dir.Names()
	if err != nil {
		return d, err
	}
	used, kept, err := f.manifests(names)
	if err != nil {
		return d, err
	}
	noted := map[string]bool{}
	for _, m := range used {
		d.Bytes += m.AddSizes(noted)
	}
	for _, k := range kept {
		d.KeptBytes += k.manifest.AddSizes(noted)
	}
	d.Kept = len(kept)
	return d, nil
}

// isPart reports whether a name is that of a part, in use or not.
func isPart(name string) bool {
	ext := filepath.Ext(name)
	return ext == treeSuffix || ext == part.BadSuffix || slices.ContainsFunc(kinds(), func(k part.Kind) bool { return k.Suffix() == ext })
}
