package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/store/manifest"
)

// When another branch is checked out, the generation of the old one is kept, so
// that nothing needs to be analysed when it comes back. Kept generations are
// views of their own, which are not searched. The newest stay: at most keptViews
// of a family, each for keptFor. The parts that only they need take at most
// keptBytes, or as much as all other parts.
const (
	keptViews = 8
	keptFor   = 30 * 24 * time.Hour
	keptBytes = 64 << 20
)

// detached stands for every commit that is checked out without a branch. A
// rebase or a bisection goes through many: the newest is kept.
const detached = "HEAD"

// keepOldLocked keeps the generation that the batch began with, where the new
// one is of another commit and has tombstones for some of its files.
func (b *Batch) keepOldLocked(m *manifest.Manifest) error {
	if b.base == nil || b.kept {
		return nil
	}
	old := b.base.manifest
	if !b.tombs || old.Commit == "" || old.Total > 0 || old.Commit == m.Commit && old.Branch == m.Branch {
		return nil
	}
	if _, ok := TreeOf(b.view); !ok {
		return nil
	}
	if err := b.family.dir.Remove(manifest.Name(b.keptView(m))); err != nil { // it is what the view shows now
		return err
	}
	kept, now := *old, time.Now().UTC()
	kept.Kept = &now
	data, err := json.Marshal(&kept)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	b.kept = true
	return b.family.dir.Replace(manifest.Name(b.keptView(old)), data)
}

// keptView names the view under which a generation is kept.
func (b *Batch) keptView(m *manifest.Manifest) string {
	return fmt.Sprintf("%s%s.%016x", keptPrefix, b.view, xxh3.HashString(cmp.Or(m.Branch, detached)))
}
