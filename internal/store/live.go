package store

import "espy/internal/segment"

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

// reuse makes files of the segment live.
func (s *Segment) reuse(files []Reused) {
	if s.Live.Live == nil {
		return
	}
	live := s.Live.Live.Clone()
	for _, f := range files {
		live.Set(f.file)
	}
	if live.Count() == s.NumFiles() {
		live = nil
	}
	s.Live.Live = live
}
