package syn

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// nameCursor goes through the names in order.
type nameCursor struct {
	r        *Reader
	rank     int // of the name it stands on
	at, end  uint64
	name     []byte
	postings uint64 // start of those of the name
	size     uint64 // of those of the name
}

// block puts a cursor before the first name of a block.
func (c *nameCursor) block(r *Reader, b int) {
	row := r.frame.Bytes(secNameIndex, uint64(b)*nameIndexRow, nameIndexRow)
	c.r, c.rank = r, b*nameBlock-1
	c.at, c.end = uint64(binary.LittleEndian.Uint32(row)), r.size(secNames)
	c.postings, c.size = uint64(binary.LittleEndian.Uint32(row[4:])), 0
	c.name = c.name[:0]
}

// next steps to the next name.
func (c *nameCursor) next() bool {
	if c.rank+1 >= c.r.stats.Names {
		return false
	}
	c.rank++
	shared := uint64(0)
	if c.rank%nameBlock != 0 {
		shared = c.uvarint()
	}
	n := c.uvarint()
	if shared > uint64(len(c.name)) || n > c.end-c.at {
		c.r.frame.Corrupt(secNames, c.at, "name beyond its section")
	}
	c.name = append(c.name[:shared], c.r.frame.Bytes(secNames, c.at, n)...)
	c.at += n
	c.postings += c.size
	c.size = c.uvarint()
	return true
}

func (c *nameCursor) uvarint() (v uint64) {
	v, c.at = c.r.uvarint(c.at)
	return v
}

// uvarint returns the number at a byte of the names, and where it ends.
func (r *Reader) uvarint(at uint64) (v, end uint64) {
	size := r.size(secNames)
	v, n := binary.Uvarint(r.frame.Bytes(secNames, at, min(10, size-min(at, size))))
	if n <= 0 {
		r.frame.Corrupt(secNames, at, "number is cut off")
	}
	return v, at + uint64(n)
}

// firstName returns the first name of a block.
func (r *Reader) firstName(b int) []byte {
	row := r.frame.Bytes(secNameIndex, uint64(b)*nameIndexRow, nameIndexRow)
	n, at := r.uvarint(uint64(binary.LittleEndian.Uint32(row)))
	return r.frame.Bytes(secNames, at, n)
}

// seek puts the cursor on the first name that is not below the given one.
func (c *nameCursor) seek(r *Reader, name []byte) bool {
	blocks := len(r.firsts)
	key := prefix(name)
	b := sort.Search(blocks, func(b int) bool {
		if first := r.firstPrefix(b); first != key {
			return first > key
		}
		return bytes.Compare(r.firstName(b), name) > 0
	})
	if blocks == 0 {
		return false
	}
	c.block(r, max(b-1, 0))
	for c.next() {
		if bytes.Compare(c.name, name) >= 0 {
			return true
		}
	}
	return false
}

// firstPrefix returns the prefix of the first name of a block. It is kept, for
// a search goes by the same blocks as the ones before it, far apart in the part.
func (r *Reader) firstPrefix(b int) uint64 {
	p := r.firsts[b].Load()
	if p == 0 {
		p = prefix(r.firstName(b))
		r.firsts[b].Store(p)
	}
	return p
}

// lookup finds a name and the files with it.
func (r *Reader) lookup(name string) (rank int, files postings, ok bool) {
	c := nameCursor{name: make([]byte, 0, 64)}
	if !c.seek(r, []byte(name)) || string(c.name) != name {
		return 0, files, false
	}
	return c.rank, c.files(), true
}

// nameAt returns the name of a rank.
func (r *Reader) nameAt(rank int) string {
	if uint(rank) >= uint(r.stats.Names) {
		r.frame.Corrupt(secLocals, 0, "reference to a name that does not exist")
	}
	recent := &r.recent[rank%recentNames]
	if n := recent.Load(); n != nil && n.rank == rank {
		return n.name
	}
	var buf [64]byte
	c := nameCursor{name: buf[:0]}
	c.block(r, rank/nameBlock)
	for c.rank < rank {
		c.next()
	}
	n := &rankedName{rank, string(c.name)}
	recent.Store(n)
	return n.name
}

// postings are the files with a name.
type postings struct {
	r    *Reader
	b    []byte
	file uint64
}

func (c *nameCursor) files() postings {
	return postings{r: c.r, b: c.r.frame.Bytes(secPostings, c.postings, c.size)}
}

func (p *postings) next() (file int, flags uint32, ok bool) {
	if len(p.b) == 0 {
		return 0, 0, false
	}
	v := p.uvarint()
	p.file += v >> hasBits
	if p.file >= uint64(p.r.stats.Files) {
		p.r.frame.Corrupt(secPostings, 0, "posting of a file that does not exist")
	}
	flags = uint32(v) & hasMask
	if flags&hasCall != 0 {
		flags |= uint32(p.uvarint()) << hasBits
	}
	return int(p.file), flags, true
}

func (p *postings) uvarint() uint64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 {
		p.r.frame.Corrupt(secPostings, 0, "number is cut off")
	}
	p.b = p.b[n:]
	return v
}
