package segment

import (
	"iter"

	"espy/internal/segment/pack"
)

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
