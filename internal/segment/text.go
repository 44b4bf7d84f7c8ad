package segment

import (
	"slices"

	"github.com/klauspost/compress/s2"
)

// textBlock is how much text one compressed piece holds.
const textBlock = 16 << 10

// textAhead is how much memory a text gets before any of it is decompressed: a
// made-up size must not claim more than the file can fill.
const textAhead = 16 << 20

// textPacker cuts a row of texts into pieces and compresses each.
type textPacker struct {
	emit  func(piece []byte) // the piece is valid during the call
	piece []byte
	out   []byte
	ends  []uint32
	size  uint64 // bytes of text
	total uint64 // bytes of compressed pieces
}

func (p *textPacker) write(text []byte) {
	p.size += uint64(len(text))
	for len(text) > 0 {
		if len(p.piece) == 0 && len(text) >= textBlock {
			p.compress(text[:textBlock])
			text = text[textBlock:]
			continue
		}
		if p.piece == nil {
			p.piece = make([]byte, 0, textBlock)
		}
		n := copy(p.piece[len(p.piece):textBlock], text)
		p.piece = p.piece[:len(p.piece)+n]
		text = text[n:]
		if len(p.piece) == textBlock {
			p.flush()
		}
	}
}

func (p *textPacker) flush() {
	if len(p.piece) > 0 {
		p.compress(p.piece)
		p.piece = p.piece[:0]
	}
}

func (p *textPacker) compress(piece []byte) {
	if p.out == nil {
		p.out = make([]byte, s2.MaxEncodedLen(textBlock))
	}
	out := s2.EncodeBetter(p.out, piece)
	p.total += uint64(len(out))
	p.ends = append(p.ends, uint32(p.total))
	p.emit(out)
}

// TextCache holds the piece of text that one goroutine decompressed last and
// the buffer for files of several pieces. Its zero value is ready for use, with
// any readers.
type TextCache struct {
	reader *Reader
	index  uint64
	piece  []byte
	text   []byte
}

// Text returns the searchable text of file i. It is valid until the cache is
// used again. A nil cache is allowed.
func (r *Reader) Text(i int, c *TextCache) (text []byte, err error) {
	defer catch(&err)
	if c == nil {
		c = new(TextCache)
	}
	start, end := r.textRange(i)
	return r.text(start, end, c), nil
}

// TextRange returns bytes [from, to) of the text of file i without reading the
// rest of it. Bounds beyond the text are cut to it.
func (r *Reader) TextRange(i int, from, to int, c *TextCache) (text []byte, err error) {
	defer catch(&err)
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
	first, last := start/textBlock, (end-1)/textBlock
	if first == last {
		p := r.textPiece(first, c)
		return p[start%textBlock : end-first*textBlock]
	}
	out := slices.Grow(c.text[:0], int(min(end-start, textAhead)))
	out = append(out, r.textPiece(first, c)[start%textBlock:]...)
	for k := first + 1; k < last; k++ {
		out = slices.Grow(out, textBlock)
		n := len(out)
		r.decompress(out[n:n+textBlock], k)
		out = out[:n+textBlock]
	}
	out = append(out, r.textPiece(last, c)[:end-last*textBlock]...)
	c.text = out
	return out
}

// textPiece returns one whole piece, from the cache if it is there.
func (r *Reader) textPiece(k uint64, c *TextCache) []byte {
	if c.reader == r && c.index == k {
		return c.piece
	}
	if c.piece == nil {
		c.piece = make([]byte, textBlock)
	}
	c.reader = nil
	size := min(textBlock, uint64(r.stats.TextBytes)-k*textBlock)
	c.piece = c.piece[:size]
	r.decompress(c.piece, k)
	c.reader, c.index = r, k
	return c.piece
}

// decompress fills dst with piece k, which must have exactly that size.
func (r *Reader) decompress(dst []byte, k uint64) {
	var start uint64
	if k > 0 {
		start = uint64(r.u32(secTextIndex, k-1))
	}
	end := uint64(r.u32(secTextIndex, k))
	if start > end {
		r.corrupt(secTextIndex, 4*k, "pieces out of order")
	}
	src := r.bytes(secText, start, end-start)
	if n, err := s2.DecodedLen(src); err != nil || n != len(dst) {
		r.corrupt(secText, start, "piece of the wrong size")
	}
	if _, err := s2.Decode(dst, src); err != nil {
		r.corrupt(secText, start, "piece does not decompress: "+err.Error())
	}
}
