package store

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"

	"espy/internal/segment"
	"espy/internal/store/changelog"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// Batch writes the next generations of a view. It holds the family's writer
// lock until Close; what was added and not committed is then dropped. It is
// safe for concurrent use.
type Batch struct {
	family *Family
	view   string
	unlock func()
	reason error // why it starts from nothing

	mu       sync.Mutex
	manifest *manifest.Manifest // the newest generation, guarded by mu
	base     *Snapshot          // what the batch began with, nil for nothing
	members  []member           // guarded by mu
	windows  []*part.Part       // of the newest generation, by number, guarded by mu
	whole    bool               // starts from nothing, while questions are answered from a whole generation
	tombs    bool               // files that were live when the batch began are dead, guarded by mu
	kept     bool               // what the batch began with is kept, guarded by mu

	logged *changelog.Record // of the last commit, nil once it is written or for none, guarded by mu
}

// member is a segment of the generation that is being made.
type member struct {
	Segment
	base bool // was there when the batch began
}

// Begin starts a batch on a view under the lock that unlock gives back. The
// batch starts from the newest generation. It starts from nothing where there is
// none, where it is damaged or of an older format, or where fresh is set.
func (f *Family) Begin(view string, unlock func(), fresh bool) (*Batch, error) {
	b := &Batch{family: f, view: view, unlock: unlock, manifest: &manifest.Manifest{}}
	err := f.dir.Clean()
	if err == nil {
		err = b.begin(fresh)
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Batch) begin(fresh bool) error {
	m, err := b.family.readManifest(b.view)
	switch {
	case err == nil && !fresh:
		return b.adopt(m)
	case err == nil:
		b.manifest.Generation, b.whole = m.Generation, m.Total == 0
		return nil
	case fresh || Rebuildable(err):
		b.reason = err
		return nil
	}
	return err
}

// Anew says why the batch starts from nothing though there is an index and a
// fresh one was not asked for; nil where it does not.
func (b *Batch) Anew() error {
	if errors.Is(b.reason, ErrNoIndex) {
		return nil
	}
	return b.reason
}

// adopt starts the batch with the segments of a generation.
func (b *Batch) adopt(m *manifest.Manifest) error {
	b.manifest = m
	s, missing, err := b.family.open(m)
	for ; missing != ""; s, missing, err = b.family.open(m) {
		b.family.Quarantine(missing, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	b.base = s
	b.family.pool.Retain(partsOf(s.Segments)...)
	for _, seg := range s.Segments {
		b.members = append(b.members, member{seg, true})
	}
	return nil
}

// Base returns the generation the batch starts from, nil where it starts from
// nothing. It belongs to the batch.
func (b *Batch) Base() *Snapshot { return b.base }

// Follows reports whether the batch starts from what a snapshot shows, so that
// differences from the snapshot are differences from the batch.
func (b *Batch) Follows(s *Snapshot) bool {
	return b.base != nil && s.manifest != nil && b.base.manifest.Tree == s.manifest.Tree &&
		b.base.Freshness == s.manifest.Freshness() &&
		slices.EqualFunc(b.base.Damaged, s.Damaged, func(a, b Damage) bool { return a.Part == b.Part })
}

// First reports whether questions find no generation with every file meanwhile.
func (b *Batch) First() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.whole && (b.manifest.Format == 0 || b.manifest.Total > 0)
}

// Add writes the files of a builder as a segment, which leaves it empty.
func (b *Batch) Add(builder *segment.Builder) error {
	if builder.Len() == 0 {
		return nil
	}
	return b.take(b.family.putSegment(func(w io.Writer) error { _, err := builder.WriteTo(w); return err }))
}

// AddSegment writes segment i of a delta, and the parts beside it that there are.
func (b *Batch) AddSegment(d *Delta, i int) error {
	whole := func(data []byte) func(io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(data); return err }
	}
	s, err := b.family.putSegment(whole(d.Segments[i]))
	for _, beside := range []struct {
		companion
		data []byte
	}{{syntaxKind{}, at(d.Syntax, i)}, {vectorsKind{}, at(d.Vectors, i)}} {
		if err != nil || beside.data == nil {
			continue
		}
		var p *part.Part
		if p, err = b.family.pool.Put(beside, whole(beside.data)); err == nil {
			beside.set(&s, p)
		}
	}
	return b.take(s, err)
}

// at returns element i of a list that may be nil.
func at(list [][]byte, i int) []byte {
	if list == nil {
		return nil
	}
	return list[i]
}

// putSegment writes a segment.
func (f *Family) putSegment(write func(io.Writer) error) (s Segment, err error) {
	if s.lex, err = f.pool.Put(lexKind{}, write); err == nil {
		s.Reader = s.lex.Content.(*segment.Reader)
	}
	return s, err
}

// take adds a segment that was written to the generation that is being made.
func (b *Batch) take(s Segment, err error) error {
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = append(b.members, member{Segment: s})
	return nil
}

// Tombstone makes paths dead in the segments that the batch began with.
func (b *Batch) Tombstone(paths []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return segment.Guard(func() error {
		for i := range b.members {
			if m := &b.members[i]; m.base && m.tombstone(paths) {
				b.tombs = true
			}
		}
		return nil
	})
}

// Close drops what was not committed, removes the parts that no generation
// needs any more, and gives the lock back.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unlock == nil {
		return nil
	}
	err := errors.Join(b.keepLocked(func(member) bool { return false }), b.family.pool.Release(b.windows...))
	if b.base != nil {
		err = errors.Join(err, b.base.Close())
	}
	err = errors.Join(err, b.family.collect())
	b.unlock()
	b.unlock = nil
	return err
}

// keepLocked drops the members for which keep is false.
func (b *Batch) keepLocked(keep func(member) bool) error {
	var gone []*part.Part
	kept := b.members[:0:0]
	for _, m := range b.members {
		if keep(m) {
			kept = append(kept, m)
		} else {
			gone = append(gone, m.parts()...)
		}
	}
	b.members = kept
	return b.family.pool.Release(gone...)
}
