package syn

import (
	"hash/maphash"
	"math/bits"
)

// numbered numbers the distinct names of a file as they come. It takes half the
// time of a map, because most names differ in their first bytes or their length,
// and no time to empty after a file with few names.
type numbered struct {
	names []string
	keys  []nameKey // of each of names
	slots []uint32  // by hash: the number of a name plus 1, 0 for none; a power of two, at least twice as many as names
}

// nameKey differs between most names.
type nameKey struct {
	prefix uint64 // its first bytes, the first being the most significant
	length int
}

var nameSeed = maphash.MakeSeed()

// fewSlots is the size of the table of most files.
const fewSlots = 1 << 10

// reset forgets the names of the file before.
func (t *numbered) reset() {
	clear(t.names) // they may hold on to the text of the file
	t.names, t.keys = t.names[:0], t.keys[:0]
	if cap(t.slots) < fewSlots {
		t.slots = make([]uint32, fewSlots)
	}
	t.slots = t.slots[:fewSlots]
	clear(t.slots)
}

// number returns the number of a name, and whether it is a new one.
func (t *numbered) number(name string) (n uint32, added bool) {
	key := nameKey{prefix(name), len(name)}
	at := t.slot(name)
	for ; t.slots[at] != 0; at = (at + 1) & uint64(len(t.slots)-1) {
		n := t.slots[at] - 1
		if t.keys[n] == key && (key.length <= 8 || t.names[n] == name) {
			return n, false
		}
	}
	n = uint32(len(t.names))
	t.names, t.keys = append(t.names, name), append(t.keys, key)
	t.slots[at] = n + 1
	if 2*len(t.names) > len(t.slots) {
		t.grow()
	}
	return n, true
}

// slot is where the search for a name begins.
func (t *numbered) slot(name string) uint64 {
	return maphash.String(nameSeed, name) >> (65 - bits.Len(uint(len(t.slots))))
}

// grow makes room for twice as many names.
func (t *numbered) grow() {
	size := 2 * len(t.slots)
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	}
	t.slots = t.slots[:size]
	clear(t.slots)
	for n, name := range t.names {
		at := t.slot(name)
		for ; t.slots[at] != 0; at = (at + 1) & uint64(size-1) {
		}
		t.slots[at] = uint32(n) + 1
	}
}

// prefix returns the first bytes of a name, zeros after a short one.
func prefix[T string | []byte](name T) (p uint64) {
	if len(name) >= 8 {
		return uint64(name[0])<<56 | uint64(name[1])<<48 | uint64(name[2])<<40 | uint64(name[3])<<32 |
			uint64(name[4])<<24 | uint64(name[5])<<16 | uint64(name[6])<<8 | uint64(name[7])
	}
	for i := range len(name) {
		p |= uint64(name[i]) << (56 - 8*i)
	}
	return p
}
