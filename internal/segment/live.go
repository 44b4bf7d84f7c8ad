package segment

import "fmt"

// Live is a part and which of its files are live; nil means all of them.
type Live struct {
	*Reader
	Live Bitmap
}

// Alive reports whether file i is live.
func (l Live) Alive(i int) bool { return l.Live.Has(i) }

// Count returns the number of live files.
func (l Live) Count() int {
	if l.Live == nil {
		return l.NumFiles()
	}
	return l.Live.Count()
}

// LiveStats returns the counts over live files. It reads the rows of the dead
// files and of their chunks.
func (l Live) LiveStats() Stats {
	s := l.Reader.Stats()
	if l.Live == nil {
		return s
	}
	for i := range l.NumFiles() {
		if !l.Live.Has(i) {
			s.combine(l.fileStats(i), -1)
		}
	}
	return s
}

// Valid returns an error when the bitmap does not fit the part.
func (l Live) Valid() error {
	if l.Live == nil {
		return nil
	}
	n := l.NumFiles()
	if len(l.Live) != (n+63)/64 || n%64 != 0 && l.Live[len(l.Live)-1]>>(n%64) != 0 {
		return fmt.Errorf("bitmap of %d words does not fit the %d files of segment %s", len(l.Live), n, l.Name())
	}
	return nil
}
