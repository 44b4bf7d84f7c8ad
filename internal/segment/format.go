package segment

import (
	"encoding/binary"
	"io"

	"espy/internal/segment/frame"
)

// version is the format this program writes. Its history:
//
//	1  first format
//	2  the dictionary says how many chunks and files hold a term
const version = 2

var format = frame.Format{Magic: "espylex\n", EndMagic: "\nxelypse", Version: version}

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

var sectionNames = []string{
	"text", "text index", "postings", "terms", "term index", "trigrams", "trigram terms", "trigram index", "fold list",
	"files", "regions", "paths", "chunks", "chunk places", "definitions", "names",
}

func (s section) String() string {
	if s >= 0 && s < numSections {
		return sectionNames[s]
	}
	return "frame"
}

const secFrame section = frame.NoSection // header, table of contents, footer

// contents is what the reader must know before it reads a section. In the file
// the places of the sections stand behind the numbers.
type contents struct {
	dataEnd   uint64 // pages and their checksums end here
	stats     Stats
	terms     uint64
	trigrams  uint64
	regions   uint64
	pieces    uint64   // of compressed text
	languages []string // sorted; rows of files hold indexes
}

func (c *contents) numbers() []uint64 {
	s := &c.stats
	return []uint64{
		c.dataEnd, uint64(s.Files), uint64(s.Chunks), uint64(s.Definitions), uint64(s.TextBytes), uint64(s.SourceBytes),
		uint64(s.BodyTokens), uint64(s.DefTypeTokens), uint64(s.DefFuncTokens), uint64(s.StemTokens), uint64(s.DirTokens),
		c.terms, c.trigrams, c.regions, c.pieces,
	}
}

func (c *contents) setNumbers(n []uint64) {
	c.dataEnd = n[0]
	c.stats = Stats{
		Files: int(n[1]), Chunks: int(n[2]), Definitions: int(n[3]), TextBytes: int64(n[4]), SourceBytes: int64(n[5]),
		BodyTokens: int64(n[6]), DefTypeTokens: int64(n[7]), DefFuncTokens: int64(n[8]), StemTokens: int64(n[9]), DirTokens: int64(n[10]),
	}
	c.terms, c.trigrams, c.regions, c.pieces = n[11], n[12], n[13], n[14]
}

const (
	countNumbers    = 15
	contentsNumbers = countNumbers + 2*int(numSections)
)

func (c *contents) append(dst []byte, sections []frame.Span) []byte {
	for _, n := range c.numbers() {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	for _, s := range sections {
		dst = binary.LittleEndian.AppendUint64(dst, s.Off)
		dst = binary.LittleEndian.AppendUint64(dst, s.Len)
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.languages)))
	for _, l := range c.languages {
		dst = binary.AppendUvarint(dst, uint64(len(l)))
		dst = append(dst, l...)
	}
	return dst
}

// partWriter writes a part: its frame and what stands in its contents.
type partWriter struct {
	frame *frame.Writer
	contents
}

func newPartWriter(w io.Writer) *partWriter {
	return &partWriter{frame: frame.NewWriter(w, format, int(numSections))}
}

func (f *partWriter) write(p []byte) { f.frame.Append(p) }

func (f *partWriter) begin(s section) { f.frame.Begin(int(s)) }

func (f *partWriter) end(s section) { f.frame.End(int(s)) }

func (f *partWriter) section(s section, data []byte) { f.frame.Section(int(s), data) }

// finish ends the file and returns its size.
func (f *partWriter) finish() (int64, error) {
	return f.frame.Finish(func(dst []byte, dataEnd uint64) []byte {
		f.dataEnd = dataEnd
		return f.contents.append(dst, f.frame.Sections)
	})
}
