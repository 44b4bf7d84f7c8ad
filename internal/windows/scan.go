package windows

import (
	"context"
	"runtime"
	"sort"
	"sync"

	"golang.org/x/sync/errgroup"

	"espy/internal/ascii"
	"espy/internal/segment"
	"espy/internal/windows/win"
)

// place is a file of a part of windows.
type place struct{ part, file int }

// scanAll finds the windows of the other phrases, and of exact texts: in the
// text of the files that may hold them.
func scanAll(ctx context.Context, v *view, leaves *leaves) error {
	for j := range leaves.list {
		l := &leaves.list[j]
		if l.indexed() {
			continue
		}
		files, err := candidates(v, l)
		if err == nil {
			err = scan(ctx, v, l, files)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scan counts a leaf in the text of files.
func scan(ctx context.Context, v *view, l *leaf, files []place) error {
	found := make([]win.Tally, len(files))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			s := scanners.Get().(*scanner)
			defer scanners.Put(s)
			return segment.Guard(func() (err error) { found[i], err = s.file(v, l, f); return err })
		})
	}
	err := work.Wait()
	for _, f := range found {
		l.found.Windows = append(l.found.Windows, f.Windows...)
		l.found.Counts = append(l.found.Counts, f.Counts...)
	}
	return err
}

// candidates returns the files that may hold a leaf, in path order.
func candidates(v *view, l *leaf) (files []place, err error) {
	err = segment.Guard(func() (err error) {
		marks := make([]segment.Bitmap, len(v.Segments))
		for i, s := range v.Segments {
			if marks[i], err = eligible(s.Live, l.grams()); err != nil {
				return err
			}
		}
		for i, w := range v.Windows {
			for f := range w.NumFiles() {
				if seg, file := w.File(f); seg < len(marks) && marks[seg].Has(file) {
					files = append(files, place{i, f})
				}
			}
		}
		return nil
	})
	return files, err
}

// scanner is the memory that reading one file takes.
type scanner struct {
	cache  segment.TextCache
	folded []byte
	counts []uint32 // of each window of the file
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

// file counts a leaf in the windows of one file. Of an exact text the first
// byte has to be in the window, of a phrase all.
func (s *scanner) file(v *view, l *leaf, f place) (found win.Tally, err error) {
	w := v.Windows[f.part]
	live, number, err := fileOf(v.Snapshot, w, f.file)
	if err != nil {
		return found, err
	}
	text, err := live.Text(number, &s.cache)
	if err != nil {
		return found, err
	}
	first, last := w.WindowsOf(f.file)
	s.counts = append(s.counts[:0], make([]uint32, last-first)...)
	if l.phrase != nil {
		s.folded = ascii.AppendLower(s.folded[:0], text)
	}
	l.each(content{text, s.folded}, func(start, end int) {
		if l.text != nil {
			end = start + 1
		}
		x := first + sort.Search(last-first, func(i int) bool { return w.Place(first+i).End >= end })
		for ; x < last && w.Place(x).Start <= start; x++ {
			s.counts[x-first]++
		}
	})
	for i, n := range s.counts {
		if n > 0 {
			found.Windows = append(found.Windows, v.bases[f.part]+uint32(first+i))
			found.Counts = append(found.Counts, n)
		}
	}
	return found, nil
}
