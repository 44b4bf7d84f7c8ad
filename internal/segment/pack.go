package segment

import (
	"encoding/binary"
	"math/bits"
)

// blockLen is how many numbers one packed block holds.
const blockLen = 128

// A block of numbers is u8 width, u8 number of exceptions, the low width bits of
// every number packed, then for each number that has more bits a u8 with its
// place, and behind those its high bits as varints. The width is the one that
// makes the block smallest (Zukowski et al., Super-Scalar RAM-CPU Cache
// Compression, 2006).

// maxBlockBytes bounds the bytes of a block.
const maxBlockBytes = 2 + 4*blockLen + blockLen + 5*blockLen

// packedLen is the bytes of the packed part for a bit width.
func packedLen(width uint) int { return int(width) * blockLen / 8 }

// appendBlock appends a block of blockLen numbers.
func appendBlock(dst []byte, values []uint32) []byte {
	width := bestWidth(values)
	dst = append(dst, byte(width), 0)
	head := len(dst) - 1
	dst = appendPacked(dst, values, width)
	if width == 32 {
		return dst
	}
	for i, v := range values[:blockLen] {
		if v>>width != 0 {
			dst = append(dst, byte(i))
			dst[head]++
		}
	}
	for _, v := range values[:blockLen] {
		if high := v >> width; high != 0 {
			dst = binary.AppendUvarint(dst, uint64(high))
		}
	}
	return dst
}

// bestWidth returns the width that makes the smallest block.
func bestWidth(values []uint32) uint {
	var count [33]int // of numbers by their bits
	for _, v := range values[:blockLen] {
		count[bits.Len32(v)]++
	}
	top := uint(32)
	for top > 0 && count[top] == 0 {
		top--
	}
	best, least := top, packedLen(top)
	for width := range top {
		cost := packedLen(width)
		for n := width + 1; n <= top; n++ {
			cost += count[n] * int(1+(n-width+6)/7)
		}
		if cost < least {
			best, least = width, cost
		}
	}
	return best
}

// readBlock decodes the block at off, which must end by end, and returns where
// it ends.
func (r *Reader) readBlock(dst *[blockLen]uint32, s section, off, end uint64) (next uint64) {
	if off+2 > end {
		r.corrupt(s, off, "block beyond its end")
	}
	n := min(end-off, maxBlockBytes)
	b := r.packed(s, off, n)
	width, exceptions := uint(b[0]), int(b[1])
	size := 2 + packedLen(width)
	if width > 32 || uint64(size+exceptions) > n {
		r.corrupt(s, off, "block beyond its end")
	}
	unpack(dst, b[2:], width)
	if exceptions == 0 {
		return off + uint64(size)
	}
	c := cursor{b: b[size+exceptions : n], r: r, sec: s, end: off + n}
	for _, i := range b[size : size+exceptions] {
		high := c.uvarint()
		if i >= blockLen || high > (1<<32-1)>>width {
			c.bad("exception out of range")
		}
		dst[i] |= uint32(high) << width
	}
	return c.end - uint64(len(c.b))
}

// appendPacked appends the low width bits of each of blockLen values, lowest
// bits first.
func appendPacked(dst []byte, values []uint32, width uint) []byte {
	var acc uint64
	var have uint
	mask := uint64(1)<<width - 1
	for _, v := range values[:blockLen] {
		acc |= uint64(v) & mask << have
		have += width
		if have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
			have -= 32
		}
	}
	return dst // blockLen*width is a multiple of 32: nothing is left over
}

// unpack reads a block of numbers of up to 32 bits. It may look at, and
// ignores, the 8 bytes behind the block, which src must have.
func unpack(dst *[blockLen]uint32, src []byte, width uint) {
	switch {
	case width == 0:
		clear(dst[:])
	case width == 8:
		for i, b := range src[:blockLen] {
			dst[i] = uint32(b)
		}
	case width <= 7:
		unpack8(dst, src, width)
	case width <= 14:
		unpack4(dst, src, width)
	default:
		unpack1(dst, src, width)
	}
}

// unpack8 takes 8 numbers, which are whole bytes together, from each load.
func unpack8(dst *[blockLen]uint32, src []byte, width uint) {
	mask := uint32(1)<<(width&31) - 1
	for i := 0; i < blockLen; i += 8 {
		w := binary.LittleEndian.Uint64(src)
		src = src[width:]
		d := (*[8]uint32)(dst[i : i+8])
		d[0] = uint32(w) & mask
		w >>= width & 63
		d[1] = uint32(w) & mask
		w >>= width & 63
		d[2] = uint32(w) & mask
		w >>= width & 63
		d[3] = uint32(w) & mask
		w >>= width & 63
		d[4] = uint32(w) & mask
		w >>= width & 63
		d[5] = uint32(w) & mask
		w >>= width & 63
		d[6] = uint32(w) & mask
		w >>= width & 63
		d[7] = uint32(w) & mask
	}
}

// unpack4 takes 4 numbers of up to 14 bits from each load; 4 of them start at
// a whole or a half byte.
func unpack4(dst *[blockLen]uint32, src []byte, width uint) {
	mask := uint32(1)<<(width&31) - 1
	var bit uint
	for i := 0; i < blockLen; i += 4 {
		w := binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7)
		bit += 4 * width
		d := (*[4]uint32)(dst[i : i+4])
		d[0] = uint32(w) & mask
		w >>= width & 63
		d[1] = uint32(w) & mask
		w >>= width & 63
		d[2] = uint32(w) & mask
		w >>= width & 63
		d[3] = uint32(w) & mask
	}
}

func unpack1(dst *[blockLen]uint32, src []byte, width uint) {
	mask := uint32(uint64(1)<<(width&63) - 1)
	var bit uint
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:])>>(bit&7)) & mask
		bit += width
	}
}

// cursor decodes numbers from verified bytes of one section. Whatever cannot be
// decoded ends in the panic of a *CorruptError.
type cursor struct {
	b   []byte
	r   *Reader
	sec section
	end uint64 // of b in the section
}

func (c *cursor) bad(reason string) {
	c.r.corrupt(c.sec, c.end-uint64(len(c.b)), reason)
}

func (c *cursor) uvarint() uint64 {
	if b := c.b; len(b) > 0 && b[0] < 0x80 {
		c.b = b[1:]
		return uint64(b[0])
	}
	return c.longUvarint()
}

func (c *cursor) longUvarint() uint64 {
	if b := c.b; len(b) > 1 && b[1] < 0x80 {
		c.b = b[2:]
		return uint64(b[0]&0x7f) | uint64(b[1])<<7
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.bad("number cut off or too long")
	}
	c.b = c.b[n:]
	return v
}

func (c *cursor) uint32() uint32 {
	v := c.uvarint()
	if v > 1<<32-1 {
		c.bad("number too large")
	}
	return uint32(v)
}

func (c *cursor) byte() byte { return c.take(1)[0] }

func (c *cursor) take(n uint64) []byte {
	if n > uint64(len(c.b)) {
		c.bad("length beyond the end")
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}
