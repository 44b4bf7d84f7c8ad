package segment

import (
	"iter"

	"espy/internal/segment/pack"
)

// In how many chunks and files a term is, in whichever field, stands in the
// dictionary: a query must know how rare its terms are before it scores a chunk.

// places says where the chunks and definitions of a part lie.
type places interface {
	FileOf(chunk int) int
	ChunksOf(file int) (first, end int)
	chunkOf(definition int) int
}

// spreader counts the chunks and files that hold terms.
type spreader struct {
	places
	chunks []uint32 // that hold the term in their text or in a name they define
}

// spread counts the chunks that hold a term in their text, in a name they
// define or in the path of their file, and the files that hold it in any of those.
func (s *spreader) spread(p *postings) (chunks, files int) {
	found, paths, last := s.withNames(p), p.paths, -1
	for _, chunk := range found {
		file := s.FileOf(int(chunk))
		for ; len(paths) > 0 && int(paths[0].file) < file; paths = paths[1:] {
			chunks += s.chunksIn(paths[0].file)
			files++
		}
		if len(paths) > 0 && int(paths[0].file) == file {
			continue // counted when the chunks of the file are passed
		}
		chunks++
		if file != last {
			files++
			last = file
		}
	}
	for _, path := range paths {
		chunks += s.chunksIn(path.file)
		files++
	}
	return chunks, files
}

func (s *spreader) chunksIn(file uint32) int {
	first, end := s.ChunksOf(int(file))
	return end - first
}

// withNames returns the chunks that hold a term in their text or in a name they
// define, in order. Definitions are in the order of their chunks.
func (s *spreader) withNames(p *postings) []uint32 {
	if len(p.symbols) == 0 {
		return p.chunks
	}
	all, rest := s.chunks[:0], p.chunks
	for _, d := range p.symbols {
		chunk := uint32(s.chunkOf(int(d)))
		for len(rest) > 0 && rest[0] <= chunk {
			all = append(all, rest[0])
			rest = rest[1:]
		}
		if len(all) == 0 || all[len(all)-1] != chunk {
			all = append(all, chunk)
		}
	}
	s.chunks = append(all, rest...)
	return s.chunks
}

// placeTable is the places of a part that is being written.
type placeTable struct {
	files  []uint32 // by chunk
	ends   []uint32 // of the chunks, by file
	chunks []uint32 // by definition
}

func (t *placeTable) FileOf(chunk int) int { return int(t.files[chunk]) }

func (t *placeTable) ChunksOf(file int) (first, end int) {
	if file > 0 {
		first = int(t.ends[file-1])
	}
	return first, int(t.ends[file])
}

func (t *placeTable) chunkOf(definition int) int { return int(t.chunks[definition]) }

func (r *Reader) chunkOf(definition int) int { return int(r.definitionRow(definition).chunk) }

// Frequency returns how many live chunks and files hold a term, as ChunkDF and
// FileDF count them. Where files are dead it reads what these hold of it.
func (l Live) Frequency(t Term) (chunks, files int) {
	if l.Live == nil || t.FileDF == 0 {
		return t.ChunkDF, t.FileDF
	}
	var p postings
	l.deadPostings(t, &p)
	s := spreader{places: l.Reader}
	chunks, files = s.spread(&p)
	return t.ChunkDF - chunks, t.FileDF - files
}

// deadPostings appends the postings of a term in dead files, without occurrences.
func (l Live) deadPostings(t Term, p *postings) {
	bodies := bodyRange{BodyIter: t.Body()}
	symbols := t.Symbols()
	symbol, more := symbols.Next()
	for file := range l.dead() {
		first, end := l.ChunksOf(file)
		p.chunks = bodies.appendTo(p.chunks, uint32(first), uint32(end))
		first, end = l.DefinitionsOf(file)
		for ; more && symbol < end; symbol, more = symbols.Next() {
			if symbol >= first {
				p.symbols = append(p.symbols, uint32(symbol))
			}
		}
	}
	paths := t.Path()
	for file, _, _, ok := paths.Next(); ok; file, _, _, ok = paths.Next() {
		if !l.Alive(file) {
			p.paths = append(p.paths, pathPosting{file: uint32(file)})
		}
	}
}

// dead yields the files that are not live, in order.
func (l Live) dead() iter.Seq[int] {
	return func(yield func(int) bool) {
		for file := range l.NumFiles() {
			if !l.Alive(file) && !yield(file) {
				return
			}
		}
	}
}

// bodyRange reads the body postings of ranges of chunks, one behind the other.
type bodyRange struct {
	BodyIter
	buf [2][pack.BlockLen]uint32 // chunks, tfs
	at  int
	n   int
}

// appendTo appends the chunks from first up to end that have the term.
func (b *bodyRange) appendTo(dst []uint32, first, end uint32) []uint32 {
	for first < end {
		if b.at == b.n {
			b.Seek(first)
			if b.at, b.n = 0, b.NextBlock(b.buf[0][:], b.buf[1][:]); b.n == 0 {
				return dst
			}
		}
		for ; b.at < b.n; b.at++ {
			if chunk := b.buf[0][b.at]; chunk >= end {
				return dst
			} else if chunk >= first {
				dst = append(dst, chunk)
			}
		}
	}
	return dst
}
