package segment

import (
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"
)

// Version is the format this program writes. Its history:
//
//	1  first format
const Version = 1

const (
	headerMagic = "espylex\n"
	footerMagic = "\nxelypse"
	headerSize  = 32
	footerSize  = 64
	pageShift   = 16
	pageSize    = 1 << pageShift
)

// section numbers the parts of a file in the order in which they stand in it.
type section int

const (
	secText section = iota
	secTextIndex
	secPostings
	secTerms
	secTermIndex
	secTrigrams
	secTrigramTerms
	secTrigramIndex
	secFold
	secFiles
	secRegions
	secPaths
	secChunks
	secChunkPlaces
	secDefinitions
	secNames
	numSections
)

var sectionNames = [numSections]string{
	"text", "text index", "postings", "terms", "term index", "trigrams", "trigram terms", "trigram index", "fold list",
	"files", "regions", "paths", "chunks", "chunk places", "definitions", "names",
}

func (s section) String() string {
	if s >= 0 && s < numSections {
		return sectionNames[s]
	}
	return "frame"
}

const secFrame section = -1 // header, table of contents, footer

// contents is the table of contents: where the sections are and what the
// reader must know before it reads one.
type contents struct {
	sections  [numSections]span
	dataEnd   uint64 // pages and their checksums end here
	stats     Stats
	terms     uint64
	trigrams  uint64
	regions   uint64
	pieces    uint64   // of compressed text
	languages []string // sorted; rows of files hold indexes
}

type span struct{ off, len uint64 }

func (c *contents) numbers() []uint64 {
	s := &c.stats
	n := []uint64{
		c.dataEnd, uint64(s.Files), uint64(s.Chunks), uint64(s.Definitions), uint64(s.TextBytes), uint64(s.SourceBytes),
		uint64(s.BodyTokens), uint64(s.DefTypeTokens), uint64(s.DefFuncTokens), uint64(s.StemTokens), uint64(s.DirTokens),
		c.terms, c.trigrams, c.regions, c.pieces,
	}
	for _, sec := range c.sections {
		n = append(n, sec.off, sec.len)
	}
	return n
}

func (c *contents) setNumbers(n []uint64) {
	c.dataEnd = n[0]
	c.stats = Stats{
		Files: int(n[1]), Chunks: int(n[2]), Definitions: int(n[3]), TextBytes: int64(n[4]), SourceBytes: int64(n[5]),
		BodyTokens: int64(n[6]), DefTypeTokens: int64(n[7]), DefFuncTokens: int64(n[8]), StemTokens: int64(n[9]), DirTokens: int64(n[10]),
	}
	c.terms, c.trigrams, c.regions, c.pieces = n[11], n[12], n[13], n[14]
	for i := range c.sections {
		c.sections[i] = span{n[15+2*i], n[16+2*i]}
	}
}

const contentsNumbers = 15 + 2*int(numSections)

func (c *contents) append(dst []byte) []byte {
	for _, n := range c.numbers() {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.languages)))
	for _, l := range c.languages {
		dst = binary.AppendUvarint(dst, uint64(len(l)))
		dst = append(dst, l...)
	}
	return dst
}

func appendHeader(dst []byte, version uint32) []byte {
	start := len(dst)
	dst = append(dst, headerMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, version)
	dst = binary.LittleEndian.AppendUint32(dst, headerSize)
	dst = binary.LittleEndian.AppendUint64(dst, 0)
	return binary.LittleEndian.AppendUint64(dst, xxh3.Hash(dst[start:]))
}

// appendFooter describes the tail: the page checksums and the contents, which
// stand between dataEnd and the footer.
func appendFooter(dst, tail []byte, dataEnd uint64) []byte {
	start := len(dst)
	sum := xxh3.Hash128(tail).Bytes()
	dst = binary.LittleEndian.AppendUint64(dst, dataEnd)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(tail)))
	dst = append(dst, sum[:]...)
	dst = binary.LittleEndian.AppendUint64(dst, dataEnd+uint64(len(tail))+footerSize)
	dst = binary.LittleEndian.AppendUint64(dst, 0)
	dst = binary.LittleEndian.AppendUint64(dst, xxh3.Hash(dst[start:]))
	return append(dst, footerMagic...)
}

// frame writes the file round its sections: header, pages with their
// checksums, contents and footer.
type frame struct {
	w    io.Writer
	err  error
	size uint64 // bytes written and buffered
	page []byte // not written yet
	sums []byte
	contents
}

func newFrame(w io.Writer) *frame {
	f := &frame{w: w, page: make([]byte, 0, pageSize)}
	f.write(appendHeader(nil, Version))
	return f
}

func (f *frame) write(p []byte) {
	f.size += uint64(len(p))
	for len(p) > 0 {
		n := copy(f.page[len(f.page):pageSize], p)
		f.page = f.page[:len(f.page)+n]
		p = p[n:]
		if len(f.page) == pageSize {
			f.endPage()
		}
	}
}

func (f *frame) endPage() {
	if len(f.page) == 0 {
		return
	}
	f.sums = binary.LittleEndian.AppendUint64(f.sums, xxh3.Hash(f.page))
	f.flush(f.page)
	f.page = f.page[:0]
}

func (f *frame) flush(p []byte) {
	if f.err != nil {
		return
	}
	var n int
	if n, f.err = f.w.Write(p); f.err == nil && n < len(p) {
		f.err = io.ErrShortWrite
	}
}

// begin starts a section at a multiple of 8 bytes.
func (f *frame) begin(s section) {
	f.write(make([]byte, -f.size&7))
	f.sections[s].off = f.size
}

func (f *frame) end(s section) { f.sections[s].len = f.size - f.sections[s].off }

func (f *frame) section(s section, data []byte) {
	f.begin(s)
	f.write(data)
	f.end(s)
}

// finish ends the file and returns its size.
func (f *frame) finish() (int64, error) {
	f.endPage()
	f.dataEnd = f.size
	tail := f.contents.append(f.sums)
	f.flush(tail)
	f.flush(appendFooter(nil, tail, f.dataEnd))
	return int64(f.size) + int64(len(tail)) + footerSize, f.err
}
