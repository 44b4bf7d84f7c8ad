package segment

import (
	"bytes"
	"encoding/binary"
	"sort"

	"espy/internal/code"
)

// FileInfo describes one file.
type FileInfo struct {
	Path            string
	Hash            code.Hash
	Size            int64 // bytes on disk
	TextSize        int   // bytes of searchable text
	Language        string
	Class           code.Class
	Lines           int // line ends, and one for text behind the last
	FirstChunk      int
	NumChunks       int
	FirstDefinition int
	NumDefinitions  int
	StemTokens      int
	DirTokens       int
}

// ChunkInfo describes one chunk.
type ChunkInfo struct {
	code.Chunk
	File          int
	Tokens        uint32 // terms and compounds of its text
	DefTypeTokens uint32 // terms and compounds of the names of types defined in it
	DefFuncTokens uint32 // the same of every other name defined in it
}

// DefinitionInfo describes one definition.
type DefinitionInfo struct {
	code.Definition
	File  int
	Chunk int
	Terms int // distinct terms of its name, compounds aside; at most 255
}

// NumFiles returns the number of files, dead ones included.
func (r *Reader) NumFiles() int { return r.stats.Files }

// NumChunks returns the number of chunks.
func (r *Reader) NumChunks() int { return r.stats.Chunks }

// NumDefinitions returns the number of definitions.
func (r *Reader) NumDefinitions() int { return r.stats.Definitions }

func (r *Reader) fileRow(i int) (row fileRow) {
	if uint(i) >= uint(r.stats.Files) {
		r.corrupt(secFiles, 0, "reference to a file that does not exist")
	}
	row.decode(r.bytes(secFiles, uint64(i)*fileRowSize, fileRowSize))
	r.language(row.language, i)
	return row
}

// fileField checks i and returns n bytes at byte at of its row.
func (r *Reader) fileField(i int, at, n uint64) []byte {
	if uint(i) >= uint(r.stats.Files) {
		r.corrupt(secFiles, 0, "reference to a file that does not exist")
	}
	return r.bytes(secFiles, uint64(i)*fileRowSize+at, n)
}

// fileRange returns the range that ends with the u32 at byte at of the row of file i.
func (r *Reader) fileRange(i int, at uint64, limit int) (start, end int) {
	if uint(i) >= uint(r.stats.Files) {
		r.corrupt(secFiles, 0, "reference to a file that does not exist")
	}
	if i == 0 {
		end = int(binary.LittleEndian.Uint32(r.bytes(secFiles, at, 4)))
	} else {
		ends := r.bytes(secFiles, uint64(i-1)*fileRowSize+at, fileRowSize+4)
		start, end = int(binary.LittleEndian.Uint32(ends)), int(binary.LittleEndian.Uint32(ends[fileRowSize:]))
	}
	if start > end || end > limit {
		r.corrupt(secFiles, uint64(i)*fileRowSize+at, "range out of order")
	}
	return start, end
}

// File returns all about file i.
func (r *Reader) File(i int) FileInfo {
	row := r.fileRow(i)
	firstChunk, chunkEnd := r.ChunksOf(i)
	firstDefinition, definitionEnd := r.DefinitionsOf(i)
	start, end := r.textRange(i)
	return FileInfo{
		Path: r.Path(i), Hash: row.hash, Size: int64(row.size), TextSize: int(end - start),
		Language: r.language(row.language, i), Class: classOf(row.class), Lines: int(row.lines),
		FirstChunk: firstChunk, NumChunks: chunkEnd - firstChunk,
		FirstDefinition: firstDefinition, NumDefinitions: definitionEnd - firstDefinition,
		StemTokens: int(row.stemTokens), DirTokens: int(row.dirTokens),
	}
}

func (r *Reader) language(n uint16, file int) string {
	if int(n) >= len(r.languages) {
		r.corrupt(secFiles, uint64(file)*fileRowSize+54, "unknown language number")
	}
	return r.languages[n]
}

func (r *Reader) pathRange(i int) (start, end int) { return r.fileRange(i, 32, int(r.size(secPaths))) }

func (r *Reader) pathBytes(i int) []byte {
	start, end := r.pathRange(i)
	return r.PathAt(uint32(start), uint32(end))
}

// PathAt returns the path that stands in the range [start, end) of all paths.
func (r *Reader) PathAt(start, end uint32) []byte {
	return r.bytes(secPaths, uint64(start), uint64(end-start))
}

// ComparePaths compares the path of file i with that of a file of another part.
func (r *Reader) ComparePaths(i int, other *Reader, file int) int {
	return bytes.Compare(r.pathBytes(i), other.pathBytes(file))
}

// Path returns the path of file i.
func (r *Reader) Path(i int) string { return string(r.pathBytes(i)) }

// FileHash returns the hash of the bytes of file i on disk.
func (r *Reader) FileHash(i int) code.Hash { return code.Hash(r.fileField(i, 0, 16)) }

// FileSize returns the bytes of file i on disk.
func (r *Reader) FileSize(i int) int64 {
	return int64(binary.LittleEndian.Uint64(r.fileField(i, 16, 8)))
}

// Class returns the traits of file i.
func (r *Reader) Class(i int) code.Class {
	return classOf(binary.LittleEndian.Uint16(r.fileField(i, 52, 2)))
}

// IsClear reports whether the text of file i was looked through for secrets, and has none.
func (r *Reader) IsClear(i int) bool {
	return binary.LittleEndian.Uint16(r.fileField(i, 52, 2))&clearBit != 0
}

// clearBit of the class of a file on disk is not one of its traits: see File.Clear.
const clearBit = 1 << 15

func classOf(onDisk uint16) code.Class { return code.Class(onDisk &^ clearBit) }

// Language returns the name of the language of file i, "" where none is known.
func (r *Reader) Language(i int) string {
	return r.language(binary.LittleEndian.Uint16(r.fileField(i, 54, 2)), i)
}

// FileTraits is what judging reads of a file.
type FileTraits struct {
	FirstChunk uint32
	Path       uint32 // where it begins, see PathAt
	Class      code.Class
	Language   uint16 // its place in Languages
}

// FileTraits returns what judging reads of every file, and one row more where
// the chunks and the path of the last one end: 12 bytes for each file. The table
// is made when first asked for, as Scoring is, for the rows of files are far apart.
func (r *Reader) FileTraits() []FileTraits {
	if made := r.fileTraits.Load(); made != nil {
		return *made
	}
	traits := make([]FileTraits, r.stats.Files+1)
	for i := range r.stats.Files {
		b := r.fileField(i, 52, 4)
		t := &traits[i]
		t.Class, t.Language = classOf(binary.LittleEndian.Uint16(b)), binary.LittleEndian.Uint16(b[2:])
		r.language(t.Language, i)
		_, chunks := r.ChunksOf(i)
		_, path := r.pathRange(i)
		traits[i+1].FirstChunk, traits[i+1].Path = uint32(chunks), uint32(path)
	}
	r.fileTraits.Store(&traits)
	return traits
}

// Languages returns the names that occur in the part, sorted. Callers must not
// change the slice.
func (r *Reader) Languages() []string { return r.languages }

// PathTokens returns the number of terms and compounds in the name of file i
// and in its directories, as pathTexts says.
func (r *Reader) PathTokens(i int) (stem, dir int) {
	b := r.fileField(i, 48, 4)
	return int(binary.LittleEndian.Uint16(b)), int(binary.LittleEndian.Uint16(b[2:]))
}

// TextSize returns the bytes of searchable text of file i.
func (r *Reader) TextSize(i int) int {
	start, end := r.textRange(i)
	return int(end - start)
}

func (r *Reader) textRange(i int) (start, end uint64) {
	from, to := r.fileRange(i, 24, int(r.stats.TextBytes))
	return uint64(from), uint64(to)
}

// ChunksOf returns the range of chunks that file i has.
func (r *Reader) ChunksOf(i int) (first, end int) { return r.fileRange(i, 40, r.stats.Chunks) }

// DefinitionsOf returns the range of definitions that file i has, which are in
// the order of their lines.
func (r *Reader) DefinitionsOf(i int) (first, end int) {
	return r.fileRange(i, 44, r.stats.Definitions)
}

// FindPath returns the file with that path.
func (r *Reader) FindPath(path string) (file int, ok bool) {
	want := []byte(path)
	i := sort.Search(r.stats.Files, func(i int) bool { return bytes.Compare(r.pathBytes(i), want) >= 0 })
	if i == r.stats.Files || !bytes.Equal(r.pathBytes(i), want) {
		return 0, false
	}
	return i, true
}

// FileOf returns the file of a chunk.
func (r *Reader) FileOf(chunk int) int {
	at := r.need(secChunks, uint64(chunk)*chunkRowSize, chunkRowSize)
	file := int(binary.LittleEndian.Uint32(r.data[at:]))
	if file >= r.stats.Files {
		r.corrupt(secChunks, uint64(chunk)*chunkRowSize, "chunk of a file that does not exist")
	}
	return file
}

// Lengths returns the file of a chunk and the lengths of its fields, as
// ChunkInfo has them.
func (r *Reader) Lengths(chunk int) (file int, tokens, defTypes, defFuncs uint32) {
	file = r.FileOf(chunk)
	at := r.frame.Sections[secChunks].Off + uint64(chunk)*chunkRowSize
	b := r.data[at : at+chunkRowSize]
	return file, binary.LittleEndian.Uint32(b[4:]), uint32(binary.LittleEndian.Uint16(b[8:])), uint32(binary.LittleEndian.Uint16(b[10:]))
}

// Chunk returns all about a chunk.
func (r *Reader) Chunk(i int) ChunkInfo {
	var c ChunkInfo
	c.File, c.Tokens, c.DefTypeTokens, c.DefFuncTokens = r.Lengths(i)
	b := r.bytes(secChunkPlaces, uint64(i)*placeRowSize, placeRowSize)
	le := binary.LittleEndian
	c.Start, c.End, c.StartLine, c.EndLine = le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])
	if c.Start > c.End || int(c.End) > r.TextSize(c.File) || c.StartLine > c.EndLine || c.StartLine == 0 {
		r.corrupt(secChunkPlaces, uint64(i)*placeRowSize, "chunk outside its file")
	}
	return c
}

// chunkPosition returns the position within its file of the first term of a chunk.
func (r *Reader) chunkPosition(i uint32) uint32 {
	return binary.LittleEndian.Uint32(r.bytes(secChunkPlaces, uint64(i)*placeRowSize+16, 4))
}

func (r *Reader) chunkRow(i int) (row chunkRow) {
	c := r.Chunk(i)
	return chunkRow{
		file: uint32(c.File), tokens: c.Tokens, typeTokens: uint16(c.DefTypeTokens), funcTokens: uint16(c.DefFuncTokens),
		place: c.Chunk, position: r.chunkPosition(uint32(i)),
	}
}

func (r *Reader) definitionRow(i int) (row definitionRow) {
	if uint(i) >= uint(r.stats.Definitions) {
		r.corrupt(secDefinitions, 0, "reference to a definition that does not exist")
	}
	row.decode(r.bytes(secDefinitions, uint64(i)*definitionRowSize, definitionRowSize))
	if int(row.chunk) >= r.stats.Chunks {
		r.corrupt(secDefinitions, uint64(i)*definitionRowSize, "definition in a chunk that does not exist")
	}
	return row
}

// DefinitionPlace returns what scoring reads of a definition: its chunk, its
// kind and the number of distinct terms in its name.
func (r *Reader) DefinitionPlace(i int) (chunk int, kind code.Kind, terms int) {
	b := r.bytes(secDefinitions, uint64(i)*definitionRowSize, definitionRowSize)
	chunk = int(binary.LittleEndian.Uint32(b[8:]))
	if chunk >= r.stats.Chunks {
		r.corrupt(secDefinitions, uint64(i)*definitionRowSize, "definition in a chunk that does not exist")
	}
	return chunk, code.Kind(b[12]), int(b[13])
}

// DefinitionLine returns the line and kind of a definition.
func (r *Reader) DefinitionLine(i int) (line uint32, kind code.Kind) {
	b := r.bytes(secDefinitions, uint64(i)*definitionRowSize, definitionRowSize)
	return binary.LittleEndian.Uint32(b[4:]), code.Kind(b[12])
}

// Definition returns all about a definition.
func (r *Reader) Definition(i int) DefinitionInfo {
	row := r.definitionRow(i)
	return DefinitionInfo{
		Definition: code.Definition{Name: string(r.nameAt(row.name)), Kind: code.Kind(row.kind), Line: row.line},
		File:       r.FileOf(int(row.chunk)), Chunk: int(row.chunk), Terms: int(row.terms),
	}
}

func (r *Reader) nameAt(off uint32) []byte {
	size := r.size(secNames)
	if uint64(off) >= size {
		r.corrupt(secNames, 0, "name beyond the section")
	}
	c := r.cursor(secNames, uint64(off), min(size-uint64(off), 5))
	n := c.Uvarint()
	return r.bytes(secNames, c.Offset(), n)
}

// fileStats returns what file i adds to the counts of the part.
func (r *Reader) fileStats(i int) Stats {
	f := r.File(i)
	s := Stats{
		Files: 1, Chunks: f.NumChunks, Definitions: f.NumDefinitions, TextBytes: int64(f.TextSize), SourceBytes: f.Size,
		StemTokens: int64(f.StemTokens), DirTokens: int64(f.DirTokens),
	}
	for c := f.FirstChunk; c < f.FirstChunk+f.NumChunks; c++ {
		_, tokens, types, funcs := r.Lengths(c)
		s.BodyTokens += int64(tokens)
		s.DefTypeTokens += int64(types)
		s.DefFuncTokens += int64(funcs)
	}
	return s
}
