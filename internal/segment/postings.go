package segment

import (
	"encoding/binary"

	"espy/internal/segment/pack"
)

// The postings of one term stand in a row: body, path, symbol. The blocks of
// terms.go say how many there are of each and how many bytes they take.
//
// Body postings are chunks with the number of occurrences (tf) and, except for
// compounds, their positions. Up to 127 of them are varints: for each the
// distance from the chunk before less one, shifted left by one, with the low
// bit set if a varint tf-2 follows (else tf is 1); then the positions as
// varints. A posting's first position counts from the first position of its
// chunk, the others from the one before less one.
//
// From 128 on they are blocks:
//
//	u32 length of docs, u32 length of the packed blocks of positions
//	skip rows of 13 bytes, one per block and one for the rest: u32 last chunk,
//	    u32 start in docs, u32 start in positions of the block of positions
//	    that holds the first one of this block, u8 its number in that block
//	docs: for 128 postings each a block (pack.go) of their distances and a
//	    block of their tf-1; the rest as varints like above
//	positions: blocks; the rest as varints
//
// Path postings are files: varint distance shifted left by two with 0 for one
// occurrence in the stem, 1 for one in the directories, 2 if both counts
// follow as varints. Symbol postings are varint distances of definitions.

const skipRowSize = 13

// postings holds all postings of one term, decoded.
type postings struct {
	chunks    []uint32
	tfs       []uint32
	positions []uint32 // tf of them for each chunk, from the chunk's first position; none for compounds
	paths     []pathPosting
	symbols   []uint32
}

type pathPosting struct{ file, stem, dir uint32 }

func (p *postings) reset() {
	p.chunks, p.tfs, p.positions = p.chunks[:0], p.tfs[:0], p.positions[:0]
	p.paths, p.symbols = p.paths[:0], p.symbols[:0]
}

func (p *postings) empty() bool { return len(p.chunks)+len(p.paths)+len(p.symbols) == 0 }

// postingsEncoder turns postings into bytes. It keeps buffers between terms.
type postingsEncoder struct {
	deltas    [pack.BlockLen]uint32
	docs      []byte
	skips     []byte
	positions []byte
	starts    []uint32 // in positions, of each block of positions and the rest
	relative  []uint32
}

func (e *postingsEncoder) appendBody(dst []byte, p *postings) []byte {
	e.relate(p)
	if len(p.chunks) < pack.BlockLen {
		dst = appendDocs(dst, p.chunks, p.tfs, 0)
		for _, v := range e.relative {
			dst = binary.AppendUvarint(dst, uint64(v))
		}
		return dst
	}
	e.packPositions()
	e.packDocs(p)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(e.docs)))
	dst = binary.LittleEndian.AppendUint32(dst, e.starts[len(e.starts)-1])
	dst = append(dst, e.skips...)
	dst = append(dst, e.docs...)
	return append(dst, e.positions...)
}

// relate turns the positions of each posting into distances.
func (e *postingsEncoder) relate(p *postings) {
	e.relative = e.relative[:0]
	if len(p.positions) == 0 {
		return
	}
	at := 0
	for _, tf := range p.tfs {
		e.relative = append(e.relative, p.positions[at])
		for k := at + 1; k < at+int(tf); k++ {
			e.relative = append(e.relative, p.positions[k]-p.positions[k-1]-1)
		}
		at += int(tf)
	}
}

// appendDocs appends postings as varints; next is the lowest chunk that the
// first of them can be.
func appendDocs(dst []byte, chunks, tfs []uint32, next uint32) []byte {
	for i, c := range chunks {
		delta := uint64(c-next) << 1
		next = c + 1
		if tfs[i] == 1 {
			dst = binary.AppendUvarint(dst, delta)
			continue
		}
		dst = binary.AppendUvarint(dst, delta|1)
		dst = binary.AppendUvarint(dst, uint64(tfs[i]-2))
	}
	return dst
}

func (e *postingsEncoder) packPositions() {
	e.positions, e.starts = e.positions[:0], e.starts[:0]
	rest := e.relative
	for ; len(rest) >= pack.BlockLen; rest = rest[pack.BlockLen:] {
		e.starts = append(e.starts, uint32(len(e.positions)))
		e.positions = pack.AppendBlock(e.positions, rest)
	}
	e.starts = append(e.starts, uint32(len(e.positions)))
	for _, v := range rest {
		e.positions = binary.AppendUvarint(e.positions, uint64(v))
	}
}

func (e *postingsEncoder) packDocs(p *postings) {
	e.docs, e.skips = e.docs[:0], e.skips[:0]
	chunks, tfs := p.chunks, p.tfs
	var next uint32
	seen := 0 // positions before the block
	for len(chunks) >= pack.BlockLen {
		e.skip(chunks[pack.BlockLen-1], seen)
		for i, c := range chunks[:pack.BlockLen] {
			e.deltas[i] = c - next
			next = c + 1
		}
		e.docs = pack.AppendBlock(e.docs, e.deltas[:])
		for i, tf := range tfs[:pack.BlockLen] {
			e.deltas[i] = tf - 1
			seen += int(tf)
		}
		e.docs = pack.AppendBlock(e.docs, e.deltas[:])
		chunks, tfs = chunks[pack.BlockLen:], tfs[pack.BlockLen:]
	}
	e.skip(p.chunks[len(p.chunks)-1], seen)
	e.docs = appendDocs(e.docs, chunks, tfs, next)
}

func (e *postingsEncoder) skip(last uint32, seen int) {
	start := e.starts[min(seen/pack.BlockLen, len(e.starts)-1)]
	e.skips = binary.LittleEndian.AppendUint32(e.skips, last)
	e.skips = binary.LittleEndian.AppendUint32(e.skips, uint32(len(e.docs)))
	e.skips = binary.LittleEndian.AppendUint32(e.skips, start)
	e.skips = append(e.skips, byte(seen%pack.BlockLen))
}

func appendPaths(dst []byte, paths []pathPosting) []byte {
	var next uint32
	for _, p := range paths {
		delta := uint64(p.file-next) << 2
		next = p.file + 1
		switch {
		case p.stem == 1 && p.dir == 0:
			dst = binary.AppendUvarint(dst, delta)
		case p.stem == 0 && p.dir == 1:
			dst = binary.AppendUvarint(dst, delta|1)
		default:
			dst = binary.AppendUvarint(dst, delta|2)
			dst = binary.AppendUvarint(dst, uint64(p.stem))
			dst = binary.AppendUvarint(dst, uint64(p.dir))
		}
	}
	return dst
}

// appendDistances appends rising numbers, the first of which is at least next.
func appendDistances(dst []byte, numbers []uint32, next uint32) []byte {
	for _, n := range numbers {
		dst = binary.AppendUvarint(dst, uint64(n-next))
		next = n + 1
	}
	return dst
}
