package store

import (
	"bytes"
	"slices"

	"espy/internal/segment"
)

// Place is a file in a segment.
type Place struct {
	Segment segment.Live
	File    int
}

// Pair is a path whose file is another than when a batch began.
type Pair struct {
	Path     string
	Old, New *Place // nil for none
}

// Changed lists the paths whose content the batch has changed so far, sorted;
// none where it starts from nothing.
func (b *Batch) Changed() (pairs []Pair, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil {
		return nil, nil
	}
	byPath := map[string]*Pair{}
	at := func(path string) *Pair {
		if byPath[path] == nil {
			byPath[path] = &Pair{Path: path}
		}
		return byPath[path]
	}
	err = segment.Guard(func() error {
		now := map[string]segment.Live{}
		for _, m := range b.members {
			now[m.lex.Name] = m.Live
		}
		before := map[string]bool{}
		for _, l := range b.base.Segments {
			before[l.lex.Name] = true
			n, kept := now[l.lex.Name]
			for file := range l.NumFiles() {
				was, is := l.Alive(file), kept && n.Alive(file)
				if was && !is {
					at(l.Path(file)).Old = &Place{l.Live, file}
				} else if is && !was {
					at(l.Path(file)).New = &Place{n, file}
				}
			}
		}
		for _, m := range b.members {
			for file := range m.NumFiles() {
				if !before[m.lex.Name] && m.Alive(file) {
					at(m.Path(file)).New = &Place{m.Live, file}
				}
			}
		}
		for _, p := range byPath {
			if p.Old == nil || p.New == nil || p.Old.Segment.FileHash(p.Old.File) != p.New.Segment.FileHash(p.New.File) {
				pairs = append(pairs, *p)
			}
		}
		return nil
	})
	slices.SortFunc(pairs, func(a, b Pair) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	return pairs, err
}
