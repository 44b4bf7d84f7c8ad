package segment

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"espy/internal/code"
	"espy/internal/segment/dict"
	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
)

// The layout of a part within its frame (package frame), numbers little endian,
// varints as in encoding/binary. The contents are counts, the place of each
// section, and the languages.
//
//	text           all texts in a row, cut into pieces (text.go), each compressed with S2
//	text index     of each piece u32 end in the row of texts, u32 end of the compressed piece
//	postings       of each term in order: body, path and symbol postings (postings.go)
//	terms          the dictionary (package dict)
//	term index     its index
//	trigrams       of each trigram in order the regions that hold it (trigram.go)
//	trigram terms  blocks of 64 trigrams with the sizes of their lists
//	trigram index  of each block: u32 first trigram, u32 start of block, u64 start of lists
//	fold list      varint distances of the regions with letters that fold to ASCII (FoldRegions)
//	files          rows of 56 bytes (tables.go)
//	regions        rows of 12 bytes (region.go)
//	paths          all paths in a row
//	chunks         rows of 12 bytes: what scoring is told of each chunk (scoring.go)
//	chunk places   rows of 20 bytes: byte and line ranges, first position
//	definitions    rows of 16 bytes
//	names          distinct names of definitions, each behind its varint length

// Reader answers from one part. Its methods may be called from any number of
// goroutines.
type Reader struct {
	frame *frame.Reader
	data  []byte // of the frame
	contents
	dict dict.Reader

	scoring    atomic.Pointer[Scoring]          // once made
	names      [256]atomic.Pointer[[][]nameKey] // by first byte, once made
	fileTraits atomic.Pointer[[]FileTraits]     // once made
}

// Open reads the frame of a part, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. The name is for
// messages. Errors are *CorruptError and *frame.VersionError.
func Open(data []byte, name string) (r *Reader, err error) {
	defer frame.Catch(&err)
	opened, contents, err := frame.Open(data, name, format, sectionNames)
	if err != nil {
		return nil, err
	}
	r = &Reader{frame: opened, data: data}
	r.openContents(contents)
	opened.CheckSections()
	r.checkSizes()
	r.dict = dict.Reader{Frame: opened, Form: dictForm, Terms: r.terms, Limits: dict.Limits{
		Body: r.stats.Chunks, Paths: r.stats.Files, Symbols: r.stats.Definitions, Chunks: r.stats.Chunks, Files: r.stats.Files,
	}}
	return r, nil
}

func (r *Reader) openContents(b []byte) {
	start := r.frame.DataEnd
	numbers := make([]uint64, countNumbers+2*len(r.frame.Sections))
	if len(b) < len(numbers)*8 {
		r.corrupt(secFrame, start, "contents are too short")
	}
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	r.setNumbers(numbers)
	for i := range r.frame.Sections {
		r.frame.Sections[i] = frame.Span{Off: numbers[countNumbers+2*i], Len: numbers[countNumbers+1+2*i]}
	}
	if r.dataEnd != start {
		r.corrupt(secFrame, start, "contents disagree with the footer")
	}
	c := pack.ContentsCursor(r.frame, b[8*len(numbers):])
	for n := c.Uint32(); n > 0; n-- {
		r.languages = append(r.languages, string(c.Take(c.Uvarint())))
	}
}

// Name returns the name given to Open.
func (r *Reader) Name() string { return r.frame.Name }

// Size returns the bytes of the part.
func (r *Reader) Size() int64 { return int64(len(r.data)) }

// Identity is a hash of the whole content: it covers the checksums of all
// pages. Two parts with the same identity hold the same bytes.
func (r *Reader) Identity() code.Hash { return r.frame.Identity() }

// Stats returns the counts of the part, dead files included.
func (r *Reader) Stats() Stats { return r.stats }

// corrupt panics with a *CorruptError.
func (r *Reader) corrupt(s section, off uint64, reason string) {
	r.frame.Corrupt(int(s), off, reason)
}

// size returns the bytes of a section.
func (r *Reader) size(s section) uint64 { return r.frame.Sections[s].Len }

// need makes sure that n bytes from off lie within the section and on checked
// pages, and returns their place in the file.
func (r *Reader) need(s section, off, n uint64) uint64 { return r.frame.Need(int(s), off, n) }

// bytes returns n checked bytes of a section.
func (r *Reader) bytes(s section, off, n uint64) []byte { return r.frame.Bytes(int(s), off, n) }

func (r *Reader) cursor(s section, off, n uint64) pack.Cursor {
	return pack.NewCursor(r.frame, int(s), off, n)
}

// u32 returns the i-th u32 of a section.
func (r *Reader) u32(s section, i uint64) uint32 {
	at := r.need(s, 4*i, 4)
	return binary.LittleEndian.Uint32(r.data[at:])
}

// checkSizes holds that the sections made of rows have as many as the counts say.
func (r *Reader) checkSizes() {
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
	r.wantLen(secTermIndex, dict.IndexSize(r.terms))
	r.wantLen(secTrigramIndex, (r.trigrams+trigramBlock-1)/trigramBlock*16)
}

func (r *Reader) wantLen(s section, n uint64) {
	if r.size(s) != n {
		r.corrupt(secFrame, r.dataEnd, fmt.Sprintf("section %s has %d bytes instead of %d", s, r.size(s), n))
	}
}
