package conditions

import (
	"math"
	"sort"

	"espy/internal/code"
	"espy/internal/label"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// OfKind is what of a segment has a symbol of the kinds that a query asks for.
// Its sets are nil where the query does not.
type OfKind struct{ Files, Chunks segment.Bitmap }

// Kinds returns the chunks of a segment that are in a symbol of the kinds,
// wholly or in part, and the files with such a chunk. Where the query has words
// answers reports whether one of a run of chunks holds one, and only chunks that
// do make their file count; it is nil for a query without words.
func Kinds(s *corpus.Segment, answers func(first, end int) bool) OfKind {
	if s.Kinds() == 0 {
		return OfKind{}
	}
	k := kinds{s, OfKind{segment.EmptyBitmap(s.NumFiles()), segment.EmptyBitmap(s.NumChunks())}}
	for file := range s.NumFiles() {
		first, end := s.ChunksOf(file)
		if answers != nil && !answers(first, end) || !s.Allows(file) {
			continue
		}
		k.find(file)
		for chunk := first; chunk < end; chunk++ {
			if k.found.Chunks.Has(chunk) && (answers == nil || answers(chunk, chunk+1)) {
				k.found.Files.Set(file)
				break
			}
		}
	}
	return k.found
}

// kinds finds the chunks of a segment that are of the kinds.
type kinds struct {
	seg   *corpus.Segment
	found OfKind
}

// find adds the chunks of a file that are of the kinds: by its syntax, and by
// its outline what the syntax does not know.
func (k *kinds) find(file int) {
	known := k.seg.WithFacts(file, func(f *syn.File) {
		lines := k.addByFacts(f, file)
		k.addByOutline(file, func(d code.Definition) bool { return !lines[d.Line] && label.Beyond(f, k.seg.Language(file), d.Name) })
	})
	if !known {
		k.addByOutline(file, func(code.Definition) bool { return true })
	}
}

// addByFacts adds the chunks of the symbols of the kinds and returns their lines.
func (k *kinds) addByFacts(f *syn.File, file int) map[uint32]bool {
	lines := map[uint32]bool{}
	first, end := k.seg.ChunksOf(file)
	for i := range f.NumSymbols() {
		if !k.seg.Kinds().Has(f.Kind(i)) {
			continue
		}
		symbol := f.Symbol(i)
		if !label.Solid(&symbol) {
			continue
		}
		lines[symbol.Line] = true
		chunk := first + sort.Search(end-first, func(i int) bool { return k.seg.Chunk(first+i).End > symbol.Start })
		for ; chunk < end && k.seg.Chunk(chunk).Start < symbol.End; chunk++ {
			k.found.Chunks.Set(chunk)
		}
	}
	return lines
}

// addByOutline adds the chunks of the definitions that counts lets through. A
// definition reaches to the next one, that of a type to the next type.
func (k *kinds) addByOutline(file int, counts func(code.Definition) bool) {
	first, end := k.seg.DefinitionsOf(file)
	for i := first; i < end; i++ {
		d := k.seg.Definition(i)
		if !k.seg.Kinds().Has(d.Kind) || !counts(d.Definition) {
			continue
		}
		line := k.endLine(i, end)
		chunk, _, _ := k.seg.DefinitionPlace(i)
		for _, last := k.seg.ChunksOf(file); chunk < last; chunk++ {
			if c := k.seg.Chunk(chunk); c.StartLine > d.Line && c.StartLine >= line {
				break
			}
			k.found.Chunks.Set(chunk)
		}
	}
}

// endLine returns the line of the definition that ends definition i of a file,
// whose definitions end before end.
func (k *kinds) endLine(i, end int) uint32 {
	d := k.seg.Definition(i)
	for next := i + 1; next < end; next++ {
		if n := k.seg.Definition(next); !d.Kind.IsType() || n.Kind.IsType() {
			return n.Line
		}
	}
	return math.MaxUint32
}
