package win

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/zeebo/xxh3"

	"espy/internal/segment/arena"
	"espy/internal/segment/dict"
	"espy/internal/segment/frame"
	"espy/internal/windows/plain"
)

// maxCached is the longest word in bytes whose pieces are remembered.
const maxCached = 64

// Window is where a window stands in the text of its file, in bytes.
type Window struct{ Start, End int }

// File is what a Builder takes. Segment and File say where the view has it.
type File struct {
	Segment, File int
	Path          string
	Text          []byte
	Windows       []Window // in order, each beginning and ending no earlier than the one before
}

// Builder gathers files and writes them as one part. It belongs to one goroutine.
type Builder struct {
	pool    arena.Streams
	words   arena.Interner
	entries []plainWord
	lists   []uint32 // of the words: pieces by term and end, then runs by number and place
	terms   arena.Interner
	states  []termState
	runs    arena.Interner
	starts  []termState // of each run
	glue    []uint64    // bit per piece
	next    uint32      // piece

	files, paths, windows, tokens, places arena.Spool
	numFiles, numWindows                  int
	numTokens                             int64
	ends                                  [3]uint64 // of windows, pieces and paths

	pieces     []plain.Piece
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
	stream arena.Stream
	last   uint32
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder { return &Builder{} }

// Len returns the number of files.
func (b *Builder) Len() int { return b.numFiles }

// Add adds a file, which must come after those added before in path order.
// After an error the builder is of no more use.
func (b *Builder) Add(f *File) error {
	if len(f.Text) > math.MaxInt32 || uint64(b.next)+uint64(len(f.Text)) > math.MaxInt32 {
		return fmt.Errorf("add windows of %q: more text than one part can have", f.Path)
	}
	first := b.next
	b.addWords(f.Text)
	b.addWindows(first, f)
	b.next++ // between files
	b.growGlue(b.next)
	b.numFiles++
	path := append([]byte{0, '/'}, strings.ToLower(f.Path)...)
	b.paths.Append(path)
	b.ends = [3]uint64{uint64(b.numWindows), uint64(b.next), b.ends[2] + uint64(len(path))}
	if b.ends[2] > math.MaxUint32 {
		return errors.New("more paths than one part of windows can have")
	}
	b.row = b.row[:0]
	for _, v := range []int{f.Segment, f.File, b.numWindows, int(b.next), int(b.ends[2])} {
		b.row = binary.LittleEndian.AppendUint32(b.row, uint32(v))
	}
	b.files.Append(b.row)
	return nil
}

// growGlue makes room for the glue of n pieces.
func (b *Builder) growGlue(n uint32) {
	for uint32(len(b.glue))*64 < n {
		b.glue = append(b.glue, 0)
	}
}

func (b *Builder) addWords(text []byte) {
	b.offsets = b.offsets[:0]
	for start, end := plain.Next(text, 0); start < end; start, end = plain.Next(text, end) {
		b.addWord(text[start:end], uint32(start))
	}
}

func (b *Builder) addWord(text []byte, at uint32) {
	w := b.word(text)
	b.growGlue(b.next + w.pieces)
	list := b.lists[w.first : w.first+2*(w.pieces+w.runs)]
	start := at
	for i := range w.pieces {
		b.place(&b.states[list[0]], b.next+i)
		if i > 0 {
			at := b.next + i
			b.glue[at>>6] |= 1 << (at & 63)
		}
		b.offsets = append(b.offsets, pieceSpan{start, at + list[1]})
		start = at + list[1]
		list = list[2:]
	}
	for ; len(list) > 0; list = list[2:] {
		b.place(&b.starts[list[0]], b.next+list[1])
	}
	b.next += w.pieces
	if len(text) > maxCached {
		b.lists = b.lists[:w.first]
	}
}

// place appends a place to the places of a term.
func (b *Builder) place(s *termState, at uint32) {
	b.pool.Uvarint(&s.stream, at-s.last)
	s.last = at
}

func (b *Builder) word(text []byte) plainWord {
	if len(text) > maxCached {
		return b.analyze(text)
	}
	id, fresh := b.words.ID(text)
	if fresh {
		b.entries = append(b.entries, b.analyze(text))
	}
	return b.entries[id]
}

func (b *Builder) analyze(text []byte) plainWord {
	b.pieces = plain.Pieces(b.pieces[:0], text)
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

func stateOf(names *arena.Interner, states *[]termState, name []byte) uint32 {
	id, fresh := names.ID(name)
	if fresh {
		*states = append(*states, termState{})
	}
	return id
}

// lettersFrom counts the pieces of letters that begin a list.
func lettersFrom(pieces []plain.Piece) int {
	for i, p := range pieces {
		if !p.Letters {
			return i
		}
	}
	return len(pieces)
}

func (b *Builder) runName(text []byte, pieces []plain.Piece) []byte {
	b.name = b.name[:0]
	for _, p := range pieces {
		b.name = plain.Fold(append(b.name, pieceMark), text[p.Start:p.End])
	}
	return append(b.name, runMark)
}

// appendPieceTerm appends what a piece is called in the dictionary: in lower
// case and, where that is too long, shortened, with a hash of the whole.
func appendPieceTerm(dst, piece []byte) []byte {
	start := len(dst)
	dst = plain.Fold(dst, piece)
	if whole := dst[start:]; len(whole) > dict.MaxTerm {
		sum := xxh3.Hash128(whole).Bytes()
		dst = fmt.Appendf(dst[:start+dict.MaxTerm-40], "\x00%x", sum)
	}
	return dst
}

// addWindows notes the windows of a file, whose pieces begin at first.
func (b *Builder) addWindows(first uint32, f *File) {
	from, to := 0, 0 // pieces that begin before a window, and that end no later than it
	for _, w := range f.Windows {
		for from < len(b.offsets) && int(b.offsets[from].start) < w.Start {
			from++
		}
		for to < len(b.offsets) && int(b.offsets[to].end) <= w.End {
			to++
		}
		tokens := plain.Count(f.Text[w.Start:w.End])
		le := binary.LittleEndian
		b.row = le.AppendUint32(le.AppendUint32(b.row[:0], first+uint32(from)), first+uint32(max(from, to)))
		b.windows.Append(b.row)
		b.tokens.Append(le.AppendUint32(b.row[:0], uint32(tokens)))
		b.places.Append(le.AppendUint32(le.AppendUint32(b.row[:0], uint32(w.Start)), uint32(w.End)))
		b.numTokens += int64(tokens)
	}
	b.numWindows += len(f.Windows)
}

// WriteTo writes the part. The builder is of no more use.
func (b *Builder) WriteTo(w io.Writer) (int64, error) {
	f := frame.NewWriter(w, format, numSections)
	c := counts{files: uint64(b.numFiles), windows: uint64(b.numWindows), words: uint64(b.numTokens), pieces: uint64(b.next)}
	empty(f, 0, secPostings)
	c.terms = b.writeTerms(f)
	empty(f, secTermIndex+1, secFiles)
	for i, data := range []*arena.Spool{&b.files, &b.paths, &b.windows, &b.tokens, &b.places} {
		f.Begin(secFiles + i)
		data.Drain(f.Append)
		f.End(secFiles + i)
	}
	f.Begin(secGlue)
	for _, w := range b.glue {
		f.Append(binary.LittleEndian.AppendUint64(b.row[:0], w))
	}
	f.End(secGlue)
	if err := b.writeRuns(f); err != nil {
		return 0, err
	}
	return f.Finish(func(dst []byte, dataEnd uint64) []byte {
		c.dataEnd = dataEnd
		return c.appendContents(dst, f.Sections)
	})
}

// empty writes nothing in the sections from first up to end.
func empty(f *frame.Writer, first, end int) {
	for s := first; s < end; s++ {
		f.Section(s, nil)
	}
}

func (b *Builder) writeTerms(f *frame.Writer) (count uint64) {
	w := dict.NewWriter(f, dictForm)
	var p placeWriter
	for _, id := range dict.Sorted(&b.terms.Names) {
		data, n := p.encode(&b.pool, b.states[id].stream)
		w.Add(b.terms.At(id), dict.Entry{BodyDF: n, BodyLen: uint32(len(data))}, data)
	}
	return w.Finish()
}
