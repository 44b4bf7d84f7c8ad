package search

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"espy/internal/rank"
	"espy/internal/segment"
)

// collection is what one ranked query scores: the segments of all snapshots
// as one. Counts, frequencies and lengths are over live files of all of them,
// and sums run term by term in the order of the terms, so that the same files
// score the same however they are spread over segments. Filters do not change
// frequencies: they say what may be found, not how rare a word is.
type collection struct {
	query     rank.Query
	sources   []*source
	norms     rank.Norms
	files     int
	chunks    int
	terms     []termWeight // of query.Terms, in their order
	mass      float64      // of the primary terms together by files, never 0
	chunkMass float64      // and by chunks
	*desk
}

// termWeight is what one term is worth.
type termWeight struct {
	chunk float64 // weight times inverse frequency over chunks
	file  float64 // weight times inverse frequency over files
	known bool    // it occurs somewhere
}

// source is one segment as a query sees it.
type source struct {
	repo    string
	spelled string // its repository's name, as rank.Spelling does
	order   int    // of its snapshot
	number  int    // of its segment in the filter
	seg     *segmentFilter
	content []rank.Content // by language of its segment
	lists   []termPostings // by term
	*scratch
	exact  map[int]exactMatch // by file: its definitions of names in the query
	found  segment.Bitmap     // files that meet the conditions of the query; nil where it has none
	places map[int]int        // by file: the chunk where a condition of the query is met
	asked  map[int]asked      // by file: the declaration that the query asks for

	filesOfKind, chunksOfKind segment.Bitmap // what has a symbol of the kinds that the query asks for; nil where it does not

	mentions map[int]mentioned // by file: how the query mentions it
	quotes   map[int]quoted    // by file: what it holds of a pasted text
}

// termPostings is where one term occurs among the live files of one source:
// ranges of the lists in its scratch.
type termPostings struct {
	term segment.Term // without postings where the segment does not have it

	chunks, files, stems, names span
}

// span is the range [from, to) of a list.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// newCollection returns the segments that a filter looks at. A repository that
// it leaves out as a whole counts for nothing.
func newCollection(f *filter) *collection {
	c := &collection{desk: desks.Get().(*desk)}
	var stats segment.Stats
	for _, s := range f.snaps {
		stats.Add(s.Stats())
	}
	for number, seg := range f.segments {
		if seg == nil {
			continue
		}
		c.sources = append(c.sources, &source{
			repo: seg.snap.Name, spelled: rank.Spelling(seg.snap.Name), order: slices.Index(f.snaps, seg.snap), number: number,
			seg: seg, content: contents(seg.Languages()), scratch: takeScratch(seg.Reader),
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

// contents returns what files of each language are written for.
func contents(languages []string) []rank.Content {
	all := make([]rank.Content, len(languages))
	for i, l := range languages {
		all[i] = rank.ContentOf(l)
	}
	return all
}

// prepare makes room for the terms of the query.
func (c *collection) prepare() {
	c.terms = make([]termWeight, len(c.query.Terms))
	for _, s := range c.sources {
		s.lists = make([]termPostings, len(c.query.Terms))
	}
}

// release gives the memory of the collection back. Nothing of it is used afterwards.
func (c *collection) release() {
	clear(c.desk.found[:cap(c.desk.found)]) // of sources
	desks.Put(c.desk)
	c.desk = nil
	for _, s := range c.sources {
		s.scratch.release()
		s.scratch = nil
	}
}

// Work that is worth another goroutine.
const (
	postingsPerWorker = 16 << 10
	namesPerWorker    = 64 << 10
)

// gather reads the postings of every term and scores the chunks. It returns
// false when the time was up first; what was read until then is scored.
func (c *collection) gather(ctx context.Context) (bool, error) {
	postings, err := c.lookUp()
	if err != nil {
		return false, err
	}
	c.desk.saturated.prepare(c.norms.Of(rank.FieldBody))
	workers := 1 + postings/postingsPerWorker
	err = c.parallel(workers, func(s *source) error { return s.decode(ctx, c) })
	late := errors.Is(err, context.DeadlineExceeded)
	if err != nil && !late {
		return false, err
	}
	c.weigh()
	return !late, c.parallel(workers, func(s *source) error {
		s.accumulate(c)
		return nil
	})
}

// termsPerWorker is how many terms to find, at 1 to 4 us each, are worth
// another goroutine.
const termsPerWorker = 32

// lookUp finds the terms in each source and returns how many postings they have.
func (c *collection) lookUp() (postings int, err error) {
	err = c.parallel(1+len(c.sources)*len(c.query.Terms)/termsPerWorker, func(s *source) (err error) {
		for i, t := range c.query.Terms {
			if s.lists[i].term, _, err = s.seg.Lookup(t.Text); err != nil {
				return err
			}
		}
		return nil
	})
	for _, s := range c.sources {
		for i := range s.lists {
			postings += s.lists[i].term.BodyDF + s.lists[i].term.SymbolDF
		}
	}
	return postings, err
}

// saturated knows the saturated frequencies of terms in bodies of chunks: there
// are few different ones, and two divisions cost more than looking one up.
type saturated struct {
	norm  rank.Norm
	table [knownTimes * knownTokens]float32
}

// Up to what a term occurs so often in a chunk, and a chunk has so many tokens.
const (
	knownTimes  = 4
	knownTokens = 1 << 10
)

// prepare fills the table for a norm.
func (s *saturated) prepare(norm rank.Norm) {
	if s.norm == norm {
		return
	}
	s.norm = norm
	for i := range s.table {
		s.table[i] = rank.Saturate(norm.Frequency(uint32(1+i/knownTokens), uint32(i%knownTokens)))
	}
}

// of returns the saturated frequency of a term that occurs tf times, at least
// once, in a chunk.
func (s *saturated) of(tf, tokens uint32) float32 {
	if tf <= knownTimes && tokens < knownTokens {
		return s.table[(tf-1)*knownTokens+tokens]
	}
	return rank.Saturate(s.norm.Frequency(tf, tokens))
}

// parallel calls work for every source, from a few goroutines where that many
// workers have enough to do, and returns the first error.
func (c *collection) parallel(workers int, work func(*source) error) error {
	errs := make([]error, min(len(c.sources), workers, runtime.GOMAXPROCS(0)))
	var next atomic.Int64
	run := func(worker int) {
		errs[worker] = segment.Guard(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(c.sources) {
					return nil
				}
				if err := work(c.sources[i]); err != nil {
					return err
				}
			}
		})
	}
	var wg sync.WaitGroup
	for worker := 1; worker < len(errs); worker++ {
		wg.Go(func() { run(worker) })
	}
	if len(errs) > 0 {
		run(0)
	}
	wg.Wait()
	return firstError(errs)
}

func (s *source) decode(ctx context.Context, c *collection) error {
	d := decoder{source: s, table: s.seg.ChunkTable(), saturated: &c.desk.saturated}
	for f := range d.norms {
		d.norms[f] = c.norms.Of(rank.Field(f))
	}
	for i, t := range c.query.Terms {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.term(i, t)
	}
	return nil
}

// weigh sets the weights of the terms from how many chunks and files hold them.
func (c *collection) weigh() {
	for i, t := range c.query.Terms {
		chunks, files := 0, 0
		for _, s := range c.sources {
			chunks += s.lists[i].chunks.len()
			files += s.lists[i].files.len()
		}
		w := &c.terms[i]
		w.known = files > 0
		w.chunk = t.Weight * rank.IDF(chunks, c.chunks)
		w.file = t.Weight * rank.IDF(files, c.files)
		if t.Primary() {
			c.mass += w.file
			c.chunkMass += w.chunk
		}
	}
	if c.mass == 0 {
		c.mass = 1
	}
	if c.chunkMass == 0 {
		c.chunkMass = 1
	}
}

// postingBlock is how many postings a segment decodes at once.
const postingBlock = 128

// decoder reads the postings of one source.
type decoder struct {
	*source
	table       segment.ChunkTable
	norms       [rank.NumFields]rank.Norm
	saturated   *saturated
	bodies      [postingBlock]uint32 // chunks, or definitions, of a block
	bodyFreq    [postingBlock]uint32
	fileOf      [postingBlock]uint32 // of each in the block
	distinct    [postingBlock]uint32 // files of the block
	definitions [postingBlock]segment.Place
}

// term reads the postings of the i-th term. A hint is not sought in names: that
// costs more than it is worth.
func (d *decoder) term(i int, term rank.Term) {
	t := d.lists[i].term
	if t.BodyDF+t.PathDF+t.SymbolDF == 0 {
		return
	}
	before := d.ends()
	mark := uint32(i + 1)
	if !term.Hint() {
		d.readNames(t)
	}
	d.readPaths(t, mark)
	d.readBodies(t, mark)
	d.readRest(mark)
	after := d.ends()
	d.lists[i] = termPostings{
		term: t, chunks: span{before[0], after[0]}, files: span{before[1], after[1]}, stems: span{before[2], after[2]}, names: span{before[3], after[3]},
	}
}

func (s *scratch) ends() [4]int {
	return [...]int{len(s.chunks), len(s.files), len(s.stems), len(s.names)}
}

// readNames adds up the term's frequency in the names that each chunk defines.
func (d *decoder) readNames(t segment.Term) {
	for it := t.Symbols(); ; {
		n := it.NextBlock(d.bodies[:])
		if n == 0 {
			return
		}
		d.seg.Places(d.definitions[:], d.bodies[:n])
		d.scoreNames(n)
	}
}

// scoreNames appends the first n definitions of the block and adds their
// frequencies to their chunks. Like score it reads memory in a loop of its own.
func (d *decoder) scoreNames(n int) {
	var frequencies [postingBlock]float32
	for k := range d.definitions[:n] {
		p := &d.definitions[k]
		file, types, funcs := d.table.Names(p.Chunk)
		d.fileOf[k] = file
		if p.Kind.IsType() {
			frequencies[k] = d.norms[rank.FieldType].Frequency(1, types)
		} else {
			frequencies[k] = d.norms[rank.FieldFunc].Frequency(1, funcs)
		}
	}
	for k, def := range d.bodies[:n] {
		if d.seg.Alive(int(d.fileOf[k])) {
			p := &d.definitions[k]
			d.names = append(d.names, nameHit{def, d.fileOf[k], p.Kind, p.Terms})
			d.add(p.Chunk, frequencies[k])
		}
	}
}

// readPaths adds the term's frequency in a file's path to all chunks of the file.
func (d *decoder) readPaths(t segment.Term, mark uint32) {
	for it := t.Path(); ; {
		file, inStem, inDir, ok := it.Next()
		if !ok {
			return
		}
		if !d.seg.Alive(file) {
			continue
		}
		d.meet(uint32(file), mark)
		stem, dir := d.seg.PathTokens(file)
		var sum float32
		if inStem > 0 {
			d.stems = append(d.stems, uint32(file))
			sum = d.norms[rank.FieldStem].Frequency(inStem, uint32(stem))
		}
		sum += d.norms[rank.FieldDir].Frequency(inDir, uint32(dir))
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
func (d *decoder) meet(file, mark uint32) {
	if d.seen[file] != mark {
		d.seen[file] = mark
		d.files = append(d.files, file)
	}
}

// readBodies saturates the sum of the frequencies in each chunk whose text has the term.
func (d *decoder) readBodies(t segment.Term, mark uint32) {
	d.chunks = slices.Grow(d.chunks, t.BodyDF)
	for it := t.Body(); ; {
		n := it.NextBlock(d.bodies[:], d.bodyFreq[:])
		if n == 0 {
			return
		}
		files := d.score(n)
		if d.seg.Live.Live == nil {
			for _, file := range files {
				d.meet(file, mark)
			}
			continue
		}
		d.dropDead(n)
		for _, file := range files {
			if d.seg.Alive(int(file)) {
				d.meet(file, mark)
			}
		}
	}
}

// score appends the first n chunks of the block and returns their files, the
// same file side by side once. It goes over the block in short loops without
// branches on what it reads: the rows of the chunks are far apart in memory, and
// so the processor waits for many at a time.
func (d *decoder) score(n int) (files []uint32) {
	bodies, freqs := d.bodies[:n], d.bodyFreq[:n]
	from := len(d.chunks)
	d.chunks = d.chunks[:from+n]
	hits := d.chunks[from:]
	for k, chunk := range bodies {
		file, tokens := d.table.Body(chunk)
		d.fileOf[k] = file
		hits[k] = chunkHit{chunk, d.saturated.of(freqs[k], tokens)}
	}
	if len(d.touched) > 0 {
		d.addTouched(n, hits)
	}
	last, count := d.fileOf[0], 1
	for _, file := range d.fileOf[1:n] {
		d.distinct[count&(postingBlock-1)] = file
		if file != last {
			count++
		}
		last = file
	}
	d.distinct[0] = d.fileOf[0]
	return d.distinct[:count]
}

// addTouched saturates anew what chunks of the block have in names and path too.
func (d *decoder) addTouched(n int, hits []chunkHit) {
	for k, chunk := range d.bodies[:n] {
		if sum := d.sums[chunk]; sum != 0 {
			d.sums[chunk] = 0
			_, tokens := d.table.Body(chunk)
			hits[k].saturated = rank.Saturate(d.norms[rank.FieldBody].Frequency(d.bodyFreq[k], tokens) + sum)
		}
	}
}

// dropDead takes the chunks of dead files out of the n last ones.
func (d *decoder) dropDead(n int) {
	from := len(d.chunks) - n
	kept := d.chunks[:from]
	for k, h := range d.chunks[from:] {
		if d.seg.Alive(int(d.fileOf[k])) {
			kept = append(kept, h)
		}
	}
	d.chunks = kept
}

// readRest does the same for chunks that have the term in names or path only.
func (d *decoder) readRest(mark uint32) {
	for _, chunk := range d.touched {
		if sum := d.sums[chunk]; sum > 0 {
			d.sums[chunk] = 0
			file, _ := d.table.Body(chunk)
			d.meet(file, mark)
			d.chunks = append(d.chunks, chunkHit{chunk, rank.Saturate(sum)})
		}
	}
	d.touched = d.touched[:0]
}

// accumulate adds up what each term is worth to each chunk, file and name, one
// term after the other.
func (s *source) accumulate(c *collection) {
	for i, t := range c.query.Terms {
		l := &s.lists[i]
		worth := float32(c.terms[i].chunk)
		for _, h := range s.chunks[l.chunks.from:l.chunks.to] {
			s.scores[h.chunk] += float32(worth * h.saturated)
		}
		mass := float32(c.terms[i].file)
		if t.Primary() {
			for _, f := range s.files[l.files.from:l.files.to] {
				s.cover[f] += mass
			}
		}
		if t.Compound() {
			continue
		}
		for _, f := range s.stems[l.stems.from:l.stems.to] {
			s.stem[f] += mass
		}
		for _, n := range s.names[l.names.from:l.names.to] {
			m := &s.nameMass[n.definition]
			m.mass += mass
			m.hits++
		}
	}
	s.judgeNames(c)
}

// judgeNames finds the best name of a type and of a function in each file. A
// definition that several terms hit is judged as often, with the same result.
func (s *source) judgeNames(c *collection) {
	total := float32(c.mass)
	for _, n := range s.names {
		best := s.funcNames
		switch {
		case n.kind.IsType():
			best = s.typeNames
		case !n.kind.IsFunc():
			continue
		}
		m := s.nameMass[n.definition]
		value := float32(rank.NameMatch(float64(m.mass/total), int(m.hits), int(n.terms)))
		if old := best[n.file]; value > old.value || value == old.value && n.definition < old.definition {
			best[n.file] = nameMatch{value, n.definition}
		}
	}
}
