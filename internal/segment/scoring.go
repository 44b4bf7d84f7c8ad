package segment

import (
	"math"
	"sort"

	"espy/internal/code"
)

// Scoring is what scoring reads of every chunk and definition of a part. Its
// tables are made when first asked for, and checked, so that reading a row costs
// no more than loading it, and they are narrow, for a query goes through most of
// them: 4 bytes a chunk and 8 a definition.
type Scoring struct {
	Windows []Window      // all files in order
	Files   []uint16      // by chunk: its file, counted from the first of its window
	Tokens  []uint16      // by chunk: terms and compounds of its text, below 1<<TokenBits or ManyTokens
	Names   []DefinedName // by definition
}

const (
	TokenBits  = 10
	ManyTokens = math.MaxUint16 // more than Tokens tells apart
)

// Window is a row of files, with their chunks and definitions, that are scored
// together: of so few chunks that what is found out of them stays in the nearest
// cache, unless a single file has more. Ends are one past the last.
type Window struct {
	File, FileEnd             int
	Chunk, ChunkEnd           int
	Definition, DefinitionEnd int
}

// Limits of one window.
const (
	windowChunks = 4 << 10
	windowFiles  = math.MaxUint16
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
	}
	var w Window
	for file := range r.stats.Files {
		_, end := r.ChunksOf(file)
		if file > w.File && (end-w.Chunk > windowChunks || file-w.File == windowFiles) {
			s.Windows = append(s.Windows, w)
			w = Window{w.FileEnd, w.FileEnd, w.ChunkEnd, w.ChunkEnd, w.DefinitionEnd, w.DefinitionEnd}
		}
		w.FileEnd, w.ChunkEnd = file+1, end
		r.scoreChunks(s, file, uint16(file-w.File))
		w.DefinitionEnd = r.scoreNames(s, file)
	}
	if w.FileEnd > w.File {
		s.Windows = append(s.Windows, w)
	}
	r.scoring.Store(s)
	return s
}

// scoreChunks fills in the chunks of a file, which is the i-th of its window.
func (r *Reader) scoreChunks(s *Scoring, file int, i uint16) {
	first, end := r.ChunksOf(file)
	for c := first; c < end; c++ {
		of, tokens, _, _ := r.Lengths(c)
		if of != file {
			r.corrupt(secChunks, uint64(c)*chunkRowSize, "chunk of another file")
		}
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

// WindowAt returns the number of the window that a chunk is in.
func (s *Scoring) WindowAt(chunk int) int {
	return sort.Search(len(s.Windows), func(i int) bool { return s.Windows[i].ChunkEnd > chunk })
}
