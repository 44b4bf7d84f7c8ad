package semantic

import (
	"context"
	"fmt"

	"espy/internal/ranked/corpus"
	"espy/internal/segment/vec"
)

// ask has the files compared whose vectors are kept elsewhere, those of all
// repositories at once.
func (s *scan) ask(ctx context.Context) error {
	var wanted []vec.Wanted
	var of []*corpus.Segment // by wanted
	var there vec.Elsewhere
	chunks := 0
	for _, seg := range s.in.Segments {
		_, part := seg.VectorsOf(s.model)
		if part == "" || seg.Snap.Elsewhere == nil || s.asked[seg.Snap] == nil {
			continue
		}
		files, n := s.files(seg)
		if len(files) == 0 {
			continue
		}
		there, chunks = seg.Snap.Elsewhere, chunks+n
		wanted, of = append(wanted, vec.Wanted{Part: part, Query: s.asked[seg.Snap], Files: files, Apart: s.tests(seg)}), append(of, seg)
	}
	if len(wanted) == 0 {
		return nil
	}
	keep := s.keep
	if s.far { // how near a cosine is, all of them tell
		keep = 0
	}
	s.away = map[*corpus.Segment]map[int][]vec.Best{}
	for _, seg := range of {
		s.away[seg] = map[int][]vec.Best{}
		seg.Snap.Elsewhere.Asked(s.in.Chunks)
	}
	best, exact, err := there.Best(ctx, s.model, wanted, keep)
	switch {
	case ctx.Err() == context.Canceled:
		return ctx.Err()
	case ctx.Err() != nil:
		s.ended.Store(true)
		return nil
	case err != nil:
		s.failed = err
		return nil
	}
	for _, b := range best {
		file := s.away[of[b.In]]
		file[b.File] = append(file[b.File], b)
	}
	if !exact {
		s.unsure = chunks
	}
	return nil
}

// tests are the chunks of a segment that are told apart as tests.
func (s *scan) tests(seg *corpus.Segment) []uint32 {
	if s.score.tests {
		return nil
	}
	return seg.Scoring().Tests
}

// files are those of a segment that are looked at, and how many chunks they have.
func (s *scan) files(seg *corpus.Segment) (files []vec.Files, chunks int) {
	for file := range seg.NumFiles() {
		first, end := seg.ChunksOf(file)
		if !seg.Allows(file) || s.only != nil && !s.only[seg][file] || first == end {
			continue
		}
		if n := len(files); n > 0 && files[n-1].End == file {
			files[n-1].End, files[n-1].Chunks = file+1, files[n-1].Chunks+end-first
		} else {
			files = append(files, vec.Files{First: file, End: file + 1, Chunks: end - first})
		}
		chunks += end - first
	}
	return files, chunks
}

// notes say what vectors elsewhere leave open.
func (s *scan) notes() (notes []string) {
	if s.failed != nil {
		notes = append(notes, fmt.Sprintf("files whose vectors are in the team's database were not compared: %v", s.failed))
	}
	if s.unsure > 0 {
		notes = append(notes, fmt.Sprintf("the nearest of %d chunks were chosen by an index of the database (HNSW): some may be missing, and the count is of what it chose", s.unsure))
	}
	return notes
}
