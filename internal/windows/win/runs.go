package win

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"espy/internal/segment/arena"
	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
)

func (b *Builder) writeRuns(f *frame.Writer) error {
	var p placeWriter
	var rows []byte
	var postings arena.Spool
	heads := runHeads{names: b.runs.Bytes()}
	for id := range uint32(b.runs.Len()) {
		data, n := p.encode(&b.pool, b.starts[id].stream)
		start, end := b.runs.Range(id)
		for _, v := range []uint32{start, uint32(postings.Size()), uint32(n)} {
			rows = binary.LittleEndian.AppendUint32(rows, v)
		}
		postings.Append(data)
		heads.add(start, end)
	}
	if postings.Size() > math.MaxUint32 || len(b.runs.Bytes()) > math.MaxInt32 {
		return errors.New("more text than one part of windows can have")
	}
	f.Section(secRuns, rows)
	f.Section(secRunNames, b.runs.Bytes())
	f.Begin(secRunPostings)
	postings.Drain(f.Append)
	f.End(secRunPostings)
	f.Section(secRunHeads, heads.sorted())
	return nil
}

// placeWriter turns streams of places into bytes. It keeps its buffers.
type placeWriter struct {
	stream, out []byte
	rest        []uint32
}

// encode returns the bytes of a stream of distances, and how many there are.
func (p *placeWriter) encode(from *arena.Streams, s arena.Stream) (data []byte, n int) {
	p.stream = from.AppendTo(p.stream[:0], s)
	p.out, p.rest = p.out[:0], p.rest[:0]
	next, at := uint32(0), uint32(0)
	for in := p.stream; len(in) > 0; n++ {
		v, size := binary.Uvarint(in)
		in = in[size:]
		at += uint32(v)
		p.rest = append(p.rest, at-next)
		next = at + 1
		if len(p.rest) == pack.BlockLen {
			p.out = pack.AppendBlock(p.out, p.rest)
			p.rest = p.rest[:0]
		}
	}
	for _, v := range p.rest {
		p.out = binary.AppendUvarint(p.out, uint64(v))
	}
	return p.out, n
}

// runHeads gathers and sorts the starts of pieces in the names of runs.
type runHeads struct {
	names []byte
	rows  []runHead
}

// runHead is a start with the first bytes of what it is sorted by.
type runHead struct {
	key [2]uint64
	at  uint32
}

// add adds all pieces but the last of the run with a name.
func (h *runHeads) add(start, end uint32) {
	name := h.names[start:end]
	for last := bytes.LastIndexByte(name, pieceMark); ; {
		last = bytes.LastIndexByte(name[:last], pieceMark)
		if last < 0 {
			return
		}
		at := start + uint32(last) + 1
		var key [16]byte
		appendHeadKey(key[:0], h.names[at:end], len(key))
		h.rows = append(h.rows, runHead{[2]uint64{binary.BigEndian.Uint64(key[:]), binary.BigEndian.Uint64(key[8:])}, at})
	}
}

// maxHead is how many bytes of what a head is sorted by count.
const maxHead = 64

// appendHeadKey appends what a head is sorted by, up to so many bytes: the
// first piece, a zero byte and the letters behind it.
func appendHeadKey(dst, name []byte, limit int) []byte {
	first := true
	for _, c := range name {
		switch {
		case len(dst) >= limit || c == runMark:
			return dst
		case c != pieceMark:
			dst = append(dst, c)
		case first:
			dst = append(dst, 0)
			first = false
		}
	}
	return dst
}

func (h *runHeads) sorted() (out []byte) {
	var x, y [maxHead]byte
	slices.SortFunc(h.rows, func(a, b runHead) int {
		for i := range a.key {
			if a.key[i] != b.key[i] {
				if a.key[i] < b.key[i] {
					return -1
				}
				return 1
			}
		}
		if c := bytes.Compare(appendHeadKey(x[:0], h.names[a.at:], maxHead), appendHeadKey(y[:0], h.names[b.at:], maxHead)); c != 0 {
			return c
		}
		return int(a.at) - int(b.at)
	})
	for _, r := range h.rows {
		out = binary.LittleEndian.AppendUint32(out, r.at)
	}
	return out
}
