package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"espy/internal/segment"
	"espy/internal/store/part"
)

// Verification is what reading a whole view found.
type Verification struct {
	Segments, Files int
	Bytes           int64 // of parts read
	Problems        []Damage

	checked map[string]bool
}

// Verify reads every byte of a view's newest generation again: checksums, the
// structure of every part, and that the tree and the segments hold the same files.
// Damaged parts are quarantined. It holds little of a few parts at a time, and the
// tree. Parts in checked, unless that is nil, were read for another view and are not
// read again; those that are read are added.
func (f *Family) Verify(ctx context.Context, view string, checked map[string]bool) (Verification, error) {
	v := Verification{checked: checked}
	s, err := f.Snapshot(view)
	if err != nil {
		return v, err
	}
	defer s.Close()
	var parts, beside []*part.Part
	for i := range s.Segments {
		v.Segments++
		v.Files += s.Segments[i].Count()
		parts = append(parts, s.Segments[i].lex)
		for _, k := range companions {
			if p := k.of(&s.Segments[i]); p != nil {
				beside = append(beside, p)
			}
		}
	}
	damaged, err := v.check(ctx, f.pool, append(parts, s.windows...))
	v.Problems = slices.Concat(s.Damaged, damaged)
	sound := len(v.Problems) == 0
	if err == nil {
		damaged, err = v.check(ctx, f.pool, beside)
	}
	if err != nil {
		return v, err
	}
	v.Problems = slices.Concat(v.Problems, s.Unparsed, damaged)
	if sound {
		err := segment.Guard(func() error { v.Problems = append(v.Problems, s.checkTree()...); return nil })
		if err != nil {
			v.Problems = append(v.Problems, Damage{Part: s.manifest.Tree, Err: err})
		}
	}
	return v, nil
}

// verifiers is how many parts are checked at a time, on as many processors.
const verifiers = 4

// check checks parts, and takes those that are damaged out of use.
func (v *Verification) check(ctx context.Context, pool *part.Pool, parts []*part.Part) (damaged []Damage, err error) {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p *part.Part) bool { return v.checked[p.Name] })
	found := make([]error, len(parts))
	var group errgroup.Group
	group.SetLimit(min(verifiers, runtime.GOMAXPROCS(0)))
	for i := 0; i < len(parts) && ctx.Err() == nil; i++ {
		group.Go(func() (err error) { found[i], err = parts[i].Check(); return err })
	}
	err = cmp.Or(group.Wait(), ctx.Err())
	for i, p := range parts {
		if v.checked != nil {
			v.checked[p.Name] = true
		}
		v.Bytes += p.Content.Size()
		if found[i] != nil {
			pool.Quarantine(p.Name, found[i])
			damaged = append(damaged, Damage{Part: p.Name, Err: found[i]})
		}
	}
	return damaged, err
}

// checkTree compares the indexed leaves with the live files.
func (s *Snapshot) checkTree() []Damage {
	tree, err := s.Tree()
	if err != nil {
		return []Damage{{Part: s.manifest.Tree, Err: err}}
	}
	indexed := 0
	for i := range tree.Leaves {
		l := &tree.Leaves[i]
		if l.Reason != "" {
			continue
		}
		indexed++
		seg, file, ok := s.Find(l.Path)
		if !ok || s.Segments[seg].FileHash(file) != l.Hash {
			err := fmt.Errorf("%w: the segments hold no file %q with hash %s", ErrDamaged, l.Path, l.Hash)
			return []Damage{{Part: s.manifest.Tree, Err: err}}
		}
	}
	live := 0
	for _, l := range s.Segments {
		live += l.Count()
	}
	if live != indexed {
		err := fmt.Errorf("%d live files, the tree lists %d", live, indexed)
		return []Damage{{Part: s.manifest.Tree, Err: errors.Join(ErrDamaged, err)}}
	}
	return nil
}
