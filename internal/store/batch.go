package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/merkle"
	"espy/internal/segment"
	"espy/internal/windows/win"
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
	manifest *manifest // the newest generation, guarded by mu
	base     *Snapshot // what the batch began with, nil for nothing
	members  []member  // guarded by mu
	windows  []*part   // of the newest generation, by number, guarded by mu
	whole    bool      // starts from nothing, but a whole generation serves until the commit
	buried   bool      // files that were live when the batch began are not any more, guarded by mu
	kept     bool      // what the batch began with is kept, guarded by mu
}

// member is a segment of the generation that is being made.
type member struct {
	part   *part
	live   segment.Live
	syntax *part // nil for none
	base   bool  // was there when the batch began
}

// Begin starts a batch on a view under the lock that unlock gives back. The
// batch starts from the newest generation, or from nothing where there is
// none, it is of an older format, it is damaged, or fresh is set.
func (f *Family) Begin(view string, unlock func(), fresh bool) (*Batch, error) {
	b := &Batch{family: f, view: view, unlock: unlock, manifest: &manifest{}}
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

// Rebuildable reports whether indexing anew gets past an error of opening an
// index: there is none, it is damaged, or it is of an older format.
func Rebuildable(err error) bool {
	var format *FormatError
	return errors.Is(err, ErrNoIndex) || errors.Is(err, ErrDamaged) || errors.As(err, &format) && !format.Newer()
}

// Anew says why the batch starts from nothing though there is an index that
// was not to be replaced; nil where it does not.
func (b *Batch) Anew() error {
	if errors.Is(b.reason, ErrNoIndex) {
		return nil
	}
	return b.reason
}

// adopt starts the batch with the segments of a generation.
func (b *Batch) adopt(m *manifest) error {
	b.manifest = m
	s, missing, err := b.family.open(m)
	for ; missing != ""; s, missing, err = b.family.open(m) {
		b.family.Quarantine(missing, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	b.base = s
	b.family.retain(s.parts)
	b.family.retain(s.syntax)
	for i, l := range s.Segments {
		b.members = append(b.members, member{part: s.parts[i], live: l, syntax: s.syntax[i], base: true})
	}
	return nil
}

// Base returns the generation the batch starts from, nil where it starts from
// nothing. It belongs to the batch.
func (b *Batch) Base() *Snapshot { return b.base }

// Follows reports whether the batch starts from what a snapshot shows: what
// was found to differ from the one differs from the other.
func (b *Batch) Follows(s *Snapshot) bool {
	return b.base != nil && s.manifest != nil && b.base.manifest.Tree == s.manifest.Tree &&
		b.base.Freshness == s.manifest.freshness() &&
		slices.EqualFunc(b.base.Damaged, s.Damaged, func(a, b Damage) bool { return a.Part == b.Part })
}

// First reports whether no generation with every file serves meanwhile.
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
	return b.put(func(w io.Writer) error { _, err := builder.WriteTo(w); return err })
}

// AddSegment writes a segment that was built in memory, and its syntax part
// where that is not nil.
func (b *Batch) AddSegment(data, syntax []byte) error {
	m, err := b.family.put(segmentSuffix, func(w io.Writer) error { _, err := w.Write(data); return err })
	if err == nil && syntax != nil {
		m.syntax, err = b.family.putSyntax(func(w io.Writer) error { _, err := w.Write(syntax); return err })
	}
	return b.take(m, err)
}

func (b *Batch) put(write func(io.Writer) error) error {
	return b.take(b.family.put(segmentSuffix, write))
}

// take adds a segment that was written to the generation that is being made.
func (b *Batch) take(m member, err error) error {
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = append(b.members, m)
	return nil
}

// put writes a part under the hash of its bytes and maps it.
func (f *Family) put(suffix string, write func(io.Writer) error) (member, error) {
	hash := xxh3.New128()
	var name string
	size, err := f.dir.Put(
		func(w io.Writer) error { hash.Reset(); return write(io.MultiWriter(w, hash)) },
		func() string { name = code.Hash(hash.Sum128().Bytes()).String() + suffix; return name })
	if err != nil {
		return member{}, err
	}
	f.renew(name)
	p, l, err := f.acquire(segmentRef{Part: name, Size: size})
	return member{part: p, live: l}, err
}

// AddWindows writes part n of the windows over the segments of the last
// commit, which leaves the builder empty. Parts are in path order.
func (b *Batch) AddWindows(n int, builder *win.Builder) error {
	m, err := b.family.put(windowsSuffix, func(w io.Writer) error { _, err := builder.WriteTo(w); return err })
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.windows = append(b.windows, make([]*part, max(0, n+1-len(b.windows)))...)
	b.windows[n] = m.part
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
		m.Windows = append(m.Windows, segmentRef{Part: p.name, Size: p.windows.Size(), ID: p.windows.Identity()})
	}
	return b.replaceLocked(&m)
}

// replaceLocked makes a manifest that of the newest generation.
func (b *Batch) replaceLocked(m *manifest) error {
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	if err := b.family.dir.Replace(manifestName(b.view), data); err != nil {
		return err
	}
	b.manifest = m
	return nil
}

// Bury takes paths out of the segments that the batch began with.
func (b *Batch) Bury(paths []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return segment.Guard(func() error {
		for i := range b.members {
			if m := &b.members[i]; m.base {
				var some bool
				m.live, some = bury(m.live, paths)
				b.buried = b.buried || some
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
	Brief          bool // the commit should be quick: only small segments are merged

	Changes      []LogChange // for the log: what of Changed is told
	ChangedFiles int         // how many there are
}

// Commit publishes what was added as the next generation; where the files that
// can be found are those of the generation before, what was seen of the tree is
// renewed under its number. When it fails nothing is published and the batch
// can go on or be closed.
func (b *Batch) Commit(ctx context.Context, g Generation) (generation uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.tidyLocked(ctx, g); err != nil {
		return 0, err
	}
	m := &manifest{
		Format: Format, Analysis: Analysis, Generation: b.manifest.Generation + 1, Written: g.Written.UTC(),
		Commit: g.Commit, Branch: g.Branch, Total: g.Total, Indexed: g.Indexed, Policy: g.Policy,
	}
	if m.Segments, err = b.refsLocked(); err != nil {
		return 0, err
	}
	base := b.manifest.Generation
	if m.same(b.manifest) {
		m.Generation = base
	}
	if m.Tree, err = b.putTree(g.Tree); err != nil {
		return 0, err
	}
	if err := b.keepOldLocked(m); err != nil {
		return 0, err
	}
	if err := b.replaceLocked(m); err != nil {
		return 0, err
	}
	if m.Generation != base && m.Total == 0 {
		b.log(m, base, &g)
	}
	return m.Generation, nil
}

// log adds what a commit changed to the log of the view. A record that cannot
// be written is missed by who reads the log: the next one names another base.
func (b *Batch) log(m *manifest, base uint64, g *Generation) {
	r := &LogRecord{Generation: m.Generation, Base: base, Time: m.Written, Commit: m.Commit, Files: g.ChangedFiles, Changes: g.Changes}
	if b.base == nil {
		r.Base, r.Files = 0, 0
		for _, member := range b.members {
			r.Files += member.live.Count()
		}
	}
	_ = b.family.appendLog(b.view, r)
}

// tidyLocked drops segments without a live file and merges small ones.
func (b *Batch) tidyLocked(ctx context.Context, g Generation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.keepLocked(func(m member) bool { return m.live.Count() > 0 }); err != nil {
		return err
	}
	if g.Total > 0 {
		return nil // more is to come
	}
	limit := int64(maxMergedText)
	if g.Brief {
		limit = maxBriefText
	}
	return b.compactLocked(ctx, limit)
}

func (b *Batch) refsLocked() (refs []segmentRef, err error) {
	err = segment.Guard(func() error {
		for _, member := range b.members {
			ref, err := newSegmentRef(member.part.name, member.live)
			if err != nil {
				return err
			}
			ref.Syntax = newSyntaxRef(member.syntax)
			refs = append(refs, ref)
		}
		return nil
	})
	return refs, err
}

func (b *Batch) putTree(t *merkle.Tree) (name string, err error) {
	data := t.Encode()
	name = code.Hash(xxh3.Hash128(data).Bytes()).String() + treeSuffix
	_, err = b.family.dir.Put(func(w io.Writer) error { _, err := w.Write(data); return err }, func() string { return name })
	return name, err
}

// Close drops what was not committed, removes the parts that no generation
// needs any more, and gives the lock back.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unlock == nil {
		return nil
	}
	err := errors.Join(b.keepLocked(func(member) bool { return false }), b.family.release(slices.DeleteFunc(b.windows, func(p *part) bool { return p == nil })))
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
	var gone []*part
	kept := b.members[:0:0]
	for _, m := range b.members {
		if keep(m) {
			kept = append(kept, m)
		} else {
			gone = append(gone, m.part, m.syntax)
		}
	}
	b.members = kept
	return b.family.release(gone)
}

func isPart(name string) bool {
	return slices.Contains([]string{segmentSuffix, syntaxSuffix, windowsSuffix, treeSuffix, badSuffix}, filepath.Ext(name))
}
