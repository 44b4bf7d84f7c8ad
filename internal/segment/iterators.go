package segment

import "espy/internal/segment/pack"

// Path iterates over the files whose path has the term.
func (t Term) Path() PathIter {
	at := t.Off + uint64(t.BodyLen)
	return PathIter{r: t.r, c: t.r.cursor(secPostings, at, uint64(t.PathLen)), left: t.PathDF}
}

// PathIter reads path postings in the order of files.
type PathIter struct {
	r    *Reader
	c    pack.Cursor
	left int
	next uint64
}

// Next returns the next file and how often the term occurs in its stem and in
// its directories; ok is false at the end.
func (it *PathIter) Next() (file int, stem, dir uint32, ok bool) {
	if it.left == 0 {
		return 0, 0, 0, false
	}
	it.left--
	v := it.c.Uvarint()
	limit := uint64(it.r.stats.Files)
	it.next += v >> 2
	if it.next >= limit || v>>2 >= limit {
		it.c.Bad("posting of a file that does not exist")
	}
	file = int(it.next)
	it.next++
	switch v & 3 {
	case 0:
		return file, 1, 0, true
	case 1:
		return file, 0, 1, true
	}
	stem = it.c.Uint32()
	return file, stem, it.c.Uint32(), true
}

// Symbols iterates over the definitions whose name has the term, or whose
// whole name it is for a term of token.Name.
func (t Term) Symbols() SymbolIter {
	at := t.Off + uint64(t.BodyLen) + uint64(t.PathLen)
	return SymbolIter{r: t.r, c: t.r.cursor(secPostings, at, uint64(t.SymbolLen)), left: t.SymbolDF}
}

// SymbolIter reads symbol postings in the order of definitions.
type SymbolIter struct {
	r    *Reader
	c    pack.Cursor
	left int
	next uint64
}

// Next returns the next definition; ok is false at the end.
func (it *SymbolIter) Next() (definition int, ok bool) {
	var one [1]uint32
	n := it.NextBlock(one[:])
	return int(one[0]), n == 1
}

// NextBlock decodes the next definitions into dst and returns how many there
// were, 0 at the end.
func (it *SymbolIter) NextBlock(dst []uint32) int {
	n := min(len(dst), it.left)
	limit := uint64(it.r.stats.Definitions)
	c, next := it.c, it.next
	for i := range dst[:n] {
		v := c.Uvarint()
		next += v
		if next >= limit || v >= limit {
			c.Bad("posting of a definition that does not exist")
		}
		dst[i] = uint32(next)
		next++
	}
	it.c, it.next = c, next
	it.left -= n
	return n
}
