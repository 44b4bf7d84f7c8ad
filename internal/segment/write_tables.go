package segment

import (
	"iter"
	"slices"
)

func (f *partWriter) textIndex(p *textPacker) {
	f.section(secTextIndex, p.rows)
	f.pieces = p.pieceCount()
}

func oneValue(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { yield(b) }
}

// setLanguages sorts the names into the contents and returns the number of each.
func (f *partWriter) setLanguages(names []string) []uint16 {
	f.languages = slices.Clone(names)
	slices.Sort(f.languages)
	f.languages = slices.Compact(f.languages)
	numbers := make([]uint16, len(names))
	for i, n := range names {
		at, _ := slices.BinarySearch(f.languages, n)
		numbers[i] = uint16(at)
	}
	return numbers
}

// tables are the rows of a part in order. The chunks are read twice.
type tables struct {
	files       iter.Seq[fileRow]
	regions     iter.Seq[regionRow]
	paths       iter.Seq[[]byte]
	chunks      iter.Seq[chunkRow]
	definitions iter.Seq[definitionRow]
	names       func() []byte // called last
}

// tables writes the tables and counts their rows.
func (f *partWriter) tables(t tables) {
	buf := make([]byte, 0, fileRowSize)
	s := &f.stats
	f.begin(secFiles)
	for row := range t.files {
		f.write(row.append(buf[:0]))
		s.Files++
		s.TextBytes = int64(row.textEnd)
		s.SourceBytes += int64(row.size)
		s.StemTokens += int64(row.stemTokens)
		s.DirTokens += int64(row.dirTokens)
	}
	f.end(secFiles)
	f.begin(secRegions)
	for row := range t.regions {
		f.write(row.append(buf[:0]))
		f.contents.regions++
	}
	f.end(secRegions)
	f.begin(secPaths)
	for p := range t.paths {
		f.write(p)
	}
	f.end(secPaths)
	f.begin(secChunks)
	for row := range t.chunks {
		f.write(row.append(buf[:0]))
		s.Chunks++
		s.BodyTokens += int64(row.tokens)
		s.DefTypeTokens += int64(row.typeTokens)
		s.DefFuncTokens += int64(row.funcTokens)
	}
	f.end(secChunks)
	f.begin(secChunkPlaces)
	for row := range t.chunks {
		f.write(row.appendPlace(buf[:0]))
	}
	f.end(secChunkPlaces)
	f.begin(secDefinitions)
	for row := range t.definitions {
		f.write(row.append(buf[:0]))
		s.Definitions++
	}
	f.end(secDefinitions)
	f.section(secNames, t.names())
}
