package segment

import (
	"bytes"
	"fmt"

	"espy/internal/segment/frame"
)

// Check reads the whole part: every checksum, every table, posting, list and
// text, and holds that they agree with each other. It returns a *CorruptError
// for what does not.
//
// Where the part is a mapped file, release, which may be nil, gives the memory
// of what was read back to the system (frame.Pace). Beside that, a check takes
// 4 bytes for each chunk and the text of one file at a time.
func (r *Reader) Check(release func()) (err error) {
	defer frame.Catch(&err)
	c := checker{r: r, spreader: spreader{places: r}, pace: frame.Pace{Release: release}}
	r.frame.CheckPages(&c.pace)
	c.tables()
	c.texts()
	c.pieces()
	c.terms()
	c.trigrams()
	c.fold()
	return nil
}

type checker struct {
	spreader
	r         *Reader
	term      postings // of the term that is checked, without occurrences
	counts    []uint32 // occurrences found for each chunk
	paths     int64
	block     blockBuffers
	positions []uint32
	pace      frame.Pace
}

func (c *checker) tables() {
	r := c.r
	var sum Stats
	var last []byte
	var chunk, definition int
	for i := range r.NumFiles() {
		path := r.pathBytes(i)
		if i > 0 && bytes.Compare(path, last) <= 0 {
			r.corrupt(secPaths, 0, fmt.Sprintf("path of file %d is out of order", i))
		}
		last = path
		f := r.File(i)
		if f.FirstChunk != chunk || f.FirstDefinition != definition {
			r.corrupt(secFiles, uint64(i)*fileRowSize, "ranges of files leave a gap")
		}
		chunk, definition = chunk+f.NumChunks, definition+f.NumDefinitions
		c.fileChunks(i, f)
		c.pace.Read(fileRowSize + len(last) + f.NumChunks*(chunkRowSize+placeRowSize) + 2*f.NumDefinitions*definitionRowSize)
		sum.Add(r.fileStats(i))
	}
	if sum != r.stats {
		r.corrupt(secFiles, 0, fmt.Sprintf("tables hold %+v, the contents say %+v", sum, r.stats))
	}
}

func (c *checker) fileChunks(i int, f FileInfo) {
	r := c.r
	var end, line uint32
	for k := f.FirstChunk; k < f.FirstChunk+f.NumChunks; k++ {
		chunk := r.Chunk(k)
		if chunk.File != i || chunk.Start < end || chunk.StartLine < line {
			r.corrupt(secChunkPlaces, uint64(k)*placeRowSize, "chunk out of order")
		}
		end, line = chunk.End, chunk.EndLine
	}
	for k := f.FirstDefinition; k < f.FirstDefinition+f.NumDefinitions; k++ {
		if d := r.Definition(k); d.File != i {
			r.corrupt(secDefinitions, uint64(k)*definitionRowSize, "definition in a chunk of another file")
		}
	}
}

// texts holds that the regions of each file are those of its text.
func (c *checker) texts() {
	r := c.r
	var cache TextCache
	region := 0
	for i := range r.NumFiles() {
		start, end := r.textRange(i)
		text := r.text(start, end, &cache)
		c.pace.Read(len(text))
		first, last := r.RegionsOf(i)
		if first != region {
			r.corrupt(secFiles, uint64(i)*fileRowSize, "regions of files leave a gap")
		}
		region = last
		at, line := 0, 1
		for k := first; k < last; k++ {
			g := r.Region(k)
			if g.File != i || g.Start != at || g.Line != line || g.End != at+firstRegion(text[at:]) || g.Start == g.End {
				r.corrupt(secRegions, uint64(k)*regionRowSize, "region disagrees with the text")
			}
			line += countLines(text[g.Start:g.End])
			at = g.End
		}
		if at != len(text) || line-1 != r.File(i).Lines {
			r.corrupt(secFiles, uint64(i)*fileRowSize, "regions do not hold the whole text")
		}
	}
	if uint64(region) != r.regions {
		r.corrupt(secRegions, 0, fmt.Sprintf("%d regions instead of %d", region, r.regions))
	}
}

// pieces holds that the pieces hold all text and nothing else.
func (c *checker) pieces() {
	var text, compressed uint64
	for k := range c.r.pieces {
		p := c.r.piece(k)
		text, compressed = p.textEnd, p.end
	}
	if text != uint64(c.r.stats.TextBytes) || compressed != c.r.size(secText) {
		c.r.corrupt(secTextIndex, 0, "pieces do not hold the whole text")
	}
}

// terms holds that the terms are in order and that the occurrences of all terms
// in a chunk are as many as its length says.
func (c *checker) terms() {
	r := c.r
	c.counts = make([]uint32, r.NumChunks())
	var last []byte
	n := uint64(0)
	for t := r.dict.First(); t != nil; n++ {
		if n > 0 && bytes.Compare(t.Term(), last) <= 0 {
			r.corrupt(secTerms, 0, fmt.Sprintf("term %q is out of order", t.Term()))
		}
		last = append(last[:0], t.Term()...)
		c.postings(r.termAt(t))
		c.pace.Read(len(last) + int(t.BodyLen+t.PathLen+t.SymbolLen))
		if !t.Next() {
			t = nil
		}
	}
	if n != r.terms {
		r.corrupt(secTerms, 0, fmt.Sprintf("%d terms instead of %d", n, r.terms))
	}
	for i, n := range c.counts {
		if _, tokens, _, _ := r.Lengths(i); tokens != n {
			r.corrupt(secChunks, uint64(i)*chunkRowSize, fmt.Sprintf("chunk %d has %d terms, its postings %d", i, tokens, n))
		}
	}
	if c.paths != r.stats.StemTokens+r.stats.DirTokens {
		r.corrupt(secPostings, 0, fmt.Sprintf("%d terms of paths instead of %d", c.paths, r.stats.StemTokens+r.stats.DirTokens))
	}
}

func (c *checker) postings(t Term) {
	chunks, tfs := c.block.chunks[:], c.block.tfs[:]
	df := 0
	c.term.reset()
	it := t.Body()
	it.walk.buf = c.block.walk
	last := int64(-1)
	for n := it.NextBlock(chunks, tfs); n > 0; n = it.NextBlock(chunks, tfs) {
		df += n
		for k, chunk := range chunks[:n] {
			if int64(chunk) <= last {
				c.r.corrupt(secPostings, t.Off, "postings out of order")
			}
			last = int64(chunk)
			c.term.chunks = append(c.term.chunks, chunk)
			c.counts[chunk] += tfs[k]
			c.positions = it.Positions(k, c.positions[:0])
		}
	}
	c.block.walk = it.walk.buf
	if df != t.BodyDF {
		c.r.corrupt(secPostings, t.Off, fmt.Sprintf("%d postings instead of %d", df, t.BodyDF))
	}
	paths := t.Path()
	for file, stem, dir, ok := paths.Next(); ok; file, stem, dir, ok = paths.Next() {
		c.paths += int64(stem) + int64(dir)
		c.term.paths = append(c.term.paths, pathPosting{file: uint32(file)})
	}
	symbols := t.Symbols()
	for d, ok := symbols.Next(); ok; d, ok = symbols.Next() {
		c.term.symbols = append(c.term.symbols, uint32(d))
	}
	if len(paths.c.Rest)+len(symbols.c.Rest) > 0 {
		c.r.corrupt(secPostings, t.Off, "postings are longer than their number")
	}
	if chunks, files := c.spread(&c.term); chunks != t.ChunkDF || files != t.FileDF {
		c.r.corrupt(secPostings, t.Off, fmt.Sprintf("in %d chunks of %d files instead of %d of %d", chunks, files, t.ChunkDF, t.FileDF))
	}
}

func (c *checker) trigrams() {
	r := c.r
	var regions []uint32
	last := int64(-1)
	for t := r.trigramsFrom(); t != nil; {
		if int64(t.trigram) <= last {
			r.corrupt(secTrigramTerms, 0, "trigrams out of order")
		}
		last = int64(t.trigram)
		regions = t.appendRegions(regions[:0])
		c.pace.Read(8 + len(regions)) // a region takes about a byte
		if !t.advance() {
			t = nil
		}
	}
}

func (c *checker) fold() { c.r.FoldRegions() }
