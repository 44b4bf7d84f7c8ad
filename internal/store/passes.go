package store

import (
	"context"
	"fmt"
	"io"

	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/segment/vec"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
	"espy/internal/store/vectors"
	"espy/internal/windows/win"
)

// AddSyntax adds what was found to the segments that lack it, and returns for
// how many files it did. It adds nothing where a segment is damaged, which is
// to be indexed anew first.
func (b *Batch) AddSyntax(found map[SyntaxKey]Parsed) (added int, err error) {
	return b.addBeside(syntaxKind{}, func(s *Segment) (write func(io.Writer) error, added int) {
		files, added := s.withSyntax(found)
		return func(w io.Writer) error { return writeSyntax(w, s.Identity(), files) }, added
	})
}

// AddVectors is AddSyntax for vectors. Those of another model make way.
func (b *Batch) AddVectors(found vectors.Found) (added int, err error) {
	k, h := vectorsKind{found.Remote}, vec.Header{Model: found.Model, Dims: found.Dims}
	return b.addBeside(k, func(s *Segment) (write func(io.Writer) error, added int) {
		files, added := found.Beside(s.Live, k.reader(s))
		return func(w io.Writer) error { return vectors.Write(w, s.Reader, h, files) }, added
	})
}

// addBeside writes a companion of each segment for which find has something to
// add: how to write it, and for how many files it is new.
func (b *Batch) addBeside(k companion, find func(*Segment) (write func(io.Writer) error, added int)) (added int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil || len(b.base.Damaged) > 0 {
		return 0, nil
	}
	for i := range b.members {
		s, n := &b.members[i].Segment, 0
		var write func(io.Writer) error
		if err = segment.Guard(func() error { write, n = find(s); return nil }); err != nil {
			return added, err
		}
		if n == 0 {
			continue
		}
		p, err := b.family.pool.Put(k, func(w io.Writer) error { return write(part.Dropping(w, s.parts())) })
		if err != nil {
			return added, err
		}
		old := k.of(s)
		k.set(s, p)
		added += n
		if err := b.family.pool.Release(old); err != nil {
			return added, err
		}
	}
	return added, nil
}

// withSyntax returns what is known of the files of a segment with what was
// found, and of how many files that is new.
func (s *Segment) withSyntax(found map[SyntaxKey]Parsed) (files []Parsed, added int) {
	files = make([]Parsed, s.NumFiles())
	for i := range files {
		state := syn.Absent
		if s.Syntax != nil {
			state = s.Syntax.State(i)
		}
		if state != syn.Absent {
			files[i].Source = syn.Source{Reader: s.Syntax, File: i}
		}
		if state == syn.Parsed || state == syn.Failed || !s.Alive(i) {
			continue
		}
		if p, ok := found[syntaxKey(s.Reader, i)]; ok && p.state() != state {
			files[i] = p
			added++
		}
	}
	return files, added
}

// CommitPass publishes what AddSyntax and AddVectors added, under the number of the
// generation: what a search finds does not change. When it fails nothing is
// published.
func (b *Batch) CommitPass(ctx context.Context) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.base == nil || len(b.base.Damaged) > 0 {
		return fmt.Errorf("commit pass: %w: its segments are to be indexed first", ErrDamaged)
	}
	m := *b.manifest
	if m.Segments, err = b.refsLocked(); err != nil {
		return err
	}
	return b.replaceLocked(&m)
}

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
		ref, err := manifest.NewSegment(p.Ref(), nil)
		if err != nil {
			return err
		}
		m.Windows = append(m.Windows, ref)
	}
	return b.replaceLocked(&m)
}
