package syn

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/segment/frame"
	"espy/internal/segment/syn/table"
)

// version is the format this program writes. Its history:
//
//	1  first format
//	2  the base of a column may rise
//	3  postings count calls
const version = 3

var format = frame.Format{Magic: "espysyn\n", EndMagic: "\nnysypse", Version: version}

// The sections, in the order in which they stand in a part.
const (
	secBodies = iota
	secLocals
	secNames
	secNameIndex
	secPostings
	secFiles
	numSections
)

var sectionNames = []string{"bodies", "file names", "names", "name index", "postings", "files"}

const (
	fileRowSize  = 16
	nameBlock    = 16
	nameIndexRow = 8
	countNumbers = 10
)

// Stats counts what a part holds, dead files included.
type Stats struct {
	Files   int // with a place in the part
	Parsed  int
	Failed  int
	Unknown int // in a language without a grammar
	Symbols int
	Names   int
}

// Pending is the number of files that nothing is known of yet.
func (s Stats) Pending() int { return s.Files - s.Parsed - s.Failed - s.Unknown }

// contents is what the reader must know before it reads a section. In the file
// the places of the sections follow the numbers.
type contents struct {
	stats Stats
	lex   code.Hash // identity of the lex part
}

func (c *contents) append(dst []byte, sections []frame.Span) []byte {
	s := &c.stats
	le := binary.LittleEndian
	for _, n := range []int{s.Files, s.Parsed, s.Failed, s.Unknown, s.Symbols, s.Names, 0, 0} {
		dst = le.AppendUint64(dst, uint64(n))
	}
	dst = append(dst, c.lex[:]...)
	for _, p := range sections {
		dst = le.AppendUint64(dst, p.Off)
		dst = le.AppendUint64(dst, p.Len)
	}
	return dst
}

// fileRow is a row of the table of files. A file begins where the one before
// it ends.
type fileRow struct {
	bodyEnd   uint64
	localsEnd uint32
	names     uint32
	state     State
}

func (f *fileRow) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, f.bodyEnd)
	dst = binary.LittleEndian.AppendUint32(dst, f.localsEnd)
	return binary.LittleEndian.AppendUint32(dst, f.names<<2|uint32(f.state))
}

// maxNames bounds the distinct names of one file.
const maxNames = 1<<30 - 1

// Builder writes a part as files are added to it, in the order of the lex
// part. Beside the names it holds a few bytes for each file and for each name
// in it. It belongs to one goroutine.
type Builder struct {
	frame *frame.Writer
	contents
	bodies uint64
	files  []fileRow
	ids    map[string]uint32
	names  []string
	locals []uint32 // of each file its names in order
	flags  []uint32 // of each of locals

	copiers map[*Reader]*copier
	last    *copier
}

// NewBuilder begins a part for the lex part of an identity. Finish
// returns errors of writing.
func NewBuilder(w io.Writer, lex code.Hash) *Builder {
	b := &Builder{frame: frame.NewWriter(w, format, numSections), contents: contents{lex: lex}, ids: map[string]uint32{}}
	b.frame.Begin(secBodies)
	return b
}

// AddRecord adds the next file.
func (b *Builder) AddRecord(r *Record) error {
	if len(r.names) > maxNames {
		return fmt.Errorf("%d names in one file", len(r.names))
	}
	for name, flags := range r.each {
		b.locals = append(b.locals, b.name(name))
		b.flags = append(b.flags, flags)
	}
	b.add(r.state, r.symbols, len(r.names), r.body)
	return nil
}

func (b *Builder) name(name string) uint32 {
	id, ok := b.ids[name]
	if !ok {
		id = uint32(len(b.names))
		name = strings.Clone(name) // names may be parts of whole files
		b.ids[name] = id
		b.names = append(b.names, name)
	}
	return id
}

func (b *Builder) add(state State, symbols, names int, body []byte) {
	b.frame.Append(body)
	b.bodies += uint64(len(body))
	b.files = append(b.files, fileRow{bodyEnd: b.bodies, names: uint32(names), state: state})
	b.stats.Files++
	b.stats.count(state, symbols)
}

func (s *Stats) count(state State, symbols int) {
	s.Symbols += symbols
	switch state {
	case Parsed:
		s.Parsed++
	case Failed:
		s.Failed++
	case Unknown:
		s.Unknown++
	}
}

// Finish writes what is left and returns the size of the part. The builder
// must not be used after that.
func (b *Builder) Finish() (int64, error) {
	b.frame.End(secBodies)
	order := b.sortNames()
	b.ids, b.names, b.copiers, b.last = nil, nil, nil, nil // make room for the postings
	b.writeLocals()
	b.writeNames(order)
	b.frame.Begin(secFiles)
	var row []byte
	for i := range b.files {
		row = b.files[i].append(row[:0])
		b.frame.Append(row)
	}
	b.frame.End(secFiles)
	b.stats.Names = len(order)
	return b.frame.Finish(func(dst []byte, _ uint64) []byte { return b.contents.append(dst, b.frame.Sections) })
}

// sortNames returns the names in order and renumbers locals to their ranks.
func (b *Builder) sortNames() []string {
	sorted := make([]sortedName, len(b.names))
	for id, name := range b.names {
		sorted[id] = sortedName{prefix(name), uint32(id)}
	}
	sortNames(sorted, b.names)
	order, ranks := make([]string, len(sorted)), make([]uint32, len(sorted))
	for rank, s := range sorted {
		order[rank], ranks[s.id] = b.names[s.id], uint32(rank)
	}
	for i, id := range b.locals {
		b.locals[i] = ranks[id]
	}
	return order
}

func (b *Builder) writeLocals() {
	b.frame.Begin(secLocals)
	var buf []byte
	rest, end := b.locals, 0
	for i := range b.files {
		n := int(b.files[i].names)
		if n > 0 {
			buf = table.Append(buf[:0], rest[:n])
			b.frame.Append(buf)
			end += len(buf)
		}
		rest = rest[n:]
		b.files[i].localsEnd = uint32(end)
	}
	b.frame.End(secLocals)
}

// writeNames writes the names with the files of each.
func (b *Builder) writeNames(order []string) {
	var names, index, postings []byte
	var last string
	next := b.postings(len(order))
	for rank, name := range order {
		shared := 0
		if rank%nameBlock == 0 {
			index = binary.LittleEndian.AppendUint32(index, uint32(len(names)))
			index = binary.LittleEndian.AppendUint32(index, uint32(len(postings)))
		} else {
			shared = commonPrefix(last, name)
			names = binary.AppendUvarint(names, uint64(shared))
		}
		start := len(postings)
		postings = next(postings)
		names = binary.AppendUvarint(names, uint64(len(name)-shared))
		names = append(names, name[shared:]...)
		names = binary.AppendUvarint(names, uint64(len(postings)-start))
		last = name
	}
	b.frame.Section(secNames, names)
	b.frame.Section(secNameIndex, index)
	b.frame.Section(secPostings, postings)
}

// postings returns a function that appends the files of the next name.
func (b *Builder) postings(names int) (next func(dst []byte) []byte) {
	starts := make([]uint32, names+1)
	for _, rank := range b.locals {
		starts[rank+1]++
	}
	for i := 1; i <= names; i++ {
		starts[i] += starts[i-1]
	}
	files := make([]uint32, len(b.locals))
	flags := make([]uint32, len(b.locals))
	at := slices.Clone(starts)
	k := 0
	for file := range b.files {
		for range b.files[file].names {
			to := &at[b.locals[k]]
			files[*to], flags[*to] = uint32(file), b.flags[k]
			*to++
			k++
		}
	}
	rank := 0
	return func(dst []byte) []byte {
		last := uint32(0)
		for i := starts[rank]; i < starts[rank+1]; i++ {
			dst = binary.AppendUvarint(dst, uint64(files[i]-last)<<hasBits|uint64(flags[i]&hasMask))
			if flags[i]&hasCall != 0 {
				dst = binary.AppendUvarint(dst, uint64(flags[i]>>hasBits))
			}
			last = files[i]
		}
		rank++
		return dst
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
