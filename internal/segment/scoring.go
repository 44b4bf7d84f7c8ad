package segment

import (
	"math"
	"slices"

	"espy/internal/code"
	"espy/internal/segment/pack"
)

// Scoring is what scoring reads of every chunk and definition of a part. Its
// tables are made when first asked for, and checked, so that reading a row costs
// no more than loading it, and they are narrow, for a query goes through most of
// them: 4 bytes a chunk and 8 a definition.
type Scoring struct {
	Batches []Batch       // all files in order
	Files   []uint16      // by chunk: its file, counted from the first of its batch
	Tokens  []uint16      // by chunk: terms and compounds of its text, below 1<<TokenBits or ManyTokens
	Names   []DefinedName // by definition
	Lengths []uint32      // by file: terms and compounds of its text
	Tests   []uint32      // the chunks of tests in files of other code, in their order
}

const (
	TokenBits  = 10
	ManyTokens = math.MaxUint16 // more than Tokens tells apart
)

// Batch is a run of files, with their chunks and definitions, that are scored
// together. It has so few chunks that their scores stay in the nearest cache,
// unless a single file has more. Ends are one past the last.
type Batch struct {
	File, FileEnd             int
	Chunk, ChunkEnd           int
	Definition, DefinitionEnd int
}

// Limits of one batch.
const (
	batchChunks = 4 << 10
	batchFiles  = math.MaxUint16
)

// DefinedName is what scoring reads of a definition.
type DefinedName struct {
	Chunk  uint32
	Length uint16 // of the field of its chunk that its name is in, see ChunkInfo
	Kind   code.Kind
	Terms  uint8 // distinct terms of its name
}

// Scoring returns the tables.
func (r *Reader) Scoring() *Scoring {
	if made := r.scoring.Load(); made != nil {
		return made
	}
	s := &Scoring{
		Files: make([]uint16, r.stats.Chunks), Tokens: make([]uint16, r.stats.Chunks), Names: make([]DefinedName, r.stats.Definitions),
		Lengths: make([]uint32, r.stats.Files),
	}
	var b Batch
	for file := range r.stats.Files {
		_, end := r.ChunksOf(file)
		if file > b.File && (end-b.Chunk > batchChunks || file-b.File == batchFiles) {
			s.Batches = append(s.Batches, b)
			b = Batch{b.FileEnd, b.FileEnd, b.ChunkEnd, b.ChunkEnd, b.DefinitionEnd, b.DefinitionEnd}
		}
		b.FileEnd, b.ChunkEnd = file+1, end
		r.scoreChunks(s, file, uint16(file-b.File))
		b.DefinitionEnd = r.scoreNames(s, file)
		r.scoreTests(s, file)
	}
	if b.FileEnd > b.File {
		s.Batches = append(s.Batches, b)
	}
	r.scoreBlocks(s)
	r.scoring.Store(s)
	return s
}

// scoreChunks fills in the chunks of a file, which is the i-th of its batch.
func (r *Reader) scoreChunks(s *Scoring, file int, i uint16) {
	first, end := r.ChunksOf(file)
	for c := first; c < end; c++ {
		of, tokens, _, _ := r.Lengths(c)
		if of != file {
			r.corrupt(secChunks, uint64(c)*chunkRowSize, "chunk of another file")
		}
		s.Lengths[file] += tokens
		if tokens >= 1<<TokenBits {
			tokens = ManyTokens
		}
		s.Files[c], s.Tokens[c] = i, uint16(tokens)
	}
}

// scoreNames fills in the definitions of a file, and returns where they end.
func (r *Reader) scoreNames(s *Scoring, file int) (end int) {
	chunk, chunkEnd := r.ChunksOf(file)
	first, end := r.DefinitionsOf(file)
	for d := first; d < end; d++ {
		row := r.definitionRow(d)
		if int(row.chunk) < chunk || int(row.chunk) >= chunkEnd {
			r.corrupt(secDefinitions, uint64(d)*definitionRowSize, "definition in a chunk of another file")
		}
		_, _, types, others := r.Lengths(int(row.chunk))
		n := DefinedName{Chunk: row.chunk, Length: uint16(others), Kind: code.Kind(row.kind), Terms: row.terms}
		if n.Kind.IsType() {
			n.Length = uint16(types)
		}
		s.Names[d] = n
	}
	return end
}

// attributes is how many lines a chunk may have above the module of tests that it is of.
const attributes = 3

// scoreTests notes the chunks from the module of tests on that a file of Rust has. It is
// called so by convention, and stands last: clippy warns of items after it.
func (r *Reader) scoreTests(s *Scoring, file int) {
	if !r.mayHoldTests(file) {
		return
	}
	first, end := r.DefinitionsOf(file)
	for i := first; i < end; i++ {
		if s.Names[i].Kind != code.KindModule {
			continue
		}
		d := r.Definition(i)
		if d.Name != "tests" && d.Name != "test" {
			continue
		}
		c := d.Chunk
		if r.Chunk(c).StartLine+attributes < d.Line {
			c++
		}
		for _, last := r.ChunksOf(file); c < last; c++ {
			s.Tests = append(s.Tests, uint32(c))
		}
		return
	}
}

// D has blocks of tests between its functions, which begin with a word of their own.
const (
	blocksLanguage = "d"
	testBlock      = "unittest"
)

// scoreBlocks notes the chunks of D that have a block of tests and no declaration.
func (r *Reader) scoreBlocks(s *Scoring) {
	if !slices.Contains(r.languages, blocksLanguage) {
		return
	}
	t, ok, err := r.Lookup(testBlock)
	if !ok || err != nil {
		return
	}
	var chunks, tfs [pack.BlockLen]uint32
	it := t.Body()
	for n := it.NextBlock(chunks[:], tfs[:]); n > 0; n = it.NextBlock(chunks[:], tfs[:]) {
		for _, c := range chunks[:n] {
			if int(c) >= r.stats.Chunks {
				r.corrupt(secPostings, t.Off, "chunk out of range")
			}
			file := r.FileOf(int(c))
			if r.Language(file) != blocksLanguage {
				continue
			}
			first, end := r.DefinitionsOf(file)
			if _, found := slices.BinarySearchFunc(s.Names[first:end], c, func(d DefinedName, c uint32) int { return int(d.Chunk) - int(c) }); !found {
				s.Tests = append(s.Tests, c)
			}
		}
	}
	slices.Sort(s.Tests)
}

// mayHoldTests reports whether a file of code may have tests of it at its end.
func (r *Reader) mayHoldTests(file int) bool { return r.Language(file) == "rust" }

// TestsFrom returns the first of the chunks of tests that end a file of other code, the
// end of its chunks where it has none.
func (r *Reader) TestsFrom(file int) int {
	first, end := r.ChunksOf(file)
	if !r.mayHoldTests(file) {
		return end
	}
	tests := r.Scoring().Tests
	if i, _ := slices.BinarySearch(tests, uint32(first)); i < len(tests) {
		return min(end, int(tests[i]))
	}
	return end
}

// IsTest reports whether a chunk is one of Tests.
func (s *Scoring) IsTest(chunk uint32) bool {
	if len(s.Tests) == 0 {
		return false
	}
	_, found := slices.BinarySearch(s.Tests, chunk)
	return found
}
