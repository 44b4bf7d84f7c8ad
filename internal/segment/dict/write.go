package dict

import (
	"bytes"
	"encoding/binary"
	"slices"

	"espy/internal/segment/arena"
	"espy/internal/segment/frame"
)

// Writer writes terms in order with their postings. It holds the dictionary
// back until all postings are written.
type Writer struct {
	frame   *frame.Writer
	form    Form
	terms   arena.Spool
	starts  []byte // u32 starts of blocks
	keys    []byte // u64 first bytes of blocks
	last    []byte
	written uint64 // bytes of postings
	count   uint64
}

// NewWriter begins the section of postings.
func NewWriter(f *frame.Writer, form Form) *Writer {
	f.Begin(form.Postings)
	return &Writer{frame: f, form: form}
}

// Add adds a term, which comes after those before, with its postings. The
// entry needs no Off.
func (w *Writer) Add(term []byte, e Entry, postings []byte) {
	var buf [2*MaxTerm + 64]byte
	b := buf[:0]
	shared := 0
	if w.count%termBlock == 0 {
		w.starts = binary.LittleEndian.AppendUint32(w.starts, uint32(w.terms.Size()))
		w.keys = binary.LittleEndian.AppendUint64(w.keys, termKey(term))
		b = binary.AppendUvarint(b, w.written)
	} else {
		shared = commonPrefix(term, w.last)
	}
	rest := term[shared:]
	b = append(b, byte(min(shared, 15)<<4|min(len(rest), 15)))
	if shared >= 15 {
		b = binary.AppendUvarint(b, uint64(shared-15))
	}
	if len(rest) >= 15 {
		b = binary.AppendUvarint(b, uint64(len(rest)-15))
	}
	b = w.form.appendEntry(append(b, rest...), e)
	w.terms.Append(b)
	w.last = append(w.last[:0], term...)
	w.frame.Append(postings)
	w.written += uint64(len(postings))
	w.count++
}

// appendEntry appends the flags of a term, and the counts and sizes they call for.
func (f Form) appendEntry(dst []byte, e Entry) []byte {
	at := len(dst)
	dst = append(dst, 0)
	flags := byte(0)
	if e.BodyDF > 0 {
		flags = hasBody
		if e.BodyDF < 32 {
			flags |= byte(e.BodyDF) << countShift
		} else {
			dst = binary.AppendUvarint(dst, uint64(e.BodyDF))
		}
		dst = binary.AppendUvarint(dst, uint64(e.BodyLen))
	}
	if e.PathDF > 0 {
		flags |= hasPath
		dst = binary.AppendUvarint(dst, uint64(e.PathDF))
		dst = binary.AppendUvarint(dst, uint64(e.PathLen))
	}
	if e.SymbolDF > 0 {
		flags |= hasSymbol
		dst = binary.AppendUvarint(dst, uint64(e.SymbolDF))
		dst = binary.AppendUvarint(dst, uint64(e.SymbolLen))
	}
	dst[at] = flags
	if f.Spread && flags&(hasPath|hasSymbol) != 0 {
		dst = binary.AppendUvarint(dst, uint64(e.ChunkDF))
	}
	if f.Spread && !oneBody(flags) {
		dst = binary.AppendUvarint(dst, uint64(e.FileDF))
	}
	return dst
}

// Finish ends the postings, writes the dictionary and returns the number of terms.
func (w *Writer) Finish() (terms uint64) {
	w.frame.End(w.form.Postings)
	w.frame.Begin(w.form.Terms)
	w.terms.Drain(w.frame.Append)
	w.frame.End(w.form.Terms)
	w.frame.Begin(w.form.Index)
	w.frame.Append(w.keys)
	w.frame.Append(w.starts)
	w.frame.End(w.form.Index)
	return w.count
}

// Sorted returns the numbers of names in byte order.
func Sorted(names *arena.Names) []uint32 {
	type keyed struct {
		key uint64
		id  uint32
	}
	all := make([]keyed, names.Len())
	for id := range all {
		all[id] = keyed{termKey(names.At(uint32(id))), uint32(id)}
	}
	slices.SortFunc(all, func(x, y keyed) int {
		switch {
		case x.key < y.key:
			return -1
		case x.key > y.key:
			return 1
		}
		return bytes.Compare(names.At(x.id), names.At(y.id))
	})
	ids := make([]uint32, len(all))
	for i, k := range all {
		ids[i] = k.id
	}
	return ids
}
