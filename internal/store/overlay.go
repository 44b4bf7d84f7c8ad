package store

import (
	"errors"
	"fmt"
	"slices"

	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/segment/vec"
)

// Delta is what a sync found: the paths whose old files are no longer live,
// segments with the new ones, files that were known before, and the tree as it
// is now.
type Delta struct {
	Dead     []string // sorted
	Segments [][]byte // segments in memory
	Syntax   [][]byte // of each segment its syntax part, nil for none; nil for none at all
	Vectors  [][]byte // the same of its vectors by the model of the program
	Reused   []Reused
	Known    *Known // that found Reused, to be closed with the delta
	Tree     *listing.Tree
}

// Close gives back what the delta needs.
func (d *Delta) Close() error { return d.Known.Close() }

// Overlay returns a snapshot that shows the delta without committing it: a
// delta that holds the files of damaged parts too. The snapshot s stays open
// and must be closed too.
func (s *Snapshot) Overlay(d Delta) (*Snapshot, error) {
	o := s.Clone()
	o.Segments, o.Windows = slices.Clone(s.Segments), nil
	o.Damaged, o.Replaced = nil, s.Damaged
	err := segment.Guard(func() error {
		for i := range o.Segments {
			o.Segments[i].tombstone(d.Dead)
		}
		o.reuse(d.Reused)
		return nil
	})
	if err == nil {
		err = o.addMemory(d)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("overlay changes: %w", err), o.Close())
	}
	if err := o.See(d.Tree); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// See makes a tree what the snapshot saw.
func (s *Snapshot) See(t *listing.Tree) error {
	old := s.tree
	s.tree = &lazyTree{tree: t}
	s.tree.users.Store(1)
	s.tree.once.Do(func() {})
	return old.release()
}

// reuse shows files that were found.
func (s *Snapshot) reuse(files []Reused) {
	for group := range byPart(files) {
		found := group[0].segment
		i := slices.IndexFunc(s.Segments, func(o Segment) bool { return o.lex != nil && o.lex.Name == found.lex.Name })
		if i < 0 {
			s.family.pool.Retain(found.parts()...)
			i = len(s.Segments)
			s.Segments = append(s.Segments, found.allDead())
		}
		s.Segments[i].reuse(group)
	}
}

// addMemory adds the segments of a delta, which are in memory.
func (s *Snapshot) addMemory(d Delta) error {
	for i, data := range d.Segments {
		r, err := segment.Open(data, fmt.Sprintf("overlay segment %d", i))
		if err != nil {
			return err
		}
		added := Segment{Live: segment.Live{Reader: r}}
		if data := at(d.Syntax, i); data != nil {
			if added.Syntax, err = syn.Open(data, fmt.Sprintf("overlay syntax %d", i)); err != nil {
				return err
			}
		}
		if data := at(d.Vectors, i); data != nil {
			if added.Vectors, err = vec.Open(data, fmt.Sprintf("overlay vectors %d", i)); err != nil {
				return err
			}
		}
		s.Segments = append(s.Segments, added)
	}
	return nil
}
