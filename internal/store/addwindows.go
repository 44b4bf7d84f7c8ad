package store

import (
	"io"

	"espy/internal/store/part"
	"espy/internal/windows/win"
)

// AddWindows writes part n of the windows over the segments of the last
// commit, which leaves the builder empty. Parts are in path order.
func (b *Batch) AddWindows(n int, builder *win.Builder) error {
	p, err := b.family.pool.Put(windowsKind{}, func(w io.Writer) error { _, err := builder.WriteTo(w); return err })
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.windows = append(b.windows, make([]*part.Part, max(0, n+1-len(b.windows)))...)
	b.windows[n] = p
	return nil
}

// CommitWindows publishes the windows that were added with the generation of
// the last commit. When it fails that one stays without windows.
func (b *Batch) CommitWindows() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := *b.manifest
	m.Windows = nil
	for _, p := range b.windows {
		ref, err := newSegmentRef(p.Ref(), nil)
		if err != nil {
			return err
		}
		m.Windows = append(m.Windows, ref)
	}
	return b.replaceLocked(&m)
}
