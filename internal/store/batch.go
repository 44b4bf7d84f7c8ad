package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/merkle"
	"espy/internal/segment"
)

// Batch writes the next generations of a view. It holds the family's writer
// lock until Close; what was added and not committed is then dropped. It is
// safe for concurrent use.
type Batch struct {
	family *Family
	view   string
	unlock func()

	mu       sync.Mutex
	manifest *manifest // the newest generation, guarded by mu
	members  []member  // guarded by mu
}

// member is a segment of the generation that is being made.
type member struct {
	part *part
	live segment.Live
	base bool // was there when the batch began
}

// Begin starts a batch on a view under the lock that unlock gives back. The
// batch starts from the newest generation, or from nothing where there is
// none, it is of an older format, it is damaged, or fresh is set.
func (f *Family) Begin(view string, unlock func(), fresh bool) (*Batch, error) {
	b := &Batch{family: f, view: view, unlock: unlock, manifest: &manifest{}}
	if err := f.dir.Clean(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	m, err := f.readManifest(view)
	var format *FormatError
	switch {
	case errors.As(err, &format) && format.Newer() && !fresh:
		return nil, errors.Join(err, b.Close())
	case err == nil && fresh:
		b.manifest.Generation = m.Generation
	case err == nil:
		b.adopt(m)
	}
	return b, nil
}

// adopt starts the batch with the segments of a generation.
func (b *Batch) adopt(m *manifest) {
	b.manifest = m
	s, missing := b.family.open(m)
	for missing != "" {
		b.family.Quarantine(missing, fs.ErrNotExist)
		s, missing = b.family.open(m)
	}
	for i, p := range s.parts {
		b.members = append(b.members, member{part: p, live: s.Segments[i], base: true})
	}
}

// Base opens the generation the batch starts from, nil where it starts from nothing.
func (b *Batch) Base() (*Snapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.manifest.Format == 0 {
		return nil, nil
	}
	s, missing := b.family.open(b.manifest)
	if missing != "" {
		return nil, fmt.Errorf("open generation %d: part %s: %w", b.manifest.Generation, missing, fs.ErrNotExist)
	}
	return s, nil
}

// First reports whether no generation with every file was committed before.
func (b *Batch) First() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.manifest.Format == 0 || b.manifest.Total > 0
}

// Add writes the files of a builder as a segment, which leaves it empty.
func (b *Batch) Add(builder *segment.Builder) error {
	if builder.Len() == 0 {
		return nil
	}
	return b.put(func(w io.Writer) error { _, err := builder.WriteTo(w); return err })
}

// AddSegment writes a segment that was built in memory.
func (b *Batch) AddSegment(data []byte) error {
	return b.put(func(w io.Writer) error { _, err := w.Write(data); return err })
}

func (b *Batch) put(write func(io.Writer) error) error {
	m, err := b.family.putSegment(write)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = append(b.members, m)
	return nil
}

// putSegment writes a segment under the hash of its bytes and maps it.
func (f *Family) putSegment(write func(io.Writer) error) (member, error) {
	hash := xxh3.New128()
	var name string
	size, err := f.dir.Put(
		func(w io.Writer) error { hash.Reset(); return write(io.MultiWriter(w, hash)) },
		func() string { name = code.Hash(hash.Sum128().Bytes()).String() + segmentSuffix; return name })
	if err != nil {
		return member{}, err
	}
	f.forgive(name)
	p, l, err := f.acquire(segmentRef{Part: name, Size: size})
	return member{part: p, live: l}, err
}

// Bury takes paths out of the segments that the batch began with.
func (b *Batch) Bury(paths []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return segment.Guard(func() error {
		for i := range b.members {
			if m := &b.members[i]; m.base {
				m.live = bury(m.live, paths)
			}
		}
		return nil
	})
}

// Generation is what a commit records beside the segments.
type Generation struct {
	Tree           *merkle.Tree
	Policy         discover.Policy
	Commit, Branch string
	Indexed, Total int // of an indexing that is not finished; zero when it is
	Written        time.Time
}

// Commit publishes what was added as the next generation. Nothing is published
// when it fails, and the batch can go on or be closed.
func (b *Batch) Commit(ctx context.Context, g Generation) (generation uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := b.keepLocked(func(m member) bool { return m.live.Count() > 0 }); err != nil {
		return 0, err
	}
	if g.Total == 0 {
		if err := b.compactLocked(ctx); err != nil {
			return 0, err
		}
	}
	tree := g.Tree.Encode()
	m := &manifest{
		Format: Format, Analysis: Analysis, Generation: b.manifest.Generation + 1, Written: g.Written.UTC(),
		Commit: g.Commit, Branch: g.Branch, Total: g.Total, Indexed: g.Indexed,
		Policy: g.Policy, Tree: code.Hash(xxh3.Hash128(tree).Bytes()).String() + treeSuffix,
	}
	for _, member := range b.members {
		ref, err := newSegmentRef(member.part.name, member.live)
		if err != nil {
			return 0, err
		}
		m.Segments = append(m.Segments, ref)
	}
	putTree := func(w io.Writer) error { _, err := w.Write(tree); return err }
	if _, err := b.family.dir.Put(putTree, func() string { return m.Tree }); err != nil {
		return 0, err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return 0, fmt.Errorf("encode manifest: %w", err)
	}
	if err := b.family.dir.Replace(manifestName(b.view), append(data, '\n')); err != nil {
		return 0, err
	}
	b.manifest = m
	return m.Generation, nil
}

// Close drops what was not committed, removes the parts that no generation
// needs any more, and gives the lock back.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unlock == nil {
		return nil
	}
	err := errors.Join(b.keepLocked(func(member) bool { return false }), b.family.collect())
	b.unlock()
	b.unlock = nil
	return err
}

// keepLocked drops the members for which keep is false.
func (b *Batch) keepLocked(keep func(member) bool) error {
	var gone []*part
	kept := b.members[:0:0]
	for _, m := range b.members {
		if keep(m) {
			kept = append(kept, m)
		} else {
			gone = append(gone, m.part)
		}
	}
	b.members = kept
	return b.family.release(gone)
}

// collect removes the parts that no manifest of the family lists. The caller
// holds the writer's lock and adds nothing meanwhile: a part is listed only
// some time after it was put.
func (f *Family) collect() error {
	names, err := f.dir.Names()
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, n := range names {
		view, ok := strings.CutPrefix(strings.TrimSuffix(n, ".json"), "view-")
		if !ok {
			continue
		}
		m, err := f.readManifest(view)
		if err != nil {
			return nil // an index that cannot be read is left as it is
		}
		kept[m.Tree] = true
		for _, r := range m.Segments {
			kept[r.Part] = true
		}
	}
	for _, n := range names {
		if (strings.HasSuffix(n, segmentSuffix) || strings.HasSuffix(n, treeSuffix)) && !kept[n] {
			err = errors.Join(err, f.dir.Remove(n))
		}
	}
	return err
}
