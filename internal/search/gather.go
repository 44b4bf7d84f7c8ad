package search

import (
	"context"
	"slices"

	"espy/internal/rank"
	"espy/internal/segment"
)

// collection is what one ranked query scores: the segments of all snapshots
// as one. Counts, frequencies and lengths are over live files of all of them,
// and sums run term by term in the order of the terms, so that the same files
// score the same however they are spread over segments. Filters do not change
// frequencies: they say what may be found, not how rare a word is.
type collection struct {
	query   rank.Query
	sources []*source
	norms   rank.Norms
	files   int
	chunks  int
	terms   []termWeight // of query.Terms, in their order
	mass    float64      // of the primary terms together, never 0
}

// termWeight is what one term is worth.
type termWeight struct {
	chunk float64 // weight times inverse frequency over chunks
	file  float64 // weight times inverse frequency over files
	known bool    // it occurs somewhere
}

// source is one segment as a query sees it.
type source struct {
	repo   string
	order  int // of its snapshot
	number int // of its segment in the filter
	seg    *segmentFilter
	lists  []termPostings // by term

	scores []float32 // by chunk: BM25F
	cover  []float32 // by file: mass of the primary terms it holds
	stem   []float32 // by file: mass of the terms in its stem
	names  nameMatches
	exact  map[int]exactMatch // by file: its definitions of names in the query
	found  segment.Bitmap     // files that meet the conditions of the query; nil where it has none
	places map[int]int        // by file: the chunk where a condition of the query is met
}

// termPostings is where one term occurs among the live files of one source.
type termPostings struct {
	chunks    []uint32  // that hold it in a field, each once
	saturated []float32 // by element of chunks: its saturated frequency there
	files     []uint32  // that hold it, each once
	stems     []uint32  // files that have it in their stem
	names     []uint32  // definitions that have it in their name
}

// newCollection returns the segments that a filter looks at. A repository that
// it leaves out as a whole counts for nothing.
func newCollection(f *filter, q rank.Query) *collection {
	c := &collection{query: q, terms: make([]termWeight, len(q.Terms))}
	var stats segment.Stats
	for _, s := range f.snaps {
		stats.Add(s.Stats())
	}
	for number, seg := range f.segments {
		if seg == nil {
			continue
		}
		c.sources = append(c.sources, &source{
			repo: seg.snap.Name, order: slices.Index(f.snaps, seg.snap), number: number,
			seg: seg, lists: make([]termPostings, len(q.Terms)),
		})
	}
	c.files, c.chunks = stats.Files, stats.Chunks
	c.norms = rank.NewNorms(rank.Sums{
		rank.FieldBody: {Tokens: stats.BodyTokens, Documents: int64(stats.Chunks)},
		rank.FieldType: {Tokens: stats.DefTypeTokens, Documents: int64(stats.Chunks)},
		rank.FieldFunc: {Tokens: stats.DefFuncTokens, Documents: int64(stats.Chunks)},
		rank.FieldStem: {Tokens: stats.StemTokens, Documents: int64(stats.Files)},
		rank.FieldDir:  {Tokens: stats.DirTokens, Documents: int64(stats.Files)},
	})
	return c
}

// gather reads the postings of every term and scores the chunks. It returns
// false when ctx ended first; what was gathered until then is scored.
func (c *collection) gather(ctx context.Context) (bool, error) {
	done, err := c.decode(ctx)
	if err != nil {
		return false, err
	}
	c.weigh()
	for _, s := range c.sources {
		s.accumulate(c)
	}
	return done, nil
}

func (c *collection) decode(ctx context.Context) (bool, error) {
	for _, s := range c.sources {
		d := decoder{source: s, norms: &c.norms, sums: make([]float32, s.seg.NumChunks()), seen: make([]uint32, s.seg.NumFiles())}
		for i, t := range c.query.Terms {
			if ctx.Err() != nil {
				return false, nil
			}
			if err := d.term(i, t.Text); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// weigh sets the weights of the terms from how many chunks and files hold them.
func (c *collection) weigh() {
	for i, t := range c.query.Terms {
		chunks, files := 0, 0
		for _, s := range c.sources {
			chunks += len(s.lists[i].chunks)
			files += len(s.lists[i].files)
		}
		w := &c.terms[i]
		w.known = files > 0
		w.chunk = t.Weight * rank.IDF(chunks, c.chunks)
		w.file = t.Weight * rank.IDF(files, c.files)
		if t.Primary() {
			c.mass += w.file
		}
	}
	if c.mass == 0 {
		c.mass = 1
	}
}

// postingBlock is how many postings a segment decodes at once.
const postingBlock = 128

// decoder reads the postings of one source.
type decoder struct {
	*source
	norms    *rank.Norms
	sums     []float32 // by chunk: frequencies of the term in names and path; 0 between terms
	touched  []uint32  // chunks with a sum
	seen     []uint32  // by file: the last term met in it, counted from 1
	bodies   [postingBlock]uint32
	bodyFreq [postingBlock]uint32
}

// term reads the postings of the i-th term.
func (d *decoder) term(i int, text string) error {
	t, ok, err := d.seg.Lookup(text)
	if err != nil || !ok {
		return err
	}
	l := &d.lists[i]
	mark := uint32(i + 1)
	d.readNames(t, l)
	d.readPaths(t, l, mark)
	d.readBodies(t, l, mark)
	d.readRest(l, mark)
	return nil
}

// readNames adds up the term's frequency in the names that each chunk defines.
func (d *decoder) readNames(t segment.Term, l *termPostings) {
	l.names = make([]uint32, 0, t.SymbolDF)
	for it := t.Symbols(); ; {
		def, ok := it.Next()
		if !ok {
			return
		}
		chunk, kind, _ := d.seg.DefinitionPlace(def)
		file, _, types, funcs := d.seg.Lengths(chunk)
		if !d.seg.Alive(file) {
			continue
		}
		l.names = append(l.names, uint32(def))
		if kind.IsType() {
			d.add(uint32(chunk), d.norms.Frequency(rank.FieldType, 1, types))
		} else {
			d.add(uint32(chunk), d.norms.Frequency(rank.FieldFunc, 1, funcs))
		}
	}
}

// readPaths adds the term's frequency in a file's path to all chunks of the file.
func (d *decoder) readPaths(t segment.Term, l *termPostings, mark uint32) {
	for it := t.Path(); ; {
		file, inStem, inDir, ok := it.Next()
		if !ok {
			return
		}
		if !d.seg.Alive(file) {
			continue
		}
		d.meet(l, file, mark)
		stem, dir := d.seg.PathTokens(file)
		var sum float32
		if inStem > 0 {
			l.stems = append(l.stems, uint32(file))
			sum = d.norms.Frequency(rank.FieldStem, inStem, uint32(stem))
		}
		sum += d.norms.Frequency(rank.FieldDir, inDir, uint32(dir))
		first, end := d.seg.ChunksOf(file)
		for c := first; c < end; c++ {
			d.add(uint32(c), sum)
		}
	}
}

func (d *decoder) add(chunk uint32, frequency float32) {
	if d.sums[chunk] == 0 {
		d.touched = append(d.touched, chunk)
	}
	d.sums[chunk] += frequency
}

// meet notes that a file holds the term.
func (d *decoder) meet(l *termPostings, file int, mark uint32) {
	if d.seen[file] != mark {
		d.seen[file] = mark
		l.files = append(l.files, uint32(file))
	}
}

// readBodies saturates the sum of the frequencies in each chunk whose text has the term.
func (d *decoder) readBodies(t segment.Term, l *termPostings, mark uint32) {
	l.chunks = make([]uint32, 0, t.BodyDF+len(d.touched))
	l.saturated = make([]float32, 0, t.BodyDF+len(d.touched))
	for it := t.Body(); ; {
		n := it.NextBlock(d.bodies[:], d.bodyFreq[:])
		if n == 0 {
			return
		}
		for k, chunk := range d.bodies[:n] {
			file, tokens, _, _ := d.seg.Lengths(int(chunk))
			if !d.seg.Alive(file) {
				continue
			}
			d.meet(l, file, mark)
			sum := d.norms.Frequency(rank.FieldBody, d.bodyFreq[k], tokens) + d.sums[chunk]
			d.sums[chunk] = 0
			l.chunks = append(l.chunks, chunk)
			l.saturated = append(l.saturated, rank.Saturate(sum))
		}
	}
}

// readRest does the same for chunks that have the term in names or path only.
func (d *decoder) readRest(l *termPostings, mark uint32) {
	for _, chunk := range d.touched {
		if sum := d.sums[chunk]; sum > 0 {
			d.sums[chunk] = 0
			d.meet(l, d.seg.FileOf(int(chunk)), mark)
			l.chunks = append(l.chunks, chunk)
			l.saturated = append(l.saturated, rank.Saturate(sum))
		}
	}
	d.touched = d.touched[:0]
}

// accumulate adds up what each term is worth to each chunk, file and name, one
// term after the other.
func (s *source) accumulate(c *collection) {
	s.scores = make([]float32, s.seg.NumChunks())
	s.cover = make([]float32, s.seg.NumFiles())
	s.stem = make([]float32, s.seg.NumFiles())
	s.names.reset(s.seg.NumDefinitions(), s.seg.NumFiles())
	for i, t := range c.query.Terms {
		l := &s.lists[i]
		worth := float32(c.terms[i].chunk)
		for k, chunk := range l.chunks {
			s.scores[chunk] += float32(worth * l.saturated[k])
		}
		mass := float32(c.terms[i].file)
		if t.Primary() {
			for _, f := range l.files {
				s.cover[f] += mass
			}
		}
		if t.Compound() {
			continue
		}
		for _, f := range l.stems {
			s.stem[f] += mass
		}
		for _, def := range l.names {
			s.names.add(def, mass)
		}
	}
	s.names.judge(s.seg.Reader, float32(c.mass))
}

// nameMatches is how well the names that files define match the terms.
type nameMatches struct {
	mass    []float32 // by definition: of the terms in its name
	hits    []uint8   // by definition: how many terms
	touched []uint32
	types   []nameMatch // by file: the best name of a type
	funcs   []nameMatch // by file: the best name of a function
}

// nameMatch is one definition whose name has terms of the query; none has value 0.
type nameMatch struct {
	value      float32
	definition uint32
}

func (m *nameMatches) reset(definitions, files int) {
	*m = nameMatches{
		mass: make([]float32, definitions), hits: make([]uint8, definitions),
		types: make([]nameMatch, files), funcs: make([]nameMatch, files),
	}
}

func (m *nameMatches) add(def uint32, mass float32) {
	if m.hits[def] == 0 {
		m.touched = append(m.touched, def)
	}
	if m.hits[def] < 255 {
		m.hits[def]++
	}
	m.mass[def] += mass
}

// judge finds the best name of a type and of a function in each file.
func (m *nameMatches) judge(r *segment.Reader, total float32) {
	for _, def := range m.touched {
		chunk, kind, terms := r.DefinitionPlace(int(def))
		best := m.funcs
		switch {
		case kind.IsType():
			best = m.types
		case !kind.IsFunc():
			continue
		}
		value := float32(rank.NameMatch(float64(m.mass[def]/total), int(m.hits[def]), terms))
		file := r.FileOf(chunk)
		if old := best[file]; value > old.value || value == old.value && def < old.definition {
			best[file] = nameMatch{value, def}
		}
	}
}
