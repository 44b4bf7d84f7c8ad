package lines

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"espy/internal/filter"
	"espy/internal/lines/trigram"
	"espy/internal/parallel"
	"espy/internal/segment"
)

// counted is what was found in one segment.
type counted struct {
	*filter.Segment
	docs       trigram.Documents
	candidates []uint32    // documents that may match
	files      []fileCount // files that do, in order
}

// docCount is a document and its number of matching lines.
type docCount struct{ doc, lines uint32 }

// fileCount is a file and its number of matching lines.
type fileCount struct {
	file, lines int
	docs        []docCount // those with matches, in order
}

// count is the first pass: it counts the matching lines of every document. The
// segments are in the order of the names of their repositories. With done false
// ctx reached its deadline before every document was looked at.
func count(ctx context.Context, l *lookup, f *filter.Filter) (segments []*counted, done bool, err error) {
	for _, s := range f.Segments {
		segments = append(segments, &counted{Segment: s, docs: trigram.Documents{Reader: s.Reader, Whole: l.whole}})
	}
	slices.SortStableFunc(segments, func(a, b *counted) int {
		return cmp.Or(cmp.Compare(a.Snap.Name, b.Snap.Name), cmp.Compare(a.Snap.Repo, b.Snap.Repo))
	})
	err = parallel.Each(ctx, len(segments), len(segments), func() func(int) error {
		return func(i int) error { return segments[i].choose(&l.grams, l.fold) }
	})
	if err == nil {
		err = countLines(ctx, l, segments)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return segments, false, nil
	}
	return segments, true, err
}

// choose finds the documents that may match.
func (s *counted) choose(g *trigram.Query, fold bool) error {
	docs, all, err := s.docs.Eligible(g, fold)
	if err != nil {
		return err
	}
	if !all {
		s.candidates = slices.DeleteFunc(docs, func(d uint32) bool { return !s.Allows(s.fileOf(d)) })
		return nil
	}
	for i := range s.NumFiles() {
		if !s.Allows(i) {
			continue
		}
		first, end := i, i+1
		if !s.docs.Whole {
			first, end = s.RegionsOf(i)
		}
		for ; first < end; first++ {
			s.candidates = append(s.candidates, uint32(first))
		}
	}
	return nil
}

// fileOf returns the file of a document.
func (s *counted) fileOf(doc uint32) int {
	if s.docs.Whole {
		return int(doc)
	}
	return s.RegionFile(int(doc))
}

// text returns the text of a document.
func (s *counted) text(doc uint32, cache *segment.TextCache) ([]byte, error) {
	if s.docs.Whole {
		return s.Text(int(doc), cache)
	}
	return s.RegionText(int(doc), cache)
}

func (s *counted) size(doc uint32) int {
	if s.docs.Whole {
		return s.TextSize(int(doc))
	}
	return s.RegionSize(int(doc))
}

// stretch is a piece of work: some candidates of one segment that follow each other.
type stretch struct {
	of       *counted
	from, to int // of candidates
	found    []docCount
}

// stretchBytes is about how much text one stretch has: 50 us or so of work, so
// that the last ones end together.
const stretchBytes = 64 << 10

// countLines counts the lines of every candidate.
func countLines(ctx context.Context, l *lookup, segments []*counted) error {
	var work []stretch
	err := segment.Guard(func() error {
		for _, s := range segments {
			work = s.stretches(work)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = parallel.Pausing(ctx, len(work), len(work), func(pause parallel.Pause) func(int) error {
		f := l.finder(pause)
		return func(i int) error { return work[i].count(ctx, f) }
	})
	added := segment.Guard(func() error {
		for _, w := range work { // also those of a search that ran out of time
			w.of.add(w.found)
		}
		return nil
	})
	return cmp.Or(added, err)
}

func (s *counted) stretches(work []stretch) []stretch {
	from, size := 0, 0
	for i, d := range s.candidates {
		if size += s.size(d); size >= stretchBytes || i == len(s.candidates)-1 {
			work = append(work, stretch{of: s, from: from, to: i + 1})
			from, size = i+1, 0
		}
	}
	return work
}

// count counts the lines of the stretch.
func (s *stretch) count(ctx context.Context, f finder) error {
	cache := caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	for _, d := range s.of.candidates[s.from:s.to] {
		text, err := s.of.text(d, cache)
		if err != nil {
			return err
		}
		f.open(piece{text, s.of.Segment, s.of.fileOf(d)})
		if n := linesIn(f, text); n > 0 {
			s.found = append(s.found, docCount{d, uint32(n)})
		}
		if err := ctx.Err(); err != nil { // the finder may have ended before the text
			return err
		}
	}
	return nil
}

// add adds documents with matches that follow the ones added before.
func (s *counted) add(found []docCount) {
	for _, d := range found {
		file := s.fileOf(d.doc)
		if n := len(s.files); n == 0 || s.files[n-1].file != file {
			s.files = append(s.files, fileCount{file: file})
		}
		f := &s.files[len(s.files)-1]
		f.lines += int(d.lines)
		f.docs = append(f.docs, d)
	}
}

// linesIn returns how many lines of a text match.
func linesIn(f finder, text []byte) int {
	n := 0
	for pos := 0; pos < len(text); {
		at := f.line(pos)
		if at < 0 {
			break
		}
		n++
		pos = lineEnd(text, at) + 1
	}
	return n
}
