package ranked

import (
	"math"
	"sort"

	"espy/internal/code"
	"espy/internal/label"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// findKinds limits the chunks that can be found to those with a symbol of the
// kinds that the query asks for, wholly or in part.
func (c *collection) findKinds() {
	scored := len(c.query.Terms) > 0
	for _, s := range c.sources {
		if s.seg.Rules.Kinds == 0 {
			continue
		}
		s.chunksOfKind = make(segment.Bitmap, (s.seg.NumChunks()+63)/64)
		s.filesOfKind = make(segment.Bitmap, (s.seg.NumFiles()+63)/64)
		for file := range s.seg.NumFiles() {
			first, end := s.seg.ChunksOf(file)
			answers := !scored || nextAtLeast(s.scores[:end], first, math.SmallestNonzeroFloat32) < end
			if answers && s.seg.Allows(file) {
				s.findKindsOf(file, scored)
			}
		}
	}
}

// findKindsOf notes the chunks of a file that are of the kinds, and with scored
// only those that answer a word; other chunks score nothing.
func (s *source) findKindsOf(file int, scored bool) {
	known := s.seg.WithFacts(file, func(f *syn.File) {
		lines := s.chunksByFacts(f, file)
		s.chunksByOutline(file, func(d code.Definition) bool { return !lines[d.Line] && !label.Knows(f, d.Name) })
	})
	if !known {
		s.chunksByOutline(file, func(code.Definition) bool { return true })
	}
	first, end := s.seg.ChunksOf(file)
	for chunk := first; chunk < end; chunk++ {
		switch {
		case !s.chunksOfKind.Has(chunk):
			s.scores[chunk] = 0
		case !scored || s.scores[chunk] > 0:
			s.filesOfKind.Set(file)
		}
	}
}

// chunksByFacts returns the lines of the symbols of the kinds.
func (s *source) chunksByFacts(f *syn.File, file int) map[uint32]bool {
	lines := map[uint32]bool{}
	kinds := s.seg.Rules.Kinds
	first, end := s.seg.ChunksOf(file)
	for i := range f.NumSymbols() {
		if !kinds.Has(f.Kind(i)) {
			continue
		}
		symbol := f.Symbol(i)
		if !label.Solid(&symbol) {
			continue
		}
		lines[symbol.Line] = true
		chunk := first + sort.Search(end-first, func(k int) bool { return s.seg.Chunk(first+k).End > symbol.Start })
		for ; chunk < end && s.seg.Chunk(chunk).Start < symbol.End; chunk++ {
			s.chunksOfKind.Set(chunk)
		}
	}
	return lines
}

// chunksByOutline takes a definition to reach to the next one, that of a type
// to the next type. Those count that only the outline knows of.
func (s *source) chunksByOutline(file int, only func(code.Definition) bool) {
	first, end := s.seg.DefinitionsOf(file)
	for i := first; i < end; i++ {
		d := s.seg.Definition(i)
		if !s.seg.Rules.Kinds.Has(d.Kind) || !only(d.Definition) {
			continue
		}
		line := s.endOfOutlined(i, end)
		chunk, _, _ := s.seg.DefinitionPlace(i)
		for _, last := s.seg.ChunksOf(file); chunk < last; chunk++ {
			if c := s.seg.Chunk(chunk); c.StartLine > d.Line && c.StartLine >= line {
				break
			}
			s.chunksOfKind.Set(chunk)
		}
	}
}

// endOfOutlined returns the line of the definition that ends definition i of a
// file, whose definitions end before end.
func (s *source) endOfOutlined(i, end int) uint32 {
	d := s.seg.Definition(i)
	for k := i + 1; k < end; k++ {
		if next := s.seg.Definition(k); !d.Kind.IsType() || next.Kind.IsType() {
			return next.Line
		}
	}
	return math.MaxUint32
}

// ofKind reports whether a chunk is of the kinds that the query asks for.
func (s *source) ofKind(chunk int) bool { return s.chunksOfKind == nil || s.chunksOfKind.Has(chunk) }
