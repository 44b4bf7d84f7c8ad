package segment

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/klauspost/compress/s2"

	"espy/internal/segment/frame"
)

// A piece of text is compressed as one: whole regions, as many as fit in pieceBytes, or a
// part of a larger one. So a piece depends on nothing but its regions and the one behind it.
// What is shown of a file is a few lines, for which a piece or two are decompressed. At 8 KiB
// an index of babel (27,673 files) is 1.1 % larger than at 24 KiB.

const (
	pieceBytes   = 8 << 10
	mostPiece    = regionBytes // of a piece that an earlier version wrote
	pieceRowSize = 8
)

// textAhead is how much memory a text gets before any of it is decompressed: a
// made-up size must not claim more than the file can fill.
const textAhead = 16 << 20

// textPacker puts regions together to pieces and compresses each.
type textPacker struct {
	emit  func(piece []byte) // the piece is valid during the call
	piece []byte
	out   []byte
	rows  []byte // of the text index
	size  uint64 // bytes of text in pieces
	total uint64 // bytes of compressed pieces
}

// region adds a region.
func (p *textPacker) region(text []byte) {
	if len(p.piece)+len(text) > pieceBytes {
		p.flush()
	}
	if len(text) > pieceBytes {
		for piece := range slices.Chunk(text, pieceBytes) {
			p.compress(piece)
		}
		return
	}
	if p.piece == nil {
		p.piece = make([]byte, 0, pieceBytes)
	}
	p.piece = append(p.piece, text...)
}

func (p *textPacker) flush() {
	if len(p.piece) > 0 {
		p.compress(p.piece)
		p.piece = p.piece[:0]
	}
}

func (p *textPacker) compress(piece []byte) {
	if p.out == nil {
		p.out = make([]byte, s2.MaxEncodedLen(pieceBytes))
	}
	p.add(s2.EncodeBetter(p.out, piece), uint64(len(piece)))
}

// add adds a compressed piece of so many bytes of text.
func (p *textPacker) add(compressed []byte, size uint64) {
	p.size += size
	p.total += uint64(len(compressed))
	p.rows = binary.LittleEndian.AppendUint32(p.rows, uint32(p.size))
	p.rows = binary.LittleEndian.AppendUint32(p.rows, uint32(p.total))
	p.emit(compressed)
}

// pieceCount returns the number of pieces so far.
func (p *textPacker) pieceCount() uint64 { return uint64(len(p.rows) / pieceRowSize) }

// TextCache holds the piece of text that one goroutine decompressed last, and the
// last text of several pieces. Its zero value is ready for use, with any readers.
type TextCache struct {
	reader *Reader // of the piece
	at     piecePlace
	piece  []byte

	joined     *Reader // of the text; nil where there is none
	start, end uint64  // of the text in the row of texts
	text       []byte
}

// Text returns the searchable text of file i. It is valid until the cache is
// used again. A nil cache is allowed.
func (r *Reader) Text(i int, c *TextCache) (text []byte, err error) {
	defer frame.Catch(&err)
	if c == nil {
		c = new(TextCache)
	}
	start, end := r.textRange(i)
	return r.text(start, end, c), nil
}

// TextRange returns bytes [from, to) of the text of file i without reading the
// rest of it. Bounds beyond the text are cut to it.
func (r *Reader) TextRange(i int, from, to int, c *TextCache) (text []byte, err error) {
	defer frame.Catch(&err)
	if c == nil {
		c = new(TextCache)
	}
	start, end := r.textRange(i)
	size := int(end - start)
	from, to = max(min(from, size), 0), max(min(to, size), 0)
	return r.text(start+uint64(from), start+uint64(max(from, to)), c), nil
}

func (r *Reader) text(start, end uint64, c *TextCache) []byte {
	if start == end {
		return nil
	}
	if c.joined == r && c.start <= start && end <= c.end {
		return c.text[start-c.start : end-c.start]
	}
	p := r.cachedPiece(start, c)
	if end <= c.at.textEnd {
		return p[start-c.at.textStart : end-c.at.textStart]
	}
	c.joined = nil
	out := slices.Grow(c.text[:0], int(min(end-start, textAhead)))
	out = append(out, p[start-c.at.textStart:]...)
	next := r.piece(c.at.number + 1)
	for next.textEnd <= end {
		n, size := len(out), int(next.textEnd-next.textStart)
		out = slices.Grow(out, size)[:n+size]
		r.decompress(out[n:], next)
		if next.textEnd == end {
			break
		}
		next = r.piece(next.number + 1)
	}
	if next.textEnd > end {
		out = append(out, r.cachedPiece(next.textStart, c)[:end-next.textStart]...)
	}
	c.joined, c.start, c.end, c.text = r, start, end, out
	return out
}

// piecePlace is where a piece stands: in the row of texts, compressed in secText.
type piecePlace struct {
	number             uint64
	textStart, textEnd uint64
	start, end         uint64
}

// piece returns the place of a piece of at most mostPiece bytes.
func (r *Reader) piece(k uint64) piecePlace {
	if k >= r.pieces {
		r.corrupt(secTextIndex, 0, "reference to a piece that does not exist")
	}
	p := piecePlace{number: k}
	b := r.bytes(secTextIndex, pieceRowSize*k, pieceRowSize)
	p.textEnd, p.end = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[4:]))
	if k > 0 {
		b = r.bytes(secTextIndex, pieceRowSize*(k-1), pieceRowSize)
		p.textStart, p.start = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[4:]))
	}
	if p.textStart >= p.textEnd || p.textEnd-p.textStart > mostPiece || p.start > p.end {
		r.corrupt(secTextIndex, pieceRowSize*k, "pieces out of order")
	}
	return p
}

// pieceAt returns the piece that holds a byte of the row of texts.
func (r *Reader) pieceAt(off uint64) piecePlace {
	k := sort.Search(int(r.pieces), func(k int) bool { return uint64(r.u32(secTextIndex, 2*uint64(k))) > off })
	p := r.piece(uint64(k))
	if off < p.textStart || off >= p.textEnd {
		r.corrupt(secTextIndex, pieceRowSize*uint64(k), "pieces out of order")
	}
	return p
}

// cachedPiece returns the whole piece that holds a byte of the row of texts,
// from the cache if it is there. The cache knows its place.
func (r *Reader) cachedPiece(off uint64, c *TextCache) []byte {
	if c.reader == r && c.at.textStart <= off && off < c.at.textEnd {
		return c.piece
	}
	if c.piece == nil {
		c.piece = make([]byte, mostPiece)
	}
	at := r.pieceAt(off)
	c.reader = nil
	c.piece = c.piece[:at.textEnd-at.textStart]
	r.decompress(c.piece, at)
	c.reader, c.at = r, at
	return c.piece
}

// decompress fills dst with a piece, which must have exactly that size.
func (r *Reader) decompress(dst []byte, p piecePlace) {
	src := r.bytes(secText, p.start, p.end-p.start)
	if n, err := s2.DecodedLen(src); err != nil || n != len(dst) {
		r.corrupt(secText, p.start, "piece of the wrong size")
	}
	if _, err := s2.Decode(dst, src); err != nil {
		r.corrupt(secText, p.start, "piece does not decompress: "+err.Error())
	}
}

// RegionText returns the text of a region. It is valid until the cache is used
// again. A nil cache is allowed.
func (r *Reader) RegionText(i int, c *TextCache) (text []byte, err error) {
	defer frame.Catch(&err)
	if c == nil {
		c = new(TextCache)
	}
	start, end := r.regionRange(i)
	return r.text(start, end, c), nil
}
