// Package arena holds what a builder gathers before it writes a part: growing
// streams of numbers, spools of bytes and tables of distinct names. They take
// little more memory than their content, and few allocations.
package arena

import "encoding/binary"

// Streams holds many growing streams of bytes side by side. A stream is a chain of
// slices, each but the last ending in the place of the next. Slices begin at
// multiples of 16, so the low bits of a stream's end hold the size class of its
// last slice.
type Streams struct {
	blocks [][]byte
	used   uint32 // bytes handed out, over all blocks
}

const (
	blockShift = 18
	blockSize  = 1 << blockShift
	linkSize   = 4
)

// Bytes of the slices by class. Streams of more than all of these go on with
// the last.
var sliceSizes = [...]uint32{16, 32, 64, 128, 256, 512, 1024}

// Stream is a chain of slices in a Streams. The zero stream is empty.
type Stream struct {
	head uint32 // first byte
	tail uint32 // next byte to write
	end  uint32 // of the last slice's room for bytes, and its class in the low 4 bits
}

// Memory returns the bytes of heap that the streams hold.
func (p *Streams) Memory() int64 { return int64(len(p.blocks)) * blockSize }

// slice hands out a slice of a class.
func (p *Streams) slice(class uint32) uint32 {
	size := sliceSizes[class]
	if p.used>>blockShift != (p.used+size-1)>>blockShift || p.used == uint32(len(p.blocks))<<blockShift {
		p.used = uint32(len(p.blocks)) << blockShift
		p.blocks = append(p.blocks, make([]byte, blockSize))
	}
	at := p.used
	p.used += size
	return at
}

// Uvarint appends a number to a stream.
func (p *Streams) Uvarint(s *Stream, v uint32) {
	if room := s.end&^15 - s.tail; room >= linkSize+5 || room >= linkSize+1 && v < 1<<7 {
		b := p.blocks[s.tail>>blockShift]
		at := s.tail & (blockSize - 1)
		for v >= 1<<7 {
			b[at] = byte(v) | 0x80
			v >>= 7
			at++
		}
		b[at] = byte(v)
		s.tail = s.tail&^(blockSize-1) | (at + 1)
		return
	}
	for v >= 1<<7 {
		p.byte(s, byte(v)|0x80)
		v >>= 7
	}
	p.byte(s, byte(v))
}

func (p *Streams) byte(s *Stream, c byte) {
	if s.end == 0 {
		s.head = p.slice(0)
		s.tail, s.end = s.head, s.head+sliceSizes[0]
	} else if s.tail == s.end&^15-linkSize {
		class := min(s.end&15+1, uint32(len(sliceSizes)-1))
		next := p.slice(class)
		binary.LittleEndian.PutUint32(p.blocks[s.tail>>blockShift][s.tail&(blockSize-1):], next)
		s.tail, s.end = next, (next+sliceSizes[class])|class
	}
	p.blocks[s.tail>>blockShift][s.tail&(blockSize-1)] = c
	s.tail++
}

// AppendTo appends all bytes of a stream to dst.
func (p *Streams) AppendTo(dst []byte, s Stream) []byte {
	if s.end == 0 {
		return dst
	}
	at := s.head
	for class := 0; ; class++ {
		size := sliceSizes[min(class, len(sliceSizes)-1)]
		b := p.blocks[at>>blockShift][at&(blockSize-1):]
		if at+size == s.end&^15 {
			return append(dst, b[:s.tail-at]...)
		}
		dst = append(dst, b[:size-linkSize]...)
		at = binary.LittleEndian.Uint32(b[size-linkSize:])
	}
}
