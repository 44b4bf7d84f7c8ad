package windows

import (
	"bytes"
	"context"

	"espy/internal/code"
	"espy/internal/lines/trigram"
	"espy/internal/segment"
	"espy/internal/store"
)

// FileText is one file of a view.
type FileText struct {
	Path string
	Text []byte // valid until the function that is given it returns

	reader *segment.Reader
	file   int
}

// DefinitionLines returns the lines, from 1, on which the outline of the file
// defines a name. Of the lines that give a value to a variable or constant only
// the first defines it: the others assign to it.
func (f *FileText) DefinitionLines(name string) (lines []int) {
	first, end := f.reader.DefinitionsOf(f.file)
	valued := false
	for i := first; i < end; i++ {
		d := f.reader.Definition(i)
		value := d.Kind == code.KindVar || d.Kind == code.KindConst
		if d.Name != name || value && valued {
			continue
		}
		valued = valued || value
		lines = append(lines, int(d.Line))
	}
	return lines
}

// EachText calls yield with the files of a view that may contain a text, in
// path order, or with every one where needle is empty.
func EachText(ctx context.Context, s *store.Snapshot, needle string, yield func(*FileText) error) error {
	return segment.Guard(func() error {
		marks := make([]segment.Bitmap, len(s.Segments))
		for i, l := range s.Segments {
			var err error
			if marks[i], err = eligible(l.Live, trigram.Of(needle)); err != nil {
				return err
			}
		}
		cache := new(segment.TextCache)
		var err error
		s.Each(func(seg, file int) bool {
			if !marks[seg].Has(file) {
				return true
			}
			if err = ctx.Err(); err != nil {
				return false
			}
			r := s.Segments[seg].Reader
			f := &FileText{Path: r.Path(file), reader: r, file: file}
			if f.Text, err = r.Text(file, cache); err == nil && (needle == "" || bytes.Contains(f.Text, []byte(needle))) {
				err = yield(f)
			}
			return err == nil
		})
		return err
	})
}

// OneText calls yield with one file of a view, and reports whether the view has it.
func OneText(s *store.Snapshot, path string, yield func(*FileText) error) (found bool, err error) {
	err = segment.Guard(func() error {
		seg, file, ok := s.Find(path)
		if found = ok; !ok {
			return nil
		}
		r := s.Segments[seg].Reader
		text, err := r.Text(file, new(segment.TextCache))
		if err != nil {
			return err
		}
		return yield(&FileText{Path: path, Text: text, reader: r, file: file})
	})
	return found, err
}

// eligible returns the files of a segment that may fulfil a condition.
func eligible(l segment.Live, g trigram.Query) (segment.Bitmap, error) {
	docs, all, err := trigram.Documents{Reader: l.Reader, Whole: true}.Eligible(&g, false)
	if all || err != nil {
		return segment.NewBitmap(l.NumFiles()), err
	}
	files := segment.EmptyBitmap(l.NumFiles())
	for _, f := range docs {
		files.Set(int(f))
	}
	return files, nil
}
