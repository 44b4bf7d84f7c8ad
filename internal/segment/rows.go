package segment

import (
	"bytes"
	"encoding/binary"

	"espy/internal/code"
)

// Sizes of table rows in bytes.
const (
	fileRowSize       = 56
	chunkRowSize      = 12
	placeRowSize      = 20
	definitionRowSize = 16
)

// fileRow is a row of the table of files. Ends are one past the last, so a
// file begins where the one before it ends.
type fileRow struct {
	hash          code.Hash
	size          uint64
	textEnd       uint32
	regionEnd     uint32
	pathEnd       uint32
	lines         uint32
	chunkEnd      uint32
	definitionEnd uint32
	stemTokens    uint16
	dirTokens     uint16
	class         uint16
	language      uint16
}

func (f *fileRow) append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = append(dst, f.hash[:]...)
	dst = le.AppendUint64(dst, f.size)
	for _, v := range []uint32{f.textEnd, f.regionEnd, f.pathEnd, f.lines, f.chunkEnd, f.definitionEnd} {
		dst = le.AppendUint32(dst, v)
	}
	for _, v := range []uint16{f.stemTokens, f.dirTokens, f.class, f.language} {
		dst = le.AppendUint16(dst, v)
	}
	return dst
}

func (f *fileRow) decode(b []byte) {
	le := binary.LittleEndian
	copy(f.hash[:], b)
	f.size, f.textEnd, f.regionEnd = le.Uint64(b[16:]), le.Uint32(b[24:]), le.Uint32(b[28:])
	f.pathEnd, f.lines, f.chunkEnd, f.definitionEnd = le.Uint32(b[32:]), le.Uint32(b[36:]), le.Uint32(b[40:]), le.Uint32(b[44:])
	f.stemTokens, f.dirTokens, f.class, f.language = le.Uint16(b[48:]), le.Uint16(b[50:]), le.Uint16(b[52:]), le.Uint16(b[54:])
}

// chunkRow is a row of the tables of chunks: what scoring reads of every
// candidate (rows of secChunks) and where the chunk is (secChunkPlaces).
type chunkRow struct {
	file       uint32
	tokens     uint32
	typeTokens uint16
	funcTokens uint16

	place    code.Chunk
	position uint32 // within the file, of the first term of the chunk
}

func (c *chunkRow) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, c.file)
	dst = binary.LittleEndian.AppendUint32(dst, c.tokens)
	dst = binary.LittleEndian.AppendUint16(dst, c.typeTokens)
	return binary.LittleEndian.AppendUint16(dst, c.funcTokens)
}

func (c *chunkRow) appendPlace(dst []byte) []byte {
	for _, v := range []uint32{c.place.Start, c.place.End, c.place.StartLine, c.place.EndLine, c.position} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return dst
}

// definitionRow is a row of the table of definitions.
type definitionRow struct {
	name  uint32 // start in secNames
	line  uint32
	chunk uint32
	kind  uint8
	terms uint8
}

func (d *definitionRow) append(dst []byte) []byte {
	for _, v := range []uint32{d.name, d.line, d.chunk} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return append(dst, d.kind, d.terms, 0, 0)
}

func (d *definitionRow) decode(b []byte) {
	le := binary.LittleEndian
	d.name, d.line, d.chunk, d.kind, d.terms = le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:]), b[12], b[13]
}

// regionBytes is the most text that one region has, unless it is one line.
const regionBytes = 24 << 10

const regionRowSize = 12

// regionRow is a row of the table of regions: whole lines of one file, as many
// as fit in regionBytes, or one longer line. The regions of a file follow each
// other without a gap.
type regionRow struct {
	file    uint32
	textEnd uint32 // in the row of all texts
	line    uint32 // number of the first line in its file, from 1
}

func (g *regionRow) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, g.file)
	dst = binary.LittleEndian.AppendUint32(dst, g.textEnd)
	return binary.LittleEndian.AppendUint32(dst, g.line)
}

// firstRegion returns the length of the first region of the rest of a file.
func firstRegion(text []byte) int {
	if len(text) <= regionBytes {
		return len(text)
	}
	if n := bytes.LastIndexByte(text[:regionBytes], '\n'); n >= 0 {
		return n + 1
	}
	if n := bytes.IndexByte(text[regionBytes:], '\n'); n >= 0 {
		return regionBytes + n + 1
	}
	return len(text)
}
