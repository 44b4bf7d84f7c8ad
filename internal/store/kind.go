package store

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/segment/vec"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// Segment is a segment of a snapshot: its part, the files of it that are live,
// and what other parts say of them.
type Segment struct {
	segment.Live
	Syntax  *syn.Reader // what its files were parsed to; nil for nothing yet
	Vectors *vec.Reader // of its chunks, by the model of the program; nil for none yet
	Remote  *vec.Reader // the same by a model on another machine
	Away    manifest.Away

	lex, syntax, vectors, remote *part.Part // nil for one in memory, or for none
}

// companion is a kind of part that lies beside a segment and says more about its
// files, under the same numbers. A later pass adds it, with a version of its own.
// It is merged with its segment. When it is damaged, it alone is lost, and the
// pass goes over its files again.
type companion interface {
	part.Kind

	// version is that of the analysis. Parts of another version are not used.
	version() int

	// ref returns where a manifest names the part of a segment.
	ref(*manifest.Segment) **manifest.Companion

	// of returns the part of a segment, nil for none, and set makes a part that of
	// a segment.
	of(*Segment) *part.Part
	set(*Segment, *part.Part)

	// beside reports whether a part was made for a segment.
	beside(part.Content, *segment.Reader) bool

	// pending counts what a part does not hold yet.
	pending(part.Content) int

	// merge writes the part of a segment that was merged from others, some of which
	// have one.
	merge(w io.Writer, merged *segment.Reader, from []Segment) error
}

// parts returns the part of a segment and its companions, nil for those it lacks.
func (s *Segment) parts() []*part.Part {
	parts := []*part.Part{s.lex}
	for _, k := range companions {
		parts = append(parts, k.of(s))
	}
	return parts
}

// partsOf returns the parts of segments.
func partsOf(segments []Segment) (parts []*part.Part) {
	for i := range segments {
		parts = append(parts, segments[i].parts()...)
	}
	return parts
}

// newRef returns how a manifest names a segment with its companions.
func (s *Segment) newRef() (manifest.Segment, error) {
	ref, err := manifest.NewSegment(s.lex.Ref(), s.Live.Live)
	for _, k := range companions {
		if p := k.of(s); p != nil {
			*k.ref(&ref) = manifest.NewCompanion(p.Ref(), k.version())
		}
	}
	return ref, err
}

// acquireSegment returns a segment that a manifest names, with one more user of
// its part, without companions.
func acquireSegment(pool *part.Pool, ref *manifest.Segment) (s Segment, err error) {
	s.lex, err = pool.Acquire(ref.Wanted(), func(c part.Content) (err error) {
		s.Live, err = ref.Join(c.(*segment.Reader))
		return err
	})
	return s, err
}

// acquire adds a companion to a segment, with one more user of the part, where
// the manifest names one of this version.
func (s *Segment) acquire(pool *part.Pool, k companion, ref *manifest.Companion) error {
	if ref == nil || ref.Analysis != k.version() {
		return nil
	}
	p, err := pool.Acquire(ref.Wanted(), func(c part.Content) error {
		if !k.beside(c, s.Reader) {
			return fmt.Errorf("%s: %w: it is of another segment", filepath.Join(filepath.Dir(s.Reader.Name()), ref.Part), ErrDamaged)
		}
		return nil
	})
	if err == nil {
		k.set(s, p)
	}
	return err
}

// mergeCompanions writes the companions of a segment that was merged from
// others. Where one of theirs is damaged, it writes none, and the pass goes over
// the files again.
func (s *Segment) mergeCompanions(pool *part.Pool, from []Segment) error {
	for _, k := range companions {
		some := false
		for i := range from {
			some = some || k.of(&from[i]) != nil
		}
		if !some {
			continue
		}
		p, err := pool.Put(k, func(w io.Writer) error { return k.merge(part.Dropping(w, partsOf(from)), s.Reader, from) })
		var corrupt *segment.CorruptError
		switch {
		case err == nil:
			k.set(s, p)
		case !errors.As(err, &corrupt) && !errors.Is(err, segment.ErrTruncated):
			return err
		}
	}
	return nil
}

// placeFiles calls note with where each live file of a segment is in a merged
// one, which has all of them and is in the order of their paths too.
func placeFiles(merged *segment.Reader, s *Segment, note func(at, file int)) {
	at := 0
	for i := range s.NumFiles() {
		if !s.Alive(i) {
			continue
		}
		for path := s.Path(i); merged.Path(at) != path; {
			at++
		}
		note(at, i)
	}
}

// tombstone makes paths dead in a segment, and reports whether any was live.
func (s *Segment) tombstone(paths []string) (some bool) {
	for _, path := range paths {
		f, ok := s.FindPath(path)
		if !ok || !s.Alive(f) {
			continue
		}
		if !some {
			s.Live.Live, some = s.liveCopy(), true
		}
		s.Live.Live.Clear(f)
	}
	return some
}

func (s *Segment) liveCopy() segment.Bitmap {
	if s.Live.Live == nil {
		return segment.NewBitmap(s.NumFiles())
	}
	return s.Live.Live.Clone()
}

// allDead returns the segment without a live file.
func (s Segment) allDead() Segment {
	s.Live.Live = segment.EmptyBitmap(s.NumFiles())
	return s
}
