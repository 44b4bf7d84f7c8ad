package segment

import (
	"encoding/binary"
	"sort"

	"espy/internal/segment/pack"
)

// Body iterates over the chunks whose text has the term.
func (t Term) Body() BodyIter {
	it := BodyIter{r: t.r, df: t.BodyDF, off: t.Off, end: t.Off + uint64(t.BodyLen), positioned: !t.compound}
	if t.BodyDF < pack.BlockLen {
		return it
	}
	head := t.r.bytes(secPostings, t.Off, 8)
	it.full = t.BodyDF / pack.BlockLen
	it.skips = t.Off + 8
	it.docs = it.skips + uint64(it.full+1)*skipRowSize
	it.positions = it.docs + uint64(binary.LittleEndian.Uint32(head))
	it.varints = it.positions + uint64(binary.LittleEndian.Uint32(head[4:]))
	if it.varints > it.end {
		t.r.corrupt(secPostings, t.Off, "postings beyond their end")
	}
	return it
}

// BodyIter reads body postings in blocks, in the order of chunks. Copies of it
// go on independently.
type BodyIter struct {
	r          *Reader
	df         int
	full       int    // packed blocks; 0 for a short list
	block      int    // the next block
	off, end   uint64 // of the body in secPostings
	skips      uint64
	docs       uint64
	positions  uint64
	varints    uint64 // where the positions that are not packed begin
	positioned bool

	// The block that NextBlock returned last.
	chunks, tfs []uint32
	walk        positionWalk
}

// skipRow is where a block of postings begins, and its last chunk.
type skipRow struct {
	last, doc, position uint32
	inBlock             uint8
}

func (it *BodyIter) skipRow(block int) skipRow {
	b := it.r.bytes(secPostings, it.skips+uint64(block)*skipRowSize, skipRowSize)
	le := binary.LittleEndian
	return skipRow{le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:]), b[12]}
}

// Seek moves on to the block that holds the first posting at or after chunk, so
// that NextBlock returns it next. Postings before chunk may stand in front of
// it in that block. It never moves back.
func (it *BodyIter) Seek(chunk uint32) {
	if it.full == 0 || it.block > it.full || it.skipRow(it.block).last >= chunk {
		return
	}
	rest := it.full + 1 - it.block
	it.block += sort.Search(rest, func(i int) bool { return it.skipRow(it.block+i).last >= chunk })
}

// NextBlock decodes the next up to 128 postings into chunks and tfs, which must
// have room for 128 each, and returns their number, 0 at the end.
func (it *BodyIter) NextBlock(chunks, tfs []uint32) int {
	switch {
	case it.full == 0:
		return it.shortBlock(chunks, tfs)
	case it.block < it.full:
		return it.packedBlock(chunks, tfs)
	case it.block == it.full:
		return it.restBlock(chunks, tfs)
	}
	return 0
}

func (it *BodyIter) shortBlock(chunks, tfs []uint32) int {
	if it.block > 0 || it.df == 0 {
		return 0
	}
	it.block = 1
	c := it.r.cursor(secPostings, it.off, it.end-it.off)
	it.readDocs(&c, chunks[:it.df], tfs[:it.df], 0)
	it.varints = c.Offset()
	it.keep(chunks[:it.df], tfs[:it.df], it.varints, 0)
	return it.df
}

// readDocs decodes postings that stand as varints.
func (it *BodyIter) readDocs(c *pack.Cursor, chunks, tfs []uint32, next uint64) {
	limit := uint64(it.r.stats.Chunks)
	b := c.Rest
	for i := range chunks {
		var v uint64
		if len(b) > 1 && b[0] < 0x80 {
			v, b = uint64(b[0]), b[1:]
		} else {
			c.Rest = b
			v = c.Uvarint()
			b = c.Rest
		}
		next += v >> 1
		if next >= limit || v>>1 >= limit {
			c.Bad("posting of a chunk that does not exist")
		}
		chunks[i] = uint32(next)
		next++
		tfs[i] = 1
		if v&1 != 0 {
			c.Rest = b
			tf := c.Uint32()
			b = c.Rest
			if tf > 1<<31 {
				c.Bad("number of occurrences too large")
			}
			tfs[i] = tf + 2
		}
	}
	c.Rest = b
}

func (it *BodyIter) packedBlock(chunks, tfs []uint32) int {
	row := it.skipRow(it.block)
	at := it.docs + uint64(row.doc)
	dc, dt := (*[pack.BlockLen]uint32)(chunks), (*[pack.BlockLen]uint32)(tfs)
	behind := pack.ReadBlock(it.r.frame, dc, int(secPostings), at, it.positions)
	pack.ReadBlock(it.r.frame, dt, int(secPostings), behind, it.positions)
	var next uint32
	if it.block > 0 {
		next = it.lastBefore(it.block) + 1
	}
	if !accumulate(dc, next) || dc[pack.BlockLen-1] != row.last || int(row.last) >= it.r.stats.Chunks {
		it.r.corrupt(secPostings, at, "chunks out of order")
	}
	oneMore(dt)
	it.block++
	it.keep(chunks[:pack.BlockLen], tfs[:pack.BlockLen], it.positions+uint64(row.position), row.inBlock)
	return pack.BlockLen
}

// oneMore adds 1 to every number.
func oneMore(values *[pack.BlockLen]uint32) {
	for i := 0; i < pack.BlockLen; i += 8 {
		v := (*[8]uint32)(values[i : i+8])
		v[0]++
		v[1]++
		v[2]++
		v[3]++
		v[4]++
		v[5]++
		v[6]++
		v[7]++
	}
}

// lastBefore returns the last chunk of the block before a block.
func (it *BodyIter) lastBefore(block int) uint32 {
	last := it.skipRow(block - 1).last
	if int(last) >= it.r.stats.Chunks {
		it.r.corrupt(secPostings, it.skips+uint64(block-1)*skipRowSize, "posting of a chunk that does not exist")
	}
	return last
}

// accumulate turns distances into numbers, the first of which is at least next.
// It reports whether they fit 32 bits. Only one addition in four waits for the
// number before.
func accumulate(values *[pack.BlockLen]uint32, next uint32) bool {
	sum := uint64(next)
	for i := 0; i < pack.BlockLen; i += 4 {
		v := (*[4]uint32)(values[i : i+4])
		a := uint64(v[0])
		b := a + uint64(v[1]) + 1
		c := b + uint64(v[2]) + 1
		d := c + uint64(v[3]) + 1
		v[0], v[1], v[2], v[3] = uint32(sum+a), uint32(sum+b), uint32(sum+c), uint32(sum+d)
		sum += d + 1
	}
	return sum <= 1<<32
}

func (it *BodyIter) restBlock(chunks, tfs []uint32) int {
	it.block++
	n := it.df % pack.BlockLen
	if n == 0 {
		return 0
	}
	row := it.skipRow(it.full)
	at := it.docs + uint64(row.doc)
	if at > it.positions {
		it.r.corrupt(secPostings, at, "block beyond its end")
	}
	c := it.r.cursor(secPostings, at, it.positions-at)
	it.readDocs(&c, chunks[:n], tfs[:n], uint64(it.lastBefore(it.full))+1)
	it.keep(chunks[:n], tfs[:n], it.positions+uint64(row.position), row.inBlock)
	return n
}

// keep notes the current block for Positions.
func (it *BodyIter) keep(chunks, tfs []uint32, positions uint64, inBlock uint8) {
	it.chunks, it.tfs = chunks, tfs
	it.walk.start, it.walk.inBlock, it.walk.next = positions, inBlock, -1
}

// positionWalk stands in the positions of the current block of postings.
type positionWalk struct {
	start   uint64 // of the block of positions with the first one
	inBlock uint8  // the first one's number in it
	next    int    // the posting whose positions follow; -1 before the first call
	at      uint64 // behind what is buffered
	buf     []uint32
	used    int
}

// Positions appends to dst the positions within its file of posting k of the
// block that NextBlock returned last, whose arguments must not have changed.
// They count terms from 0: words without terms have no place in the row, and a
// compound would stand at its first part. It is fastest when k grows from call to call.
// Compounds have no positions.
func (it *BodyIter) Positions(k int, dst []uint32) []uint32 {
	if !it.positioned || uint(k) >= uint(len(it.chunks)) {
		return dst
	}
	return it.positionsFrom(it.r.chunkPosition(it.chunks[k]), k, dst)
}

// positionsFrom is Positions for a chunk that begins at a position.
func (it *BodyIter) positionsFrom(at uint32, k int, dst []uint32) []uint32 {
	w := &it.walk
	if w.next < 0 || k < w.next {
		it.startWalk()
	}
	for ; w.next < k; w.next++ {
		it.skipPositions(int(it.tfs[w.next]))
	}
	w.next++
	if _, tokens, _, _ := it.r.Lengths(int(it.chunks[k])); it.tfs[k] > tokens {
		it.r.corrupt(secPostings, it.off, "more occurrences than the chunk has terms")
	}
	for range it.tfs[k] {
		if w.used == len(w.buf) {
			it.fillPositions()
		}
		at += w.buf[w.used]
		w.used++
		dst = append(dst, at)
		at++
	}
	return dst
}

func (it *BodyIter) startWalk() {
	w := &it.walk
	w.next, w.at, w.used = 0, w.start, 0
	w.buf = w.buf[:0]
	it.skipPositions(int(w.inBlock))
}

func (it *BodyIter) skipPositions(n int) {
	w := &it.walk
	for n > len(w.buf)-w.used {
		n -= len(w.buf) - w.used
		it.fillPositions()
	}
	w.used += n
}

// fillPositions decodes the next block of positions, or up to as many as one
// holds of those behind the blocks.
func (it *BodyIter) fillPositions() {
	w := &it.walk
	if cap(w.buf) < pack.BlockLen {
		w.buf = make([]uint32, 0, pack.BlockLen)
	}
	w.used = 0
	if w.at < it.varints {
		w.buf = w.buf[:pack.BlockLen]
		w.at = pack.ReadBlock(it.r.frame, (*[pack.BlockLen]uint32)(w.buf), int(secPostings), w.at, it.varints)
		return
	}
	if w.at >= it.end {
		it.r.corrupt(secPostings, it.off, "positions cut off")
	}
	w.buf = w.buf[:0]
	c := it.r.cursor(secPostings, w.at, it.end-w.at)
	for len(c.Rest) > 0 && len(w.buf) < pack.BlockLen {
		w.buf = append(w.buf, c.Uint32())
	}
	w.at = c.Offset()
}
