// Package vectors is what a pass over the vectors of files finds, and how it is
// written beside their segment.
package vectors

import (
	"io"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/segment"
	"espy/internal/segment/vec"
)

// Found is what a pass found of files.
type Found struct {
	Model  string // its identity
	Dims   int
	Remote bool              // it is on another machine
	Files  map[Key][]vec.Row // of each file the rows of all its chunks
}

// Key is what the vectors of a file depend on beside the model.
type Key struct {
	Path string
	Hash code.Hash // of its content
}

// KeyOf returns the key of a file.
func KeyOf(r *segment.Reader, file int) Key { return Key{Path: r.Path(file), Hash: r.FileHash(file)} }

// Documents returns what the chunks of a file are embedded as: the text of each,
// the names that the outline finds defined in it, and the path. The texts are copies.
func Documents(r *segment.Reader, file int, cache *segment.TextCache) ([]embedding.Document, error) {
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

// File is where the vectors of a file are: rows, or a part and the first of its
// chunks there; neither where nothing is known.
type File struct {
	rows  []vec.Row
	part  *vec.Reader
	first int
}

// In returns where the vectors of a file are in a part.
func In(part *vec.Reader, first int) File { return File{part: part, first: first} }

// Beside returns where the vectors of the files of a segment are, with what was
// found, and of how many files that is new. Known is what lies beside the segment
// already, nil for nothing; that of another model counts for nothing.
func (f *Found) Beside(s segment.Live, known *vec.Reader) (files []File, added int) {
	files = make([]File, s.NumFiles())
	if known != nil && (known.Model != f.Model || known.Dims != f.Dims) {
		known = nil
	}
	for i := range files {
		first, end := s.ChunksOf(i)
		if known != nil && known.Knows(first, end) {
			files[i] = In(known, first)
			continue
		}
		if !s.Alive(i) || first == end {
			continue
		}
		if rows, ok := f.Files[KeyOf(s.Reader, i)]; ok && len(rows) == end-first {
			files[i].rows = rows
			added++
		}
	}
	return files, added
}

// Write writes the vectors of the files of a segment.
func Write(w io.Writer, lex *segment.Reader, h vec.Header, files []File) error {
	h.Lex = lex.Identity()
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

// Most returns whose vectors a merge of parts keeps: those of the model with
// most of them, the lesser name of two. Some parts may be nil.
func Most(parts []*vec.Reader) (h vec.Header) {
	rows := map[string]int{}
	for _, r := range parts {
		if r == nil {
			continue
		}
		rows[r.Model] += r.Stats().Rows + 1
		if n, most := rows[r.Model], rows[h.Model]; h.Model == "" || n > most || n == most && r.Model <= h.Model {
			h.Model, h.Dims = r.Model, r.Dims
		}
	}
	return h
}
