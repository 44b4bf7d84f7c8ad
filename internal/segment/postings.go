package segment

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
	"espy/internal/token"
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

// appendDistances appends rising numbers of which the first is at least next.
func appendDistances(dst []byte, numbers []uint32, next uint32) []byte {
	for _, n := range numbers {
		dst = binary.AppendUvarint(dst, uint64(n-next))
		next = n + 1
	}
	return dst
}

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

// accumulate turns distances into numbers of which the first is at least next.
// It reports whether they fit 32 bits. Of four numbers only one sum waits for
// the numbers before.
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

// Path iterates over the files whose path has the term.
func (t Term) Path() PathIter {
	at := t.Off + uint64(t.BodyLen)
	return PathIter{r: t.r, c: t.r.cursor(secPostings, at, uint64(t.PathLen)), left: t.PathDF}
}

// PathIter reads path postings in the order of files.
type PathIter struct {
	r    *Reader
	c    pack.Cursor
	left int
	next uint64
}

// Next returns the next file and how often the term occurs in its stem and in
// its directories; ok is false at the end.
func (it *PathIter) Next() (file int, stem, dir uint32, ok bool) {
	if it.left == 0 {
		return 0, 0, 0, false
	}
	it.left--
	v := it.c.Uvarint()
	limit := uint64(it.r.stats.Files)
	it.next += v >> 2
	if it.next >= limit || v>>2 >= limit {
		it.c.Bad("posting of a file that does not exist")
	}
	file = int(it.next)
	it.next++
	switch v & 3 {
	case 0:
		return file, 1, 0, true
	case 1:
		return file, 0, 1, true
	}
	stem = it.c.Uint32()
	return file, stem, it.c.Uint32(), true
}

// Symbols iterates over the definitions whose name has the term, or whose
// whole name it is for a term of token.Name.
func (t Term) Symbols() SymbolIter {
	at := t.Off + uint64(t.BodyLen) + uint64(t.PathLen)
	return SymbolIter{r: t.r, c: t.r.cursor(secPostings, at, uint64(t.SymbolLen)), left: t.SymbolDF}
}

// SymbolIter reads symbol postings in the order of definitions.
type SymbolIter struct {
	r    *Reader
	c    pack.Cursor
	left int
	next uint64
}

// Next returns the next definition; ok is false at the end.
func (it *SymbolIter) Next() (definition int, ok bool) {
	var one [1]uint32
	n := it.NextBlock(one[:])
	return int(one[0]), n == 1
}

// NextBlock decodes the next definitions into dst and returns how many there
// were, 0 at the end.
func (it *SymbolIter) NextBlock(dst []uint32) int {
	n := min(len(dst), it.left)
	limit := uint64(it.r.stats.Definitions)
	c, next := it.c, it.next
	for i := range dst[:n] {
		v := c.Uvarint()
		next += v
		if next >= limit || v >= limit {
			c.Bad("posting of a definition that does not exist")
		}
		dst[i] = uint32(next)
		next++
	}
	it.c, it.next = c, next
	it.left -= n
	return n
}

// Spellings returns the names of live definitions that token.Name puts under a
// term, each once.
func (l Live) Spellings(term string) (names []string, err error) {
	defer frame.Catch(&err)
	t, ok, err := l.Lookup(term)
	if err != nil || !ok {
		return nil, err
	}
	last := uint32(math.MaxUint32)
	for it := t.Symbols(); ; {
		def, ok := it.Next()
		if !ok {
			return names, nil
		}
		row := l.definitionRow(def)
		if row.name == last || !l.Alive(l.FileOf(int(row.chunk))) {
			continue
		}
		last = row.name
		if n := string(l.nameAt(row.name)); !slices.Contains(names, n) && token.Name(n) == term {
			names = append(names, n)
		}
	}
}
