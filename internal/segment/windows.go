package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/segment/frame"
	"espy/internal/token"
)

// A part of windows says what the windows of some files of a view hold, so that
// they are ranked without their text. Its files are in path order, and so are
// its windows, which are numbered from 0. The pieces of all plain words (package
// token) are numbered from 0 too, with one number left free behind each file, so
// that no two files have pieces side by side.
//
// It has a frame (package frame), the contents of a segment, whose counts are of
// files, windows (as chunks), plain words of all windows, terms and pieces, and
// of its sections and some of its own these:
//
//	postings       of each piece of a word, folded, the places where it stands
//	terms          the pieces, as terms.go describes, with body postings alone
//	term index     as in a segment
//	window files   rows of 20 bytes: u32 segment of the view, u32 file in it, u32 ends of
//	               its windows, of its pieces and of its path
//	window paths   of each file a zero byte, a slash, and the path in lower case
//	windows        rows of 8 bytes: u32 first piece that is whole in it, u32 behind the last
//	window words   of each window the u32 number of plain words, cut ones included
//	window places  rows of 8 bytes: u32 start and end in the text of the file
//	glue           a bit per piece: nothing stands between it and the one before
//	runs           rows of 12 bytes of the distinct runs, which are two and more pieces of
//	               letters that are glued: u32 start of its name, u32 start of its postings,
//	               u32 number of them
//	run names      of each run its pieces, folded, each behind a zero byte, and a byte 1
//	run postings   of each run the places where it begins
//	run heads      u32 starts in run names of all pieces but the last of each run,
//	               sorted by that piece, and then by the letters behind it
//
// Places are up to 127 varints, or blocks of 128 (pack.go) and then varints, of
// the distance from the place before less one.

// WindowsVersion is the format of parts of windows this program writes. Its
// history:
//
//	1  first format
const WindowsVersion = 1

var windowsFormat = frame.Format{Magic: "espywin\n", EndMagic: "\nniwypse", Version: WindowsVersion}

const (
	windowFileSize = 20
	runRowSize     = 12
	pieceMark      = 0 // before each piece of the name of a run
	runMark        = 1 // behind the last
)

// maxCached is the longest word in bytes whose pieces are remembered.
const maxCached = 64

// WindowedFile is what a WindowBuilder takes. Segment and File say where the
// view has it.
type WindowedFile struct {
	Segment, File int
	Path          string
	Text          []byte
	Windows       []code.Window // in order, each beginning and ending no earlier than the one before
}

// WindowBuilder gathers files and writes them as one part of windows. It
// belongs to one goroutine.
type WindowBuilder struct {
	pool    pool
	words   interner
	entries []plainWord
	lists   []uint32 // of the words: pieces by term and end, then runs by number and place
	terms   interner
	states  []termState
	runs    interner
	starts  []termState // of each run
	glue    Bitmap
	next    uint32 // piece

	files, paths, windows, tokens, places spool
	numFiles, numWindows                  int
	numTokens                             int64
	ends                                  [3]uint64 // of windows, pieces and paths

	pieces     []token.Piece
	offsets    []pieceSpan // of the file at hand
	term, name []byte
	row        []byte
}

// plainWord is where a word stands in lists, and how much it has there.
type plainWord struct {
	first        uint32
	pieces, runs uint32
}

type pieceSpan struct{ start, end uint32 }

// termState is the stream of distances between the places of a term.
type termState struct {
	stream
	last uint32
}

// NewWindowBuilder returns an empty builder.
func NewWindowBuilder() *WindowBuilder { return &WindowBuilder{} }

// Len returns the number of files.
func (b *WindowBuilder) Len() int { return b.numFiles }

// Add adds a file, which must come after those added before in path order.
// After an error the builder is of no more use.
func (b *WindowBuilder) Add(f *WindowedFile) error {
	if len(f.Text) > math.MaxInt32 || uint64(b.next)+uint64(len(f.Text)) > math.MaxInt32 {
		return fmt.Errorf("add windows of %q: more text than one part can have", f.Path)
	}
	first := b.next
	b.addWords(f.Text)
	b.addWindows(first, f)
	b.next++ // between files
	b.glue = grown(b.glue, int(b.next))
	b.numFiles++
	path := append([]byte{0, '/'}, strings.ToLower(f.Path)...)
	b.paths.write(path)
	b.ends = [3]uint64{uint64(b.numWindows), uint64(b.next), b.ends[2] + uint64(len(path))}
	if b.ends[2] > math.MaxUint32 {
		return errors.New("more paths than one part of windows can have")
	}
	b.row = b.row[:0]
	for _, v := range []int{f.Segment, f.File, b.numWindows, int(b.next), int(b.ends[2])} {
		b.row = binary.LittleEndian.AppendUint32(b.row, uint32(v))
	}
	b.files.write(b.row)
	return nil
}

// grown returns a bitmap with room for n bits.
func grown(b Bitmap, n int) Bitmap {
	for len(b)*64 < n {
		b = append(b, 0)
	}
	return b
}

func (b *WindowBuilder) addWords(text []byte) {
	b.offsets = b.offsets[:0]
	for start, end := token.NextPlain(text, 0); start < end; start, end = token.NextPlain(text, end) {
		b.addWord(text[start:end], uint32(start))
	}
}

func (b *WindowBuilder) addWord(text []byte, at uint32) {
	w := b.word(text)
	b.glue = grown(b.glue, int(b.next)+int(w.pieces))
	list := b.lists[w.first : w.first+2*(w.pieces+w.runs)]
	start := at
	for i := range w.pieces {
		b.pool.place(&b.states[list[0]], b.next+i)
		if i > 0 {
			b.glue.Set(int(b.next + i))
		}
		b.offsets = append(b.offsets, pieceSpan{start, at + list[1]})
		start = at + list[1]
		list = list[2:]
	}
	for ; len(list) > 0; list = list[2:] {
		b.pool.place(&b.starts[list[0]], b.next+list[1])
	}
	b.next += w.pieces
	if len(text) > maxCached {
		b.lists = b.lists[:w.first]
	}
}

// place appends a place to the places of a term.
func (p *pool) place(s *termState, at uint32) {
	p.uvarint(&s.stream, at-s.last)
	s.last = at
}

func (b *WindowBuilder) word(text []byte) plainWord {
	if len(text) > maxCached {
		return b.analyze(text)
	}
	id, fresh := b.words.id(text)
	if fresh {
		b.entries = append(b.entries, b.analyze(text))
	}
	return b.entries[id]
}

func (b *WindowBuilder) analyze(text []byte) plainWord {
	b.pieces = token.Pieces(b.pieces[:0], text)
	w := plainWord{first: uint32(len(b.lists)), pieces: uint32(len(b.pieces))}
	for _, p := range b.pieces {
		b.term = appendPieceTerm(b.term[:0], text[p.Start:p.End])
		b.lists = append(b.lists, stateOf(&b.terms, &b.states, b.term), uint32(p.End))
	}
	for i := 0; i < len(b.pieces); i++ {
		n := lettersFrom(b.pieces[i:])
		if n > 1 {
			b.lists = append(b.lists, stateOf(&b.runs, &b.starts, b.runName(text, b.pieces[i:i+n])), uint32(i))
			w.runs++
		}
		i += max(n-1, 0)
	}
	return w
}

func stateOf(names *interner, states *[]termState, name []byte) uint32 {
	id, fresh := names.id(name)
	if fresh {
		*states = append(*states, termState{})
	}
	return id
}

// lettersFrom counts the pieces of letters that begin a list.
func lettersFrom(pieces []token.Piece) int {
	for i, p := range pieces {
		if !p.Letters {
			return i
		}
	}
	return len(pieces)
}

func (b *WindowBuilder) runName(text []byte, pieces []token.Piece) []byte {
	b.name = b.name[:0]
	for _, p := range pieces {
		b.name = token.Fold(append(b.name, pieceMark), text[p.Start:p.End])
	}
	return append(b.name, runMark)
}

// appendPieceTerm appends what a piece is called in the dictionary: in lower
// case and, where that is too long, shortened, with a hash of the whole.
func appendPieceTerm(dst, piece []byte) []byte {
	start := len(dst)
	dst = token.Fold(dst, piece)
	if whole := dst[start:]; len(whole) > maxTerm {
		sum := xxh3.Hash128(whole).Bytes()
		dst = fmt.Appendf(dst[:start+maxTerm-40], "\x00%x", sum)
	}
	return dst
}

// addWindows notes the windows of a file, whose pieces begin at first.
func (b *WindowBuilder) addWindows(first uint32, f *WindowedFile) {
	from, to := 0, 0 // pieces that begin before a window, and that end no later than it
	for _, w := range f.Windows {
		for from < len(b.offsets) && int(b.offsets[from].start) < w.Start {
			from++
		}
		for to < len(b.offsets) && int(b.offsets[to].end) <= w.End {
			to++
		}
		tokens := token.CountPlain(f.Text[w.Start:w.End])
		le := binary.LittleEndian
		b.row = le.AppendUint32(le.AppendUint32(b.row[:0], first+uint32(from)), first+uint32(max(from, to)))
		b.windows.write(b.row)
		b.tokens.write(le.AppendUint32(b.row[:0], uint32(tokens)))
		b.places.write(le.AppendUint32(le.AppendUint32(b.row[:0], uint32(w.Start)), uint32(w.End)))
		b.numTokens += int64(tokens)
	}
	b.numWindows += len(f.Windows)
}

// WriteTo writes the part. The builder is of no more use.
func (b *WindowBuilder) WriteTo(w io.Writer) (int64, error) {
	f := &partWriter{frame: frame.NewWriter(w, windowsFormat, int(numSections))}
	f.empty(secText, secPostings)
	f.stats = Stats{Files: b.numFiles, Chunks: b.numWindows, BodyTokens: b.numTokens}
	f.contents.pieces = uint64(b.next)
	b.writeTerms(f)
	f.empty(secTrigrams, lexSections)
	for _, s := range []struct {
		section
		data *spool
	}{{secWindowFiles, &b.files}, {secWindowPaths, &b.paths}, {secWindows, &b.windows}, {secWindowWords, &b.tokens}, {secWindowPlaces, &b.places}} {
		f.begin(s.section)
		s.data.drain(f.write)
		f.end(s.section)
	}
	f.begin(secGlue)
	for _, w := range b.glue {
		f.write(binary.LittleEndian.AppendUint64(b.row[:0], w))
	}
	f.end(secGlue)
	if err := b.writeRuns(f); err != nil {
		return 0, err
	}
	return f.finish()
}

// empty writes nothing in the sections from first up to end.
func (f *partWriter) empty(first, end section) {
	for s := first; s < end; s++ {
		f.section(s, nil)
	}
}

func (b *WindowBuilder) writeTerms(f *partWriter) {
	var w termWriter
	w.begin(f, nil)
	var p placeWriter
	for _, id := range sortedNames(&b.terms.names) {
		data, n := p.encode(&b.pool, b.states[id].stream)
		flags, sizes := appendBodySizes(b.row[:0], n, len(data))
		w.put(b.terms.get(id), flags, sizes, data)
	}
	w.finish()
}

func (b *WindowBuilder) writeRuns(f *partWriter) error {
	var p placeWriter
	var rows []byte
	var postings spool
	heads := runHeads{names: b.runs.bytes}
	for id := range uint32(b.runs.len()) {
		data, n := p.encode(&b.pool, b.starts[id].stream)
		start := b.runs.ends[id] - uint32(len(b.runs.get(id)))
		for _, v := range []uint32{start, uint32(postings.size), uint32(n)} {
			rows = binary.LittleEndian.AppendUint32(rows, v)
		}
		postings.write(data)
		heads.add(start, b.runs.ends[id])
	}
	if postings.size > math.MaxUint32 || len(b.runs.bytes) > math.MaxInt32 {
		return errors.New("more text than one part of windows can have")
	}
	f.section(secRuns, rows)
	f.section(secRunNames, b.runs.bytes)
	f.begin(secRunPostings)
	postings.drain(f.write)
	f.end(secRunPostings)
	f.section(secRunHeads, heads.sorted())
	return nil
}

// placeWriter turns streams of places into bytes. It keeps its buffers.
type placeWriter struct {
	stream, out []byte
	rest        []uint32
}

// encode returns the bytes of a stream of distances, and how many there are.
func (p *placeWriter) encode(from *pool, s stream) (data []byte, n int) {
	p.stream = from.appendTo(p.stream[:0], s)
	p.out, p.rest = p.out[:0], p.rest[:0]
	next, at := uint32(0), uint32(0)
	for in := p.stream; len(in) > 0; n++ {
		v, size := binary.Uvarint(in)
		in = in[size:]
		at += uint32(v)
		p.rest = append(p.rest, at-next)
		next = at + 1
		if len(p.rest) == blockLen {
			p.out = appendBlock(p.out, p.rest)
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
