package store

import (
	"io"

	"espy/internal/embedding"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// Vectors is the version of what a model is given of a chunk (DocumentsOf) and of
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

// VectorsOf returns the vectors that a model gives the chunks of the segment,
// nil for none.
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
	return first == end || r != nil && r.Knows(first, end)
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

// DocumentsOf returns what the chunks of a file are embedded as. The texts are
// copies.
func DocumentsOf(r *segment.Reader, file int, cache *segment.TextCache) ([]embedding.Document, error) {
	text, err := r.Text(file, cache)
	if err != nil {
		return nil, err
	}
	path := r.Path(file)
	first, end := r.ChunksOf(file)
	docs := make([]embedding.Document, end-first)
	for i := range docs {
		c := r.Chunk(first + i)
		docs[i] = embedding.Document{Path: path, Text: string(text[c.Start:c.End])}
	}
	for i, end := r.DefinitionsOf(file); i < end; i++ {
		d := r.Definition(i)
		to := &docs[d.Chunk-first]
		to.Symbols = append(to.Symbols, d.Name)
	}
	return docs, nil
}

// merge copies the vectors of live files. Of several models it takes the one with
// most of them, the lesser name of two.
func (k vectorsKind) merge(w io.Writer, merged *segment.Reader, from []Segment) error {
	h := vec.Header{Lex: merged.Identity()}
	rows := map[string]int{}
	for i := range from {
		r := k.reader(&from[i])
		if r == nil {
			continue
		}
		rows[r.Model] += r.Stats().Rows + 1
		if n, most := rows[r.Model], rows[h.Model]; h.Model == "" || n > most || n == most && r.Model <= h.Model {
			h.Model, h.Dims = r.Model, r.Dims
		}
	}
	files := make([]embeddedFile, merged.NumFiles())
	for i := range from {
		if r := k.reader(&from[i]); r != nil && r.Model == h.Model {
			placeVectors(files, merged, &from[i], r)
		}
	}
	return writeVectors(w, merged, h, files)
}

// embeddedFile is where the vectors of a file are: rows, or a part and the first
// of its chunks there; neither for none.
type embeddedFile struct {
	rows  []vec.Row
	part  *vec.Reader
	first int
}

// placeVectors notes where the live files of a segment are in the merged one.
func placeVectors(files []embeddedFile, merged *segment.Reader, s *Segment, r *vec.Reader) {
	placeFiles(merged, s, func(at, file int) {
		first, _ := s.ChunksOf(file)
		files[at] = embeddedFile{part: r, first: first}
	})
}

// writeVectors writes the vectors of the files of a segment.
func writeVectors(w io.Writer, lex *segment.Reader, h vec.Header, files []embeddedFile) error {
	b := vec.NewBuilder(w, h)
	for i, f := range files {
		first, end := lex.ChunksOf(i)
		for chunk := range end - first {
			var err error
			switch {
			case f.part != nil:
				err = b.Copy(f.part, f.first+chunk)
			case chunk < len(f.rows):
				err = b.Add(&f.rows[chunk])
			default:
				b.Skip()
			}
			if err != nil {
				return err
			}
		}
	}
	_, err := b.Finish()
	return err
}
