package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/segment"
)

// Known finds what the family has analysed before: a file with the same path
// and content that is dead in a view, or live in another, need not be analysed
// again. It opens the parts at the first question. Find belongs inside a
// segment.Guard and may be called from several goroutines; what it found is good
// until Close. A nil Known knows nothing.
type Known struct {
	family *Family
	base   *Snapshot // what the files are compared with; nil for nothing
	use    func(view string) bool
	paths  iter.Seq[string]

	once   sync.Once
	err    error
	open   []*Snapshot
	places []Revival // the parts, those of base first
}

// Revival is a file in a part that has its path and content.
type Revival struct {
	part, syntax *part // syntax is nil for none
	file         int
}

func compareRevivals(a, b Revival) int {
	return cmp.Or(cmp.Compare(a.part.name, b.part.name), cmp.Compare(a.file, b.file))
}

// Known returns what is known of files with some paths that the batch is to
// take in. The views for which use is true analyse files as the batch does.
func (b *Batch) Known(use func(view string) bool, paths iter.Seq[string]) *Known {
	return &Known{family: b.family, base: b.base, use: use, paths: paths}
}

// Known is Batch.Known for an overlay of the snapshot.
func (s *Snapshot) Known(use func(view string) bool, paths iter.Seq[string]) *Known {
	if s.family == nil {
		return nil
	}
	return &Known{family: s.family, base: s, use: use, paths: paths}
}

// Find returns where a file of that path and content is.
func (k *Known) Find(path string, hash code.Hash, size int64) (r Revival, ok bool, err error) {
	if k == nil {
		return r, false, nil
	}
	if k.once.Do(func() { k.err = k.look() }); k.err != nil {
		return r, false, k.err
	}
	for _, p := range k.places {
		file, ok := p.part.reader.FindPath(path)
		if ok && p.part.reader.FileHash(file) == hash && p.part.reader.FileSize(file) == size {
			return Revival{part: p.part, syntax: p.syntax, file: file}, true, nil
		}
	}
	return r, false, nil
}

// Close gives the parts back.
func (k *Known) Close() (err error) {
	if k == nil {
		return nil
	}
	for _, s := range k.open {
		err = errors.Join(err, s.Close())
	}
	k.open, k.places = nil, nil
	return err
}

// look opens the parts: those of base, and of the other views those of which
// enough is of use.
func (k *Known) look() error {
	at := map[string]int{}
	if k.base != nil {
		k.add(k.base, at)
	}
	own := len(k.places)
	views, err := k.family.Views()
	if err != nil {
		return err
	}
	slices.Sort(views)
	for _, v := range views {
		if !k.use(v) {
			continue
		}
		s, err := k.family.Snapshot(v)
		if err != nil {
			continue // a view that cannot be read is of no help here
		}
		k.open = append(k.open, s)
		k.add(s, at)
	}
	foreign := k.places[own:]
	k.places = append(k.places[:own:own], k.worth(foreign)...)
	return nil
}

// add notes the parts of a snapshot that were not noted yet, and the syntax of
// others where more is known in it.
func (k *Known) add(s *Snapshot, at map[string]int) {
	for i := range s.syntax {
		p := Revival{part: s.parts[i], syntax: s.syntax[i]}
		j, ok := at[p.part.name]
		if !ok {
			at[p.part.name] = len(k.places)
			k.places = append(k.places, p)
			continue
		}
		if have := k.places[j].syntax; p.syntax != nil && (have == nil || p.syntax.syntax.Stats().Pending() < have.syntax.Stats().Pending()) {
			k.places[j].syntax = p.syntax
		}
	}
}

// worthTaking is which share of a part's weight must be of use, at best, for
// it to be taken up: a segment that is mostly dead is written again, which reads
// all of it.
const worthTaking = 4

// worth returns the parts that have enough of the paths.
func (k *Known) worth(parts []Revival) (some []Revival) {
	if len(parts) == 0 {
		return nil
	}
	use := make([]int64, len(parts))
	for path := range k.paths {
		for i, p := range parts {
			if file, ok := p.part.reader.FindPath(path); ok {
				use[i] += weight(segment.Stats{Files: 1, TextBytes: int64(p.part.reader.TextSize(file))})
			}
		}
	}
	for i, p := range parts {
		if use[i]*worthTaking >= weight(p.part.reader.Stats()) {
			some = append(some, p)
		}
	}
	return some
}

// ErrGone says that a part was removed since it was found.
var ErrGone = errors.New("a part of the index was removed meanwhile")

// Revive makes files that were found live in the generation that is being made.
// It fails with ErrGone where another writer has removed their part since.
func (b *Batch) Revive(files []Revival) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return segment.Guard(func() error {
		for group := range byPart(files) {
			if err := b.reviveLocked(group); err != nil {
				return err
			}
		}
		return nil
	})
}

// byPart yields the files of each part in turn.
func byPart(files []Revival) iter.Seq[[]Revival] {
	files = slices.SortedFunc(slices.Values(files), compareRevivals)
	return func(yield func([]Revival) bool) {
		for len(files) > 0 {
			n := 1
			for n < len(files) && files[n].part.name == files[0].part.name {
				n++
			}
			if !yield(files[:n]) {
				return
			}
			files = files[n:]
		}
	}
}

func (b *Batch) reviveLocked(group []Revival) error {
	p := group[0]
	i := slices.IndexFunc(b.members, func(m member) bool { return m.part.name == p.part.name })
	if i < 0 {
		if _, err := b.family.dir.Stat(p.part.name); err != nil {
			return goneError(p.part, err)
		}
		if p.syntax != nil {
			if _, err := b.family.dir.Stat(p.syntax.name); err != nil {
				return goneError(p.syntax, err)
			}
		}
		b.family.retain([]*part{p.part, p.syntax})
		i = len(b.members)
		b.members = append(b.members, member{part: p.part, live: noneLive(p.part.reader), syntax: p.syntax})
	}
	b.members[i].live = revive(b.members[i].live, group)
	return nil
}

func goneError(p *part, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", p.name, ErrGone)
	}
	return err
}

// noneLive is a part without a live file.
func noneLive(r *segment.Reader) segment.Live {
	return segment.Live{Reader: r, Live: make(segment.Bitmap, (r.NumFiles()+63)/64)}
}

// revive returns a segment with files live in it.
func revive(l segment.Live, files []Revival) segment.Live {
	if l.Live == nil {
		return l
	}
	l.Live = l.Live.Clone()
	for _, f := range files {
		l.Live.Set(f.file)
	}
	if l.Live.Count() == l.NumFiles() {
		l.Live = nil
	}
	return l
}

// overlayRevived shows files that were found in a snapshot that was cloned for
// an overlay.
func (s *Snapshot) overlayRevived(files []Revival) {
	for group := range byPart(files) {
		p := group[0]
		i := slices.IndexFunc(s.parts[:len(s.Segments)], func(o *part) bool { return o.name == p.part.name })
		if i < 0 {
			s.family.retain([]*part{p.part, p.syntax})
			i = len(s.Segments)
			s.parts = slices.Insert(s.parts, i, p.part) // before those of windows
			s.Segments = append(s.Segments, noneLive(p.part.reader))
			s.addSyntax(p.syntax)
		}
		s.Segments[i] = revive(s.Segments[i], group)
	}
}
