package store

import (
	"io"

	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
	"espy/internal/store/vectors"
)

// Vectors is the version of what a model is given of a chunk (vectors.Documents) and of
// the format of the parts. Parts of another version are of no use: the chunks are
// embedded again, while what search reads stays. Version 1 is the first.
const Vectors = 1

// vectorsKind is the kind of the vectors of one of two models: that of the
// program, or one on another machine. A part says whose vectors it holds; those
// of another model than the one in use are as none, until the pass replaces them.
type vectorsKind struct{ remote bool }

func (vectorsKind) Suffix() string { return ".vec" }

func (vectorsKind) Open(data []byte, name string) (part.Content, error) { return vec.Open(data, name) }

func (vectorsKind) version() int { return Vectors }

func (k vectorsKind) ref(r *manifest.Segment) **manifest.Companion {
	if k.remote {
		return &r.Remote
	}
	return &r.Vectors
}

func (k vectorsKind) of(s *Segment) *part.Part {
	if k.remote {
		return s.remote
	}
	return s.vectors
}

func (k vectorsKind) set(s *Segment, p *part.Part) {
	if k.remote {
		s.Remote, s.remote = p.Content.(*vec.Reader), p
	} else {
		s.Vectors, s.vectors = p.Content.(*vec.Reader), p
	}
}

// reader returns the vectors of a segment, nil for none.
func (k vectorsKind) reader(s *Segment) *vec.Reader {
	if k.remote {
		return s.Remote
	}
	return s.Vectors
}

func (vectorsKind) beside(c part.Content, lex *segment.Reader) bool {
	r := c.(*vec.Reader)
	return r.Lex == lex.Identity() && r.Stats().Chunks == lex.NumChunks()
}

func (vectorsKind) pending(c part.Content) int { return c.(*vec.Reader).Stats().Pending() }

// VectorsOf returns the vectors of the chunks by a model, nil for none.
func (s *Segment) VectorsOf(model string) *vec.Reader {
	for _, r := range []*vec.Reader{s.Vectors, s.Remote} {
		if r != nil && r.Model == model {
			return r
		}
	}
	return nil
}

// Embedded reports whether a model was asked about every chunk of a file.
func (s *Segment) Embedded(model string, file int) bool {
	first, end := s.ChunksOf(file)
	r := s.VectorsOf(model)
	return first == end || r != nil && r.Knows(first, end) || s.Away[model] != nil
}

// VectorsPending is the number of live files with chunks that a model was not
// asked about yet.
func (s *Snapshot) VectorsPending(model string) (n int) {
	for i := range s.Segments {
		seg := &s.Segments[i]
		if r := seg.VectorsOf(model); r != nil && r.Stats().Pending() == 0 {
			continue
		}
		for f := range seg.NumFiles() {
			if seg.Alive(f) && !seg.Embedded(model, f) {
				n++
			}
		}
	}
	return n
}

// merge copies the vectors of live files, by one model.
func (k vectorsKind) merge(w io.Writer, merged *segment.Reader, from []Segment) error {
	var parts []*vec.Reader
	for i := range from {
		parts = append(parts, k.reader(&from[i]))
	}
	h := vectors.Most(parts)
	files := make([]vectors.File, merged.NumFiles())
	for i, r := range parts {
		if r == nil || r.Model != h.Model {
			continue
		}
		placeFiles(merged, &from[i], func(at, file int) {
			first, _ := from[i].ChunksOf(file)
			files[at] = vectors.In(r, first)
		})
	}
	return vectors.Write(w, merged, h, files)
}
