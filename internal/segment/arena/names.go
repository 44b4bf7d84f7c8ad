package arena

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Names holds byte strings by number, from 0.
type Names struct {
	ends  []uint32
	bytes []byte
}

// Range returns where the name of a number begins and ends in Bytes.
func (n *Names) Range(id uint32) (start, end uint32) {
	if id > 0 {
		start = n.ends[id-1]
	}
	return start, n.ends[id]
}

// At returns the name of a number.
func (n *Names) At(id uint32) []byte {
	start, end := n.Range(id)
	return n.bytes[start:end]
}

// Bytes returns all names, one behind the other.
func (n *Names) Bytes() []byte { return n.bytes }

// Append adds a name under the next number.
func (n *Names) Append(s []byte) {
	n.bytes = append(n.bytes, s...)
	n.ends = append(n.ends, uint32(len(n.bytes)))
}

// Len returns how many names there are.
func (n *Names) Len() int { return len(n.ends) }

// Memory returns the bytes of heap that the names hold.
func (n *Names) Memory() int64 { return int64(cap(n.ends))*4 + int64(cap(n.bytes)) }

// Interner numbers distinct byte strings from 0 in the order in which they come.
type Interner struct {
	Names
	table []uint64 // high half of the hash and number+1, 0 where free
}

// ID returns the number of s, and whether it is new.
func (t *Interner) ID(s []byte) (id uint32, fresh bool) {
	if len(t.ends)*2 >= len(t.table) {
		t.grow()
	}
	hash := xxh3.Hash(s)
	tag := hash >> 32 << 32
	mask := uint64(len(t.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		e := t.table[i]
		if e == 0 {
			t.Append(s)
			id = uint32(len(t.ends))
			t.table[i] = tag | uint64(id)
			return id - 1, true
		}
		if e>>32<<32 == tag && bytes.Equal(t.At(uint32(e)-1), s) {
			return uint32(e) - 1, false
		}
	}
}

func (t *Interner) grow() {
	old := t.table
	t.table = make([]uint64, max(2*len(old), 1<<10))
	mask := uint64(len(t.table) - 1)
	for id := range t.ends {
		hash := xxh3.Hash(t.At(uint32(id)))
		i := hash & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = hash>>32<<32 | uint64(id+1)
	}
}

// Memory returns the bytes of heap that the interner holds.
func (t *Interner) Memory() int64 { return int64(cap(t.table))*8 + t.Names.Memory() }
