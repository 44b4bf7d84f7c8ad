package frame

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
)

// NoSection stands for the header, the contents and the footer.
const NoSection = -1

// Reader reads a file of sections. Its methods may be called from any number
// of goroutines.
type Reader struct {
	Name     string // for messages
	Data     []byte // the whole file
	Sections []Span
	DataEnd  uint64 // pages and their checksums end here

	names    []string // of the sections
	sums     []byte
	verified []atomic.Uint64 // bit per page
}

// Open reads the frame of a file, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. It returns the
// contents; the caller sets the sections. Errors are *CorruptError and
// *VersionError.
func Open(data []byte, name string, f Format, sections []string) (r *Reader, contents []byte, err error) {
	defer Catch(&err)
	r = &Reader{Name: name, Data: data, Sections: make([]Span, len(sections)), names: sections}
	if err := r.openHeader(f); err != nil {
		return nil, nil, err
	}
	tail := r.openFooter(f)
	pages := (r.DataEnd + PageSize - 1) >> PageShift
	if uint64(len(tail)) < pages*8 {
		r.Corrupt(NoSection, r.DataEnd, "contents are too short")
	}
	r.sums = tail[:pages*8]
	r.verified = make([]atomic.Uint64, (pages+63)/64)
	return r, tail[pages*8:], nil
}

func (r *Reader) openHeader(f Format) error {
	if len(r.Data) < HeaderSize+FooterSize {
		r.Corrupt(NoSection, 0, fmt.Sprintf("only %d bytes", len(r.Data)))
	}
	h := r.Data[:HeaderSize]
	if string(h[:8]) != f.Magic {
		r.Corrupt(NoSection, 0, "not a part of this kind")
	}
	if xxh3.Hash(h[:24]) != binary.LittleEndian.Uint64(h[24:]) {
		r.Corrupt(NoSection, 0, "header does not match its checksum")
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != f.Version {
		return &VersionError{Name: r.Name, Found: v, Known: f.Version}
	}
	return nil
}

// openFooter returns the sums and contents that the footer vouches for.
func (r *Reader) openFooter(format Format) (tail []byte) {
	at := uint64(len(r.Data)) - FooterSize
	f := r.Data[at:]
	if string(f[56:]) != format.EndMagic || xxh3.Hash(f[:48]) != binary.LittleEndian.Uint64(f[48:]) {
		r.Corrupt(NoSection, at, "footer is damaged or cut off")
	}
	start, n := binary.LittleEndian.Uint64(f), binary.LittleEndian.Uint64(f[8:])
	if binary.LittleEndian.Uint64(f[32:]) != uint64(len(r.Data)) || start > at || n != at-start || start < HeaderSize {
		r.Corrupt(NoSection, at, "file is longer or shorter than when it was written")
	}
	tail = r.Data[start:at]
	if sum := xxh3.Hash128(tail).Bytes(); !bytes.Equal(sum[:], f[16:32]) {
		r.Corrupt(NoSection, start, "contents do not match their checksum")
	}
	r.DataEnd = start
	return tail
}

// CheckSections holds that the sections are in order and within the file.
func (r *Reader) CheckSections() {
	end := uint64(HeaderSize)
	for i, s := range r.Sections {
		if s.Off < end || s.Off > r.DataEnd || s.Len > r.DataEnd-s.Off {
			r.Corrupt(NoSection, r.DataEnd, "section "+r.names[i]+" lies outside the file")
		}
		end = s.Off + s.Len
	}
}

// Identity is a hash of the whole content: it covers the checksums of all
// pages. Two files with the same identity hold the same bytes.
func (r *Reader) Identity() code.Hash {
	return xxh3.Hash128(r.Data[len(r.Data)-FooterSize:]).Bytes()
}

// Corrupt panics with a *CorruptError. The offset counts from the section.
func (r *Reader) Corrupt(section int, off uint64, reason string) {
	name := "frame"
	if section >= 0 {
		off += r.Sections[section].Off
		name = r.names[section]
	}
	panic(&CorruptError{Name: r.Name, Section: name, Offset: int64(off), Reason: reason})
}

// Need makes sure that n bytes from off lie within the section and on checked
// pages, and returns their place in the file.
func (r *Reader) Need(section int, off, n uint64) uint64 {
	s := &r.Sections[section]
	if off > s.Len || n > s.Len-off {
		r.Corrupt(section, off, "reference beyond the section")
	}
	at := s.Off + off
	if n == 0 {
		return at
	}
	for p, last := at>>PageShift, (at+n-1)>>PageShift; p <= last; p++ {
		if r.verified[p>>6].Load()>>(p&63)&1 == 0 {
			r.verify(section, p)
		}
	}
	return at
}

func (r *Reader) verify(section int, page uint64) {
	start := page << PageShift
	end := min(start+PageSize, r.DataEnd)
	if xxh3.Hash(r.Data[start:end]) != binary.LittleEndian.Uint64(r.sums[8*page:]) {
		name := "frame"
		if section >= 0 {
			name = r.names[section]
		}
		panic(&CorruptError{Name: r.Name, Section: name, Offset: int64(start), Reason: "page does not match its checksum"})
	}
	r.verified[page>>6].Or(1 << (page & 63))
}

// Bytes returns n checked bytes of a section.
func (r *Reader) Bytes(section int, off, n uint64) []byte {
	at := r.Need(section, off, n)
	return r.Data[at : at+n : at+n]
}

// Packed returns n checked bytes and the 8 bytes behind them, for readers of
// words that begin in the last byte. The footer stands behind every section,
// so they exist.
func (r *Reader) Packed(section int, off, n uint64) []byte {
	at := r.Need(section, off, n)
	return r.Data[at : at+n+8]
}

// Pace lets a check of a mapped file hold little of it: Release, which may be
// nil, gives the memory of what was read back to the system, and is called each
// time about 16 MB were read.
type Pace struct {
	Release func()
	read    int
}

const releaseEvery = 16 << 20

// Read notes that about n bytes were read.
func (p *Pace) Read(n int) {
	if p.read += n; p.read >= releaseEvery && p.Release != nil {
		p.read = 0
		p.Release()
	}
}

// CheckPages checks every page anew.
func (r *Reader) CheckPages(pace *Pace) {
	for p := uint64(0); p<<PageShift < r.DataEnd; p++ {
		r.verify(r.sectionAt(p<<PageShift), p)
		pace.Read(PageSize)
	}
}

// sectionAt returns the last section that begins at or before off.
func (r *Reader) sectionAt(off uint64) int {
	at := NoSection
	for s, sp := range r.Sections {
		if sp.Off <= off {
			at = s
		}
	}
	return at
}
