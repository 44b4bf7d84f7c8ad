package windows

import (
	"bytes"
	"fmt"
	"sort"

	"espy/internal/redact"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/windows/win"
)

// Stats counts the windows of a view.
type Stats struct {
	Windows int   `json:"windows"`
	Tokens  int64 `json:"tokens"` // plain words of all windows together, cut ones included
}

// Count counts the windows of a view.
func Count(s *store.Snapshot) (sum Stats) {
	for _, w := range s.Windows {
		sum.Windows += w.NumWindows()
		sum.Tokens += w.NumWords()
	}
	return sum
}

// Hit is one window. Its offsets are of bytes in the text of its file.
type Hit struct {
	Path       string
	Index      int // from 0 within the file
	Start, End int
	Score      float64
	Text       string
}

// EachFile calls yield with the files of a view that has windows, in path
// order, with their bytes on disk and how many windows each has.
func EachFile(s *store.Snapshot, yield func(path string, size int64, windows int)) error {
	return segment.Guard(func() error {
		for _, w := range s.Windows {
			for f := range w.NumFiles() {
				l, number, err := fileOf(s, w, f)
				if err != nil {
					return err
				}
				first, end := w.WindowsOf(f)
				yield(l.Path(number), l.FileSize(number), end-first)
			}
		}
		return nil
	})
}

// fileOf returns the segment that holds a file of a part, and its number there.
func fileOf(s *store.Snapshot, w *win.Reader, file int) (l segment.Live, number int, err error) {
	seg, number := w.File(file)
	if seg >= len(s.Segments) {
		return l, 0, fmt.Errorf("%w: windows over segment %d of %d", store.ErrDamaged, seg, len(s.Segments))
	}
	return s.Segments[seg].Live, number, nil
}

// view is a snapshot whose windows are numbered in a row, over all parts.
type view struct {
	*store.Snapshot
	stats Stats
	bases []uint32 // number of the first window of each part

	showSecrets bool // in the texts of windows
}

func newView(s *store.Snapshot) *view {
	v := &view{Snapshot: s, stats: Count(s)}
	base := 0
	for _, w := range s.Windows {
		v.bases = append(v.bases, uint32(base))
		base += w.NumWindows()
	}
	return v
}

// part returns the part that has a window, and the number of the window there.
func (v *view) part(window int) (w *win.Reader, number int) {
	i := sort.Search(len(v.bases), func(i int) bool { return int(v.bases[i]) > window }) - 1
	return v.Windows[i], window - int(v.bases[i])
}

// around is how many bytes before and after a window are looked at for the rest of a
// secret that it cuts.
const around = 1 << 10

// hit reads the text of a window.
func (v *view) hit(window int, cache *segment.TextCache) (Hit, error) {
	w, number := v.part(window)
	file := w.FileOf(number)
	first, _ := w.WindowsOf(file)
	place := w.Place(number)
	l, f, err := fileOf(v.Snapshot, w, file)
	if err != nil {
		return Hit{}, err
	}
	text := func(from, to int) (text []byte) {
		if err == nil {
			text, err = l.TextRange(f, from, to, cache)
		}
		return text
	}
	h := Hit{Path: l.Path(f), Index: number - first, Start: place.Start, End: place.End}
	if v.showSecrets {
		h.Text = string(text(h.Start, h.End))
		return h, err
	}
	from := max(0, h.Start-around)
	part := redact.Part{Path: h.Path, Text: bytes.Clone(text(from, h.End+around))}
	part.Before = func() []byte { return text(from-redact.Reach, from) }
	if err == nil {
		h.Text = string(part.Show(h.Start-from, h.End-from))
	}
	return h, err
}
