// Package dict writes and reads the dictionary of a part: its terms in byte
// order, each with the place of its postings and their number.
//
// A dictionary takes three sections: the postings of all terms in a row, blocks
// of 16 terms, and an index of the blocks, which holds the first 8 bytes of the
// first term of each block (u64, big-endian order) in a row, then the u32 start
// of each block.
//
// A block of terms begins with the varint start of its postings. Each term is a
// byte with the length it shares with the one before (high four bits) and the
// length of the rest (low four bits), where 15 means that a varint with what
// exceeds 15 follows; the rest of the term; a byte of flags; and the counts and
// sizes that the flags call for, in this order, all varints:
//
//	1  body postings   their number, unless the high five bits of the flags
//	                   hold it (1 to 31), and their bytes
//	2  path postings   their number and bytes
//	4  symbol postings their number and bytes
//
// In a dictionary of spread terms (Form.Spread) two more varints follow: the
// number of chunks that hold the term in any way, where there are path or symbol
// postings (else these are the body postings), and that of files (but not where
// there is one body posting and nothing else).
//
// Terms are distinct, and not empty.
package dict

import (
	"bytes"
	"encoding/binary"
	"sort"

	"espy/internal/segment/frame"
)

// MaxTerm is the longest term in bytes. Words of up to token.MaxWord bytes can
// grow in lower case, but not twofold.
const MaxTerm = 255

const termBlock = 16

const (
	hasBody    = 1
	hasPath    = 2
	hasSymbol  = 4
	countShift = 3
)

// Form says how the parts of one kind keep their dictionary.
type Form struct {
	Postings, Terms, Index int  // sections
	Spread                 bool // the dictionary says how many chunks and files hold a term
}

// Limits are the most that a term can have.
type Limits struct {
	Body, Paths, Symbols int // postings
	Chunks, Files        int // that hold it
}

// Entry is what the dictionary says of a term.
type Entry struct {
	BodyDF   int // body postings: chunks whose text has it, dead files included
	PathDF   int // files whose path has it
	SymbolDF int // definitions whose name has it
	ChunkDF  int // chunks that hold it in their text, in a name they define or in their file's path
	FileDF   int // files that hold it in any of those

	Off                         uint64 // of its postings in their section
	BodyLen, PathLen, SymbolLen uint32 // bytes of its postings, which stand in this order
}

// Reader reads the dictionary of a part. Its methods may be called from any
// number of goroutines.
type Reader struct {
	Frame *frame.Reader
	Form
	Limits Limits
	Terms  uint64 // their number
}

// IndexSize returns the bytes of the index of so many terms.
func IndexSize(terms uint64) uint64 { return blocksOf(terms) * 12 }

func blocksOf(terms uint64) uint64 { return (terms + termBlock - 1) / termBlock }

func (r *Reader) blocks() int { return int(blocksOf(r.Terms)) }

// termKey returns the first 8 bytes of a term as a number of the same order.
func termKey(term []byte) uint64 {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(term)
	}
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}

// First returns a cursor on the first term, nil if there is none.
func (r *Reader) First() *Cursor {
	if r.Terms == 0 {
		return nil
	}
	c := r.Cursor()
	c.seekBlock(0)
	c.Next()
	return &c
}

// Cursor returns a cursor that stands nowhere yet.
func (r *Reader) Cursor() Cursor { return Cursor{r: r} }

// Lookup finds a term.
func (r *Reader) Lookup(term string) (e Entry, ok bool, err error) {
	defer frame.Catch(&err)
	if len(term) == 0 || len(term) > MaxTerm || r.Terms == 0 {
		return e, false, nil
	}
	var buf [MaxTerm]byte
	want := buf[:copy(buf[:], term)]
	c := Cursor{r: r}
	c.seekBlock(r.findBlock(want))
	if !c.find(want) {
		return e, false, nil
	}
	return c.Entry, true, nil
}

// findBlock returns the last block whose first term is not after term, or the
// first block.
func (r *Reader) findBlock(term []byte) int {
	keys := r.Frame.Bytes(r.Index, 0, 8*uint64(r.blocks()))
	key := termKey(term)
	n := blocksBelow(keys, key)
	if n*8 == len(keys) || binary.LittleEndian.Uint64(keys[8*n:]) > key {
		return max(n-1, 0)
	}
	same := blocksBelow(keys, key+1) - n // a term is UTF-8: no key is the highest number
	n += sort.Search(same, func(i int) bool { return r.compareFirst(n+i, term) > 0 })
	return max(n-1, 0)
}

// blocksBelow returns how many of the ascending keys of blocks are below one.
func blocksBelow(keys []byte, key uint64) int {
	first, n := 0, len(keys)/8
	for n > 0 {
		half := n / 2
		if binary.LittleEndian.Uint64(keys[8*(first+half):]) < key {
			first += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return first
}

// compareFirst compares the first term of a block with a term.
func (r *Reader) compareFirst(block int, term []byte) int {
	c := Cursor{r: r}
	c.seekBlock(block)
	c.readName()
	return bytes.Compare(c.Term(), term)
}
