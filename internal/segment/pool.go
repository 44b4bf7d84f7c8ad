package segment

import (
	"bytes"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// spool holds bytes that are written once and read once, without the copies
// and the slack of a growing slice.
type spool struct {
	pieces [][]byte
	size   uint64
}

const spoolPiece = 256 << 10

func (s *spool) write(p []byte) {
	s.size += uint64(len(p))
	for len(p) > 0 {
		last := len(s.pieces) - 1
		if last < 0 || len(s.pieces[last]) == cap(s.pieces[last]) {
			s.pieces = append(s.pieces, make([]byte, 0, spoolPiece))
			last++
		}
		b := s.pieces[last]
		n := copy(b[len(b):cap(b)], p)
		s.pieces[last] = b[:len(b)+n]
		p = p[n:]
	}
}

// drain hands all bytes on, in order, and forgets them.
func (s *spool) drain(emit func([]byte)) {
	for i, p := range s.pieces {
		emit(p)
		s.pieces[i] = nil
	}
	*s = spool{}
}

func (s *spool) memory() int64 { return int64(len(s.pieces)) * spoolPiece }

// pool holds many growing streams of bytes side by side. A stream is a chain of
// slices, each but the last ending in the place of the next. Slices begin at
// multiples of 16, so the low bits of a stream's end hold the size class of its
// last slice.
type pool struct {
	blocks [][]byte
	used   uint32 // bytes handed out, over all blocks
}

const (
	poolBlockShift = 18
	poolBlock      = 1 << poolBlockShift
	linkSize       = 4
)

// Bytes of the slices by class. Streams of more than all of these go on with
// the last.
var sliceSizes = [...]uint32{16, 32, 64, 128, 256, 512, 1024}

// stream is a chain of slices in a pool. The zero stream is empty.
type stream struct {
	head uint32 // first byte
	tail uint32 // next byte to write
	end  uint32 // of the last slice's room for bytes, and its class in the low 4 bits
}

func (p *pool) memory() int64 { return int64(len(p.blocks)) * poolBlock }

// slice hands out a slice of a class.
func (p *pool) slice(class uint32) uint32 {
	size := sliceSizes[class]
	if p.used>>poolBlockShift != (p.used+size-1)>>poolBlockShift || p.used == uint32(len(p.blocks))<<poolBlockShift {
		p.used = uint32(len(p.blocks)) << poolBlockShift
		p.blocks = append(p.blocks, make([]byte, poolBlock))
	}
	at := p.used
	p.used += size
	return at
}

// uvarint appends a number to a stream.
func (p *pool) uvarint(s *stream, v uint32) {
	if room := s.end&^15 - s.tail; room >= linkSize+5 || room >= linkSize+1 && v < 1<<7 {
		b := p.blocks[s.tail>>poolBlockShift]
		at := s.tail & (poolBlock - 1)
		for v >= 1<<7 {
			b[at] = byte(v) | 0x80
			v >>= 7
			at++
		}
		b[at] = byte(v)
		s.tail = s.tail&^(poolBlock-1) | (at + 1)
		return
	}
	for v >= 1<<7 {
		p.byte(s, byte(v)|0x80)
		v >>= 7
	}
	p.byte(s, byte(v))
}

func (p *pool) byte(s *stream, c byte) {
	if s.end == 0 {
		s.head = p.slice(0)
		s.tail, s.end = s.head, s.head+sliceSizes[0]
	} else if s.tail == s.end&^15-linkSize {
		class := min(s.end&15+1, uint32(len(sliceSizes)-1))
		next := p.slice(class)
		binary.LittleEndian.PutUint32(p.blocks[s.tail>>poolBlockShift][s.tail&(poolBlock-1):], next)
		s.tail, s.end = next, (next+sliceSizes[class])|class
	}
	p.blocks[s.tail>>poolBlockShift][s.tail&(poolBlock-1)] = c
	s.tail++
}

// appendTo appends all bytes of a stream to dst.
func (p *pool) appendTo(dst []byte, s stream) []byte {
	if s.end == 0 {
		return dst
	}
	at := s.head
	for class := 0; ; class++ {
		size := sliceSizes[min(class, len(sliceSizes)-1)]
		b := p.blocks[at>>poolBlockShift][at&(poolBlock-1):]
		if at+size == s.end&^15 {
			return append(dst, b[:s.tail-at]...)
		}
		dst = append(dst, b[:size-linkSize]...)
		at = binary.LittleEndian.Uint32(b[size-linkSize:])
	}
}

// names holds byte strings by number, from 0.
type names struct {
	ends  []uint32
	bytes []byte
}

func (n *names) get(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = n.ends[id-1]
	}
	return n.bytes[start:n.ends[id]]
}

func (n *names) append(s []byte) {
	n.bytes = append(n.bytes, s...)
	n.ends = append(n.ends, uint32(len(n.bytes)))
}

func (n *names) len() int { return len(n.ends) }

func (n *names) memory() int64 { return int64(cap(n.ends))*4 + int64(cap(n.bytes)) }

// interner numbers distinct byte strings from 0 in the order in which they come.
type interner struct {
	names
	table []uint64 // high half of the hash and number+1, 0 where free
}

// id returns the number of s, and whether it is new.
func (t *interner) id(s []byte) (id uint32, fresh bool) {
	if len(t.ends)*2 >= len(t.table) {
		t.grow()
	}
	hash := xxh3.Hash(s)
	tag := hash >> 32 << 32
	mask := uint64(len(t.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		e := t.table[i]
		if e == 0 {
			t.append(s)
			id = uint32(len(t.ends))
			t.table[i] = tag | uint64(id)
			return id - 1, true
		}
		if e>>32<<32 == tag && bytes.Equal(t.get(uint32(e)-1), s) {
			return uint32(e) - 1, false
		}
	}
}

func (t *interner) grow() {
	old := t.table
	t.table = make([]uint64, max(2*len(old), 1<<10))
	mask := uint64(len(t.table) - 1)
	for id := range t.ends {
		hash := xxh3.Hash(t.get(uint32(id)))
		i := hash & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = hash>>32<<32 | uint64(id+1)
	}
}

func (t *interner) memory() int64 { return int64(cap(t.table))*8 + t.names.memory() }
