package store

import (
	"context"
	"fmt"
	"io"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/segment/vec"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
	"espy/internal/windows/win"
)

// AddSyntax adds what was found to the segments that lack it, and returns for
// how many files it did. It adds nothing where a segment is damaged, which is
// to be indexed anew first.
func (b *Batch) AddSyntax(found map[SyntaxKey]Parsed) (added int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil || len(b.base.Damaged) > 0 {
		return 0, nil
	}
	for i := range b.members {
		n, err := b.addSyntaxLocked(&b.members[i], found)
		if err != nil {
			return added, err
		}
		added += n
	}
	return added, nil
}

func (b *Batch) addSyntaxLocked(m *member, found map[SyntaxKey]Parsed) (added int, err error) {
	var files []Parsed
	err = segment.Guard(func() error { files, added = m.withSyntax(found); return nil })
	if err != nil || added == 0 {
		return 0, err
	}
	p, err := b.family.pool.Put(syntaxKind{}, func(w io.Writer) error { return writeSyntax(part.Dropping(w, m.parts()), m.Identity(), files) })
	if err != nil {
		return 0, err
	}
	old := m.syntax
	syntaxKind{}.set(&m.Segment, p)
	return added, b.family.pool.Release(old)
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

// Embedded is what a pass over the vectors of files found.
type Embedded struct {
	Model  string
	Dims   int
	Remote bool                    // of the model on another machine
	Files  map[VectorKey][]vec.Row // of each file the rows of all its chunks
}

// VectorKey is what the vectors of a file depend on beside the model.
type VectorKey struct {
	Path string
	Hash code.Hash // of its content
}

// AddVectors is AddSyntax for vectors. Those of another model make way.
func (b *Batch) AddVectors(found Embedded) (added int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil || len(b.base.Damaged) > 0 {
		return 0, nil
	}
	for i := range b.members {
		n, err := b.addVectorsLocked(&b.members[i], found)
		if err != nil {
			return added, err
		}
		added += n
	}
	return added, nil
}

func (b *Batch) addVectorsLocked(m *member, found Embedded) (added int, err error) {
	k := vectorsKind{found.Remote}
	var files []embeddedFile
	err = segment.Guard(func() error { files, added = m.withVectors(found); return nil })
	if err != nil || added == 0 {
		return 0, err
	}
	h := vec.Header{Lex: m.Identity(), Model: found.Model, Dims: found.Dims}
	p, err := b.family.pool.Put(k, func(w io.Writer) error { return writeVectors(part.Dropping(w, m.parts()), m.Reader, h, files) })
	if err != nil {
		return 0, err
	}
	old := k.of(&m.Segment)
	k.set(&m.Segment, p)
	return added, b.family.pool.Release(old)
}

// withVectors returns where the vectors of the files of a segment are, with what
// was found, and of how many files that is new.
func (s *Segment) withVectors(found Embedded) (files []embeddedFile, added int) {
	files = make([]embeddedFile, s.NumFiles())
	known := vectorsKind{found.Remote}.reader(s)
	if known != nil && (known.Model != found.Model || known.Dims != found.Dims) {
		known = nil
	}
	for i := range files {
		first, end := s.ChunksOf(i)
		if known != nil && known.Knows(first, end) {
			files[i] = embeddedFile{part: known, first: first}
			continue
		}
		rows, ok := found.Files[VectorKey{s.Path(i), s.FileHash(i)}]
		if ok && s.Alive(i) && len(rows) == end-first && end > first {
			files[i].rows = rows
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
