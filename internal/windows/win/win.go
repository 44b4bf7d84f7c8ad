package win

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"espy/internal/code"
	"espy/internal/segment/dict"
	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
)

// Reader answers from one part of windows. Its methods may be called from any
// number of goroutines. They belong inside a frame.Guard, which turns damage
// that a method without an error result finds into its error.
type Reader struct {
	frame *frame.Reader
	counts
	dict dict.Reader
}

// Open reads the frame of a part, which data holds whole: a mapped file or
// memory, that must not change while the reader is in use. The name is for
// messages. Errors are *frame.CorruptError and *frame.VersionError.
func Open(data []byte, name string) (r *Reader, err error) {
	defer frame.Catch(&err)
	f, contents, err := frame.Open(data, name, format, sectionNames[:])
	if err != nil {
		return nil, err
	}
	r = &Reader{frame: f}
	r.readContents(f, contents)
	f.CheckSections()
	r.checkSizes()
	r.dict = dict.Reader{Frame: f, Form: dictForm, Terms: r.terms, Limits: dict.Limits{Body: int(r.pieces)}}
	return r, nil
}

// corrupt panics with a *frame.CorruptError. The offset counts from the section.
func (r *Reader) corrupt(section int, off uint64, reason string) {
	r.frame.Corrupt(section, off, reason)
}

// size returns the bytes of a section.
func (r *Reader) size(section int) uint64 { return r.frame.Sections[section].Len }

// Identity is a hash of the whole content.
func (r *Reader) Identity() code.Hash { return r.frame.Identity() }

// Size returns the bytes of the part.
func (r *Reader) Size() int64 { return int64(len(r.frame.Data)) }

// NumFiles returns the number of files.
func (r *Reader) NumFiles() int { return int(r.files) }

// NumWindows returns the number of windows.
func (r *Reader) NumWindows() int { return int(r.windows) }

// NumWords returns the plain words of all windows together.
func (r *Reader) NumWords() int64 { return int64(r.words) }

// File returns where the view has a file.
func (r *Reader) File(i int) (segment, file int) {
	row := r.fileRow(i)
	return int(row.At(0)), int(row.At(1))
}

// fileRow returns the fields of the row of a file.
func (r *Reader) fileRow(i int) Column {
	if uint64(i) >= r.files {
		r.corrupt(secFiles, 0, "reference to a file that does not exist")
	}
	return Column(r.frame.Bytes(secFiles, uint64(i)*fileRowSize, fileRowSize))
}

// The fields of the row of a file that say where something of it ends.
const (
	fieldWindows = 2
	fieldPieces  = 3
	fieldPath    = 4
)

// fileRange returns the range that a field of the row of a file ends.
func (r *Reader) fileRange(i, field int, limit uint64) (first, end int) {
	if i > 0 {
		first = int(r.fileRow(i - 1).At(field))
	}
	end = int(r.fileRow(i).At(field))
	if first > end || uint64(end) > limit {
		r.corrupt(secFiles, uint64(i)*fileRowSize, "range out of order")
	}
	return first, end
}

// WindowsOf returns the range of windows that file i has.
func (r *Reader) WindowsOf(i int) (first, end int) {
	return r.fileRange(i, fieldWindows, r.windows)
}

// FileOf returns the file of a window.
func (r *Reader) FileOf(window int) int { return r.fileWith(fieldWindows, window) }

// fileWith returns the file that a field says holds the item of a number.
func (r *Reader) fileWith(field, number int) int {
	i := sort.Search(r.NumFiles(), func(i int) bool { return int(r.fileRow(i).At(field)) > number })
	if i == r.NumFiles() {
		r.corrupt(secFiles, 0, "no file has what another table says one has")
	}
	return i
}

// Place returns the bytes of a window in the text of its file.
func (r *Reader) Place(window int) Window {
	c := Column(r.frame.Bytes(secPlaces, uint64(window)*8, 8))
	return Window{Start: int(c.At(0)), End: int(c.At(1))}
}

// Column is a row of 32-bit numbers, checked.
type Column []byte

// At returns the number at i.
func (c Column) At(i int) uint32 { return binary.LittleEndian.Uint32(c[4*i:]) }

func (r *Reader) column(s int) Column { return r.frame.Bytes(s, 0, r.size(s)) }

// Words returns the number of plain words of each window.
func (r *Reader) Words() Column { return r.column(secWords) }

// EachPathWith calls yield with the files whose path, with a slash before it
// and in lower case, contains a text.
func (r *Reader) EachPathWith(text string, yield func(file int)) {
	needle := []byte(strings.ToLower(text))
	if len(needle) == 0 || bytes.IndexByte(needle, 0) >= 0 {
		for i := 0; len(needle) == 0 && i < r.NumFiles(); i++ {
			yield(i)
		}
		return
	}
	paths := r.column(secPaths)
	for at := 0; ; {
		n := bytes.Index(paths[at:], needle)
		if n < 0 {
			return
		}
		i := r.fileWith(fieldPath, at+n)
		yield(i)
		_, at = r.fileRange(i, fieldPath, uint64(len(paths)))
	}
}

// Span is a run of pieces of one file.
type Span struct{ At, End uint32 }

// Glue tells which pieces stand directly behind the piece before them.
type Glue []byte

// Has reports whether piece i does. There may be no such piece.
func (g Glue) Has(i uint32) bool {
	return i>>3 < uint32(len(g)) && g[i>>3]>>(i&7)&1 != 0
}

// Glue returns the glue of the part.
func (r *Reader) Glue() Glue { return Glue(r.column(secGlue)) }

// Pieces appends to dst the places of a piece, which is folded.
func (r *Reader) Pieces(dst []Span, piece string) ([]Span, error) {
	e, ok, err := r.dict.Lookup(string(appendPieceTerm(nil, []byte(piece))))
	if err != nil || !ok {
		return dst, err
	}
	return r.places(dst, secPostings, e.Off, uint64(e.BodyLen), e.BodyDF, 0, 1), nil
}

// places appends n places that stand in a section, each moved by so many pieces
// and so many long.
func (r *Reader) places(dst []Span, s int, off, size uint64, n int, move, long uint32) []Span {
	dst = slices.Grow(dst, min(n, int(size+1)*pack.BlockLen)) // 128 places take two bytes at least
	end := off + size
	limit := r.pieces
	var block [pack.BlockLen]uint32
	next := uint64(move)
	for ; n >= pack.BlockLen; n -= pack.BlockLen {
		start := off
		off = pack.ReadBlock(r.frame, &block, s, off, end)
		for _, v := range block {
			next += uint64(v)
			dst = append(dst, Span{uint32(next), uint32(next) + long})
			next++
		}
		if next > limit {
			r.corrupt(s, start, "place of a piece that does not exist")
		}
	}
	if n == 0 {
		return dst
	}
	if off > end {
		r.corrupt(s, end, "places cut off")
	}
	c := pack.NewCursor(r.frame, s, off, end-off)
	for ; n > 0; n-- {
		if next += c.Uvarint(); next+uint64(long) > limit {
			c.Bad("place of a piece that does not exist")
		}
		dst = append(dst, Span{uint32(next), uint32(next) + long})
		next++
	}
	return dst
}

// Letters appends to dst the places of a word of letters, which is folded: where
// it is one piece, and where it is several that are glued.
func (r *Reader) Letters(dst []Span, word string) ([]Span, error) {
	start := len(dst)
	dst, err := r.Pieces(dst, word)
	if err != nil {
		return dst, err
	}
	var runs []Span
	for i := range word {
		if i > 0 {
			runs = r.appendRuns(runs, word, i)
		}
	}
	if len(runs) == 0 {
		return dst, nil
	}
	byPlace := func(a, b Span) int { return cmp.Compare(a.At, b.At) }
	slices.SortFunc(runs, byPlace)
	if len(dst) == start {
		return append(dst, runs...), nil
	}
	return append(dst[:start], merged(slices.Clone(dst[start:]), runs)...), nil
}

// merged merges two sorted lists.
func merged(a, b []Span) []Span {
	out := make([]Span, 0, len(a)+len(b))
	for len(b) > 0 {
		n, _ := slices.BinarySearchFunc(a, b[0], func(x, y Span) int { return cmp.Compare(x.At, y.At) })
		out = append(append(out, a[:n]...), b[0])
		a, b = a[n:], b[1:]
	}
	return append(out, a...)
}

// appendRuns appends the places of a word that is cut into pieces; the first
// piece has so many bytes.
func (r *Reader) appendRuns(dst []Span, word string, first int) []Span {
	heads, names := r.column(secRunHeads), r.column(secRunNames)
	key := append(append(append(make([]byte, 0, maxHead+1), word[:first]...), 0), word[first:]...)
	key = key[:min(len(key), maxHead)]
	var buf [maxHead]byte
	headKey := func(i int) []byte {
		at := heads.At(i)
		if uint64(at) >= uint64(len(names)) {
			r.corrupt(secRunHeads, uint64(i)*4, "reference to a name that does not exist")
		}
		return appendHeadKey(buf[:0], names[at:], len(key))
	}
	n := len(heads) / 4
	for i := sort.Search(n, func(i int) bool { return bytes.Compare(headKey(i), key) >= 0 }); i < n && bytes.Equal(headKey(i), key); i++ {
		if long := glued(names[heads.At(i):], word, first); long > 0 {
			dst = r.appendRun(dst, heads.At(i), names, long)
		}
	}
	return dst
}

// glued returns how many of the pieces that follow each other make a word
// together, 0 where none do. The first has so many bytes.
func glued(names []byte, word string, first int) (pieces uint32) {
	at := 0
	pieces = 1
	for _, c := range names {
		switch {
		case c == pieceMark || c == runMark:
			if at == len(word) {
				return pieces
			}
			if c == runMark || pieces == 1 && at != first {
				return 0
			}
			pieces++
		case at == len(word) || c != word[at]:
			return 0
		default:
			at++
		}
	}
	return 0
}

// appendRun appends the places of so many pieces of a run; the first piece stands
// at a place among the names.
func (r *Reader) appendRun(dst []Span, at uint32, names []byte, long uint32) []Span {
	rows := r.column(secRuns)
	n := len(rows) / runRowSize
	id := sort.Search(n, func(i int) bool { return rows.At(3*i) > at }) - 1
	if id < 0 {
		r.corrupt(secRuns, 0, "runs out of order")
	}
	name, start, count := rows.At(3*id), uint64(rows.At(3*id+1)), int(rows.At(3*id+2))
	end := r.size(secRunPostings)
	if id+1 < n {
		end = uint64(rows.At(3*id + 4))
	}
	if start > end || uint64(count) > r.pieces {
		r.corrupt(secRuns, uint64(id)*runRowSize, "runs out of order")
	}
	before := uint32(bytes.Count(names[name:at], []byte{pieceMark})) - 1
	return r.places(dst, secRunPostings, start, end-start, count, before, long)
}

// Tally counts spans by the windows that hold them whole. Windows rise.
type Tally struct {
	Windows []uint32
	Counts  []uint32
}

// Tally adds sorted spans of this part to the tally, its windows numbered from base.
func (r *Reader) Tally(t *Tally, spans []Span, base uint32) {
	in := tallying{r: r, windows: t.Windows, counts: t.Counts, base: base, began: len(t.Windows), last: -1}
	bounds := r.column(secWindows)
	n := r.NumWindows()
	for low := 0; len(spans) > 0; {
		if low = firstEnding(bounds, low, n, spans[0].End); low == n {
			break
		}
		if bounds.At(2*low) > spans[0].At {
			spans = spans[1:] // it goes over the end of the window before
			continue
		}
		end, next := bounds.At(2*low+1), ^uint32(0)
		if low+1 < n {
			next = bounds.At(2 * (low + 1))
		}
		alone := 0 // spans that only this window holds
		for alone < len(spans) && spans[alone].End <= end && spans[alone].At < next {
			alone++
		}
		if alone > 0 {
			in.add(low, uint32(alone))
			spans = spans[alone:]
			continue
		}
		for x := low; x < n && bounds.At(2*x) <= spans[0].At; x++ {
			in.add(x, 1)
		}
		spans = spans[1:]
	}
	t.Windows, t.Counts = in.windows, in.counts
}

// tallying is a tally to which a part adds.
type tallying struct {
	r               *Reader
	windows, counts []uint32
	base            uint32
	began, last     int // where the part began, and its last window so far
}

// add counts n more in a window no earlier than the first that the span before was in.
func (t *tallying) add(window int, n uint32) {
	if window > t.last {
		t.windows, t.counts = append(t.windows, t.base+uint32(window)), append(t.counts, n)
		t.last = window
		return
	}
	k := len(t.counts) - 1 - (t.last - window)
	if k < t.began {
		t.r.corrupt(secWindows, uint64(window)*8, "windows out of order")
	}
	t.counts[k] += n
}

// firstEnding returns the first window from low on that ends at or behind a
// piece. It is near, more often than not.
func firstEnding(bounds Column, low, n int, end uint32) int {
	step := 1
	for ; low+step <= n && bounds.At(2*(low+step)-1) < end; step *= 2 {
		low += step
	}
	high := min(low+step-1, n)
	for low < high { // the one sought is within [low, high]
		if mid := int(uint(low+high) >> 1); bounds.At(2*mid+1) < end {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Check reads the whole part and holds that it agrees with itself, like the
// Check of a Reader.
func (r *Reader) Check(release func()) (err error) {
	defer frame.Catch(&err)
	pace := frame.Pace{Release: release}
	r.frame.CheckPages(&pace)
	ends := [3]int{}
	for i := range r.NumFiles() {
		for k, limit := range []uint64{r.windows, r.pieces, r.size(secPaths)} {
			_, ends[k] = r.fileRange(i, fieldWindows+k, limit)
		}
	}
	if ends != [3]int{int(r.windows), int(r.pieces), int(r.size(secPaths))} {
		r.corrupt(secFiles, 0, "files do not have all windows, pieces and paths")
	}
	r.checkWindows()
	r.checkTerms(&pace)
	return nil
}

func (r *Reader) checkWindows() {
	bounds, words := r.column(secWindows), r.Words()
	var sum int64
	for i := range r.NumWindows() {
		from, to, p := bounds.At(2*i), bounds.At(2*i+1), r.Place(i)
		if from > to || uint64(to) > r.pieces || p.Start > p.End || i > 0 && (from < bounds.At(2*i-2) || to < bounds.At(2*i-1)) {
			r.corrupt(secWindows, uint64(i)*8, "windows out of order")
		}
		sum += int64(words.At(i))
	}
	if sum != int64(r.words) {
		r.corrupt(secWords, 0, fmt.Sprintf("%d words instead of %d", sum, int64(r.words)))
	}
}

func (r *Reader) checkTerms(pace *frame.Pace) {
	var last []byte
	var spans []Span
	n := uint64(0)
	for t := r.dict.First(); t != nil; n++ {
		if n > 0 && bytes.Compare(t.Term(), last) <= 0 {
			r.corrupt(secTerms, 0, fmt.Sprintf("term %q is out of order", t.Term()))
		}
		last = append(last[:0], t.Term()...)
		spans = r.places(spans[:0], secPostings, t.Off, uint64(t.BodyLen), t.BodyDF, 0, 1)
		pace.Read(len(last) + int(t.BodyLen))
		if !t.Next() {
			t = nil
		}
	}
	if n != r.terms {
		r.corrupt(secTerms, 0, fmt.Sprintf("%d terms instead of %d", n, r.terms))
	}
	names := r.column(secRunNames)
	rows := r.column(secRuns)
	for i := range len(rows) / runRowSize {
		at := rows.At(3 * i)
		if uint64(at) >= uint64(len(names)) || names[at] != pieceMark {
			r.corrupt(secRuns, uint64(i)*runRowSize, "run without a name")
		}
		spans = r.appendRun(spans[:0], at+1, names, 1)
	}
}
