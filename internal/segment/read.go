package segment

import (
	"encoding/binary"
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
	stemWords  atomic.Pointer[StemWords]        // once made
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

// dictForm is the form of the dictionary of a segment.
var dictForm = dict.Form{Postings: int(secPostings), Terms: int(secTerms), Index: int(secTermIndex), Spread: true}

// Term is a term of the dictionary and the place of its postings.
type Term struct {
	dict.Entry

	r        *Reader
	compound bool
}

// Lookup finds a term as it is stored: a stem, or a compound or name with its
// "=" in front.
func (r *Reader) Lookup(term string) (Term, bool, error) {
	e, ok, err := r.dict.Lookup(term)
	if !ok || err != nil {
		return Term{}, false, err
	}
	return Term{Entry: e, r: r, compound: term[0] == '='}, true, nil
}

// termAt returns the term that a cursor stands on.
func (r *Reader) termAt(c *dict.Cursor) Term {
	return Term{Entry: c.Entry, r: r, compound: c.Term()[0] == '='}
}
