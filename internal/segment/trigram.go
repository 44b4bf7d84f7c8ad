package segment

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"

	"espy/internal/segment/arena"
	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
)

// A trigram is three bytes of text in a row, ASCII letters in lower case, as a
// number: the first byte is the highest. Each has the list of the regions that
// hold it. Trigrams span the ends of lines; one over the end of a region counts
// to the region it begins in.
//
// A list is the distances of its regions less one: blocks of 128 (pack.go) and the
// rest as varints. Where that is smaller, it is instead a bitmap of all regions,
// lowest bits first.
//
// A block of trigram terms holds for each trigram the varint distance from the
// one before (from the index for the first), the varint number of regions, and
// the varint bytes of the list shifted left by one, with the low bit set for a
// bitmap.

const trigramBlock = 64

var foldByte = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// trigramWriter writes lists in the order of trigrams.
type trigramWriter struct {
	f       *partWriter
	regions int // in the part
	deltas  [pack.BlockLen]uint32
	out     []byte
	dict    arena.Spool
	index   []byte
	last    uint32
	count   uint64
	written uint64
}

func (w *trigramWriter) begin(f *partWriter, regions int) {
	w.f, w.regions = f, regions
	f.begin(secTrigrams)
}

func (w *trigramWriter) add(trigram uint32, regions []uint32) {
	bitmap := w.encode(regions)
	w.put(trigram, len(regions), w.out, bitmap)
}

// put writes the list of a trigram, which has n regions; bitmap is 1 for a
// bitmap, else 0.
func (w *trigramWriter) put(trigram uint32, n int, list []byte, bitmap uint64) {
	if w.count%trigramBlock == 0 {
		w.index = binary.LittleEndian.AppendUint32(w.index, trigram)
		w.index = binary.LittleEndian.AppendUint32(w.index, uint32(w.dict.Size()))
		w.index = binary.LittleEndian.AppendUint64(w.index, w.written)
		w.last = trigram
	}
	var entry [3 * binary.MaxVarintLen64]byte
	e := binary.AppendUvarint(entry[:0], uint64(trigram-w.last))
	e = binary.AppendUvarint(e, uint64(n))
	e = binary.AppendUvarint(e, uint64(len(list))<<1|bitmap)
	w.dict.Append(e)
	w.f.write(list)
	w.last = trigram
	w.written += uint64(len(list))
	w.count++
}

// bitmapSize is the bytes of a bitmap, which a list has to be larger than to
// be one.
func (w *trigramWriter) bitmapSize() int { return (w.regions + 7) / 8 }

// encode leaves the list in out and returns 1 for a bitmap.
func (w *trigramWriter) encode(regions []uint32) (bitmap uint64) {
	w.out = w.out[:0]
	var next uint32
	rest := regions
	for len(rest) >= pack.BlockLen {
		for i, g := range rest[:pack.BlockLen] {
			w.deltas[i] = g - next
			next = g + 1
		}
		w.out = pack.AppendBlock(w.out, w.deltas[:])
		rest = rest[pack.BlockLen:]
	}
	w.out = appendDistances(w.out, rest, next)
	size := w.bitmapSize()
	if len(w.out) <= size {
		return 0
	}
	w.out = append(w.out[:0], make([]byte, size)...)
	for _, g := range regions {
		w.out[g>>3] |= 1 << (g & 7)
	}
	return 1
}

func (w *trigramWriter) finish() {
	f := w.f
	f.end(secTrigrams)
	f.begin(secTrigramTerms)
	w.dict.Drain(f.write)
	f.end(secTrigramTerms)
	f.section(secTrigramIndex, w.index)
	f.trigrams = w.count
}

// trigramCursor walks the trigrams in order.
type trigramCursor struct {
	r       *Reader
	c       pack.Cursor
	next    uint64
	trigram uint32
	off     uint64 // behind the list
	count   int
	size    uint64
	bitmap  bool
	fresh   bool
}

func (t *trigramCursor) seekBlock(block uint64) {
	r := t.r
	b := r.bytes(secTrigramIndex, 16*block, 16)
	start, end := uint64(binary.LittleEndian.Uint32(b[4:])), r.size(secTrigramTerms)
	if (block+1)*trigramBlock < r.trigrams {
		end = uint64(binary.LittleEndian.Uint32(r.bytes(secTrigramIndex, 16*block+20, 4)))
	}
	if start > end {
		r.corrupt(secTrigramIndex, 16*block, "blocks out of order")
	}
	t.trigram, t.off = binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint64(b[8:])
	t.c = r.cursor(secTrigramTerms, start, end-start)
	t.next = block * trigramBlock
	t.fresh = true
}

func (t *trigramCursor) advance() bool {
	if t.next >= t.r.trigrams {
		return false
	}
	if t.next%trigramBlock == 0 && !t.fresh {
		if len(t.c.Rest) > 0 {
			t.c.Bad("block is longer than its trigrams")
		}
		t.seekBlock(t.next / trigramBlock)
	}
	t.fresh = false
	t.next++
	v := uint64(t.trigram) + t.c.Uvarint()
	n := t.c.Uvarint()
	size := t.c.Uvarint()
	if v >= 1<<24 || n > t.r.regions || t.off > t.r.size(secTrigrams) {
		t.c.Bad("impossible trigram")
	}
	t.trigram, t.count, t.size, t.bitmap = uint32(v), int(n), size>>1, size&1 != 0
	t.off += t.size
	return true
}

// appendRegions appends the list of the trigram that the cursor stands on.
func (t *trigramCursor) appendRegions(dst []uint32) []uint32 {
	start := len(dst)
	off := t.off - t.size
	if t.bitmap {
		dst = t.appendBitmap(dst, t.r.bytes(secTrigrams, off, t.size))
	} else {
		dst = t.appendList(dst, off)
	}
	if len(dst)-start != t.count || t.count > 0 && uint64(dst[len(dst)-1]) >= t.r.regions {
		t.r.corrupt(secTrigrams, off, "list of regions of the wrong length")
	}
	return dst
}

func (t *trigramCursor) appendBitmap(dst []uint32, b []byte) []uint32 {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, uint32(i)<<3|uint32(bits.TrailingZeros8(w)))
		}
	}
	return dst
}

func (t *trigramCursor) appendList(dst []uint32, off uint64) []uint32 {
	var values [pack.BlockLen]uint32
	var next uint32
	left := t.count
	end := off + t.size
	for ; left >= pack.BlockLen; left -= pack.BlockLen {
		behind := pack.ReadBlock(t.r.frame, &values, int(secTrigrams), off, end)
		if !accumulate(&values, next) || uint64(values[pack.BlockLen-1]) >= t.r.regions {
			t.r.corrupt(secTrigrams, off, "regions out of order")
		}
		dst = append(dst, values[:]...)
		next = values[pack.BlockLen-1] + 1
		off = behind
	}
	c := t.r.cursor(secTrigrams, off, end-off)
	at := uint64(next)
	for range left {
		at += uint64(c.Uint32())
		if at >= t.r.regions {
			c.Bad("region that does not exist")
		}
		dst = append(dst, uint32(at))
		at++
	}
	return dst
}

// seek stands on the trigram if there is a list for it.
func (t *trigramCursor) seek(trigram uint32) bool {
	r := t.r
	blocks := int((r.trigrams + trigramBlock - 1) / trigramBlock)
	n := sort.Search(blocks, func(i int) bool {
		at := r.need(secTrigramIndex, 16*uint64(i), 4)
		return binary.LittleEndian.Uint32(r.data[at:]) > trigram
	})
	if n == 0 {
		return false
	}
	t.seekBlock(uint64(n - 1))
	for t.advance() {
		if t.trigram >= trigram {
			return t.trigram == trigram
		}
	}
	return false
}

func trigramNumber(t [3]byte) uint32 {
	return uint32(foldByte[t[0]])<<16 | uint32(foldByte[t[1]])<<8 | uint32(foldByte[t[2]])
}

// Trigram returns the regions that hold the trigram, letter case of ASCII
// letters aside, in order. A trigram over the end of a region counts to the
// region it begins in.
func (r *Reader) Trigram(t [3]byte) ([]uint32, error) { return r.AppendTrigram(nil, t) }

// AppendTrigram appends to dst what Trigram returns.
func (r *Reader) AppendTrigram(dst []uint32, t [3]byte) (regions []uint32, err error) {
	defer frame.Catch(&err)
	c := trigramCursor{r: r}
	if !c.seek(trigramNumber(t)) {
		return dst, nil
	}
	return c.appendRegions(slices.Grow(dst, c.count)), nil
}

// TrigramCount returns how many regions the list of a trigram has.
func (r *Reader) TrigramCount(t [3]byte) (n int, err error) {
	defer frame.Catch(&err)
	c := trigramCursor{r: r}
	if !c.seek(trigramNumber(t)) {
		return 0, nil
	}
	return c.count, nil
}

// FoldRegions returns the regions with letters outside ASCII that fold to ASCII
// ones: U+017F, a long s, and U+212A, the Kelvin sign. Their trigrams do not
// tell whether a case-insensitive search matches them.
func (r *Reader) FoldRegions() []uint32 {
	c := r.cursor(secFold, 0, r.size(secFold))
	var regions []uint32
	var next uint64
	for len(c.Rest) > 0 {
		next += uint64(c.Uint32())
		if next >= r.regions {
			c.Bad("region that does not exist")
		}
		regions = append(regions, uint32(next))
		next++
	}
	return regions
}
