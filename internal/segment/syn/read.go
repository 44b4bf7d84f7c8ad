package syn

import (
	"encoding/binary"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"espy/internal/code"
	"espy/internal/segment/frame"
)

// The layout of a part within its frame (package segment/frame), numbers little
// endian, varints as in encoding/binary, tables as in table.go. The contents are
// counts (u64 files, parsed, failed, unknown, symbols, names, two zeros), the
// identity of the lex part (16 bytes) and u64 start and length of each section.
//
//	bodies      of each file in order: of a parsed one
//	              varint rows and then varint bytes of each table, varint package (name
//	              of the file plus 1), varint number of faults, each a varint line and a
//	              message behind its varint length; then the tables: lines, symbols,
//	              uses, imports, expressions (encode.go has their columns);
//	            of a failed one the reason; of others nothing
//	file names  of each file the ranks of its distinct names, sorted: a table of one
//	            column. The tables of a file hold the indexes of names in this list
//	names       blocks of 16 names in the order of their bytes: the first whole, of each
//	            other the varint bytes it shares with the one before; the rest behind its
//	            varint length; varint bytes of its postings
//	name index  of each block u32 start in names and u32 start in postings
//	postings    of each name the files with it: varint distance << 5 | what it has there,
//	            and where that says calls a varint number of them
//	files       of each file u64 end of its body, u32 end of its names,
//	            u32 number of names << 2 | state

// Reader answers from one part. Its methods may be called from any number of
// goroutines.
type Reader struct {
	frame *frame.Reader
	contents
	recent [recentNames]atomic.Pointer[rankedName] // names read last, by rank
	firsts []atomic.Uint64                         // by block of names: the prefix of its first one, 0 until it is read
}

// recentNames bounds the names that a reader keeps decoded: each takes some
// 50 bytes.
const recentNames = 1 << 11

type rankedName struct {
	rank int
	name string
}

// Open reads the frame of a part, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. The name is for
// messages. Errors are *frame.CorruptError and *frame.VersionError.
func Open(data []byte, name string) (r *Reader, err error) {
	defer frame.Catch(&err)
	f, tail, err := frame.Open(data, name, format, sectionNames)
	if err != nil {
		return nil, err
	}
	r = &Reader{frame: f}
	if len(tail) != 8*(countNumbers+2*numSections) {
		f.Corrupt(frame.NoSection, f.DataEnd, "contents are too short or too long")
	}
	r.openContents(tail)
	f.CheckSections()
	r.checkSizes()
	r.firsts = make([]atomic.Uint64, (r.stats.Names+nameBlock-1)/nameBlock)
	return r, nil
}

func (r *Reader) openContents(b []byte) {
	n := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	s := &r.stats
	for i, to := range []*int{&s.Files, &s.Parsed, &s.Failed, &s.Unknown, &s.Symbols, &s.Names} {
		if n(i) > 1<<40 {
			r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, "count out of range")
		}
		*to = int(n(i))
	}
	r.lex = code.Hash(b[64:80])
	for i := range r.frame.Sections {
		r.frame.Sections[i] = frame.Span{Off: n(countNumbers + 2*i), Len: n(countNumbers + 2*i + 1)}
	}
}

func (r *Reader) checkSizes() {
	r.wantLen(secFiles, uint64(r.stats.Files)*fileRowSize)
	r.wantLen(secNameIndex, uint64(r.stats.Names+nameBlock-1)/nameBlock*nameIndexRow)
	if r.stats.Pending() < 0 {
		r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, "counts of files disagree")
	}
}

func (r *Reader) wantLen(section int, n uint64) {
	if have := r.size(section); have != n {
		r.frame.Corrupt(frame.NoSection, r.frame.DataEnd, fmt.Sprintf("section %s has %d bytes instead of %d", sectionNames[section], have, n))
	}
}

func (r *Reader) size(section int) uint64 { return r.frame.Sections[section].Len }

// Size returns the bytes of the part.
func (r *Reader) Size() int64 { return int64(len(r.frame.Data)) }

// Identity is a hash of the whole content.
func (r *Reader) Identity() code.Hash { return r.frame.Identity() }

// Lex returns the identity of the lex part that the part was made for.
func (r *Reader) Lex() code.Hash { return r.lex }

// Stats returns the counts of the part.
func (r *Reader) Stats() Stats { return r.stats }

// NumFiles returns the number of files, which is that of the lex part.
func (r *Reader) NumFiles() int { return r.stats.Files }

// State says what the part holds of file i.
func (r *Reader) State(i int) State {
	row, _ := r.fileRow(i)
	return row.state
}

// fileRow returns the row of a file and where it begins.
func (r *Reader) fileRow(i int) (row, start fileRow) {
	if uint(i) >= uint(r.stats.Files) {
		r.frame.Corrupt(secFiles, 0, "reference to a file that does not exist")
	}
	first := max(i-1, 0)
	b := r.frame.Bytes(secFiles, uint64(first)*fileRowSize, uint64(i-first+1)*fileRowSize)
	if i > 0 {
		start.decode(b)
		b = b[fileRowSize:]
	}
	row.decode(b)
	if row.bodyEnd < start.bodyEnd || row.localsEnd < start.localsEnd {
		r.frame.Corrupt(secFiles, uint64(i)*fileRowSize, "ranges of files out of order")
	}
	return row, start
}

func (f *fileRow) decode(b []byte) {
	f.bodyEnd = binary.LittleEndian.Uint64(b)
	f.localsEnd = binary.LittleEndian.Uint32(b[8:])
	n := binary.LittleEndian.Uint32(b[12:])
	f.names, f.state = n>>2, State(n&3)
}

// Symbols calls yield with the declarations of a name, file by file and in the
// order of their files, until it returns false: f.Symbol(i). A File is good
// until yield returns.
func (r *Reader) Symbols(name string) iter.Seq2[*File, int] {
	return r.rows(name, hasGlobal|hasLocal, tableSymbols)
}

// Globals is Symbols of files that declare the name for others to mean too; a
// file may have local symbols of that name too.
func (r *Reader) Globals(name string) iter.Seq2[*File, int] {
	return r.rows(name, hasGlobal, tableSymbols)
}

// Uses is Symbols for the uses of a name: f.Use(i).
func (r *Reader) Uses(name string) iter.Seq2[*File, int] {
	return r.rows(name, hasUse, tableUses)
}

// Imports is Symbols for the imports with a name as their module, their name or
// their local name: f.Import(i).
func (r *Reader) Imports(name string) iter.Seq2[*File, int] {
	return r.rows(name, hasImport, tableImports)
}

// looks are the Files of look-ups that are over.
var looks = sync.Pool{New: func() any { return newFile() }}

// rows finds the rows of a table with a name.
func (r *Reader) rows(name string, flags uint32, table int) iter.Seq2[*File, int] {
	return func(yield func(*File, int) bool) {
		rank, files, ok := r.lookup(name)
		if !ok {
			return
		}
		f := looks.Get().(*File)
		defer looks.Put(f)
		for file, has, ok := files.next(); ok; file, has, ok = files.next() {
			if has&flags == 0 {
				continue
			}
			r.open(file, f)
			local, ok := f.local(rank)
			if !ok {
				r.frame.Corrupt(secPostings, 0, "a name stands for a file without it")
			}
			if !f.find(table, local, yield) {
				return
			}
		}
	}
}

// FilesUsing calls yield with the files that have uses of a name, in order, until it
// returns false.
func (r *Reader) FilesUsing(name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		_, files, ok := r.lookup(name)
		if !ok {
			return
		}
		for file, has, ok := files.next(); ok; file, has, ok = files.next() {
			if has&hasUse != 0 && !yield(file) {
				return
			}
		}
	}
}

// Declaring calls yield with the files that declare a name that fits, in order, until
// it returns false. Each name of the part is asked about once.
func (r *Reader) Declaring(fits func(name string) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		if r.stats.Names == 0 {
			return
		}
		declare := make([]bool, r.stats.Files)
		var c nameCursor
		for c.block(r, 0); c.next(); {
			if !fits(string(c.name)) {
				continue
			}
			files := c.files()
			for file, has, ok := files.next(); ok; file, has, ok = files.next() {
				declare[file] = declare[file] || has&(hasGlobal|hasLocal) != 0
			}
		}
		for file, does := range declare {
			if does && !yield(file) {
				return
			}
		}
	}
}

// Calls counts the uses of a name that are calls, in the files that live lets
// through.
func (r *Reader) Calls(name string, live func(file int) bool) int {
	_, files, ok := r.lookup(name)
	if !ok {
		return 0
	}
	n := 0
	for file, has, ok := files.next(); ok; file, has, ok = files.next() {
		if has&hasCall != 0 && live(file) {
			n += int(has >> hasBits)
		}
	}
	return n
}
