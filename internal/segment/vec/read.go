package vec

import (
	"encoding/binary"
	"fmt"
	"math"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/segment/frame"
	"espy/internal/segment/vec/dot"
)

// The layout of a part within its frame (package segment/frame), numbers little
// endian. The contents are counts (u64 chunks, rows, blank chunks, numbers of a
// vector), the identity of the lex part (16 bytes), u64 start and length of each
// section, and the identity of the model.
//
//	rows    of each chunk with a vector, in order, its numbers as int8, zeros behind
//	        them up to a multiple of 32
//	scales  of each row a float32: 1 by its length
//	keys    of each chunk the hash of its document, zeros where nothing is known
//	places  of each chunk a u32: 0 where nothing is known yet, 1 where the model knows
//	        nothing of it, else 2 plus the number of its row

const (
	countNumbers = 4
	lexAt        = 8 * countNumbers
	sectionsAt   = lexAt + 16
	fixedSize    = sectionsAt + 16*numSections
)

// Reader answers from one part. Its methods may be called from any number of
// goroutines.
type Reader struct {
	Header
	frame  *frame.Reader
	stats  Stats
	stride int
}

// Open reads the frame of a part, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. The name is for
// messages. Errors are *frame.CorruptError and *frame.VersionError.
func Open(data []byte, name string) (r *Reader, err error) {
	defer frame.Catch(&err)
	f, tail, err := frame.Open(data, name, format, sectionNames)
	if err != nil {
		return nil, err
	}
	if len(tail) < fixedSize || len(tail) > fixedSize+maxModel {
		f.Corrupt(frame.NoSection, f.DataEnd, "contents are too short or too long")
	}
	r = &Reader{frame: f}
	r.openContents(tail)
	f.CheckSections()
	r.checkSizes()
	return r, nil
}

func (r *Reader) openContents(b []byte) {
	n := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	for i, to := range [countNumbers]*int{&r.stats.Chunks, &r.stats.Rows, &r.stats.Blank, &r.Dims} {
		if n(8*i) > 1<<32 {
			r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, "count out of range")
		}
		*to = int(n(8 * i))
	}
	r.Lex = code.Hash(b[lexAt:sectionsAt])
	for i := range r.frame.Sections {
		r.frame.Sections[i] = frame.Span{Off: n(sectionsAt + 16*i), Len: n(sectionsAt + 16*i + 8)}
	}
	r.Model = string(b[fixedSize:])
}

func (r *Reader) checkSizes() {
	if r.Dims < 1 || r.Dims > maxDims || r.stats.Pending() < 0 {
		r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, "counts of vectors disagree")
	}
	r.stride = stride(r.Dims)
	for section, n := range [numSections]int{r.stats.Rows * r.stride, r.stats.Rows * scaleSize, r.stats.Chunks * keySize, r.stats.Chunks * placeSize} {
		if have := r.frame.Sections[section].Len; have != uint64(n) {
			r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, fmt.Sprintf("section %s has %d bytes instead of %d", sectionNames[section], have, n))
		}
	}
}

// Size returns the bytes of the part.
func (r *Reader) Size() int64 { return int64(len(r.frame.Data)) }

// Identity is a hash of the whole content.
func (r *Reader) Identity() code.Hash { return r.frame.Identity() }

// Stats returns the counts of the part.
func (r *Reader) Stats() Stats { return r.stats }

// Key returns the hash of the document of a chunk, zero where nothing is known.
func (r *Reader) Key(chunk int) code.Hash {
	return code.Hash(r.frame.Bytes(secKeys, uint64(chunk)*keySize, keySize))
}

// Knows reports whether the model was asked about every chunk of [first, end).
func (r *Reader) Knows(first, end int) bool {
	p := r.places(first, end)
	for i := range p.len() {
		if p.at(i) == absent {
			return false
		}
	}
	return true
}

// places returns the places of chunks.
func (r *Reader) places(first, end int) places {
	if first < 0 || end < first {
		r.frame.Corrupt(secPlaces, 0, "chunks out of order")
	}
	return places(r.frame.Bytes(secPlaces, uint64(first)*placeSize, uint64(end-first)*placeSize))
}

// row returns the row and place of a chunk, no row where the place says so.
func (r *Reader) row(chunk int) (row []byte, place uint32) {
	place = r.places(chunk, chunk+1).at(0)
	if place < firstRow {
		return nil, place
	}
	return r.rows(place-firstRow, 1), place
}

// Row returns a copy of the row of a chunk, one without a key where nothing is
// known.
func (r *Reader) Row(chunk int) Row {
	row, place := r.row(chunk)
	out := Row{Key: r.Key(chunk)}
	if place >= firstRow {
		out.values = make([]int8, r.Dims)
		for i := range out.values {
			out.values[i] = int8(row[i])
		}
	}
	return out
}

// Vector returns the vector of a chunk, nil for none. It is rounded as the row is.
func (r *Reader) Vector(chunk int) embedding.Vector {
	row, place := r.row(chunk)
	if place < firstRow {
		return nil
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(r.frame.Bytes(secScales, uint64(place-firstRow)*scaleSize, scaleSize)))
	v := make(embedding.Vector, r.Dims)
	for i := range v {
		v[i] = float32(float32(int8(row[i])) * scale)
	}
	return v
}

func (r *Reader) rows(first uint32, n int) []byte {
	return r.frame.Bytes(secRows, uint64(first)*uint64(r.stride), uint64(n*r.stride))
}

// places are the places of chunks, as they stand in the file.
type places []byte

func (p places) len() int { return len(p) / placeSize }

func (p places) at(i int) uint32 { return binary.LittleEndian.Uint32(p[i*placeSize:]) }

// span returns the rows of the chunks: the number of the first, and how many.
func (p places) span() (first uint32, n int) {
	for i := range p.len() {
		if place := p.at(i); place >= firstRow {
			if n == 0 {
				first = place - firstRow
			}
			n++
		}
	}
	return first, n
}

// atOnce is how many rows are multiplied at a time.
const atOnce = 64

// Cosines calls yield with the chunks of [first, end) that have a vector, in
// order, and the cosine between it and the query, in -1..1, until it returns
// false. A query of another number of dimensions has none.
func (r *Reader) Cosines(q *Query, first, end int, yield func(chunk int, cosine float64) bool) {
	p := r.places(first, end)
	row, n := p.span()
	if n == 0 || q.dims != r.Dims {
		return
	}
	var sums [atOnce]int32
	next := 0 // of the places
	for ; n > 0; n, row = n-atOnce, row+atOnce {
		some := min(n, atOnce)
		dot.Rows(sums[:some], q.values, r.rows(row, some))
		scales := r.frame.Bytes(secScales, uint64(row)*scaleSize, uint64(some)*scaleSize)
		for i := range some {
			for p.at(next) < firstRow {
				next++
			}
			if p.at(next) != firstRow+row+uint32(i) {
				r.frame.Corrupt(secPlaces, uint64(first+next)*placeSize, "rows out of order")
			}
			scale := math.Float32frombits(binary.LittleEndian.Uint32(scales[i*scaleSize:]))
			if !yield(first+next, cosine(sums[i], scale, q)) {
				return
			}
			next++
		}
	}
}
