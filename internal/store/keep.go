package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// What a view showed of a branch is kept when another one is checked out, so
// that nothing needs to be analysed when it comes back. Kept generations are
// views of their own that nobody searches. The newest stay: at most keptViews of
// a family, each for keptFor, and no more bytes in parts that nothing else needs
// than what is needed has itself, or keptBytes.
const (
	keptViews = 8
	keptFor   = 30 * 24 * time.Hour
	keptBytes = 64 << 20
)

// detached stands for all that is checked out without a branch: of the many
// commits that a rebase or a bisection goes through, the newest is kept.
const detached = "HEAD"

// keepOldLocked keeps the generation that the batch began with, where the new
// one is of another commit and files were taken out of use for it.
func (b *Batch) keepOldLocked(m *manifest) error {
	if b.base == nil || b.kept {
		return nil
	}
	old := b.base.manifest
	if !b.buried || old.Commit == "" || old.Total > 0 || old.Commit == m.Commit && old.Branch == m.Branch {
		return nil
	}
	if _, ok := TreeOf(b.view); !ok {
		return nil
	}
	if err := b.family.dir.Remove(manifestName(b.keptView(m))); err != nil { // it is what the view shows now
		return err
	}
	kept, now := *old, time.Now().UTC()
	kept.Kept = &now
	data, err := json.Marshal(&kept)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	b.kept = true
	return b.family.dir.Replace(manifestName(b.keptView(old)), data)
}

// keptView names the view under which a generation is kept.
func (b *Batch) keptView(m *manifest) string {
	return fmt.Sprintf("%s%s.%016x", keptPrefix, b.view, xxh3.HashString(cmp.Or(m.Branch, detached)))
}

// collect removes the kept generations that are damaged, too many, too old or too
// large, and the parts that no manifest of the family lists. The caller holds the
// writer's lock and adds nothing meanwhile: a part is listed only some time
// after it was put.
func (f *Family) collect() error {
	names, err := f.dir.Names()
	if err != nil {
		return err
	}
	slices.Sort(names)
	used, kept, err := f.manifests(names)
	if err != nil {
		return nil // of a newer program, or not to be read now: it is left as it is
	}
	listed := map[string]bool{}
	for _, m := range used {
		m.list(listed)
	}
	stay := keepFirst(used, kept)
	for i, k := range kept {
		if i < stay && k.manifest.whole(names) {
			k.manifest.list(listed)
		} else {
			err = errors.Join(err, f.dir.Remove(manifestName(k.view)))
		}
	}
	for _, n := range names {
		if isPart(n) && !listed[n] {
			err = errors.Join(err, f.dir.Remove(n))
		}
	}
	return err
}

// whole reports whether the files of a generation are among those of a folder.
func (m *manifest) whole(names []string) bool {
	return !slices.ContainsFunc(m.parts(), func(part string) bool { _, ok := slices.BinarySearch(names, part); return !ok })
}

// list notes the files of a generation.
func (m *manifest) list(files map[string]bool) {
	for _, part := range m.parts() {
		files[part] = true
	}
}

// keptView is a generation that is kept.
type keptView struct {
	view     string
	manifest *manifest
}

// manifests reads the generations that views show, and those that are kept, the
// newest first. Of the kept ones, those that cannot be read count as old. A view
// that is damaged or of an older format is left out: it is built anew before it
// shows anything.
func (f *Family) manifests(names []string) (used []*manifest, kept []keptView, err error) {
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
			kept = append(kept, keptView{view, &manifest{Kept: &time.Time{}}})
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
func keepFirst(used []*manifest, kept []keptView) int {
	sizes, need := map[string]bool{}, int64(0)
	for _, m := range used {
		need += m.addSizes(sizes)
	}
	limit, extra := max(need, keptBytes), int64(0)
	for i, k := range kept {
		extra += k.manifest.addSizes(sizes)
		if i == keptViews || extra > limit || time.Since(*k.manifest.Kept) > keptFor {
			return i
		}
	}
	return len(kept)
}

// addSizes notes the parts of a generation, and returns the bytes of those that
// were not noted yet.
func (m *manifest) addSizes(noted map[string]bool) (bytes int64) {
	for part, size := range m.sizes() {
		if !noted[part] {
			noted[part] = true
			bytes += size
		}
	}
	return bytes
}

// Disk is what a family takes on disk.
type Disk struct {
	Bytes     int64 // of the parts that its views need
	Kept      int   // generations that are kept
	KeptBytes int64 // of the parts that only those need
}

// Disk measures the family. What views that cannot be read need is left out.
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
		d.Bytes += m.addSizes(noted)
	}
	for _, k := range kept {
		d.KeptBytes += k.manifest.addSizes(noted)
	}
	d.Kept = len(kept)
	return d, nil
}
