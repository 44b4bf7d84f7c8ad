package segment

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"espy/internal/segment/arena"
	"espy/internal/segment/dict"
	"espy/internal/token"
)

// Limits of the text in one part, in bytes: what a Builder takes, and what Merge
// puts together.
const (
	maxTextBytes  = 1 << 30
	maxMergeBytes = 3 << 30
)

// maxPath is the longest path in bytes.
const maxPath = 1 << 16

// Builder gathers files and writes them as one part. The same files give the
// same bytes. It belongs to one goroutine; several builders run side by side.
type Builder struct {
	NoTerms bool // leaves the terms of the text out, which ranking by chunks needs

	sorted uint32 // positions that are sorted at once, at least

	pool     arena.Streams
	text     textPacker
	pieces   arena.Spool
	trigrams trigramCollector

	words   wordTable
	entries []wordEntry // of each word
	lists   []uint32    // terms of the words
	said    wordLog     // the words of all chunks that have terms
	terms   termTable
	paths   []termEntry[pathEntry]
	symbols []termEntry[uint32] // definitions

	files       []fileRow
	regions     []regionRow
	pathBytes   []byte
	lastPath    string
	languages   []string
	chunks      []chunkRow
	starts      []uint32 // position of each chunk over all files
	position    uint32
	definitions []definitionRow
	names       nameTable
	fold        []uint32
	stats       Stats

	scratch []uint32
	spots   []wordSpot // of the text at hand
	parts   [16]string // room for the terms of a word
}

// wordEntry is where the terms of a word stand in lists. The compound, if there
// is one, comes first.
type wordEntry struct {
	first    uint32
	count    uint8
	compound bool
}

// wordSpot is where a word stands in a text.
type wordSpot struct {
	key        wordKey
	start, end int
}

// maxSpots is about the words of a chunk.
const maxSpots = 256

type pathEntry struct {
	file      uint32
	stem, dir uint16
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	b := &Builder{sorted: defaultSorted, trigrams: trigramCollector{logged: defaultLogged}}
	b.reset()
	return b
}

func (b *Builder) reset() {
	b.words.reset()
	b.terms.reset()
	*b = Builder{NoTerms: b.NoTerms, sorted: b.sorted, trigrams: b.trigrams, words: b.words, terms: b.terms}
	b.text.emit = b.pieces.Append
	b.trigrams.reset(&b.pool)
}

// Len returns the number of files.
func (b *Builder) Len() int { return len(b.files) }

// TextBytes returns the bytes of searchable text.
func (b *Builder) TextBytes() int64 { return b.stats.TextBytes }

// Memory estimates the bytes of heap that the builder holds.
func (b *Builder) Memory() int64 {
	return b.pool.Memory() + b.pieces.Memory() + b.trigrams.memory() +
		b.words.memory() + b.said.memory() + b.terms.memory() + b.names.memory() +
		int64(cap(b.entries))*8 + int64(cap(b.lists))*4 +
		int64(cap(b.paths))*12 + int64(cap(b.symbols))*8 +
		int64(cap(b.files))*64 + int64(cap(b.pathBytes)) + int64(cap(b.chunks))*32 + int64(cap(b.starts))*4 +
		int64(cap(b.definitions))*16 + int64(cap(b.regions))*12 + int64(cap(b.text.rows))
}

// Add adds a file, whose path must come after those added before in byte
// order. After an error the builder is as it was. Add does not keep f.Text.
func (b *Builder) Add(f *File) error {
	if err := b.check(f); err != nil {
		return fmt.Errorf("add %q: %w", f.Path, err)
	}
	file := uint32(len(b.files))
	lines := b.addRegions(file, f.Text)
	class := uint16(f.Class)
	if f.Clear {
		class |= clearBit
	}
	firstChunk := len(b.chunks)
	b.addChunks(file, f)
	b.addDefinitions(firstChunk, f)
	stem, dir := b.addPath(file, f.Path)
	b.pathBytes = append(b.pathBytes, f.Path...)
	b.lastPath = f.Path
	b.stats.TextBytes += int64(len(f.Text))
	b.files = append(b.files, fileRow{
		hash: f.Hash, size: uint64(f.Size), textEnd: uint32(b.stats.TextBytes), regionEnd: uint32(len(b.regions)), pathEnd: uint32(len(b.pathBytes)),
		lines: lines, chunkEnd: uint32(len(b.chunks)), definitionEnd: uint32(len(b.definitions)),
		stemTokens: uint16(stem), dirTokens: uint16(dir), class: class, language: b.language(f.Language),
	})
	return nil
}

func (b *Builder) check(f *File) error {
	switch {
	case f.Path == "" || len(f.Path) > maxPath:
		return fmt.Errorf("path of %d bytes", len(f.Path))
	case len(b.files) > 0 && f.Path <= b.lastPath:
		return fmt.Errorf("path does not come after %q", b.lastPath)
	case f.Size < 0:
		return fmt.Errorf("size of %d bytes", f.Size)
	case b.stats.TextBytes+int64(len(f.Text)) > maxTextBytes:
		return fmt.Errorf("more than %d bytes of text in one segment", maxTextBytes)
	case len(f.Definitions) > 0 && len(f.Chunks) == 0:
		return fmt.Errorf("definitions without a chunk")
	}
	var end, line uint32
	for i, c := range f.Chunks {
		if c.Start < end || c.End < c.Start || int(c.End) > len(f.Text) || c.StartLine == 0 || c.StartLine < line || c.EndLine < c.StartLine {
			return fmt.Errorf("chunk %d %+v is out of order or outside %d bytes", i, c, len(f.Text))
		}
		end, line = c.End, c.EndLine
	}
	line = 0
	for i, d := range f.Definitions {
		if d.Line < line {
			return fmt.Errorf("definition %d of line %d is out of order", i, d.Line)
		}
		line = d.Line
	}
	return nil
}

// addRegions adds the text of a file by its regions and returns its number of
// lines. The trigrams over the end of a region count to it.
func (b *Builder) addRegions(file uint32, text []byte) (lines uint32) {
	start := b.stats.TextBytes
	for at := 0; at < len(text); {
		end := at + firstRegion(text[at:])
		region := text[at:end]
		number := uint32(len(b.regions))
		b.regions = append(b.regions, regionRow{file: file, textEnd: uint32(start) + uint32(end), line: lines + 1})
		b.text.region(region)
		b.trigrams.add(number, text[at:min(end+2, len(text))])
		if hasFoldRune(region) {
			b.fold = append(b.fold, number)
		}
		lines += uint32(countLines(region))
		at = end
	}
	return lines
}

// countLines counts the ends of lines, and text behind the last as a line.
func countLines(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// hasFoldRune reports whether text has a long s or a Kelvin sign.
func hasFoldRune(text []byte) bool {
	return bytes.Contains(text, []byte("\u017f")) || bytes.Contains(text, []byte("\u212a"))
}

func (b *Builder) language(name string) uint16 {
	i := slices.Index(b.languages, name)
	if i < 0 {
		i = len(b.languages)
		b.languages = append(b.languages, name)
	}
	return uint16(i)
}

func (b *Builder) addChunks(file uint32, f *File) {
	base := b.position
	for _, c := range f.Chunks {
		start := b.position
		b.starts = append(b.starts, start)
		var tokens uint32
		if !b.NoTerms {
			tokens = b.addText(f.Text[c.Start:c.End])
		}
		b.chunks = append(b.chunks, chunkRow{file: file, tokens: tokens, place: c, position: start - base})
	}
}

// addText notes the words of a chunk and returns how many terms and compounds
// they have.
func (b *Builder) addText(text []byte) (tokens uint32) {
	start, end := token.NextWord(text, 0)
	for start < end {
		b.spots = b.spots[:0]
		for ; start < end && len(b.spots) < maxSpots; start, end = token.NextWord(text, end) {
			b.spots = append(b.spots, wordSpot{wordKeyOf(text, start, end), start, end})
		}
		b.words.touch(b.spots)
		for i := range b.spots {
			w := b.word(text, &b.spots[i])
			if w.terms > 0 {
				b.said.add(w.number())
				b.position += uint32(w.positions)
				tokens += uint32(w.terms)
			}
		}
	}
	return tokens
}

// word returns a word of text. It is valid until the next one is asked for.
func (b *Builder) word(text []byte, at *wordSpot) *wordSlot {
	w, fresh := b.words.find(at.key)
	if fresh {
		e := b.analyze(string(text[at.start:at.end]))
		b.entries = append(b.entries, e)
		w.terms, w.positions = e.count, e.count
		if e.compound {
			w.positions--
		}
	}
	return w
}

func (b *Builder) analyze(word string) wordEntry {
	w := token.AnalyzeIn(b.parts[:0], word)
	e := wordEntry{first: uint32(len(b.lists)), compound: w.Compound != ""}
	if e.compound {
		b.lists = append(b.lists, b.terms.id(w.Compound))
	}
	for _, t := range w.Terms {
		b.lists = append(b.lists, b.terms.id(t))
	}
	e.count = uint8(uint32(len(b.lists)) - e.first)
	return e
}

// termsOf returns the terms of a word of a name or a path, and whether the first
// of them is its compound.
func (b *Builder) termsOf(text []byte, start, end int) (terms []uint32, compound bool) {
	e := b.entries[b.word(text, &wordSpot{wordKeyOf(text, start, end), start, end}).number()]
	return b.lists[e.first : e.first+uint32(e.count)], e.compound
}

// addDefinitions puts each definition in the chunk with its line, or in the
// last chunk before it, or in the first one.
func (b *Builder) addDefinitions(firstChunk int, f *File) {
	at := firstChunk
	for _, d := range f.Definitions {
		for at+1 < len(b.chunks) && b.chunks[at+1].place.StartLine <= d.Line {
			at++
		}
		tokens, terms := b.addName(d.Name, uint32(len(b.definitions)))
		chunk := &b.chunks[at]
		if d.Kind.IsType() {
			chunk.typeTokens = saturate(chunk.typeTokens, tokens)
		} else {
			chunk.funcTokens = saturate(chunk.funcTokens, tokens)
		}
		b.definitions = append(b.definitions, definitionRow{
			name: b.names.add([]byte(d.Name)), line: d.Line, chunk: uint32(at), kind: uint8(d.Kind), terms: uint8(min(terms, 255)),
		})
	}
}

func saturate(a uint16, n int) uint16 { return uint16(min(int(a)+n, 1<<16-1)) }

// addName notes the symbol postings of a definition. It returns the number of
// terms and compounds of its name, and of distinct terms.
func (b *Builder) addName(name string, definition uint32) (tokens, distinct int) {
	set := b.scratch[:0]
	text := []byte(name)
	known := false // the name as a whole is the compound of its only word
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		terms, compound := b.termsOf(text, start, end)
		known = compound && end-start == len(name) && len(name) < token.MaxWord/2
		tokens += len(terms)
		set = append(set, terms...)
	}
	if !known {
		set = append(set, b.terms.id(token.Name(name)))
	}
	slices.Sort(set)
	set = slices.Compact(set)
	for _, t := range set {
		if b.terms.names.At(t)[0] != '=' {
			distinct++
		}
		b.symbols = append(b.symbols, termEntry[uint32]{t, definition})
	}
	b.scratch = set
	return tokens, distinct
}

func (b *Builder) addPath(file uint32, path string) (stem, dir int) {
	stems, dirs := pathTexts(path)
	first := len(b.paths)
	for _, text := range stems {
		stem += b.addPathText(text, file, first, 1, 0)
	}
	for _, text := range dirs {
		dir += b.addPathText(text, file, first, 0, 1)
	}
	return stem, dir
}

func (b *Builder) addPathText(name string, file uint32, first int, stem, dir uint16) (tokens int) {
	text := []byte(name)
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		terms, _ := b.termsOf(text, start, end)
		for _, t := range terms {
			e := b.pathEntry(t, file, first)
			e.stem += stem
			e.dir += dir
			tokens++
		}
	}
	return tokens
}

func (b *Builder) pathEntry(term, file uint32, first int) *pathEntry {
	for i := first; i < len(b.paths); i++ {
		if b.paths[i].term == term {
			return &b.paths[i].value
		}
	}
	b.paths = append(b.paths, termEntry[pathEntry]{term, pathEntry{file: file}})
	return &b.paths[len(b.paths)-1].value
}

// WriteTo writes the part and leaves the builder empty, ready for other files.
func (b *Builder) WriteTo(w io.Writer) (int64, error) {
	defer b.reset()
	f := newPartWriter(w)
	f.begin(secText)
	b.text.flush()
	b.pieces.Drain(f.write)
	f.end(secText)
	f.textIndex(&b.text)
	b.writePostings(f)
	b.writeTrigrams(f)
	b.writeTables(f)
	return f.finish()
}

func (b *Builder) writePostings(f *partWriter) {
	w := newTermWriter(f, b.placeTable())
	order := b.rankTerms()
	places := newChunkPlaces(b.starts, b.position)
	paths, symbols := sortEntries(b.paths, len(order)), sortEntries(b.symbols, len(order))
	occurrences := newTermSorter(b, len(order))
	var p postings
	for rank, term := range order {
		p.reset()
		name := b.terms.names.At(term)
		places.find(&p, occurrences.next(), name[0] != '=')
		for ; len(paths) > 0 && paths[0].term == uint32(rank); paths = paths[1:] {
			e := paths[0].value
			p.paths = append(p.paths, pathPosting{e.file, uint32(e.stem), uint32(e.dir)})
		}
		for ; len(symbols) > 0 && symbols[0].term == uint32(rank); symbols = symbols[1:] {
			p.symbols = append(p.symbols, symbols[0].value)
		}
		if !p.empty() {
			w.add(name, &p)
		}
	}
	f.terms = w.dict.Finish()
}

func (b *Builder) placeTable() *placeTable {
	t := &placeTable{
		files: make([]uint32, len(b.chunks)), ends: make([]uint32, len(b.files)), chunks: make([]uint32, len(b.definitions)),
	}
	for i := range b.chunks {
		t.files[i] = b.chunks[i].file
	}
	for i := range b.files {
		t.ends[i] = b.files[i].chunkEnd
	}
	for i := range b.definitions {
		t.chunks[i] = b.definitions[i].chunk
	}
	return t
}

// rankTerms gives the terms, wherever they stand, their places in the order of
// their names in place of their numbers, and returns the numbers in that order.
func (b *Builder) rankTerms() (order []uint32) {
	order = dict.Sorted(&b.terms.names)
	ranks := make([]uint32, len(order))
	for rank, term := range order {
		ranks[term] = uint32(rank)
	}
	for i, term := range b.lists {
		b.lists[i] = ranks[term]
	}
	for i := range b.paths {
		b.paths[i].term = ranks[b.paths[i].term]
	}
	for i := range b.symbols {
		b.symbols[i].term = ranks[b.symbols[i].term]
	}
	return order
}

func (b *Builder) writeTrigrams(f *partWriter) {
	var w trigramWriter
	w.begin(f, len(b.regions))
	b.trigrams.writeTo(&w)
	w.finish()
	f.section(secFold, appendDistances(nil, b.fold, 0))
}

func (b *Builder) writeTables(f *partWriter) {
	numbers := f.setLanguages(b.languages)
	for i := range b.files {
		b.files[i].language = numbers[b.files[i].language]
	}
	f.tables(tables{
		files:       slices.Values(b.files),
		regions:     slices.Values(b.regions),
		paths:       oneValue(b.pathBytes),
		chunks:      slices.Values(b.chunks),
		definitions: slices.Values(b.definitions),
		names:       func() []byte { return b.names.bytes },
	})
}
