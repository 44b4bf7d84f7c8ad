package store

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"espy/internal/segment"
	"espy/internal/store/part"
)

// ErrGone says that a part was removed since it was found.
var ErrGone = errors.New("a part of the index was removed meanwhile")

// Known returns where to find files with some paths, for the batch to reuse. The
// views for which use is true analyse files as the batch does.
func (b *Batch) Known(use func(view string) bool, paths iter.Seq[string]) *Known {
	return &Known{family: b.family, base: b.base, use: use, paths: paths}
}

// Reuse makes files that Known found live in the next generation. It fails with
// ErrGone where another writer has removed their part since.
func (b *Batch) Reuse(files []Reused) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return segment.Guard(func() error {
		for group := range byPart(files) {
			if err := b.reuseLocked(group); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Batch) reuseLocked(group []Reused) error {
	found := group[0].segment
	i := slices.IndexFunc(b.members, func(m member) bool { return m.lex.Name == found.lex.Name })
	if i < 0 {
		if err := b.family.stand(found.parts()); err != nil {
			return err
		}
		b.family.pool.Retain(found.parts()...)
		i = len(b.members)
		b.members = append(b.members, member{Segment: found.allDead()})
	}
	b.members[i].reuse(group)
	return nil
}

// stand fails with ErrGone where the file of a part is gone.
func (f *Family) stand(parts []*part.Part) error {
	for _, p := range parts {
		if p == nil {
			continue
		}
		if _, err := f.dir.Stat(p.Name); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", p.Name, ErrGone)
		} else if err != nil {
			return err
		}
	}
	return nil
}
