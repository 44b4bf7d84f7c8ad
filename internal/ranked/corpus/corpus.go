// Package corpus takes the segments that a ranked query looks at for one
// collection of files: how many there are, how rare a term is among them, where
// a name is defined and where words stand side by side.
//
// Counts and frequencies are over the live files of all segments, whatever a
// query's filters say: they tell how rare a word is, not what may be found. So
// the same files score the same however they are spread over segments.
package corpus

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"espy/internal/filter"
	"espy/internal/parallel"
	"espy/internal/rank"
	"espy/internal/segment"
)

// Corpus is the segments of the snapshots that one query looks at. It is read only,
// but for what its segments remember.
type Corpus struct {
	Segments []*Segment
	Files    int // live ones
	Chunks   int // of live files
	Norms    rank.Norms

	FileTokens float64 // of a live file, on average

	largest []*Segment // the same segments, those with most chunks first
}

// Segment is one segment of a corpus.
type Segment struct {
	*filter.Segment
	Index int    // in Corpus.Segments
	Repo  string // name of its repository
	order int    // of its snapshot

	known map[string]int // by term: where it stands in terms
	terms []foundTerm

	passers []int // the files that mostly pass names on, once asked for
}

// foundTerm is what the dictionary of a segment says of a term.
type foundTerm struct {
	segment.Term
	ok bool
}

// New returns the corpus of the segments that a filter looks at. A repository
// that the query leaves out as a whole counts for nothing.
func New(f *filter.Filter) *Corpus {
	c := &Corpus{}
	var stats segment.Stats
	for _, s := range f.Snaps {
		stats.Add(s.Stats())
	}
	for i, s := range f.Segments {
		c.Segments = append(c.Segments, &Segment{Segment: s, Index: i, Repo: s.Snap.Name, order: slices.Index(f.Snaps, s.Snap)})
	}
	c.largest = slices.Clone(c.Segments)
	slices.SortStableFunc(c.largest, func(a, b *Segment) int { return cmp.Compare(b.NumChunks(), a.NumChunks()) })
	c.Files, c.Chunks = stats.Files, stats.Chunks
	c.FileTokens = float64(stats.BodyTokens) / float64(max(stats.Files, 1))
	c.Norms = rank.NewNorms(rank.Sums{
		rank.FieldBody: {Tokens: stats.BodyTokens, Documents: int64(stats.Chunks)},
		rank.FieldType: {Tokens: stats.DefTypeTokens, Documents: int64(stats.Chunks)},
		rank.FieldFunc: {Tokens: stats.DefFuncTokens, Documents: int64(stats.Chunks)},
		rank.FieldStem: {Tokens: stats.StemTokens, Documents: int64(stats.Files)},
		rank.FieldDir:  {Tokens: stats.DirTokens, Documents: int64(stats.Files)},
	})
	return c
}

// Each calls work for every segment from at most so many goroutines, the
// largest segment first, so that all of them end together.
func (c *Corpus) Each(workers int, work func(*Segment) error) error {
	return parallel.Each(context.Background(), workers, len(c.largest), func() func(int) error {
		return func(i int) error { return work(c.largest[i]) }
	})
}

// Largest returns the segments, those with most chunks first. Callers must not
// change the slice.
func (c *Corpus) Largest() []*Segment { return c.largest }

// Largeness is how much there is of everything in a collection of so many files: 0 up
// to a thousand, 1 from a hundred thousand on.
func (c *Corpus) Largeness() float64 {
	return min(1, max(0, float64(math.Log10(float64(max(c.Files, 1)))-3)/2))
}

// Lookup finds a term as segment.Reader does, once for the whole query. One
// goroutine at a time looks up terms in a segment.
func (s *Segment) Lookup(term string) (segment.Term, bool, error) {
	if i, known := s.known[term]; known {
		return s.terms[i].Term, s.terms[i].ok, nil
	}
	t, ok, err := s.Segment.Lookup(term)
	if err != nil {
		return t, ok, err
	}
	if s.known == nil {
		s.known = map[string]int{}
	}
	s.known[term] = len(s.terms)
	s.terms = append(s.terms, foundTerm{t, ok})
	return t, ok, nil
}

// ChunksWith counts the chunks that hold a term.
func (c *Corpus) ChunksWith(term string) (int, error) {
	chunks, _, err := c.with(term)
	return chunks, err
}

// FilesWith counts the files that hold a term.
func (c *Corpus) FilesWith(term string) (int, error) {
	_, files, err := c.with(term)
	return files, err
}

func (c *Corpus) with(term string) (chunks, files int, err error) {
	for _, s := range c.Segments {
		t, _, err := s.Lookup(term)
		if err != nil {
			return 0, 0, err
		}
		n, of := s.Frequency(t)
		chunks, files = chunks+n, files+of
	}
	return chunks, files, nil
}

// Has reports whether a live file has a path.
func (s *Segment) Has(path string) bool {
	file, ok := s.FindPath(path)
	return ok && s.Alive(file)
}

// ComparePlaces orders files by repository and path. Those of one segment are
// numbered in the order of their paths.
func ComparePlaces(s *Segment, file int, t *Segment, other int) int {
	if s == t {
		return cmp.Compare(file, other)
	}
	return cmp.Or(cmp.Compare(s.Repo, t.Repo), cmp.Compare(s.order, t.order), s.ComparePaths(file, t.Reader, other))
}

// ChunkAt returns the chunk of a file that holds a line, or of a blank line between two of
// them the next one; -1 for no line of it.
func (s *Segment) ChunkAt(file, line int) int {
	first, end := s.ChunksOf(file)
	c := first + sort.Search(end-first, func(i int) bool { return int(s.Chunk(first+i).EndLine) >= line })
	if line < 1 || c == end {
		return -1
	}
	return c
}
