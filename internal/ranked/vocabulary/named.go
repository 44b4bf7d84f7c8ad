package vocabulary

import (
	"slices"

	"espy/internal/ranked/corpus"
	"espy/internal/segment"
)

// Files says which files of a segment count, live or not.
type Files func(s *corpus.Segment, file int) bool

// Named returns how many definitions have a term of the words in their name, of the term
// that most have, in live files that count.
func (w *Words) Named(counts Files) (most int, err error) {
	for _, text := range w.terms() {
		n := 0
		err := w.each(text, func(s *corpus.Segment, t segment.Term) bool {
			n += definitions(s, t, counts)
			return true
		})
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// Called reports whether a definition in a live file that counts, or a live file or a
// folder of one, has a term of the words in its name.
func (w *Words) Called(counts Files) (called bool, err error) {
	for _, text := range w.terms() {
		err := w.each(text, func(s *corpus.Segment, t segment.Term) bool {
			called = hasPath(s, t) || definitions(s, t, counts) > 0
			return !called
		})
		if err != nil || called {
			return called, err
		}
	}
	return false, nil
}

// each calls visit with a term of every segment that knows it, until visit returns false.
func (w *Words) each(text string, visit func(*corpus.Segment, segment.Term) bool) error {
	for _, s := range w.in.Segments {
		t, ok, err := s.Lookup(text)
		if err != nil {
			return err
		}
		if ok && !visit(s, t) {
			return nil
		}
	}
	return nil
}

// definitions counts those with a term in their name, in live files that count.
func definitions(s *corpus.Segment, t segment.Term, counts Files) (n int) {
	var block [corpus.PostingBlock]uint32
	names, traits, file := s.Scoring().Names, s.FileTraits(), 0 // definitions come in the order of files
	for it := t.Symbols(); ; {
		found := it.NextBlock(block[:])
		if found == 0 {
			return n
		}
		for _, definition := range block[:found] {
			for traits[file+1].FirstChunk <= names[definition].Chunk {
				file++
			}
			if s.Alive(file) && counts(s, file) {
				n++
			}
		}
	}
}

// hasPath reports whether a live file has a term in its path.
func hasPath(s *corpus.Segment, t segment.Term) bool {
	for it := t.Path(); ; {
		file, _, _, ok := it.Next()
		if !ok || s.Alive(file) {
			return ok
		}
	}
}

// terms returns the terms of the words, each once.
func (w *Words) terms() (all []string) {
	for _, p := range w.parts {
		for _, t := range p.Terms {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}
