package static

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"
)

// The file of a table, all numbers little endian:
//
//	magic     "espystat"
//	version   uint32
//	checksum  [16]byte, XXH3-128 of what follows
//	dims      uint32, values of a vector: 1 to 1,024
//	terms     uint32, 1 to 1<<20
//	words     uint32, bytes of the words
//	blocks    uint32 for each 16 terms: where its words begin
//	scales    uint16 a term: what its values are multiplied by
//	rows      int8, dims a term
//	words     the terms, ascending: how many bytes it shares with the one before,
//	          how many it adds, these bytes. The first of a block shares none.
//
// Version 1 is the first.
const (
	magic     = "espystat"
	version   = 1
	checkedAt = len(magic) + 4 + 16
	headerLen = checkedAt + 12
	blockLen  = 16
	maxDims   = 1024
	maxTerms  = 1 << 20
	maxTerm   = 128 // bytes
)

// Table has a vector for each of its terms. It is read only.
type Table struct {
	dims     int
	checksum [16]byte
	blocks   []byte
	scales   []byte
	rows     []byte
	words    []byte
}

// Read returns the table of a file, which must stay as it is. Its errors say
// what is wrong with the bytes.
func Read(file []byte) (*Table, error) {
	t, err := open(file)
	if err != nil {
		return nil, err
	}
	if xxh3.Hash128(file[checkedAt:]).Bytes() != t.checksum {
		return nil, errors.New("table of terms: damaged, its checksum is of other bytes")
	}
	return t, t.check()
}

// open returns the table of a file whose bytes are known to be sound. It looks at
// the header alone.
func open(file []byte) (*Table, error) {
	if len(file) < headerLen || string(file[:len(magic)]) != magic {
		return nil, errors.New("no table of terms")
	}
	if v := binary.LittleEndian.Uint32(file[len(magic):]); v != version {
		return nil, fmt.Errorf("table of terms of version %d, want %d", v, version)
	}
	t := &Table{checksum: [16]byte(file[checkedAt-16:])}
	var n [3]int
	for i := range n {
		n[i] = int(binary.LittleEndian.Uint32(file[checkedAt+4*i:]))
	}
	dims, terms, words := n[0], n[1], n[2]
	if dims < 1 || dims > maxDims || terms < 1 || terms > maxTerms {
		return nil, fmt.Errorf("table of terms: %d terms of %d values", terms, dims)
	}
	blocks := (terms + blockLen - 1) / blockLen
	if headerLen+4*blocks+terms*(2+dims)+words != len(file) {
		return nil, fmt.Errorf("table of terms: %d bytes do not hold %d terms of %d values", len(file), terms, dims)
	}
	rest := file[headerLen:]
	cut := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	t.dims, t.blocks, t.scales, t.rows, t.words = dims, cut(4*blocks), cut(2*terms), cut(dims*terms), cut(words)
	return t, nil
}

// check reads every word once, so that find needs no checks.
func (t *Table) check() error {
	last := ""
	at := 0
	for id := range t.terms() {
		if id%blockLen == 0 && int(binary.LittleEndian.Uint32(t.blocks[4*(id/blockLen):])) != at {
			return fmt.Errorf("table of terms: block %d does not begin where it says", id/blockLen)
		}
		if at+2 > len(t.words) {
			return errors.New("table of terms: words are missing")
		}
		shared, added := int(t.words[at]), int(t.words[at+1])
		at += 2
		if shared > len(last) || id%blockLen == 0 && shared > 0 || added > len(t.words)-at || shared+added > maxTerm {
			return fmt.Errorf("table of terms: term %d is damaged", id)
		}
		term := last[:shared] + string(t.words[at:at+added])
		at += added
		if id > 0 && term <= last {
			return fmt.Errorf("table of terms: term %d is out of order", id)
		}
		last = term
	}
	if at != len(t.words) {
		return errors.New("table of terms: bytes after the words")
	}
	return nil
}

// terms is how many terms there are.
func (t *Table) terms() int { return len(t.scales) / 2 }

func (t *Table) identity() string {
	return fmt.Sprintf("static-%d.%d-%s", version, recipe, hex.EncodeToString(t.checksum[:]))
}

func (t *Table) scale(id uint32) uint16 { return binary.LittleEndian.Uint16(t.scales[2*id:]) }

func (t *Table) row(id uint32) []byte { return t.rows[int(id)*t.dims:][:t.dims] }

// find returns the number of a term.
func (t *Table) find(term string) (id uint32, ok bool) {
	low, high := 0, len(t.blocks)/4 // the block is in [low, high)
	for high-low > 1 {
		middle := low + (high-low)/2
		if t.compareFirst(middle, term) <= 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return t.findIn(low, term)
}

func (t *Table) blockAt(block int) int { return int(binary.LittleEndian.Uint32(t.blocks[4*block:])) }

// compareFirst compares the first term of a block with another.
func (t *Table) compareFirst(block int, term string) int {
	at := t.blockAt(block)
	first := t.words[at+2 : at+2+int(t.words[at+1])]
	switch {
	case string(first) == term:
		return 0
	case string(first) < term:
		return -1
	}
	return 1
}

func (t *Table) findIn(block int, term string) (id uint32, ok bool) {
	var buf [maxTerm]byte
	at := t.blockAt(block)
	for i := block * blockLen; i < min((block+1)*blockLen, t.terms()); i++ {
		shared, added := int(t.words[at]), int(t.words[at+1])
		copy(buf[shared:], t.words[at+2:at+2+added])
		at += 2 + added
		if string(buf[:shared+added]) == term {
			return uint32(i), true
		}
	}
	return 0, false
}

// Row is a term with its vector.
type Row struct {
	Term   string
	Vector []float32
}

// Write returns the file of a table of rows, whose vectors are of one length.
// Rows of nothing but zeros are kept.
func Write(rows []Row) []byte {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Term, b.Term) })
	most := float32(0)
	for _, r := range rows {
		most = max(most, largest(r.Vector))
	}
	var blocks, scales, values, words []byte
	last := ""
	for i, r := range rows {
		if i%blockLen == 0 {
			blocks = binary.LittleEndian.AppendUint32(blocks, uint32(len(words)))
			last = ""
		}
		scale := max(1, math.Ceil(float64(largest(r.Vector)/most)*math.MaxUint16))
		scales = binary.LittleEndian.AppendUint16(scales, uint16(scale))
		for _, x := range r.Vector {
			values = append(values, byte(int8(math.RoundToEven(float64(x/most)*math.MaxUint16/scale*math.MaxInt8))))
		}
		shared := sharedPrefix(last, r.Term)
		words = append(append(words, byte(shared), byte(len(r.Term)-shared)), r.Term[shared:]...)
		last = r.Term
	}
	body := binary.LittleEndian.AppendUint32(nil, uint32(len(rows[0].Vector)))
	body = binary.LittleEndian.AppendUint32(body, uint32(len(rows)))
	body = binary.LittleEndian.AppendUint32(body, uint32(len(words)))
	return sealed(slices.Concat(body, blocks, scales, values, words))
}

// sealed returns the file of what is checked.
func sealed(body []byte) []byte {
	sum := xxh3.Hash128(body).Bytes()
	return slices.Concat([]byte(magic), binary.LittleEndian.AppendUint32(nil, version), sum[:], body)
}

func largest(v []float32) (most float32) {
	for _, x := range v {
		most = max(most, x, -x)
	}
	return most
}

func sharedPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
