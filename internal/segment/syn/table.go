package syn

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A table holds rows of numbers in columns. Rows are cut into blocks of
// blockRows; a column of a block is packed with as many bits for each number
// as suits most of them, above the smallest one, so that any row is read
// without those before it:
//
//	starts    u32 of each block but the first, from the end of the starts
//	block     of each column: a byte with its width in bits (low 6) and the size
//	          of its base (high 2: 0, 1, 2 or 4 bytes), a byte with the number of
//	          its exceptions, the base; then of each column the packed numbers,
//	          the rows of the exceptions (a byte each) and their numbers (u32)
//
// The numbers are those above the base. Where a column has exceptions, a packed
// number of ones only stands for one of them.
const (
	blockShift = 7
	blockRows  = 1 << blockShift
	maxColumns = 17
)

// appendTable appends a table of rows, given column by column, all of a length.
func appendTable(dst []byte, columns ...[]uint32) []byte {
	rows := len(columns[0])
	blocks := (rows + blockRows - 1) >> blockShift
	index := len(dst)
	for range blocks - 1 {
		dst = append(dst, 0, 0, 0, 0)
	}
	start := len(dst)
	for b := range blocks {
		if b > 0 {
			binary.LittleEndian.PutUint32(dst[index+4*(b-1):], uint32(len(dst)-start))
		}
		dst = appendBlock(dst, columns, b<<blockShift, min(rows, (b+1)<<blockShift))
	}
	return dst
}

func appendBlock(dst []byte, columns [][]uint32, from, to int) []byte {
	var plans [maxColumns]plan
	for i, c := range columns {
		p := planColumn(c[from:to])
		plans[i] = p
		size := baseSize(p.base)
		dst = append(dst, byte(p.width|size<<6), byte(p.exceptions))
		for k := range baseBytes[size] {
			dst = append(dst, byte(p.base>>(8*k)))
		}
	}
	for i, c := range columns {
		dst = plans[i].append(dst, c[from:to])
	}
	return dst
}

var baseBytes = [4]int{0, 1, 2, 4}

// baseSize returns the number of the size that holds the base.
func baseSize(base uint32) uint {
	switch {
	case base == 0:
		return 0
	case base < 1<<8:
		return 1
	case base < 1<<16:
		return 2
	}
	return 3
}

// plan is how a column of a block is packed.
type plan struct {
	base       uint32
	width      uint
	exceptions int
}

const exceptionBits = 40

// planColumn finds the width that takes the fewest bits.
func planColumn(values []uint32) plan {
	p := plan{base: values[0]}
	all := values[0]
	for _, v := range values {
		p.base = min(p.base, v)
		all = max(all, v)
	}
	// above[w] counts the values that do not fit in w bits beside the number of
	// ones only, which stands for an exception.
	var above [34]int
	for _, v := range values {
		above[bits.Len64(uint64(v-p.base)+1)]++
	}
	for w := len(above) - 2; w >= 0; w-- {
		above[w] += above[w+1]
	}
	p.width = uint(bits.Len32(all - p.base))
	best := int(p.width) * len(values)
	for w := range p.width {
		if cost := int(w)*len(values) + above[w+1]*exceptionBits; cost < best {
			best, p.width, p.exceptions = cost, w, above[w+1]
		}
	}
	return p
}

func (p plan) fits(v uint32) bool {
	return p.exceptions == 0 || uint(bits.Len64(uint64(v-p.base)+1)) <= p.width
}

func (p plan) append(dst []byte, values []uint32) []byte {
	var word uint64
	var have uint
	ones := uint64(1)<<p.width - 1
	for _, v := range values {
		x := uint64(v - p.base)
		if !p.fits(v) {
			x = ones
		}
		word |= x << have
		for have += p.width; have >= 8; have -= 8 {
			dst = append(dst, byte(word))
			word >>= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(word))
	}
	if p.exceptions == 0 {
		return dst
	}
	for i, v := range values {
		if !p.fits(v) {
			dst = append(dst, byte(i))
		}
	}
	for _, v := range values {
		if !p.fits(v) {
			dst = binary.LittleEndian.AppendUint32(dst, v-p.base)
		}
	}
	return dst
}

// table reads a table and keeps the heads of the block read last.
type table struct {
	b       []byte // and 8 bytes behind it
	rows    int
	columns int
	bad     func(reason string) // panics

	block int // whose heads these are, plus 1; 0 for none
	heads [maxColumns]head
}

// head is a column of a block.
type head struct {
	base       uint32
	width      uint32
	exceptions int
	at         int // of the packed numbers in the table
	odd        int // of the rows of the exceptions
}

// open makes the table ready to read rows.
func (t *table) open(b []byte, rows, columns int, bad func(string)) {
	t.b, t.rows, t.columns, t.bad, t.block = b, rows, columns, bad, 0
}

// seek reads the heads of the block with a row.
func (t *table) seek(row int) {
	if uint(row) >= uint(t.rows) {
		t.bad("reference to a row that does not exist")
	}
	b := row >> blockShift
	if t.block == b+1 {
		return
	}
	blocks := (t.rows + blockRows - 1) >> blockShift
	size := len(t.b) - 8
	at := 4 * (blocks - 1)
	if at > size {
		t.bad("table is cut off")
	}
	if b > 0 {
		at += int(binary.LittleEndian.Uint32(t.b[4*(b-1):]))
	}
	n := min(blockRows, t.rows-b<<blockShift)
	for i := range t.heads[:t.columns] {
		h := &t.heads[i]
		if at+6 > len(t.b) {
			t.bad("table is cut off")
		}
		h.width, h.exceptions = uint32(t.b[at]&63), int(t.b[at+1])
		length := baseBytes[t.b[at]>>6]
		h.base = uint32(uint64(binary.LittleEndian.Uint32(t.b[at+2:])) & (1<<(8*length) - 1))
		at += 2 + length
	}
	for i := range t.heads[:t.columns] {
		h := &t.heads[i]
		h.at = at
		h.odd = at + (n*int(h.width)+7)>>3
		at = h.odd + 5*h.exceptions
		if h.width > 32 || at > size {
			t.bad("table is cut off")
		}
	}
	t.block = b + 1
}

// value returns a number of a row of the block that seek read.
func (t *table) value(row, column int) uint32 {
	h := &t.heads[column]
	row &= blockRows - 1
	bit := uint32(row) * h.width
	ones := uint64(1)<<h.width - 1
	v := binary.LittleEndian.Uint64(t.b[h.at+int(bit>>3):]) >> (bit & 7) & ones
	if v == ones && h.exceptions > 0 {
		return t.exception(h, row, uint32(v))
	}
	return h.base + uint32(v)
}

func (t *table) exception(h *head, row int, v uint32) uint32 {
	i := bytes.IndexByte(t.b[h.odd:h.odd+h.exceptions], byte(row))
	if i >= 0 {
		v = binary.LittleEndian.Uint32(t.b[h.odd+h.exceptions+4*i:])
	}
	return h.base + v
}

// at returns a number of any row.
func (t *table) at(row, column int) uint32 {
	t.seek(row)
	return t.value(row, column)
}

// find calls yield with the rows whose number in a column is v, in order, until
// it returns false.
func (t *table) find(column int, v uint32, yield func(row int) bool) bool {
	for row := 0; row < t.rows; row += blockRows {
		t.seek(row)
		if h := &t.heads[column]; h.exceptions == 0 && (v < h.base || uint64(v-h.base) >= 1<<h.width) {
			continue
		}
		for i := row; i < min(row+blockRows, t.rows); i++ {
			t.seek(i) // yield may have read other rows
			if t.value(i, column) == v && !yield(i) {
				return false
			}
		}
	}
	return true
}

// search returns the first row whose number in a column is at least v, where
// the numbers never go down.
func (t *table) search(column int, v uint32) int {
	low, high := 0, (t.rows+blockRows-1)>>blockShift
	for low < high { // find the first block that begins at v or above
		if mid := int(uint(low+high) >> 1); t.at(mid<<blockShift, column) < v {
			low = mid + 1
		} else {
			high = mid
		}
	}
	low, high = max(0, low-1)<<blockShift, min(t.rows, low<<blockShift)
	for low < high {
		if mid := int(uint(low+high) >> 1); t.at(mid, column) < v {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
