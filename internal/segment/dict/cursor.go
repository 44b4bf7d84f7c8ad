package dict

import (
	"bytes"
	"encoding/binary"
	"math"

	"espy/internal/segment/pack"
)

// Cursor walks the terms of a dictionary in order. It belongs to one goroutine.
type Cursor struct {
	Entry      // of the term it stands on, unless Skim or Seek led there
	Named bool // after Skim or Seek: the term has symbol postings

	r     *Reader
	c     pack.Cursor
	next  uint64 // number of the term that follows
	off   uint64 // of its postings
	buf   [MaxTerm]byte
	len   int
	fresh bool // before the first term of a block
}

// Term returns the term that the cursor stands on. It is valid until it moves.
func (t *Cursor) Term() []byte { return t.buf[:t.len] }

// Number returns the number of the term that the cursor stands on.
func (t *Cursor) Number() uint32 { return uint32(t.next - 1) }

// seekBlock stands before the first term of a block.
func (t *Cursor) seekBlock(block int) {
	r, n := t.r, uint64(t.r.blocks())
	t.next = uint64(block) * termBlock
	start := uint64(r.start(n, uint64(block)))
	end := r.Frame.Sections[r.Form.Terms].Len
	if uint64(block)+1 < n {
		end = uint64(r.start(n, uint64(block)+1))
	}
	if start > end {
		r.Frame.Corrupt(r.Index, 0, "blocks out of order")
	}
	t.c = pack.NewCursor(r.Frame, r.Form.Terms, start, end-start)
	t.off = t.c.Uvarint()
	t.len = 0
	t.fresh = true
}

// start returns where block i of n starts.
func (r *Reader) start(n, i uint64) uint32 {
	return binary.LittleEndian.Uint32(r.Frame.Bytes(r.Index, 8*n+4*i, 4))
}

// Next stands on the next term. It reports false at the end.
func (t *Cursor) Next() bool {
	if !t.nextName() {
		return false
	}
	t.readEntry()
	return true
}

// Skim stands on the next term without reading its entry. It reports false at
// the end.
func (t *Cursor) Skim() bool {
	if !t.nextName() {
		return false
	}
	t.Named = t.skipEntry()&hasSymbol != 0
	return true
}

// At skims to the term of a number and returns it, valid until the cursor moves.
func (t *Cursor) At(number uint32) []byte {
	n := uint64(number)
	if n+1 < t.next || n/termBlock != (t.next-1)/termBlock {
		t.seekBlock(int(n / termBlock))
	}
	for t.next <= n && t.Skim() {
	}
	return t.Term()
}

// Seek skims to the first term at or after the given one. It reports false
// where there is none.
func (t *Cursor) Seek(term []byte) bool {
	if t.r.Terms == 0 {
		return false
	}
	t.seekBlock(t.r.findBlock(term))
	for t.Skim() {
		if bytes.Compare(t.Term(), term) >= 0 {
			return true
		}
	}
	return false
}

// nextName reads the next term. It reports false at the end.
func (t *Cursor) nextName() bool {
	if t.next >= t.r.Terms {
		return false
	}
	if t.next%termBlock == 0 && !t.fresh {
		if len(t.c.Rest) > 0 {
			t.c.Bad("block is longer than its terms")
		}
		t.seekBlock(int(t.next / termBlock))
	}
	t.fresh = false
	t.next++
	t.readName()
	return true
}

func (t *Cursor) readName() {
	shared, rest := t.splitName()
	if shared > t.len || shared+len(rest) == 0 {
		t.c.Bad("term of impossible length")
	}
	t.len = shared + copy(t.buf[shared:], rest)
}

func (t *Cursor) readEntry() {
	e, limits := &t.Entry, &t.r.Limits
	*e = Entry{Off: t.off}
	flags := t.c.Byte()
	if flags&hasBody != 0 {
		e.BodyDF = int(flags >> countShift)
		if e.BodyDF == 0 {
			e.BodyDF = t.count(limits.Body)
		}
		e.BodyLen = t.c.Uint32()
	}
	if flags&hasPath != 0 {
		e.PathDF, e.PathLen = t.count(limits.Paths), t.c.Uint32()
	}
	if flags&hasSymbol != 0 {
		e.SymbolDF, e.SymbolLen = t.count(limits.Symbols), t.c.Uint32()
	}
	if t.r.Spread {
		t.readSpread(flags)
	}
	size := uint64(e.BodyLen) + uint64(e.PathLen) + uint64(e.SymbolLen)
	if t.off > math.MaxInt64 || t.off+size > t.r.Frame.Sections[t.r.Postings].Len {
		t.c.Bad("postings beyond the section")
	}
	t.off += size
}

// oneBody reports whether the flags of a term say that it has one body posting
// and no others.
func oneBody(flags byte) bool { return flags == hasBody|1<<countShift }

// readSpread reads how many chunks and files hold the term.
func (t *Cursor) readSpread(flags byte) {
	e := &t.Entry
	e.ChunkDF = e.BodyDF
	if flags&(hasPath|hasSymbol) != 0 {
		e.ChunkDF = t.count(t.r.Limits.Chunks)
	}
	e.FileDF = e.ChunkDF
	if !oneBody(flags) {
		e.FileDF = t.count(t.r.Limits.Files)
	}
}

func (t *Cursor) count(limit int) int {
	n := t.c.Uvarint()
	if n > uint64(limit) {
		t.c.Bad("more postings than there can be")
	}
	return int(n)
}

// skipEntry passes over the flags, which it returns, and the counts and sizes.
func (t *Cursor) skipEntry() (flags byte) {
	b := t.c.Rest
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
	case !t.r.Spread:
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
		t.c.Bad("number cut off or too long")
	}
	t.c.Rest = b[i:]
	return flags
}

// find stands on a term of the block that the cursor stands before. It keeps no
// terms: a term that shares more with the one before than that one shares with
// the wanted term stands before it too, and one that shares less stands behind it.
func (t *Cursor) find(want []byte) bool {
	match := 0 // bytes that the term before shares with want
	for n := min(termBlock, t.r.Terms-t.next); n > 0; n-- {
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
		t.readEntry()
		if found {
			return true
		}
	}
	return false
}

// splitName reads how much the next term shares with the one before, and the
// rest of it.
func (t *Cursor) splitName() (shared int, rest []byte) {
	b := t.c.Rest
	if len(b) > 0 && b[0]>>4 < 15 && b[0]&15 < 15 && int(b[0]&15) < len(b) {
		n := 1 + int(b[0]&15)
		t.c.Rest = b[n:]
		return int(b[0] >> 4), b[1:n]
	}
	lengths := t.c.Byte()
	s, n := uint64(lengths>>4), uint64(lengths&15)
	if s == 15 {
		s += t.c.Uvarint()
	}
	if n == 15 {
		n += t.c.Uvarint()
	}
	if s > MaxTerm || n > MaxTerm || s+n > MaxTerm {
		t.c.Bad("term of impossible length")
	}
	return int(s), t.c.Take(n)
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
