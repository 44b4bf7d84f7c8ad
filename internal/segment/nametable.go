package segment

import (
	"encoding/binary"

	"espy/internal/segment/arena"
)

// nameTable holds distinct names in the order in which they come.
type nameTable struct {
	ids    arena.Interner
	starts []uint32
	bytes  []byte
}

// add returns where the name stands.
func (t *nameTable) add(name []byte) uint32 {
	id, fresh := t.ids.ID(name)
	if fresh {
		t.starts = append(t.starts, uint32(len(t.bytes)))
		t.bytes = binary.AppendUvarint(t.bytes, uint64(len(name)))
		t.bytes = append(t.bytes, name...)
	}
	return t.starts[id]
}

func (t *nameTable) memory() int64 {
	return t.ids.Memory() + int64(cap(t.starts))*4 + int64(cap(t.bytes))
}
