package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Syntax is the version of what the text of files is parsed to. It is raised
// with every change of what a parser tells of a file and of the format of the
// parts. Parts of another version are of no use: the files are parsed again,
// while what search reads stays. Version 1 is the first.
const Syntax = 9

const syntaxSuffix = ".syn"

// syntaxRef is the syntax part of a segment.
type syntaxRef struct {
	Part     string    `json:"part"`
	Size     int64     `json:"size"`
	ID       code.Hash `json:"id"`
	Analysis int       `json:"analysis"` // Syntax of the program that wrote it
}

func newSyntaxRef(p *part) *syntaxRef {
	if p == nil {
		return nil
	}
	return &syntaxRef{Part: p.name, Size: p.syntax.Size(), ID: p.syntax.Identity(), Analysis: Syntax}
}

// OldSyntax returns the version of the syntax parts that the generation has and
// this program cannot use, 0 where it has none.
func (s *Snapshot) OldSyntax() int {
	for _, ref := range s.manifest.Segments {
		if ref.Syntax != nil && ref.Syntax.Analysis != Syntax {
			return ref.Syntax.Analysis
		}
	}
	return 0
}

// acquireSyntax returns the mapped syntax part of a segment, counting one more
// user of it; nil where the segment has none of this version. One that is not
// what the manifest says goes into quarantine.
func (f *Family) acquireSyntax(ref segmentRef, lex *segment.Reader) (*part, error) {
	if ref.Syntax == nil || ref.Syntax.Analysis != Syntax {
		return nil, nil
	}
	name := ref.Syntax.Part
	p, _, err := f.acquire(segmentRef{Part: name, Size: ref.Syntax.Size, ID: ref.Syntax.ID})
	if err != nil {
		return nil, err
	}
	err = segment.Guard(func() error {
		if p.syntax.Lex() != lex.Identity() || p.syntax.NumFiles() != lex.NumFiles() {
			return fmt.Errorf("%s: %w: it is of another segment", filepath.Join(f.dir.Path(), name), ErrDamaged)
		}
		return nil
	})
	if err == nil {
		return p, nil
	}
	f.mu.Lock()
	f.bad[name] = err
	f.mu.Unlock()
	return nil, errors.Join(err, f.release([]*part{p}))
}

// openSyntax adds the syntax part of a segment to a snapshot. It names a part
// whose file is missing.
func (s *Snapshot) openSyntax(ref segmentRef, lex *segment.Reader) (missing string, err error) {
	p, err := s.family.acquireSyntax(ref, lex)
	switch {
	case err == nil:
	case s.family.damage(ref.Syntax.Part) != nil:
		s.Unparsed = append(s.Unparsed, Damage{Part: ref.Syntax.Part, Err: err})
	case errors.Is(err, fs.ErrNotExist):
		return ref.Syntax.Part, nil
	default:
		return "", err
	}
	s.addSyntax(p)
	return "", nil
}

// addSyntax adds the syntax part of the next segment, nil for none.
func (s *Snapshot) addSyntax(p *part) {
	s.syntax = append(s.syntax, p)
	if p == nil {
		s.Syntax = append(s.Syntax, nil)
		return
	}
	s.Syntax = append(s.Syntax, p.syntax)
}

// SyntaxState says what is known of the syntax of a file.
func (s *Snapshot) SyntaxState(seg, file int) syn.State {
	if seg >= len(s.Syntax) || s.Syntax[seg] == nil {
		return syn.Absent
	}
	return s.Syntax[seg].State(file)
}

// SyntaxPending is the number of live files that were not parsed yet.
func (s *Snapshot) SyntaxPending() int {
	s.pendingOnce.Do(func() {
		for seg, l := range s.Segments {
			if seg < len(s.Syntax) && s.Syntax[seg] != nil && s.Syntax[seg].Stats().Pending() == 0 {
				continue
			}
			for f := range l.NumFiles() {
				if l.Alive(f) && s.SyntaxState(seg, f) == syn.Absent {
					s.pending++
				}
			}
		}
	})
	return s.pending
}

// SyntaxBytes is what the syntax parts of the snapshot take on disk.
func (s *Snapshot) SyntaxBytes() (n int64) {
	for _, r := range s.Syntax {
		if r != nil {
			n += r.Size()
		}
	}
	return n
}

// Release gives the memory of what was read of the snapshot's files back to the
// system, which reads it again when it is touched.
func (s *Snapshot) Release() (err error) {
	for _, p := range slices.Concat(s.parts, s.syntax) {
		err = errors.Join(err, p.drop())
	}
	return err
}

// SyntaxKey is what the facts of a file depend on.
type SyntaxKey struct {
	Hash     code.Hash // of its content
	Language string
	Ext      string // of its path, which tells dialects apart
}

// SyntaxKey returns the key of a file.
func (s *Snapshot) SyntaxKey(seg, file int) SyntaxKey {
	return syntaxKey(s.Segments[seg].Reader, file)
}

func syntaxKey(r *segment.Reader, file int) SyntaxKey {
	return SyntaxKey{Hash: r.FileHash(file), Language: r.Language(file), Ext: path.Ext(r.Path(file))}
}

// Parsed is what was found of the syntax of a file: a record, or where another
// part holds it.
type Parsed struct {
	Record *syn.Record
	Source syn.Source // without a Record
}

func (p Parsed) state() syn.State {
	if p.Record != nil {
		return p.Record.State()
	}
	return p.Source.Reader.State(p.Source.File)
}

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
	files := make([]Parsed, m.live.NumFiles())
	err = segment.Guard(func() error {
		for i := range files {
			state := syn.Absent
			if m.syntax != nil {
				state = m.syntax.syntax.State(i)
			}
			if state != syn.Absent {
				files[i].Source = syn.Source{Reader: m.syntax.syntax, File: i}
			}
			if state == syn.Parsed || state == syn.Failed || !m.live.Alive(i) {
				continue
			}
			if p, ok := found[syntaxKey(m.live.Reader, i)]; ok && p.state() != state {
				files[i] = p
				added++
			}
		}
		return nil
	})
	if err != nil || added == 0 {
		return 0, err
	}
	write := writeSyntax(m.live.Identity(), files)
	p, err := b.family.putSyntax(func(w io.Writer) error { return write(&dropper{w: w, parts: []member{*m}}) })
	if err != nil {
		return 0, err
	}
	old := m.syntax
	m.syntax = p
	return added, b.family.release([]*part{old})
}

// putSyntax writes the syntax part of a segment and maps it.
func (f *Family) putSyntax(write func(io.Writer) error) (*part, error) {
	m, err := f.put(syntaxSuffix, func(w io.Writer) error {
		return segment.Guard(func() error { return write(w) })
	})
	return m.part, err
}

// writeSyntax returns what writes the syntax of the files of a segment.
func writeSyntax(lex code.Hash, files []Parsed) func(io.Writer) error {
	return func(w io.Writer) error {
		b := syn.NewBuilder(w, lex)
		for _, p := range files {
			var err error
			if p.Record != nil {
				err = b.AddRecord(p.Record)
			} else {
				err = b.Copy(p.Source)
			}
			if err != nil {
				return err
			}
		}
		_, err := b.Finish()
		return err
	}
}

// mergeSyntax writes the syntax part of a segment that was merged from others,
// nil where none of them has one. Facts are copied; where the part that holds
// them is damaged, they are left to be found again.
func (f *Family) mergeSyntax(merged *segment.Reader, picked []member) (*part, error) {
	files := make([]Parsed, merged.NumFiles())
	some := false
	err := segment.Guard(func() error {
		for _, m := range picked {
			if m.syntax == nil {
				continue
			}
			some = true
			placeSyntax(files, merged, m)
		}
		return nil
	})
	if err != nil || !some {
		return nil, err
	}
	write := writeSyntax(merged.Identity(), files)
	p, err := f.putSyntax(func(w io.Writer) error { return write(&dropper{w: w, parts: picked}) })
	var corrupt *segment.CorruptError
	if errors.As(err, &corrupt) || errors.Is(err, segment.ErrTruncated) {
		return nil, nil
	}
	return p, err
}

// placeSyntax notes where the live files of a segment are in the merged one,
// which has all of them and is in order of their paths too.
func placeSyntax(files []Parsed, merged *segment.Reader, m member) {
	at := 0
	for i := range m.live.NumFiles() {
		if !m.live.Alive(i) {
			continue
		}
		for path := m.live.Path(i); merged.Path(at) != path; {
			at++
		}
		files[at].Source = syn.Source{Reader: m.syntax.syntax, File: i}
	}
}

// CommitSyntax publishes what AddSyntax added, under the number of the
// generation: what a search finds does not change. When it fails nothing is
// published.
func (b *Batch) CommitSyntax(ctx context.Context) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.base == nil || len(b.base.Damaged) > 0 {
		return fmt.Errorf("commit syntax: %w: its segments are to be indexed first", ErrDamaged)
	}
	m := *b.manifest
	if m.Segments, err = b.refsLocked(); err != nil {
		return err
	}
	return b.replaceLocked(&m)
}
