package segment

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"

	"espy/internal/segment/dict"
	"espy/internal/segment/frame"
	"espy/internal/segment/pack"
)

// Merge writes one part with the live files of several. It writes the same
// bytes as a Builder that got these files in the order of their paths, without
// looking into the text. A path must be live in at most one of them. Beside the
// postings of one term it holds a few bytes per file, region, chunk and definition, and
// the dictionary.
func Merge(w io.Writer, in []Live) (n int64, err error) {
	defer frame.Catch(&err)
	m := merger{f: newPartWriter(w)}
	var text int64
	for _, l := range in {
		if err := l.Valid(); err != nil {
			return 0, fmt.Errorf("merge: %w", err)
		}
		if text += l.LiveStats().TextBytes; text > maxMergeBytes {
			return 0, fmt.Errorf("merge: more than %d bytes of text", maxMergeBytes)
		}
		m.in = append(m.in, newMergeInput(l))
	}
	if err := m.plan(); err != nil {
		return 0, err
	}
	m.text()
	m.terms()
	m.trigrams()
	m.tables()
	return m.f.finish()
}

const dead = ^uint32(0)

// mergeInput is one of the parts and where its files, chunks and definitions go.
type mergeInput struct {
	Live
	files, regions, chunks, definitions []uint32 // new numbers, or dead
	languages                           []uint16
	block                               blockBuffers
	text                                TextCache
}

// blockBuffers is the memory to decode postings with, kept from term to term.
type blockBuffers struct {
	chunks, tfs [pack.BlockLen]uint32
	walk        []uint32
}

// mergeFile is a file of the output.
type mergeFile struct{ input, file uint32 }

// mergeRegion is a region of the output.
type mergeRegion struct{ input, region uint32 }

type merger struct {
	f       *partWriter
	in      []*mergeInput
	order   []mergeFile
	regions []mergeRegion
	names   nameTable
}

func newMergeInput(l Live) *mergeInput {
	m := &mergeInput{
		Live: l, files: make([]uint32, l.NumFiles()), regions: make([]uint32, l.NumRegions()),
		chunks: make([]uint32, l.NumChunks()), definitions: make([]uint32, l.NumDefinitions()),
	}
	for _, numbers := range [][]uint32{m.files, m.regions, m.chunks, m.definitions} {
		for i := range numbers {
			numbers[i] = dead
		}
	}
	return m
}

// plan puts the live files in order and numbers what they have.
func (m *merger) plan() error {
	next := make([]int, len(m.in))
	for i, in := range m.in {
		next[i] = in.nextLive(0)
	}
	var regions, chunks, definitions uint32
	var last []byte
	for {
		best, path := m.firstPath(next)
		if best < 0 {
			return nil
		}
		if len(m.order) > 0 && bytes.Compare(path, last) <= 0 {
			return fmt.Errorf("merge: path %q is live in two segments", path)
		}
		last = path
		in, i := m.in[best], next[best]
		in.files[i] = uint32(len(m.order))
		m.order = append(m.order, mergeFile{uint32(best), uint32(i)})
		for g, end := in.RegionsOf(i); g < end; g++ {
			m.regions = append(m.regions, mergeRegion{uint32(best), uint32(g)})
		}
		regions = number(in.regions, in.RegionsOf, i, regions)
		chunks = number(in.chunks, in.ChunksOf, i, chunks)
		definitions = number(in.definitions, in.DefinitionsOf, i, definitions)
		next[best] = in.nextLive(i + 1)
	}
}

func (m *mergeInput) nextLive(i int) int {
	for i < len(m.files) && !m.Alive(i) {
		i++
	}
	return i
}

func (m *merger) firstPath(next []int) (best int, path []byte) {
	best = -1
	for i, in := range m.in {
		if next[i] == len(in.files) {
			continue
		}
		if p := in.pathBytes(next[i]); best < 0 || bytes.Compare(p, path) < 0 {
			best, path = i, p
		}
	}
	return best, path
}

func number(numbers []uint32, rangeOf func(int) (int, int), file int, next uint32) uint32 {
	first, end := rangeOf(file)
	for i := first; i < end; i++ {
		numbers[i] = next
		next++
	}
	return next
}

func (m *merger) text() {
	packer := textPacker{emit: m.f.write}
	m.f.begin(secText)
	for rest := m.regions; len(rest) > 0; {
		n := m.onePiece(rest)
		if !m.copyPieces(&packer, rest[:n]) {
			for _, g := range rest[:n] {
				in := m.in[g.input]
				start, end := in.regionRange(int(g.region))
				packer.region(in.Reader.text(start, end, &in.text))
			}
			packer.flush()
		}
		rest = rest[n:]
	}
	m.f.end(secText)
	m.f.textIndex(&packer)
}

// onePiece returns how many of the regions make a piece, or the pieces of one
// long region. It cuts where textPacker does.
func (m *merger) onePiece(regions []mergeRegion) (n int) {
	size := 0
	for _, g := range regions {
		size += m.in[g.input].RegionSize(int(g.region))
		if size > pieceBytes && n > 0 {
			break
		}
		n++
	}
	return n
}

// copyPieces copies the pieces that hold just these regions, if there are such.
func (m *merger) copyPieces(p *textPacker, regions []mergeRegion) bool {
	in, first := m.in[regions[0].input], regions[0].region
	for i, g := range regions {
		if g.input != regions[0].input || g.region != first+uint32(i) {
			return false
		}
	}
	start, _ := in.regionRange(int(first))
	_, end := in.regionRange(int(first) + len(regions) - 1)
	if start == end {
		return false
	}
	at, last := in.pieceAt(start), in.pieceAt(end-1)
	if at.textStart != start || last.textEnd != end {
		return false
	}
	for {
		p.add(in.bytes(secText, at.start, at.end-at.start), at.textEnd-at.textStart)
		if at.number == last.number {
			return true
		}
		at = in.piece(at.number + 1)
	}
}

func (m *merger) terms() {
	w := newTermWriter(m.f, m.placeTable())
	cursors := make([]*dict.Cursor, len(m.in))
	for i, in := range m.in {
		cursors[i] = in.dict.First()
	}
	var out, part, spare postings
	var term []byte
	for {
		lowest := lowestTerm(cursors)
		if lowest == nil {
			break
		}
		term = append(term[:0], lowest...)
		out.reset()
		for i, c := range cursors {
			if c == nil || !bytes.Equal(c.Term(), term) {
				continue
			}
			part.reset()
			m.in[i].decode(m.in[i].termAt(c), &part)
			out.merge(&part, &spare)
			if !c.Next() {
				cursors[i] = nil
			}
		}
		if !out.empty() {
			w.add(term, &out)
		}
	}
	m.f.terms = w.dict.Finish()
}

func (m *merger) placeTable() *placeTable {
	t := &placeTable{ends: make([]uint32, 0, len(m.order))}
	for number, o := range m.order {
		in, file := m.in[o.input], int(o.file)
		first, end := in.ChunksOf(file)
		for range end - first {
			t.files = append(t.files, uint32(number))
		}
		t.ends = append(t.ends, uint32(len(t.files)))
		first, end = in.DefinitionsOf(file)
		for d := first; d < end; d++ {
			t.chunks = append(t.chunks, in.chunks[in.chunkOf(d)])
		}
	}
	return t
}

// decode appends the live postings of a term under their new numbers.
func (m *mergeInput) decode(t Term, p *postings) {
	it := t.Body()
	it.walk.buf = m.block.walk
	chunks, tfs := m.block.chunks[:], m.block.tfs[:]
	for n := it.NextBlock(chunks, tfs); n > 0; n = it.NextBlock(chunks, tfs) {
		for k, c := range chunks[:n] {
			if m.chunks[c] == dead {
				continue
			}
			p.chunks = append(p.chunks, m.chunks[c])
			p.tfs = append(p.tfs, tfs[k])
			if it.positioned {
				p.positions = it.positionsFrom(0, k, p.positions)
			}
		}
	}
	m.block.walk = it.walk.buf
	paths := t.Path()
	for file, stem, dir, ok := paths.Next(); ok; file, stem, dir, ok = paths.Next() {
		if m.files[file] != dead {
			p.paths = append(p.paths, pathPosting{m.files[file], stem, dir})
		}
	}
	symbols := t.Symbols()
	for d, ok := symbols.Next(); ok; d, ok = symbols.Next() {
		if m.definitions[d] != dead {
			p.symbols = append(p.symbols, m.definitions[d])
		}
	}
}

// merge adds the postings of another part, of other files. Spare lends memory.
func (p *postings) merge(o, spare *postings) {
	if p.empty() {
		*p, *o = *o, *p
		return
	}
	if len(o.chunks) > 0 {
		spare.chunks, spare.tfs, spare.positions = spare.chunks[:0], spare.tfs[:0], spare.positions[:0]
		spare.mergeBody(*p, *o)
		p.chunks, spare.chunks = spare.chunks, p.chunks
		p.tfs, spare.tfs = spare.tfs, p.tfs
		p.positions, spare.positions = spare.positions, p.positions
	}
	if len(o.paths) > 0 {
		p.paths = append(p.paths, o.paths...)
		slices.SortFunc(p.paths, func(x, y pathPosting) int { return int(x.file) - int(y.file) })
	}
	if len(o.symbols) > 0 {
		p.symbols = append(p.symbols, o.symbols...)
		slices.Sort(p.symbols)
	}
}

// mergeBody appends the body postings of two parts of other files.
func (p *postings) mergeBody(a, b postings) {
	for len(a.chunks) > 0 && len(b.chunks) > 0 {
		if a.chunks[0] > b.chunks[0] {
			a, b = b, a
		}
		n, _ := slices.BinarySearch(a.chunks, b.chunks[0])
		a = p.takeBody(a, n)
	}
	p.takeBody(a, len(a.chunks))
	p.takeBody(b, len(b.chunks))
}

// takeBody appends the first n body postings of another part and returns its rest.
func (p *postings) takeBody(a postings, n int) postings {
	positions := 0
	if len(a.positions) > 0 {
		for _, tf := range a.tfs[:n] {
			positions += int(tf)
		}
	}
	p.chunks = append(p.chunks, a.chunks[:n]...)
	p.tfs = append(p.tfs, a.tfs[:n]...)
	p.positions = append(p.positions, a.positions[:positions]...)
	return postings{chunks: a.chunks[n:], tfs: a.tfs[n:], positions: a.positions[positions:]}
}

func (m *merger) trigrams() {
	var w trigramWriter
	w.begin(m.f, len(m.regions))
	cursors := make([]*trigramCursor, len(m.in))
	for i, in := range m.in {
		cursors[i] = in.trigramsFrom()
	}
	var regions, part []uint32
	set := EmptyBitmap(len(m.regions))
	for {
		lowest := uint32(dead)
		for _, c := range cursors {
			if c != nil {
				lowest = min(lowest, c.trigram)
			}
		}
		if lowest == dead {
			break
		}
		regions = regions[:0]
		for i, c := range cursors {
			if c == nil || c.trigram != lowest {
				continue
			}
			part = c.appendRegions(part[:0])
			for _, g := range part {
				if to := m.in[i].regions[g]; to != dead {
					regions = append(regions, to)
				}
			}
			if !c.advance() {
				cursors[i] = nil
			}
		}
		if len(regions) > 0 {
			order(regions, set)
			w.add(lowest, regions)
		}
	}
	w.finish()
	m.foldList()
}

// order sorts distinct numbers. The set has room for them and is empty.
func order(numbers []uint32, set Bitmap) {
	const few = 64
	if len(numbers) < few || len(numbers) < len(set)/few || slices.IsSorted(numbers) {
		slices.Sort(numbers)
		return
	}
	for _, v := range numbers {
		set.Set(int(v))
	}
	n := 0
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			numbers[n] = uint32(i<<6 | bits.TrailingZeros64(w))
			n++
		}
		set[i] = 0
	}
}

// trigramsFrom returns a cursor on the first trigram, nil if there is none.
func (r *Reader) trigramsFrom() *trigramCursor {
	if r.trigrams == 0 {
		return nil
	}
	c := &trigramCursor{r: r}
	c.seekBlock(0)
	c.advance()
	return c
}

func (m *merger) foldList() {
	var fold []uint32
	for _, in := range m.in {
		for _, g := range in.FoldRegions() {
			if in.regions[g] != dead {
				fold = append(fold, in.regions[g])
			}
		}
	}
	slices.Sort(fold)
	m.f.section(secFold, appendDistances(nil, fold, 0))
}

func (m *merger) tables() {
	m.mapLanguages()
	m.f.tables(tables{
		files: m.fileRows(), regions: m.regionRows(), paths: m.paths(), chunks: m.chunkRows(), definitions: m.definitionRows(), names: func() []byte { return m.names.bytes },
	})
}

// mapLanguages numbers the languages of live files.
func (m *merger) mapLanguages() {
	var used []string
	for _, in := range m.in {
		live := make([]bool, len(in.Languages()))
		for i, to := range in.files {
			if to != dead {
				live[in.fileRow(i).language] = true
			}
		}
		for i, l := range in.Languages() {
			if live[i] {
				used = append(used, l)
			}
		}
	}
	m.f.setLanguages(used)
	for _, in := range m.in {
		for _, l := range in.Languages() {
			at, _ := slices.BinarySearch(m.f.languages, l)
			in.languages = append(in.languages, uint16(at))
		}
	}
}

func (m *merger) fileRows() iter.Seq[fileRow] {
	return func(yield func(fileRow) bool) {
		var out fileRow
		for _, o := range m.order {
			in, i := m.in[o.input], int(o.file)
			row := in.fileRow(i)
			start, end := in.textRange(i)
			path := in.pathBytes(i)
			firstChunk, chunkEnd := in.ChunksOf(i)
			firstDefinition, definitionEnd := in.DefinitionsOf(i)
			firstRegion, regionEnd := in.RegionsOf(i)
			out.textEnd += uint32(end - start)
			out.regionEnd += uint32(regionEnd - firstRegion)
			out.pathEnd += uint32(len(path))
			out.chunkEnd += uint32(chunkEnd - firstChunk)
			out.definitionEnd += uint32(definitionEnd - firstDefinition)
			row.textEnd, row.regionEnd, row.pathEnd, row.chunkEnd, row.definitionEnd = out.textEnd, out.regionEnd, out.pathEnd, out.chunkEnd, out.definitionEnd
			row.language = in.languages[row.language]
			if !yield(row) {
				return
			}
		}
	}
}

func (m *merger) regionRows() iter.Seq[regionRow] {
	return func(yield func(regionRow) bool) {
		var row regionRow
		for _, g := range m.regions {
			in := m.in[g.input]
			info := in.Region(int(g.region))
			row.file = in.files[info.File]
			row.textEnd += uint32(info.End - info.Start)
			row.line = uint32(info.Line)
			if row.file == dead {
				in.corrupt(secRegions, uint64(g.region)*regionRowSize, "region of another file")
			}
			if !yield(row) {
				return
			}
		}
	}
}

func (m *merger) paths() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, o := range m.order {
			if !yield(m.in[o.input].pathBytes(int(o.file))) {
				return
			}
		}
	}
}

func (m *merger) chunkRows() iter.Seq[chunkRow] {
	return func(yield func(chunkRow) bool) {
		for _, o := range m.order {
			in := m.in[o.input]
			first, end := in.ChunksOf(int(o.file))
			for c := first; c < end; c++ {
				row := in.chunkRow(c)
				if row.file != o.file {
					in.corrupt(secChunks, uint64(c)*chunkRowSize, "chunk of another file")
				}
				row.file = in.files[row.file]
				if !yield(row) {
					return
				}
			}
		}
	}
}

func (m *merger) definitionRows() iter.Seq[definitionRow] {
	return func(yield func(definitionRow) bool) {
		for _, o := range m.order {
			in := m.in[o.input]
			first, end := in.DefinitionsOf(int(o.file))
			for d := first; d < end; d++ {
				row := in.definitionRow(d)
				row.name = m.names.add(in.nameAt(row.name))
				if in.FileOf(int(row.chunk)) != int(o.file) {
					in.corrupt(secDefinitions, uint64(d)*definitionRowSize, "definition in a chunk of another file")
				}
				row.chunk = in.chunks[row.chunk]
				if !yield(row) {
					return
				}
			}
		}
	}
}

func lowestTerm(cursors []*dict.Cursor) (term []byte) {
	for _, c := range cursors {
		if c != nil && (term == nil || bytes.Compare(c.Term(), term) < 0) {
			term = c.Term()
		}
	}
	return term
}
