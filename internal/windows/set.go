package windows

import (
	"espy/internal/segment"
	"espy/internal/windows/win"
)

// setter finds the windows that fulfil expressions, of leaves that are counted.
type setter struct {
	*view
	leaves *leaves
}

// set returns the windows that fulfil an expression.
func (s setter) set(e Expr) segment.Bitmap {
	switch e := e.(type) {
	case *All:
		return segment.NewBitmap(s.stats.Windows)
	case *Path:
		return s.pathSet(e)
	case *Bool:
		return s.boolSet(e)
	}
	return s.leaves.list[s.leaves.ids[e]].windows(s.stats.Windows)
}

// windows returns the windows that a counted leaf was found in, of so many.
func (l *leaf) windows(all int) segment.Bitmap {
	set := segment.EmptyBitmap(all)
	for _, w := range l.found.Windows {
		set.Set(int(w))
	}
	return set
}

func (s setter) boolSet(e *Bool) segment.Bitmap {
	out := segment.EmptyBitmap(s.stats.Windows)
	for _, x := range e.Should {
		if len(e.Must) > 0 {
			break // it only adds to the score
		}
		out.Or(s.set(x))
	}
	if len(e.Must) > 0 || len(e.Should) == 0 {
		out = segment.NewBitmap(s.stats.Windows)
	}
	for _, x := range e.Must {
		out.And(s.set(x))
	}
	for _, x := range e.Not {
		out.AndNot(s.set(x))
	}
	return out
}

func (s setter) pathSet(e *Path) segment.Bitmap {
	set := segment.EmptyBitmap(s.stats.Windows)
	for i, w := range s.Windows {
		w.EachPathWith(e.Text, func(file int) {
			if e.Whole && !s.isPath(w, file, e.Text) {
				return
			}
			first, end := w.WindowsOf(file)
			for x := first; x < end; x++ {
				set.Set(int(s.bases[i]) + x)
			}
		})
	}
	return set
}

func (s setter) isPath(w *win.Reader, file int, path string) bool {
	l, number, err := fileOf(s.Snapshot, w, file)
	return err == nil && "/"+l.Path(number) == path
}
