// Package frame writes and reads what the parts of a segment have in common: a
// header, sections on pages of 64 KiB with a checksum each, the contents that
// only the part understands, and a footer that vouches for all of it.
//
// The layout, numbers little endian:
//
//	header    magic, u32 version, u32 header size, u64 zero, u64 XXH3 of these
//	sections  each at a multiple of 8 bytes, in order
//	sums      a u64 XXH3 for each 64 KiB page from the header to here
//	contents  of the part
//	footer    u64 start and u64 length of sums and contents, their 128-bit XXH3,
//	          u64 size of the file, u64 zero, u64 XXH3 of these, magic
//
// Open checks header, sums, contents and footer. A page is checked when it is
// first touched, once. Methods without an error result end the enclosing Guard
// with the *CorruptError instead.
package frame

import (
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"
)

// Format tells the parts of one kind from others. Both magics have 8 bytes.
type Format struct {
	Magic, EndMagic string
	Version         uint32
}

// Span is where a section stands in its file.
type Span struct{ Off, Len uint64 }

// Sizes in bytes.
const (
	HeaderSize = 32
	FooterSize = 64
	PageShift  = 16
	PageSize   = 1 << PageShift
)

// Header appends the header of a format.
func (f Format) Header(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, f.Magic...)
	dst = binary.LittleEndian.AppendUint32(dst, f.Version)
	dst = binary.LittleEndian.AppendUint32(dst, HeaderSize)
	dst = binary.LittleEndian.AppendUint64(dst, 0)
	return binary.LittleEndian.AppendUint64(dst, xxh3.Hash(dst[start:]))
}

// Footer appends the footer behind a tail: the sums and the contents, which
// stand between dataEnd and the footer.
func (f Format) Footer(dst, tail []byte, dataEnd uint64) []byte {
	start := len(dst)
	sum := xxh3.Hash128(tail).Bytes()
	dst = binary.LittleEndian.AppendUint64(dst, dataEnd)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(tail)))
	dst = append(dst, sum[:]...)
	dst = binary.LittleEndian.AppendUint64(dst, dataEnd+uint64(len(tail))+FooterSize)
	dst = binary.LittleEndian.AppendUint64(dst, 0)
	dst = binary.LittleEndian.AppendUint64(dst, xxh3.Hash(dst[start:]))
	return append(dst, f.EndMagic...)
}

// Writer writes a file of sections. Its first error is kept for Finish.
type Writer struct {
	Sections []Span // of those written so far

	w      io.Writer
	format Format
	err    error
	size   uint64 // bytes written and buffered
	page   []byte // not written yet
	sums   []byte
}

// NewWriter begins a file with a number of sections.
func NewWriter(w io.Writer, f Format, sections int) *Writer {
	fw := &Writer{Sections: make([]Span, sections), w: w, format: f, page: make([]byte, 0, PageSize)}
	fw.Append(f.Header(nil))
	return fw
}

// Append adds bytes to the section that was begun.
func (w *Writer) Append(p []byte) {
	w.size += uint64(len(p))
	for len(p) > 0 {
		n := copy(w.page[len(w.page):PageSize], p)
		w.page = w.page[:len(w.page)+n]
		p = p[n:]
		if len(w.page) == PageSize {
			w.endPage()
		}
	}
}

func (w *Writer) endPage() {
	if len(w.page) == 0 {
		return
	}
	w.sums = binary.LittleEndian.AppendUint64(w.sums, xxh3.Hash(w.page))
	w.flush(w.page)
	w.page = w.page[:0]
}

func (w *Writer) flush(p []byte) {
	if w.err != nil {
		return
	}
	var n int
	if n, w.err = w.w.Write(p); w.err == nil && n < len(p) {
		w.err = io.ErrShortWrite
	}
}

// Begin starts a section at a multiple of 8 bytes.
func (w *Writer) Begin(section int) {
	w.Append(make([]byte, -w.size&7))
	w.Sections[section].Off = w.size
}

// End ends a section.
func (w *Writer) End(section int) {
	w.Sections[section].Len = w.size - w.Sections[section].Off
}

// Section writes a whole section.
func (w *Writer) Section(section int, data []byte) {
	w.Begin(section)
	w.Append(data)
	w.End(section)
}

// Finish ends the file and returns its size. The contents are made by a
// function that is told where the sections and their padding end.
func (w *Writer) Finish(contents func(dst []byte, dataEnd uint64) []byte) (int64, error) {
	w.endPage()
	tail := contents(w.sums, w.size)
	w.flush(tail)
	w.flush(w.format.Footer(nil, tail, w.size))
	return int64(w.size) + int64(len(tail)) + FooterSize, w.err
}
