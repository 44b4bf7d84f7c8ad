package segment

import (
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"
)

// Bitmap is a set of small numbers: the live files of a part. The nil Bitmap
// holds every number.
type Bitmap []uint64

// EmptyBitmap returns a bitmap with room for 0 to n-1 that holds none of them.
func EmptyBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// NewBitmap returns a bitmap that holds 0 to n-1.
func NewBitmap(n int) Bitmap {
	b := EmptyBitmap(n)
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n%64 != 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
	return b
}

// Has reports whether i is in the set.
func (b Bitmap) Has(i int) bool {
	if b == nil {
		return true
	}
	return uint(i)>>6 < uint(len(b)) && b[uint(i)>>6]>>(uint(i)&63)&1 != 0
}

// Set adds i, which must be below the size the bitmap was made with.
func (b Bitmap) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Clear takes i out.
func (b Bitmap) Clear(i int) { b[i>>6] &^= 1 << (i & 63) }

// Count returns how many numbers a bitmap that is not nil holds.
func (b Bitmap) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// And keeps what is in o too. Both have the same size and are not nil.
func (b Bitmap) And(o Bitmap) {
	for i, w := range o {
		b[i] &= w
	}
}

// Or adds what is in o. Both have the same size and are not nil.
func (b Bitmap) Or(o Bitmap) {
	for i, w := range o {
		b[i] |= w
	}
}

// AndNot takes out what is in o. Both have the same size and are not nil.
func (b Bitmap) AndNot(o Bitmap) {
	for i, w := range o {
		b[i] &^= w
	}
}

// All yields what a bitmap that is not nil holds, in order.
func (b Bitmap) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 | bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Clone returns a copy, nil for nil.
func (b Bitmap) Clone() Bitmap { return append(Bitmap(nil), b...) }

// MarshalBinary encodes the bitmap: a byte that tells nil (0) from a set (1),
// then its words, little endian.
func (b Bitmap) MarshalBinary() ([]byte, error) {
	if b == nil {
		return []byte{0}, nil
	}
	out := make([]byte, 1, 1+8*len(b))
	out[0] = 1
	for _, w := range b {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out, nil
}

// UnmarshalBinary decodes what MarshalBinary wrote.
func (b *Bitmap) UnmarshalBinary(data []byte) error {
	switch {
	case len(data) == 1 && data[0] == 0:
		*b = nil
		return nil
	case len(data) == 0 || data[0] != 1 || len(data)%8 != 1:
		return errors.New("decode bitmap: unknown form")
	}
	set := make(Bitmap, 0, len(data)/8)
	for at := 1; at < len(data); at += 8 {
		set = append(set, binary.LittleEndian.Uint64(data[at:]))
	}
	*b = set
	return nil
}
