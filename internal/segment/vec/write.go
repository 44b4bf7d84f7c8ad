package vec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"espy/internal/code"
	"espy/internal/segment/frame"
	"espy/internal/segment/vec/dot"
)

// version is the format this program writes. Its history:
//
//	1  first format
const version = 1

var format = frame.Format{Magic: "espyvec\n", EndMagic: "\ncevypse", Version: version}

// The sections, in the order in which they stand in a part.
const (
	secRows = iota
	secScales
	secKeys
	secPlaces
	numSections
)

var sectionNames = []string{"rows", "scales", "keys", "places"}

const (
	scaleSize = 4
	keySize   = 16
	placeSize = 4
)

// The places of chunks without a row. Row i is firstRow + i.
const (
	absent   = iota // nothing is known yet
	blank           // the model knows nothing of it
	firstRow        // the number of row 0
)

// maxDims and maxModel bound the numbers of a vector and the bytes of a name.
const (
	maxDims  = 1 << 14
	maxModel = 1 << 12
)

// stride is the bytes of a row: zeros fill what dims leave.
func stride(dims int) int { return (dims + dot.Lanes - 1) / dot.Lanes * dot.Lanes }

// Header says what the vectors of a part belong to.
type Header struct {
	Lex   code.Hash // identity of the lex part
	Model string    // identity of the model
	Dims  int       // numbers of a vector
}

// Stats counts what a part holds, chunks of dead files included.
type Stats struct {
	Chunks int
	Rows   int // chunks with a vector
	Blank  int // chunks that the model knows nothing of
}

// Pending is the number of chunks that nothing is known of yet.
func (s Stats) Pending() int { return s.Chunks - s.Rows - s.Blank }

// Builder writes a part as chunks are added to it, in the order of the lex part.
// Beside one page it holds 24 bytes for each chunk. It belongs to one goroutine.
type Builder struct {
	Header
	frame  *frame.Writer
	stats  Stats
	row    []byte
	scales []byte
	keys   []byte
	places []byte
}

// NewBuilder begins a part. Finish returns errors of writing.
func NewBuilder(w io.Writer, h Header) *Builder {
	b := &Builder{Header: h, frame: frame.NewWriter(w, format, numSections)}
	b.row = make([]byte, stride(h.Dims))
	b.frame.Begin(secRows)
	return b
}

// Skip says that nothing is known of the next chunk yet.
func (b *Builder) Skip() { b.add(code.Hash{}, absent) }

// Add adds the row of the next chunk.
func (b *Builder) Add(r *Row) error {
	if r.values == nil {
		b.add(r.Key, blank)
		return nil
	}
	if len(r.values) != b.Dims {
		return fmt.Errorf("a vector of %d numbers among those of %d", len(r.values), b.Dims)
	}
	for i, v := range r.values {
		b.row[i] = byte(v)
	}
	b.addRow(r.Key, b.row)
	return nil
}

// Copy adds the next chunk as another part of the same model has it. After an
// error, which is one of reading that part, nothing is added.
func (b *Builder) Copy(r *Reader, chunk int) (err error) {
	defer frame.Catch(&err)
	switch row, place := r.row(chunk); place {
	case absent, blank:
		b.add(r.Key(chunk), place)
	default:
		b.addRow(r.Key(chunk), row)
	}
	return nil
}

func (b *Builder) addRow(key code.Hash, row []byte) {
	b.frame.Append(row)
	b.scales = binary.LittleEndian.AppendUint32(b.scales, math.Float32bits(scaleOf(row)))
	b.add(key, uint32(firstRow+b.stats.Rows))
}

func (b *Builder) add(key code.Hash, place uint32) {
	b.keys = append(b.keys, key[:]...)
	b.places = binary.LittleEndian.AppendUint32(b.places, place)
	b.stats.count(place)
}

func (s *Stats) count(place uint32) {
	s.Chunks++
	switch place {
	case absent:
	case blank:
		s.Blank++
	default:
		s.Rows++
	}
}

// Finish writes what is left and returns the size of the part. The builder must
// not be used after that.
func (b *Builder) Finish() (int64, error) {
	if b.Dims < 1 || b.Dims > maxDims || len(b.Model) > maxModel {
		return 0, fmt.Errorf("vectors of %d numbers by a model with a name of %d bytes, at most %d and %d can be", b.Dims, len(b.Model), maxDims, maxModel)
	}
	b.frame.End(secRows)
	b.frame.Section(secScales, b.scales)
	b.frame.Section(secKeys, b.keys)
	b.frame.Section(secPlaces, b.places)
	return b.frame.Finish(func(dst []byte, _ uint64) []byte { return b.contents(dst) })
}

// contents appends what the reader must know before it reads a section.
func (b *Builder) contents(dst []byte) []byte {
	le := binary.LittleEndian
	for _, n := range []int{b.stats.Chunks, b.stats.Rows, b.stats.Blank, b.Dims} {
		dst = le.AppendUint64(dst, uint64(n))
	}
	dst = append(dst, b.Lex[:]...)
	for _, p := range b.frame.Sections {
		dst = le.AppendUint64(dst, p.Off)
		dst = le.AppendUint64(dst, p.Len)
	}
	return append(dst, b.Model...)
}
