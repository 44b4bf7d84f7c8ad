package store

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/segment"
)

// Known finds files that the family has analysed before. A file with the same
// path and content that is dead in this view, or live in another, need not be
// analysed again. The first Find opens the parts. Find belongs inside a
// segment.Guard and may be called from several goroutines; its results are valid
// until Close. A nil Known finds nothing.
type Known struct {
	family *Family
	base   *Snapshot // what the files are compared with; nil for nothing
	use    func(view string) bool
	paths  iter.Seq[string]

	once   sync.Once
	err    error
	open   []*Snapshot
	places []Segment // those of base first
}

// Reused is a file of a segment that was analysed before.
type Reused struct {
	segment *Segment
	file    int
}

func compareReused(a, b Reused) int {
	return cmp.Or(cmp.Compare(a.segment.lex.Name, b.segment.lex.Name), cmp.Compare(a.file, b.file))
}

// Known returns where to find files with some paths, for an overlay of the
// snapshot. The views for which use is true analyse files as the overlay does.
func (s *Snapshot) Known(use func(view string) bool, paths iter.Seq[string]) *Known {
	if s.family == nil {
		return nil
	}
	return &Known{family: s.family, base: s, use: use, paths: paths}
}

// Find returns where a file of that path and content is.
func (k *Known) Find(path string, hash code.Hash, size int64) (r Reused, ok bool, err error) {
	if k == nil {
		return r, false, nil
	}
	if k.once.Do(func() { k.err = k.look() }); k.err != nil {
		return r, false, k.err
	}
	for i := range k.places {
		s := &k.places[i]
		if file, ok := s.FindPath(path); ok && s.FileHash(file) == hash && s.FileSize(file) == size {
			return Reused{segment: s, file: file}, true, nil
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

// look opens the parts of base, and those parts of other views that are useful
// enough.
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

// add notes the segments of a snapshot that were not noted yet, and the parts
// beside others where more is known in them.
func (k *Known) add(s *Snapshot, at map[string]int) {
	for _, seg := range s.Segments {
		if seg.lex == nil {
			continue // of an overlay
		}
		j, ok := at[seg.lex.Name]
		if !ok {
			at[seg.lex.Name] = len(k.places)
			k.places = append(k.places, seg)
			continue
		}
		have := &k.places[j]
		for _, c := range companions {
			p, old := c.of(&seg), c.of(have)
			if p != nil && (old == nil || c.pending(p.Content) < c.pending(old.Content)) {
				c.set(have, p)
			}
		}
	}
}

// worthTaking is which share of a part's weight must be of use, at best, for
// it to be taken up: a segment that is mostly dead is written again, which reads
// all of it.
const worthTaking = 4

// worth returns the segments that have enough of the paths.
func (k *Known) worth(segments []Segment) (some []Segment) {
	if len(segments) == 0 {
		return nil
	}
	use := make([]int64, len(segments))
	for path := range k.paths {
		for i := range segments {
			if file, ok := segments[i].FindPath(path); ok {
				use[i] += weight(segment.Stats{Files: 1, TextBytes: int64(segments[i].TextSize(file))})
			}
		}
	}
	for i := range segments {
		if use[i]*worthTaking >= weight(segments[i].Stats()) {
			some = append(some, segments[i])
		}
	}
	return some
}

// byPart yields the files of each part in turn.
func byPart(files []Reused) iter.Seq[[]Reused] {
	files = slices.SortedFunc(slices.Values(files), compareReused)
	return func(yield func([]Reused) bool) {
		for len(files) > 0 {
			n := 1
			for n < len(files) && files[n].segment.lex.Name == files[0].segment.lex.Name {
				n++
			}
			if !yield(files[:n]) {
				return
			}
			files = files[n:]
		}
	}
}

// reuse makes files of the segment live.
func (s *Segment) reuse(files []Reused) {
	if s.Live.Live == nil {
		return
	}
	live := s.Live.Live.Clone()
	for _, f := range files {
		live.Set(f.file)
	}
	if live.Count() == s.NumFiles() {
		live = nil
	}
	s.Live.Live = live
}
