// Package pack writes and reads numbers: blocks of them packed to as many bits
// as most need, and varints one by one.
package pack

import (
	"encoding/binary"
	"math/bits"

	"espy/internal/segment/frame"
)

// BlockLen is how many numbers one packed block holds.
const BlockLen = 128

// A block of numbers is u8 width, u8 number of exceptions, the low width bits of
// every number packed, then for each number that has more bits a u8 with its
// place, and behind those its high bits as varints. The width is the one that
// makes the block smallest (Zukowski et al., Super-Scalar RAM-CPU Cache
// Compression, 2006).

// maxBlockBytes bounds the bytes of a block.
const maxBlockBytes = 2 + 4*BlockLen + BlockLen + 5*BlockLen

// packedLen is the bytes of the packed part for a bit width.
func packedLen(width uint) int { return int(width) * BlockLen / 8 }

// AppendBlock appends a block of BlockLen numbers.
func AppendBlock(dst []byte, values []uint32) []byte {
	width := bestWidth(values)
	dst = append(dst, byte(width), 0)
	head := len(dst) - 1
	dst = appendPacked(dst, values, width)
	if width == 32 {
		return dst
	}
	for i, v := range values[:BlockLen] {
		if v>>width != 0 {
			dst = append(dst, byte(i))
			dst[head]++
		}
	}
	for _, v := range values[:BlockLen] {
		if high := v >> width; high != 0 {
			dst = binary.AppendUvarint(dst, uint64(high))
		}
	}
	return dst
}

// bestWidth returns the width that makes the smallest block.
func bestWidth(values []uint32) uint {
	var count [33]int // of numbers by their bits
	for _, v := range values[:BlockLen] {
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

// ReadBlock decodes the block at off of a section, which must end by end, and
// returns where it ends.
func ReadBlock(r *frame.Reader, dst *[BlockLen]uint32, section int, off, end uint64) (next uint64) {
	if off+2 > end {
		r.Corrupt(section, off, "block beyond its end")
	}
	n := min(end-off, maxBlockBytes)
	b := r.Packed(section, off, n)
	width, exceptions := uint(b[0]), int(b[1])
	size := 2 + packedLen(width)
	if width > 32 || uint64(size+exceptions) > n {
		r.Corrupt(section, off, "block beyond its end")
	}
	unpack(dst, b[2:], width)
	if exceptions == 0 {
		return off + uint64(size)
	}
	c := Cursor{Rest: b[size+exceptions : n], frame: r, section: section, end: off + n}
	for _, i := range b[size : size+exceptions] {
		high := c.Uvarint()
		if i >= BlockLen || high > (1<<32-1)>>width {
			c.Bad("exception out of range")
		}
		dst[i] |= uint32(high) << width
	}
	return c.Offset()
}

// appendPacked appends the low width bits of each of BlockLen values, lowest
// bits first.
func appendPacked(dst []byte, values []uint32, width uint) []byte {
	var acc uint64
	var have uint
	mask := uint64(1)<<width - 1
	for _, v := range values[:BlockLen] {
		acc |= uint64(v) & mask << have
		have += width
		if have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
			have -= 32
		}
	}
	return dst // BlockLen*width is a multiple of 32: nothing is left over
}

// unpack reads a block of numbers of up to 32 bits. It may look at, and
// ignores, the 8 bytes behind the block, which src must have.
func unpack(dst *[BlockLen]uint32, src []byte, width uint) {
	switch {
	case width == 0:
		clear(dst[:])
	case width == 8:
		for i, b := range src[:BlockLen] {
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
func unpack8(dst *[BlockLen]uint32, src []byte, width uint) {
	mask := uint32(1)<<(width&31) - 1
	for i := 0; i < BlockLen; i += 8 {
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
func unpack4(dst *[BlockLen]uint32, src []byte, width uint) {
	mask := uint32(1)<<(width&31) - 1
	var bit uint
	for i := 0; i < BlockLen; i += 4 {
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

func unpack1(dst *[BlockLen]uint32, src []byte, width uint) {
	mask := uint32(uint64(1)<<(width&63) - 1)
	var bit uint
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:])>>(bit&7)) & mask
		bit += width
	}
}
