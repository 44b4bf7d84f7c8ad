package pack

import (
	"encoding/binary"

	"espy/internal/segment/frame"
)

// Cursor decodes numbers from checked bytes of one section. What cannot be
// decoded ends in the panic of a *frame.CorruptError.
type Cursor struct {
	Rest []byte // not decoded yet

	frame   *frame.Reader
	section int
	end     uint64 // of Rest in the section
}

// NewCursor returns a cursor on n bytes of a section from off.
func NewCursor(r *frame.Reader, section int, off, n uint64) Cursor {
	return Cursor{Rest: r.Bytes(section, off, n), frame: r, section: section, end: off + n}
}

// ContentsCursor returns a cursor on b, the last bytes of the contents of a part.
func ContentsCursor(r *frame.Reader, b []byte) Cursor {
	return Cursor{Rest: b, frame: r, section: frame.NoSection, end: uint64(len(r.Data)) - frame.FooterSize}
}

// Offset returns where the rest begins in the section.
func (c *Cursor) Offset() uint64 { return c.end - uint64(len(c.Rest)) }

// Bad panics with a *frame.CorruptError of the place that the cursor stands on.
func (c *Cursor) Bad(reason string) { c.frame.Corrupt(c.section, c.Offset(), reason) }

// Uvarint decodes a varint.
func (c *Cursor) Uvarint() uint64 {
	if b := c.Rest; len(b) > 0 && b[0] < 0x80 {
		c.Rest = b[1:]
		return uint64(b[0])
	}
	return c.longUvarint()
}

func (c *Cursor) longUvarint() uint64 {
	if b := c.Rest; len(b) > 1 && b[1] < 0x80 {
		c.Rest = b[2:]
		return uint64(b[0]&0x7f) | uint64(b[1])<<7
	}
	v, n := binary.Uvarint(c.Rest)
	if n <= 0 {
		c.Bad("number cut off or too long")
	}
	c.Rest = c.Rest[n:]
	return v
}

// Uint32 decodes a varint of at most 32 bits.
func (c *Cursor) Uint32() uint32 {
	v := c.Uvarint()
	if v > 1<<32-1 {
		c.Bad("number too large")
	}
	return uint32(v)
}

// Byte returns the next byte.
func (c *Cursor) Byte() byte { return c.Take(1)[0] }

// Take returns the next n bytes.
func (c *Cursor) Take(n uint64) []byte {
	if n > uint64(len(c.Rest)) {
		c.Bad("length beyond the end")
	}
	b := c.Rest[:n]
	c.Rest = c.Rest[n:]
	return b
}
