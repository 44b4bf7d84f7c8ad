package search

import (
	"cmp"
	"context"
	"errors"
	"math"
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
	largest   []*source // the same, those with most chunks first
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
	traits  []segment.FileTraits
	*scratch
	exact  map[int]exactMatch // by file: its definitions of names in the query
	found  segment.Bitmap     // files that meet the conditions of the query; nil where it has none
	places map[int]int        // by file: the chunk where a condition of the query is met
	asked  map[int]asked      // by file: the declaration that the query asks for

	filesOfKind, chunksOfKind segment.Bitmap // what has a symbol of the kinds that the query asks for; nil where it does not

	taken segment.Bitmap // the files that strong returned

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
	c.largest = slices.Clone(c.sources)
	slices.SortStableFunc(c.largest, func(a, b *source) int { return cmp.Compare(b.seg.NumChunks(), a.seg.NumChunks()) })
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
		s.lists = sized(s.lists, len(c.query.Terms))
	}
}

// release gives the memory of the collection back. Nothing of it is used afterwards.
func (c *collection) release() {
	clear(c.desk.found) // of sources
	desks.Put(c.desk)
	c.desk = nil
	for _, s := range c.sources {
		s.scratch.release()
		s.scratch = nil
	}
}

// Work that is worth another goroutine.
const (
	postingsPerWorker = 8 << 10
	namesPerWorker    = 256 << 10
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
	table [knownTimes + 1][knownTokens]float32 // by times and tokens
}

// Up to what a term occurs in a chunk, and below what a chunk has tokens.
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
	for times := range s.table {
		for tokens := range s.table[times] {
			s.table[times][tokens] = rank.Saturate(norm.Frequency(uint32(times), uint32(tokens)))
		}
	}
}

// of returns the saturated frequency of a term that occurs tf times in a chunk.
func (s *saturated) of(tf, tokens uint32) float32 {
	if tf <= knownTimes && tokens < knownTokens {
		return s.table[tf][tokens]
	}
	return rank.Saturate(s.norm.Frequency(tf, tokens))
}

// parallel calls work for every source, from a few goroutines where that many
// workers have enough to do, and returns the first error. What takes longest
// begins first, so that all end together.
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
				if err := work(c.largest[i]); err != nil {
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
	clear(s.seen)
	d := decoder{source: s, table: s.seg.ChunkBodies(), defined: s.seg.DefinedNames(), saturated: &c.desk.saturated}
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

// decoder reads the postings of one source, one term after the other.
type decoder struct {
	*source
	table     []segment.ChunkBody
	defined   []segment.DefinedName
	norms     [rank.NumFields]rank.Norm
	saturated *saturated
}

// block is what a decoder reads at once.
type block struct {
	bodies   [postingBlock]uint32 // chunks, or definitions
	bodyFreq [postingBlock]uint32
	distinct [256]uint32 // files, the same side by side once, from the second on
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
		n := it.NextBlock(d.block.bodies[:])
		if n == 0 {
			return
		}
		for _, def := range d.block.bodies[:n] {
			d.readName(def, &d.defined[def])
		}
	}
}

func (d *decoder) readName(def uint32, n *segment.DefinedName) {
	if !d.seg.Alive(int(n.File)) {
		return
	}
	d.names = append(d.names, nameHit{def, n.File, n.Kind, n.Terms})
	field := rank.FieldFunc
	if n.Kind.IsType() {
		field = rank.FieldType
	}
	d.add(n.Chunk, d.norms[field].Frequency(1, uint32(n.Length)))
}

// readPaths adds the term's frequency in a file's path to all chunks of the file.
func (d *decoder) readPaths(t segment.Term, mark uint32) {
	named := len(d.touched)
	for it := t.Path(); ; {
		file, inStem, inDir, ok := it.Next()
		if !ok {
			break
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
	if named > 0 && named < len(d.touched) {
		d.merged = appendMerged(d.merged[:0], d.touched[:named], d.touched[named:])
		d.touched, d.merged = d.merged, d.touched
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

// readBodies saturates the sum of the frequencies in each chunk that has the
// term: in its text or, for the touched ones, in names and path.
func (d *decoder) readBodies(t segment.Term, mark uint32) {
	d.chunks = slices.Grow(d.chunks, t.BodyDF+len(d.touched))
	rest := d.touched
	for it := t.Body(); ; {
		n := it.NextBlock(d.block.bodies[:], d.block.bodyFreq[:])
		if n == 0 {
			break
		}
		if d.seg.Live.Live != nil {
			n = d.dropDead(n)
		}
		if n > 0 {
			rest = d.merge(rest, d.score(n, mark), mark)
		}
	}
	for _, chunk := range rest {
		d.single(chunk, mark)
	}
	d.touched = d.touched[:0]
}

// score appends the first n chunks of the block, which it returns, and their
// files.
func (d *decoder) score(n int, mark uint32) []chunkHit {
	from := len(d.chunks)
	d.chunks = d.chunks[:from+n]
	chunks, times, hits := d.block.bodies[:n], d.block.bodyFreq[:n], d.chunks[from:][:n]
	table, saturated, files := d.table, d.saturated, &d.block.distinct
	count, last := uint8(0), uint32(math.MaxUint32)
	for k, chunk := range chunks {
		body := table[chunk]
		hits[k] = chunkHit{chunk, saturated.of(times[k], body.Tokens)}
		if body.File != last {
			count++
		}
		files[count] = body.File
		last = body.File
	}
	d.meetAll(files[1:1+int(count)], mark)
	return hits
}

// meetAll notes that files hold the term.
func (d *decoder) meetAll(files []uint32, mark uint32) {
	seen, met := d.seen, d.files
	for _, file := range files {
		if seen[file] != mark {
			seen[file] = mark
			met = append(met, file)
		}
	}
	d.files = met
}

// merge takes the touched chunks up to the last one of a block, and returns the
// others. What the block has of them is saturated anew.
func (d *decoder) merge(touched []uint32, hits []chunkHit, mark uint32) []uint32 {
	k, last := 0, hits[len(hits)-1].chunk
	for len(touched) > 0 && touched[0] <= last {
		chunk := touched[0]
		touched = touched[1:]
		for hits[k].chunk < chunk {
			k++
		}
		if hits[k].chunk != chunk {
			d.single(chunk, mark)
			continue
		}
		body := d.norms[rank.FieldBody].Frequency(d.block.bodyFreq[k], d.table[chunk].Tokens)
		hits[k].saturated = rank.Saturate(body + d.sums[chunk])
		d.sums[chunk] = 0
	}
	return touched
}

// single appends a chunk that has the term in names or path only.
func (d *decoder) single(chunk, mark uint32) {
	d.meet(d.table[chunk].File, mark)
	d.chunks = append(d.chunks, chunkHit{chunk, rank.Saturate(d.sums[chunk])})
	d.sums[chunk] = 0
}

// dropDead takes the chunks of dead files out of the first n of the block.
func (d *decoder) dropDead(n int) (left int) {
	for k, chunk := range d.block.bodies[:n] {
		if d.seg.Alive(int(d.table[chunk].File)) {
			d.block.bodies[left], d.block.bodyFreq[left] = chunk, d.block.bodyFreq[k]
			left++
		}
	}
	return left
}

// accumulate adds up what each term is worth to each chunk, file and name, one
// term after the other.
func (s *source) accumulate(c *collection) {
	clear(s.scores)
	clear(s.cover)
	for i, t := range c.query.Terms {
		l := &s.lists[i]
		scores, worth := s.scores, float32(c.terms[i].chunk)
		for _, h := range s.chunks[l.chunks.from:l.chunks.to] {
			scores[h.chunk] += float32(worth * h.saturated)
		}
		cover, mass := s.cover, float32(c.terms[i].file)
		if t.Primary() {
			for _, f := range s.files[l.files.from:l.files.to] {
				cover[f] += mass
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
