package segment

import (
	"bytes"
	"encoding/binary"
	"math"
	"sort"

	"espy/internal/segment/frame"
)

// A block of terms begins with the varint start of its postings. Each term is a
// byte with the length it shares with the one before (high four bits) and the
// length of the rest (low four bits), where 15 means that a varint with what
// exceeds 15 follows; the rest of the term; a byte of flags; and the counts and
// sizes that the flags call for, in this order, all varints:
//
//	1  body postings   their number, unless the high five bits of the flags
//	                   hold it (1 to 31), and their bytes
//	2  path postings   their number and bytes
//	4  symbol postings their number and bytes
//
// Then follow, as varints, the number of chunks that hold the term in any way
// where there are path or symbol postings (else these are the body postings),
// and that of files (but not where there is one body posting and nothing else).
// A part of windows has neither.
//
// Terms are in byte order and distinct.

const (
	termBlock = 16
	// maxTerm is the longest term in bytes. Words of up to token.MaxWord
	// bytes can grow in lower case, but not twofold.
	maxTerm = 255
)

const (
	hasBody    = 1
	hasPath    = 2
	hasSymbol  = 4
	countShift = 3
)

// termWriter writes terms in order with their postings. The dictionary is held
// back until the postings are all written.
type termWriter struct {
	f   *partWriter
	enc postingsEncoder
	spreader
	out     []byte
	dict    spool
	starts  []byte // u32 starts of blocks
	keys    []byte // u64 first bytes of blocks
	last    []byte
	written uint64 // bytes of postings
	count   uint64
}

// begin begins the postings of a part whose places are given, nil for one of windows.
func (w *termWriter) begin(f *partWriter, at places) {
	w.f = f
	w.places = at
	f.begin(secPostings)
}

func (w *termWriter) add(term []byte, p *postings) {
	var entry [8 * binary.MaxVarintLen64]byte
	e := entry[:0]
	flags := byte(0)
	w.out = w.out[:0]
	if n := len(p.chunks); n > 0 {
		w.out = w.enc.appendBody(w.out, p)
		flags, e = appendBodySizes(e, n, len(w.out))
	}
	if n := len(p.paths); n > 0 {
		start := len(w.out)
		w.out = appendPaths(w.out, p.paths)
		flags |= hasPath
		e = binary.AppendUvarint(e, uint64(n))
		e = binary.AppendUvarint(e, uint64(len(w.out)-start))
	}
	if n := len(p.symbols); n > 0 {
		start := len(w.out)
		w.out = appendDistances(w.out, p.symbols, 0)
		flags |= hasSymbol
		e = binary.AppendUvarint(e, uint64(n))
		e = binary.AppendUvarint(e, uint64(len(w.out)-start))
	}
	chunks, files := w.spread(p)
	if flags&(hasPath|hasSymbol) != 0 {
		e = binary.AppendUvarint(e, uint64(chunks))
	}
	if !oneBody(flags) {
		e = binary.AppendUvarint(e, uint64(files))
	}
	w.put(term, flags, e, w.out)
}

// appendBodySizes appends what an entry says of n body postings, and returns
// its flags.
func appendBodySizes(dst []byte, n, size int) (flags byte, entry []byte) {
	flags = hasBody
	if n < 32 {
		flags |= byte(n) << countShift
	} else {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return flags, binary.AppendUvarint(dst, uint64(size))
}

func (w *termWriter) put(term []byte, flags byte, sizes, postings []byte) {
	w.entry(term, flags, sizes)
	w.f.write(postings)
	w.written += uint64(len(postings))
	w.count++
}

func (w *termWriter) entry(term []byte, flags byte, sizes []byte) {
	var buf [2*maxTerm + 64]byte
	b := buf[:0]
	shared := 0
	if w.count%termBlock == 0 {
		w.starts = binary.LittleEndian.AppendUint32(w.starts, uint32(w.dict.size))
		w.keys = binary.LittleEndian.AppendUint64(w.keys, termKey(term))
		b = binary.AppendUvarint(b, w.written)
	} else {
		for shared < len(term) && shared < len(w.last) && term[shared] == w.last[shared] {
			shared++
		}
	}
	rest := term[shared:]
	b = append(b, byte(min(shared, 15)<<4|min(len(rest), 15)))
	if shared >= 15 {
		b = binary.AppendUvarint(b, uint64(shared-15))
	}
	if len(rest) >= 15 {
		b = binary.AppendUvarint(b, uint64(len(rest)-15))
	}
	b = append(append(append(b, rest...), flags), sizes...)
	w.dict.write(b)
	w.last = append(w.last[:0], term...)
}

func (w *termWriter) finish() {
	f := w.f
	f.end(secPostings)
	f.begin(secTerms)
	w.dict.drain(f.write)
	f.end(secTerms)
	f.begin(secTermIndex)
	f.write(w.keys)
	f.write(w.starts)
	f.end(secTermIndex)
	f.terms = w.count
}

// termKey returns the first 8 bytes of a term as a number of the same order.
func termKey(term []byte) uint64 {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(term)
	}
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}

// termCursor walks the terms in order. The term it stands on is in buf.
type termCursor struct {
	r     *Reader
	c     cursor
	next  uint64 // number of the term that follows
	off   uint64 // of its postings
	buf   [maxTerm]byte
	len   int
	term  Term
	fresh bool // before the first term of a block
	named bool // of skim: the term is in names of definitions
}

func (t *termCursor) bytes() []byte { return t.buf[:t.len] }

func (r *Reader) termBlocks() int { return int((r.terms + termBlock - 1) / termBlock) }

// seekBlock stands before the first term of a block.
func (t *termCursor) seekBlock(block int) {
	r, n := t.r, uint64(t.r.termBlocks())
	t.next = uint64(block) * termBlock
	start := uint64(r.u32(secTermIndex, 2*n+uint64(block)))
	end := r.size(secTerms)
	if uint64(block)+1 < n {
		end = uint64(r.u32(secTermIndex, 2*n+uint64(block)+1))
	}
	if start > end {
		r.corrupt(secTermIndex, 0, "blocks out of order")
	}
	t.c = r.cursor(secTerms, start, end-start)
	t.off = t.c.uvarint()
	t.len = 0
	t.fresh = true
	t.term.r = r
}

// advance stands on the next term. It reports false at the end.
func (t *termCursor) advance() bool {
	if !t.nextName() {
		return false
	}
	t.readSizes()
	t.term.compound = t.buf[0] == '='
	return true
}

// skim stands on the next term without reading the sizes of its postings. It
// reports false at the end.
func (t *termCursor) skim() bool {
	if !t.nextName() {
		return false
	}
	t.named = t.skipSizes()&hasSymbol != 0
	return true
}

// at skims to a term by its number and returns it, valid until the next one.
func (t *termCursor) at(number uint32) []byte {
	n := uint64(number)
	if n+1 < t.next || n/termBlock != (t.next-1)/termBlock {
		t.seekBlock(int(n / termBlock))
	}
	for t.next <= n && t.skim() {
	}
	return t.bytes()
}

// nextName reads the name of the next term. It reports false at the end.
func (t *termCursor) nextName() bool {
	if t.next >= t.r.terms {
		return false
	}
	if t.next%termBlock == 0 && !t.fresh {
		if len(t.c.b) > 0 {
			t.c.bad("block is longer than its terms")
		}
		t.seekBlock(int(t.next / termBlock))
	}
	t.fresh = false
	t.next++
	t.readName()
	return true
}

func (t *termCursor) readName() {
	shared, rest := t.splitName()
	if shared > t.len || shared+len(rest) == 0 {
		t.c.bad("term of impossible length")
	}
	t.len = shared + copy(t.buf[shared:], rest)
}

func (t *termCursor) readSizes() {
	term := &t.term
	term.off = t.off
	term.BodyDF, term.PathDF, term.SymbolDF = 0, 0, 0
	term.bodyLen, term.pathLen, term.symLen = 0, 0, 0
	flags := t.c.byte()
	if flags&hasBody != 0 {
		term.BodyDF = int(flags >> countShift)
		if term.BodyDF == 0 {
			term.BodyDF = t.count(t.r.mostPostings())
		}
		term.bodyLen = t.c.uint32()
	}
	if flags&hasPath != 0 {
		term.PathDF, term.pathLen = t.count(t.r.stats.Files), t.c.uint32()
	}
	if flags&hasSymbol != 0 {
		term.SymbolDF, term.symLen = t.count(t.r.stats.Definitions), t.c.uint32()
	}
	if !t.r.windows {
		t.readSpread(flags)
	}
	size := uint64(term.bodyLen) + uint64(term.pathLen) + uint64(term.symLen)
	if t.off > math.MaxInt64 || t.off+size > t.r.size(secPostings) {
		t.c.bad("postings beyond the section")
	}
	t.off += size
}

// oneBody reports whether the flags of a term say that it has one body posting
// and no others.
func oneBody(flags byte) bool { return flags == hasBody|1<<countShift }

// readSpread reads how many chunks and files hold the term.
func (t *termCursor) readSpread(flags byte) {
	term := &t.term
	term.ChunkDF = term.BodyDF
	if flags&(hasPath|hasSymbol) != 0 {
		term.ChunkDF = t.count(t.r.stats.Chunks)
	}
	term.FileDF = term.ChunkDF
	if !oneBody(flags) {
		term.FileDF = t.count(t.r.stats.Files)
	}
}

// mostPostings is how many body postings a term can have: the pieces of words
// where there are windows, the chunks where there are not.
func (r *Reader) mostPostings() int {
	if r.windows {
		return int(r.pieces)
	}
	return r.stats.Chunks
}

// skipSizes passes over the flags, which it returns, and the counts and sizes.
func (t *termCursor) skipSizes() (flags byte) {
	b := t.c.b
	if len(b) > 0 {
		flags = b[0]
	}
	left := 0 // numbers
	switch {
	case flags&hasBody != 0 && flags>>countShift == 0:
		left = 2
	case flags&hasBody != 0:
		left = 1
	}
	left += int(flags&hasPath) / hasPath * 2
	left += int(flags&hasSymbol) / hasSymbol * 2
	switch {
	case t.r.windows:
	case flags&(hasPath|hasSymbol) != 0:
		left += 2
	case !oneBody(flags):
		left++
	}
	i := 1
	for ; left > 0 && i < len(b); i++ {
		if b[i] < 0x80 {
			left--
		}
	}
	if left > 0 || i > len(b) {
		t.c.bad("number cut off or too long")
	}
	t.c.b = b[i:]
	return flags
}

func (t *termCursor) count(limit int) int {
	n := t.c.uvarint()
	if n > uint64(limit) {
		t.c.bad("more postings than there can be")
	}
	return int(n)
}

// seek skims to the first term at or after the given one.
func (t *termCursor) seek(term []byte) bool {
	blocks := t.r.termBlocks()
	if blocks == 0 {
		return false
	}
	t.seekBlock(t.r.findTermBlock(term))
	for t.skim() {
		if bytes.Compare(t.bytes(), term) >= 0 {
			return true
		}
	}
	return false
}

// findTermBlock returns the last block whose first term is not after term, or
// the first block.
func (r *Reader) findTermBlock(term []byte) int {
	keys := r.bytes(secTermIndex, 0, 8*uint64(r.termBlocks()))
	key := termKey(term)
	n := blocksBelow(keys, key)
	if n*8 == len(keys) || binary.LittleEndian.Uint64(keys[8*n:]) > key {
		return max(n-1, 0)
	}
	same := blocksBelow(keys, key+1) - n // a term is UTF-8: no key is the highest number
	n += sort.Search(same, func(i int) bool { return r.compareFirst(n+i, term) > 0 })
	return max(n-1, 0)
}

// blocksBelow returns how many of the ascending keys of blocks are below one.
func blocksBelow(keys []byte, key uint64) int {
	first, n := 0, len(keys)/8
	for n > 0 {
		half := n / 2
		if binary.LittleEndian.Uint64(keys[8*(first+half):]) < key {
			first += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return first
}

// compareFirst compares the first term of a block with a term.
func (r *Reader) compareFirst(block int, term []byte) int {
	t := termCursor{r: r}
	t.seekBlock(block)
	t.readName()
	return bytes.Compare(t.bytes(), term)
}

// Lookup finds a term as it is stored: a stem, or a compound or name with its
// "=" in front.
func (r *Reader) Lookup(term string) (t Term, ok bool, err error) {
	defer frame.Catch(&err)
	if len(term) == 0 || len(term) > maxTerm || r.terms == 0 {
		return Term{}, false, nil
	}
	var buf [maxTerm]byte
	want := buf[:copy(buf[:], term)]
	c := termCursor{r: r}
	c.seekBlock(r.findTermBlock(want))
	if !c.find(want) {
		return Term{}, false, nil
	}
	c.term.compound = want[0] == '='
	return c.term, true, nil
}

// find stands on a term of the block that the cursor stands before. It keeps no
// names: a term that shares more with the one before than that shares with what
// is sought stands before it too, and one that shares less stands behind it.
func (t *termCursor) find(want []byte) bool {
	match := 0 // bytes that the term before shares with want
	for n := min(termBlock, t.r.terms-t.next); n > 0; n-- {
		shared, rest := t.splitName()
		if shared < match {
			return false
		}
		found := false
		if shared == match {
			same := commonPrefix(rest, want[match:])
			match += same
			found = same == len(rest) && match == len(want)
			if !found && (match == len(want) || same < len(rest) && rest[same] > want[match]) {
				return false
			}
		}
		t.readSizes()
		if found {
			return true
		}
	}
	return false
}

// splitName reads how much the next term shares with the one before, and the
// rest of its name.
func (t *termCursor) splitName() (shared int, rest []byte) {
	b := t.c.b
	if len(b) > 0 && b[0]>>4 < 15 && b[0]&15 < 15 && int(b[0]&15) < len(b) {
		n := 1 + int(b[0]&15)
		t.c.b = b[n:]
		return int(b[0] >> 4), b[1:n]
	}
	lengths := t.c.byte()
	s, n := uint64(lengths>>4), uint64(lengths&15)
	if s == 15 {
		s += t.c.uvarint()
	}
	if n == 15 {
		n += t.c.uvarint()
	}
	if s > maxTerm || n > maxTerm || s+n > maxTerm {
		t.c.bad("term of impossible length")
	}
	return int(s), t.c.take(n)
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
