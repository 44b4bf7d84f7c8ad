package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
)

// The layout of a part, numbers little endian, varints as in encoding/binary:
//
//	header    magic, u32 version, u32 header size, u64 zero, u64 XXH3 of these
//	sections  each at a multiple of 8 bytes, in the order of their constants
//	sums      a u64 XXH3 for each 64 KiB page from the header to here
//	contents  counts, place of each section, languages
//	footer    u64 start and u64 length of sums and contents, their 128-bit XXH3,
//	          u64 size of the file, u64 zero, u64 XXH3 of these, magic
//
// Open checks header, sums, contents and footer. A page is checked when it is
// first touched, once.
//
//	text           all texts in a row, cut into pieces (text.go), each compressed with S2
//	text index     of each piece u32 end in the row of texts, u32 end of the compressed piece
//	postings       of each term in order: body, path and symbol postings (postings.go)
//	terms          blocks of 16 terms, front coded, with the sizes of their postings (terms.go)
//	term index     of each block the first 8 bytes of its first term (u64, big-endian order)
//	               in a row, then the u32 start of each block
//	trigrams       of each trigram in order the regions that hold it (trigram.go)
//	trigram terms  blocks of 64 trigrams with the sizes of their lists
//	trigram index  of each block: u32 first trigram, u32 start of block, u64 start of lists
//	fold list      varint distances of the regions with letters that fold to ASCII (FoldRegions)
//	files          rows of 56 bytes (tables.go)
//	regions        rows of 12 bytes (region.go)
//	paths          all paths in a row
//	chunks         rows of 12 bytes: what scoring reads of each chunk
//	chunk places   rows of 20 bytes: byte and line ranges, first position
//	definitions    rows of 16 bytes
//	names          distinct names of definitions, each behind its varint length

// Reader answers from one part. Its methods may be called from any number of
// goroutines.
type Reader struct {
	name string
	data []byte
	contents
	sums     []byte
	verified []atomic.Uint64 // bit per page
}

// Open reads the frame of a part, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. The name is for
// messages. Errors are *CorruptError and *VersionError.
func Open(data []byte, name string) (r *Reader, err error) {
	defer catch(&err)
	r = &Reader{name: name, data: data}
	if err := r.openHeader(); err != nil {
		return nil, err
	}
	r.openContents(r.openFooter())
	r.checkSizes()
	return r, nil
}

func (r *Reader) openHeader() error {
	if len(r.data) < headerSize+footerSize {
		r.corrupt(secFrame, 0, fmt.Sprintf("only %d bytes", len(r.data)))
	}
	h := r.data[:headerSize]
	if string(h[:8]) != headerMagic {
		r.corrupt(secFrame, 0, "not a segment")
	}
	if xxh3.Hash(h[:24]) != binary.LittleEndian.Uint64(h[24:]) {
		r.corrupt(secFrame, 0, "header does not match its checksum")
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != Version {
		return &VersionError{Name: r.name, Found: v, Known: Version}
	}
	return nil
}

// openFooter returns the sums and contents that the footer vouches for.
func (r *Reader) openFooter() (tail []byte) {
	at := uint64(len(r.data)) - footerSize
	f := r.data[at:]
	if string(f[56:]) != footerMagic || xxh3.Hash(f[:48]) != binary.LittleEndian.Uint64(f[48:]) {
		r.corrupt(secFrame, at, "footer is damaged or cut off")
	}
	start, n := binary.LittleEndian.Uint64(f), binary.LittleEndian.Uint64(f[8:])
	if binary.LittleEndian.Uint64(f[32:]) != uint64(len(r.data)) || start > at || n != at-start || start < headerSize {
		r.corrupt(secFrame, at, "file is longer or shorter than when it was written")
	}
	tail = r.data[start:at]
	if sum := xxh3.Hash128(tail).Bytes(); !bytes.Equal(sum[:], f[16:32]) {
		r.corrupt(secFrame, start, "contents do not match their checksum")
	}
	r.dataEnd = start
	return tail
}

func (r *Reader) openContents(tail []byte) {
	start := r.dataEnd
	pages := (start + pageSize - 1) >> pageShift
	if uint64(len(tail)) < pages*8+uint64(contentsNumbers)*8 {
		r.corrupt(secFrame, start, "contents are too short")
	}
	r.sums = tail[:pages*8]
	r.verified = make([]atomic.Uint64, (pages+63)/64)
	numbers := make([]uint64, contentsNumbers)
	tail = tail[pages*8:]
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint64(tail[8*i:])
	}
	r.setNumbers(numbers)
	if r.dataEnd != start {
		r.corrupt(secFrame, start, "contents disagree with the footer")
	}
	c := cursor{b: tail[8*contentsNumbers:], r: r, sec: secFrame, end: uint64(len(r.data)) - footerSize}
	for n := c.uint32(); n > 0; n-- {
		r.languages = append(r.languages, string(c.take(c.uvarint())))
	}
}

// Name returns the name given to Open.
func (r *Reader) Name() string { return r.name }

// Size returns the bytes of the part.
func (r *Reader) Size() int64 { return int64(len(r.data)) }

// Identity is a hash of the whole content: it covers the checksums of all
// pages. Two parts with the same identity hold the same bytes.
func (r *Reader) Identity() code.Hash {
	return xxh3.Hash128(r.data[len(r.data)-footerSize:]).Bytes()
}

// Stats returns the counts of the part, dead files included.
func (r *Reader) Stats() Stats { return r.stats }

// corrupt panics with a *CorruptError.
func (r *Reader) corrupt(s section, off uint64, reason string) {
	if s >= 0 {
		off += r.sections[s].off
	}
	panic(&CorruptError{Name: r.name, Section: s.String(), Offset: int64(off), Reason: reason})
}

// need makes sure that n bytes from off lie within the section and on checked
// pages, and returns their place in the file.
func (r *Reader) need(s section, off, n uint64) uint64 {
	sp := r.sections[s]
	if off > sp.len || n > sp.len-off {
		r.corrupt(s, off, "reference beyond the section")
	}
	at := sp.off + off
	if n == 0 {
		return at
	}
	for p, last := at>>pageShift, (at+n-1)>>pageShift; p <= last; p++ {
		if r.verified[p>>6].Load()>>(p&63)&1 == 0 {
			r.verify(s, p)
		}
	}
	return at
}

func (r *Reader) verify(s section, page uint64) {
	start := page << pageShift
	end := min(start+pageSize, r.dataEnd)
	if xxh3.Hash(r.data[start:end]) != binary.LittleEndian.Uint64(r.sums[8*page:]) {
		panic(&CorruptError{Name: r.name, Section: s.String(), Offset: int64(start), Reason: "page does not match its checksum"})
	}
	r.verified[page>>6].Or(1 << (page & 63))
}

// bytes returns n checked bytes of a section.
func (r *Reader) bytes(s section, off, n uint64) []byte {
	at := r.need(s, off, n)
	return r.data[at : at+n : at+n]
}

// packed returns n checked bytes and the 8 bytes behind them that unpack wants.
// The footer stands behind every section, so they exist.
func (r *Reader) packed(s section, off, n uint64) []byte {
	at := r.need(s, off, n)
	return r.data[at : at+n+8]
}

func (r *Reader) cursor(s section, off, n uint64) cursor {
	return cursor{b: r.bytes(s, off, n), r: r, sec: s, end: off + n}
}

// u32 returns the i-th u32 of a section.
func (r *Reader) u32(s section, i uint64) uint32 {
	at := r.need(s, 4*i, 4)
	return binary.LittleEndian.Uint32(r.data[at:])
}

// checkSizes holds that the sections are in order and that those made of rows
// have as many as the counts say.
func (r *Reader) checkSizes() {
	end := uint64(headerSize)
	for s, sp := range r.sections {
		if sp.off < end || sp.off > r.dataEnd || sp.len > r.dataEnd-sp.off {
			r.corrupt(secFrame, r.dataEnd, "section "+section(s).String()+" lies outside the file")
		}
		end = sp.off + sp.len
	}
	st := &r.stats
	for _, n := range []uint64{uint64(st.Files), uint64(st.Chunks), uint64(st.Definitions), uint64(st.TextBytes), r.terms, r.trigrams, r.regions, r.pieces} {
		if n > 1<<40 {
			r.corrupt(secFrame, r.dataEnd, "count out of range")
		}
	}
	r.wantLen(secFiles, uint64(st.Files)*fileRowSize)
	r.wantLen(secChunks, uint64(st.Chunks)*chunkRowSize)
	r.wantLen(secChunkPlaces, uint64(st.Chunks)*placeRowSize)
	r.wantLen(secDefinitions, uint64(st.Definitions)*definitionRowSize)
	r.wantLen(secTextIndex, r.pieces*pieceRowSize)
	r.wantLen(secRegions, r.regions*regionRowSize)
	r.wantLen(secTermIndex, (r.terms+termBlock-1)/termBlock*12)
	r.wantLen(secTrigramIndex, (r.trigrams+trigramBlock-1)/trigramBlock*16)
}

func (r *Reader) wantLen(s section, n uint64) {
	if r.sections[s].len != n {
		r.corrupt(secFrame, r.dataEnd, fmt.Sprintf("section %s has %d bytes instead of %d", s, r.sections[s].len, n))
	}
}
