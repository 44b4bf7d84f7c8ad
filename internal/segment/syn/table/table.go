// Package table packs rows of numbers, so that any row is read without those
// before it. Rows are cut into blocks of 128. Each column of a block is packed
// with as many bits a number as suit most of its numbers, above a base that may
// rise with the rows:
//
//	starts    u32 of each block but the first, from the end of the starts
//	block     of each column: a byte with its width in bits (low 6; 33 more where it
//	          rises) and the size of its base (high 2: 0, 1, 2 or 4 bytes), a byte with
//	          the number of its exceptions, the base, the u16 by which it rises with
//	          each row; then of each column the packed numbers, the rows of the
//	          exceptions (a byte each) and their numbers (u32)
//
// The numbers are those above the base, modulo 1<<32. Where a column has
// exceptions, a packed number whose bits are all ones stands for one of them.
package table

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	blockShift = 7
	blockRows  = 1 << blockShift
)

// MaxColumns bounds the columns of a table.
const MaxColumns = 17

// Append appends a table of at least one row, given column by column, all of
// the same length.
func Append(dst []byte, columns ...[]uint32) []byte {
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
	var plans [MaxColumns]plan
	for i, c := range columns {
		plans[i] = planColumn(c[from:to])
		dst = plans[i].appendHead(dst)
	}
	for i, c := range columns {
		dst = plans[i].append(dst, c[from:to])
	}
	return dst
}

// plan is how a column of a block is packed.
type plan struct {
	base       uint32
	slope      uint32 // added for each row
	width      uint
	exceptions int
}

const (
	exceptionBits = 40
	maxWidth      = 32
	risingWidth   = maxWidth + 1 // the width 0 of a column that rises
)

var baseBytes = [4]int{0, 1, 2, 4}

// appendHead appends the head of a column.
func (p plan) appendHead(dst []byte) []byte {
	size := uint(3)
	switch {
	case p.base == 0:
		size = 0
	case p.base < 1<<8:
		size = 1
	case p.base < 1<<16:
		size = 2
	}
	width := p.width
	if p.slope > 0 {
		width += risingWidth
	}
	dst = append(dst, byte(width|size<<6), byte(p.exceptions))
	for k := range baseBytes[size] {
		dst = append(dst, byte(p.base>>(8*k)))
	}
	if p.slope > 0 {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(p.slope))
	}
	return dst
}

// planColumn finds what takes the fewest bits.
func planColumn(values []uint32) plan {
	low, high := values[0], values[0]
	falls := false
	last := low
	for _, v := range values {
		low, high = min(low, v), max(high, v)
		falls = falls || v < last
		last = v
	}
	p := plan{base: low, width: uint(bits.Len32(high - low))}
	cost := p.narrow(values)
	if n := uint32(len(values)); !falls && high-low >= n {
		if q, ok := planRising(values, (high-low)/(n-1)); ok {
			if c := q.narrow(values) + 24; c < cost {
				return q
			}
		}
	}
	return p
}

// planRising is a plan for values that never go down.
func planRising(values []uint32, slope uint32) (p plan, ok bool) {
	low, high, line := int64(values[0]), int64(values[0]), int64(0)
	for _, v := range values {
		low, high = min(low, int64(v)-line), max(high, int64(v)-line)
		line += int64(slope)
	}
	p = plan{base: uint32(low), slope: slope, width: uint(bits.Len64(uint64(high - low)))}
	return p, slope < 1<<16 && p.width <= 63-risingWidth
}

// narrow finds the width that takes the fewest bits, and returns these.
func (p *plan) narrow(values []uint32) (cost int) {
	if p.width == 0 {
		return 0
	}
	rows := len(values)
	// above[w] counts the numbers that do not fit in w bits beside the number of
	// ones only, which stands for an exception. Neighbours often are alike: each
	// counts apart, so that the one does not wait for the other.
	var above, odd [34]int
	line := p.base
	for len(values) >= 2 {
		above[bits.Len64(uint64(values[0]-line)+1)]++
		odd[bits.Len64(uint64(values[1]-line-p.slope)+1)]++
		line += 2 * p.slope
		values = values[2:]
	}
	for _, v := range values {
		above[bits.Len64(uint64(v-line)+1)]++
	}
	above[len(above)-1] += odd[len(odd)-1]
	for w := len(above) - 2; w >= 0; w-- {
		above[w] += odd[w] + above[w+1]
	}
	cost = int(p.width) * rows
	for w := range p.width {
		if c := int(w)*rows + above[w+1]*exceptionBits; c < cost {
			cost, p.width, p.exceptions = c, w, above[w+1]
		}
	}
	return cost
}

// append appends the numbers of a column.
func (p plan) append(dst []byte, values []uint32) []byte {
	if p.width > 0 {
		dst = p.pack(dst, values)
	}
	if p.exceptions == 0 {
		return dst
	}
	ones := uint32(1)<<p.width - 1
	for i, v := range values {
		if v-p.base-uint32(i)*p.slope >= ones {
			dst = append(dst, byte(i))
		}
	}
	for i, v := range values {
		if x := v - p.base - uint32(i)*p.slope; x >= ones {
			dst = binary.LittleEndian.AppendUint32(dst, x)
		}
	}
	return dst
}

// pack appends the packed numbers.
func (p plan) pack(dst []byte, values []uint32) []byte {
	var word uint64
	var have uint
	ones := uint64(1)<<p.width - 1
	line := p.base
	for _, v := range values {
		word |= min(uint64(v-line), ones) << have
		line += p.slope
		if have += p.width; have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word >>= 32
			have -= 32
		}
	}
	for ; have > 0; have -= min(have, 8) {
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst
}

// Padding is the number of bytes that Open needs after a table.
const Padding = 8

// Table reads a table and keeps the heads of the block read last.
type Table struct {
	b    []byte // with Padding
	rows int
	bad  func(reason string)

	block int    // whose heads these are, plus 1; 0 for none
	heads []Head // of each column
}

// Head is a column of a block. Questions hold thousands of them: it is small.
type Head struct {
	base       uint32
	at         uint32 // of the packed numbers in the table
	odd        uint32 // of the rows of the exceptions
	slope      uint16
	width      uint8
	exceptions uint8
}

// New returns a table with a column for each head, without rows. It calls bad,
// which must panic, where its bytes are damaged.
func New(heads []Head, bad func(reason string)) Table {
	return Table{heads: heads, bad: bad}
}

// maxTable bounds the bytes of a table.
const maxTable = 1<<31 - 1

// Open makes the table read rows from b, a table with Padding bytes after it. A
// block takes some bytes whatever it holds, which bounds the rows that damaged
// counts can claim.
func (t *Table) Open(b []byte, rows int) {
	t.b, t.rows, t.block = b, rows, 0
	if blocks := (rows + blockRows - 1) >> blockShift; blocks > 0 && 4*(blocks-1)+2*len(t.heads)*blocks > len(b)-8 {
		t.bad("table is too short for its rows")
	}
	if len(b) > maxTable {
		t.bad("table is too long")
	}
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return t.rows }

// Seek reads the heads of the block with a row.
func (t *Table) Seek(row int) {
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
	for i := range t.heads {
		h := &t.heads[i]
		if at+6 > len(t.b) {
			t.bad("table is cut off")
		}
		h.width, h.exceptions, h.slope = t.b[at]&63, t.b[at+1], 0
		length := baseBytes[t.b[at]>>6]
		h.base = uint32(uint64(binary.LittleEndian.Uint32(t.b[at+2:])) & (1<<(8*length) - 1))
		at += 2 + length
		if h.width >= risingWidth && at+2 <= len(t.b) {
			h.width -= risingWidth
			h.slope = binary.LittleEndian.Uint16(t.b[at:])
			at += 2
		}
	}
	for i := range t.heads {
		h := &t.heads[i]
		odd := at + (n*int(h.width)+7)>>3
		h.at, h.odd = uint32(at), uint32(odd)
		at = odd + 5*int(h.exceptions)
		if h.width > maxWidth || at > size {
			t.bad("table is cut off")
		}
	}
	t.block = b + 1
}

// Value returns a number of a row of the block that Seek has read.
func (t *Table) Value(row, column int) uint32 {
	return t.unpack(&t.heads[column], uint32(row)&(blockRows-1))
}

// unpack returns the number of a row of a block.
func (t *Table) unpack(h *Head, row uint32) uint32 {
	bit := row * uint32(h.width)
	ones := uint64(1)<<h.width - 1
	v := binary.LittleEndian.Uint64(t.b[h.at+bit>>3:]) >> (bit & 7) & ones
	if v == ones && h.exceptions > 0 {
		v = t.exception(h, row, v)
	}
	return h.base + row*uint32(h.slope) + uint32(v)
}

func (t *Table) exception(h *Head, row uint32, v uint64) uint64 {
	odd := t.b[h.odd:]
	if i := bytes.IndexByte(odd[:h.exceptions], byte(row)); i >= 0 {
		return uint64(binary.LittleEndian.Uint32(odd[int(h.exceptions)+4*i:]))
	}
	return v
}

// At returns a number of any row.
func (t *Table) At(row, column int) uint32 {
	t.Seek(row)
	return t.Value(row, column)
}

// Find calls yield with the rows whose number in a column is v, in order, until
// it returns false.
func (t *Table) Find(column int, v uint32, yield func(row int) bool) bool {
	for row := 0; row < t.rows; row += blockRows {
		t.Seek(row)
		if !t.findIn(t.heads[column], v, row, yield) { // yield may have other rows read
			return false
		}
	}
	return true
}

// findIn is Find in the block that begins with a row. Where a column neither
// rises nor has v as an exception, the packed numbers are compared as they are.
func (t *Table) findIn(h Head, v uint32, first int, yield func(row int) bool) bool {
	rows := uint32(min(blockRows, t.rows-first))
	ones := uint64(1)<<h.width - 1
	want := uint64(v - h.base)
	if h.slope > 0 || h.exceptions > 0 && want >= ones {
		for i := range rows {
			if t.unpack(&h, i) == v && !yield(first+int(i)) {
				return false
			}
		}
		return true
	}
	if want > ones {
		return true
	}
	return h.findPacked(t.b[h.at:], want, rows, func(row uint32) bool { return yield(first + int(row)) })
}

// findPacked calls yield with the rows of a block whose packed number is want, until it
// returns false. A word of 64 bits is read at any byte, so that 56 of its bits are whole
// numbers at least. Whether one of them is want is seen at once: with what differs from
// want, subtracting 1 from each number sets a high bit that was not set if and only if
// one of them is 0 (Warren, Hacker's Delight, section 6-1).
func (h *Head) findPacked(packed []byte, want uint64, rows uint32, yield func(row uint32) bool) bool {
	width := uint32(h.width)
	if width == 0 {
		for i := range rows {
			if !yield(i) {
				return false
			}
		}
		return true
	}
	lanes := 56 / width
	var low uint64 // the lowest bit of each number
	for i := range lanes {
		low |= 1 << (i * width)
	}
	high, all, ones := low<<(width-1), low*want, uint64(1)<<width-1
	for i, bit := uint32(0), uint32(0); i < rows; i, bit = i+lanes, bit+lanes*width {
		word := binary.LittleEndian.Uint64(packed[bit>>3:]) >> (bit & 7)
		if differs := word ^ all; (differs-low)&^differs&high == 0 {
			continue
		}
		for k := i; k < min(i+lanes, rows); k++ {
			if word&ones == want && !yield(k) {
				return false
			}
			word >>= width
		}
	}
	return true
}

// Search returns the first row whose number in a column is at least v, where
// the numbers never go down.
func (t *Table) Search(column int, v uint32) int {
	low, high := 0, (t.rows+blockRows-1)>>blockShift
	for low < high { // find the first block that begins at v or above
		if mid := int(uint(low+high) >> 1); t.At(mid<<blockShift, column) < v {
			low = mid + 1
		} else {
			high = mid
		}
	}
	low, high = max(0, low-1)<<blockShift, min(t.rows, low<<blockShift)
	for low < high {
		if mid := int(uint(low+high) >> 1); t.At(mid, column) < v {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
