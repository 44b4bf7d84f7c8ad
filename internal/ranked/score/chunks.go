package score

import (
	"context"
	"math"
	"sort"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
)

// This file scores chunks: all terms go over the files of a batch before the
// next batch begins, so that the sums and rows of its chunks are in the nearest
// cache for all of them but the first.

// postingBlock is how many postings a segment decodes at once.
const postingBlock = corpus.PostingBlock

// job is what workers are to do.
type job struct {
	terms     []Term
	weight    float32 // of the primary terms together, by files
	norms     *rank.Norms
	saturated *saturated
	early     bool // the best chunks are found while they are scored
	threshold *threshold
	tests     bool    // chunks of tests count as others do
	whole     bool    // whole files are scored too,
	compounds bool    // and by whole identifiers beside their parts
	fileSlope float32 // what a token of a file adds to the norm of its length
}

// worker scores one range after the other.
type worker struct {
	job
	late    bool // the time was up before all was scored
	norms   [rank.NumFields]rank.Norm
	seg     *Segment // of the range
	scoring *segment.Scoring
	streams []stream
	batch

	// Memory of the batch.
	tokens  []uint16     // by chunk: as Scoring has them, but ManyTokens where there is a sum
	sums    []float32    // by chunk: frequencies of one term in names and path; 0 between terms
	touched []uint32     // chunks with a sum
	weights []nameWeight // by definition: 0 between batches
	names   []uint32     // definitions of the batch with a term in their name, each once
	times   []uint32     // by file: how often it holds one term; 0 between terms
	met     []uint16     // files that hold it, each once

	rows     [postingBlock]segment.DefinedName
	distinct [256]uint16 // files, the same side by side once, from the second on
}

// batch is the files that are scored together and what is known of them.
type batch struct {
	segment.Batch
	files       []uint16              // by chunk: counted from File
	chunkScores []float32             // by chunk
	marks       []uint32              // by file
	cover       []float32             // by file
	wholes      []float32             // by file
	lengths     []uint32              // by file: tokens
	named       []segment.DefinedName // by definition
}

// stream reads the postings of one term in a range of files, in order.
type stream struct {
	mark     uint32 // the term's number, counted from 1
	compound bool
	hint     bool

	// What the term is worth.
	chunkWeight float32 // to a chunk
	cover       float32 // to the cover of a file
	fileWeight  float32 // to a name or stem
	wholeWeight float32 // to a whole file

	bodies      segment.BodyIter
	chunks, tfs [postingBlock]uint32
	at, n       int // of these, what is still to come
	paths       segment.PathIter
	path        pathHit // the next one
	hasPath     bool
	symbols     segment.SymbolIter
	definitions [postingBlock]uint32
	nextName    int // of these, what is still to come
	names       int
}

// pathHit is a term in the path of a file.
type pathHit struct {
	file          int
	inStem, inDir uint32
}

// nameWeight is the terms that the name of a definition has: their weight and number.
type nameWeight struct {
	weight float32
	hits   uint32
}

// begin gives the worker a job.
func (w *worker) begin(j job) {
	w.job, w.late = j, false
	for f := range w.norms {
		w.norms[f] = j.norms.Of(rank.Field(f))
	}
}

// release forgets the job and what it was about, but for the memory.
func (w *worker) release() {
	clear(w.streams) // of readers
	w.job, w.seg, w.scoring, w.batch = job{}, nil, nil, batch{}
}

// score scores the chunks of a range. What it does not come to in time scores nothing.
func (w *worker) score(ctx context.Context, r *fileRange) {
	w.seg, w.scoring = r.seg, r.scoring
	w.open(r.batches[0].Chunk)
	for i := range r.batches {
		w.next(r.batches[i])
		if ctx.Err() != nil {
			w.late = true
			continue
		}
		for i := range w.streams {
			w.term(&w.streams[i])
		}
		if !w.tests {
			w.lowerTests()
		}
		w.judgeNames()
		if w.early {
			w.threshold.offer(r, &w.Batch, nil, nil)
			r.matched += w.matched()
		}
	}
}

// matched returns how many files of the batch hold a term and pass the filters.
func (w *worker) matched() (files int) {
	all := w.seg.AllowsAll()
	for i, mark := range w.marks {
		if mark != 0 && (all || w.seg.Allows(w.File+i)) {
			files++
		}
	}
	return files
}

// open makes a stream of each term that the segment has, from a chunk on.
func (w *worker) open(chunk int) {
	w.streams = w.streams[:0]
	for i := range w.terms {
		t, found := &w.terms[i], &w.seg.terms[i]
		if found.FileDF == 0 {
			continue
		}
		w.streams = append(w.streams, stream{})
		st := &w.streams[len(w.streams)-1]
		st.mark, st.compound, st.hint = uint32(i+1), t.Compound(), t.Hint()
		st.chunkWeight, st.fileWeight = float32(t.ChunkWeight), float32(t.FileWeight)
		if t.Primary() {
			st.cover = st.fileWeight
		}
		if !st.compound || w.compounds {
			st.wholeWeight = st.fileWeight
		}
		st.bodies, st.paths, st.symbols = found.Body(), found.Path(), found.Symbols()
		st.bodies.Seek(uint32(chunk))
		st.nextPath()
	}
}

func (st *stream) nextPath() {
	st.path.file, st.path.inStem, st.path.inDir, st.hasPath = st.paths.Next()
}

// next begins a batch.
func (w *worker) next(next segment.Batch) {
	chunks, definitions := next.ChunkEnd-next.Chunk, next.DefinitionEnd-next.Definition
	w.batch = batch{
		Batch:       next,
		files:       w.scoring.Files[next.Chunk:next.ChunkEnd],
		chunkScores: w.seg.Scores[next.Chunk:next.ChunkEnd],
		marks:       w.seg.marks[next.File:next.FileEnd],
		cover:       w.seg.Cover[next.File:next.FileEnd],
		wholes:      w.seg.Whole[next.File:next.FileEnd],
		lengths:     w.scoring.Lengths[next.File:next.FileEnd],
		named:       w.scoring.Names[next.Definition:next.DefinitionEnd],
	}
	w.tokens = append(w.tokens[:0], w.scoring.Tokens[next.Chunk:next.ChunkEnd]...)
	w.sums, w.weights = sized(w.sums, chunks), sized(w.weights, definitions)
	w.times = sized(w.times, next.FileEnd-next.File)
	w.names = w.names[:0]
	clear(w.chunkScores)
	clear(w.cover)
	clear(w.wholes)
	clear(w.marks)
	clear(w.seg.strong[next.File:next.FileEnd])
	clear(w.seg.Stem[next.File:next.FileEnd])
	clear(w.seg.Types[next.File:next.FileEnd])
	clear(w.seg.Funcs[next.File:next.FileEnd])
}

// term adds what one term is worth to the chunks, files and names of the
// batch. A hint is not sought in names: that costs more than it is worth.
func (w *worker) term(st *stream) {
	if !st.hint {
		w.readNames(st)
	}
	w.readPaths(st)
	w.readBodies(st)
	for _, i := range w.touched { // those without the term in their text
		if w.sums[i] != 0 {
			w.meetAll(st, w.files[i:i+1])
			w.chunkScores[i] += float32(st.chunkWeight * rank.Saturate(w.takeSum(i)))
		}
	}
	w.touched = w.touched[:0]
	if w.whole {
		w.wholeFiles(st)
	}
	w.met = w.met[:0]
}

// wholeFiles adds what a term is worth to the whole files of the batch that hold
// it: Okapi BM25, where words of the path count too.
func (w *worker) wholeFiles(st *stream) {
	for _, file := range w.met {
		n := float32(w.times[file])
		norm := wholeSaturation*(1-wholeLength) + float32(w.fileSlope*float32(w.lengths[file]))
		w.wholes[file] += float32(st.wholeWeight * (n / (n + norm)))
		w.times[file] = 0
	}
}

// The parameters of BM25 over whole files, as they are commonly set, and how often a
// word of the path counts.
const (
	wholeSaturation = 1.2  // k1
	wholeLength     = 0.75 // b
	pathWorth       = 2
)

// readNames adds up the term's frequency in the names that each chunk defines.
func (w *worker) readNames(st *stream) {
	for {
		if st.nextName == st.names {
			if st.nextName, st.names = 0, st.symbols.NextBlock(st.definitions[:]); st.names == 0 {
				return
			}
		}
		rest := st.definitions[st.nextName:st.names]
		n := before(rest, uint32(w.DefinitionEnd))
		w.nameRun(st, rest[before(rest[:n], uint32(w.Definition)):n])
		if st.nextName += n; n < len(rest) {
			return
		}
	}
}

// before returns how many of some rising numbers are below a limit.
func before(numbers []uint32, limit uint32) int {
	if n := len(numbers); n == 0 || numbers[n-1] < limit {
		return n
	}
	return sort.Search(len(numbers), func(i int) bool { return numbers[i] >= limit })
}

// nameRun adds the term's frequency in the names of some definitions of the
// batch. The rows are fetched first: they are far apart, and so the fetches
// run side by side.
func (w *worker) nameRun(st *stream, definitions []uint32) {
	rows := w.rows[:len(definitions)]
	for i, d := range definitions {
		rows[i] = w.named[d-uint32(w.Definition)]
	}
	for i := range rows {
		n := &rows[i]
		field := rank.FieldFunc
		if n.Kind.IsType() {
			field = rank.FieldType
		}
		w.add(n.Chunk-uint32(w.Chunk), w.norms[field].Frequency(1, uint32(n.Length)))
	}
	if st.compound {
		return
	}
	for _, d := range definitions {
		d -= uint32(w.Definition)
		m := &w.weights[d]
		if m.hits == 0 {
			w.names = append(w.names, d)
		}
		m.weight += st.fileWeight
		m.hits++
	}
}

// readPaths adds the term's frequency in a file's path to all chunks of the file.
func (w *worker) readPaths(st *stream) {
	for ; st.hasPath && st.path.file < w.FileEnd; st.nextPath() {
		if st.path.file >= w.File {
			w.pathOf(st, st.path)
		}
	}
}

func (w *worker) pathOf(st *stream, p pathHit) {
	w.meetAll(st, []uint16{uint16(p.file - w.File)})
	if w.whole {
		w.times[p.file-w.File] += pathWorth * (p.inStem + p.inDir)
	}
	stem, dir := w.seg.PathTokens(p.file)
	var sum float32
	if p.inStem > 0 {
		w.seg.strong[p.file] = true
		if !st.compound {
			w.seg.Stem[p.file] += st.fileWeight
		}
		sum = w.norms[rank.FieldStem].Frequency(p.inStem, uint32(stem))
	}
	sum += w.norms[rank.FieldDir].Frequency(p.inDir, uint32(dir))
	first, end := w.seg.ChunksOf(p.file)
	for c := first; c < end; c++ {
		w.add(uint32(c-w.Chunk), sum)
	}
}

// add adds to the sum of a chunk of the batch.
func (w *worker) add(i uint32, frequency float32) {
	if w.sums[i] == 0 {
		w.touched = append(w.touched, i)
		w.tokens[i] = segment.ManyTokens // so that it is found unusual
	}
	w.sums[i] += frequency
}

// meetAll notes that files of the batch, counted from its first, hold the term.
func (w *worker) meetAll(st *stream, files []uint16) {
	marks := w.marks
	cover := w.cover[:len(marks)]
	for _, file := range files {
		if marks[file] != st.mark {
			marks[file] = st.mark
			cover[file] += st.cover
			w.met = append(w.met, file)
		}
	}
}

// readBodies scores the chunks that have the term in their text.
func (w *worker) readBodies(st *stream) {
	for {
		if st.at == st.n {
			if st.at, st.n = 0, st.bodies.NextBlock(st.chunks[:], st.tfs[:]); st.n == 0 {
				return
			}
		}
		rest := st.chunks[st.at:st.n]
		n := before(rest, uint32(w.ChunkEnd))
		skip := before(rest[:n], uint32(w.Chunk))
		w.bodyRun(st, rest[skip:n], st.tfs[st.at+skip:st.at+n])
		if st.at += n; n < len(rest) {
			return
		}
	}
}

// bodyRun scores some chunks of the batch and notes their files, in two
// branch-free loops: most of the time of a query goes by here.
func (w *worker) bodyRun(st *stream, chunks, tfs []uint32) {
	tokens, table, first, worth := w.tokens, &w.saturated.table, uint32(w.Chunk), st.chunkWeight
	scores := w.chunkScores[:len(tokens)]
	tfs = tfs[:len(chunks)]
	for k, chunk := range chunks {
		i := chunk - first
		// An unusual chunk has ManyTokens: there is no such place in the table.
		at := uint(tfs[k])<<segment.TokenBits | uint(tokens[i])
		if at < uint(len(table)) {
			scores[i] += float32(worth * table[at])
		} else {
			scores[i] += float32(worth * w.unusual(i, tfs[k]))
		}
	}
	files := w.files
	count, last := uint8(0), uint32(math.MaxUint32)
	for _, chunk := range chunks {
		file := uint32(files[chunk-first])
		count += uint8((file ^ last | -(file ^ last)) >> 31) // 1 if they differ, else 0
		w.distinct[count] = uint16(file)
		last = file
	}
	w.meetAll(st, w.distinct[1:1+int(count)])
	if w.whole {
		for k, chunk := range chunks {
			w.times[files[chunk-first]] += tfs[k]
		}
	}
}

// unusual returns the saturated frequency of a term in a chunk of the batch
// that has very many tokens or occurrences, or has the term in names or its path too.
func (w *worker) unusual(i, tf uint32) float32 {
	chunk := w.Chunk + int(i)
	tokens := uint32(w.scoring.Tokens[chunk])
	if tokens == segment.ManyTokens {
		_, tokens, _, _ = w.seg.Lengths(chunk)
	}
	return rank.Saturate(w.norms[rank.FieldBody].Frequency(tf, tokens) + w.takeSum(i))
}

// testWorth is what a chunk of tests in a file of other code is worth beside one of that:
// tests say what they are about in words, and often.
const testWorth = 0.3

// lowerTests lowers the scores of the chunks of tests of the batch.
func (w *worker) lowerTests() {
	tests := w.scoring.Tests
	for _, c := range tests[before(tests, uint32(w.Chunk)):before(tests, uint32(w.ChunkEnd))] {
		w.chunkScores[c-uint32(w.Chunk)] *= testWorth
	}
}

// takeSum returns the sum of a chunk and leaves 0.
func (w *worker) takeSum(i uint32) float32 {
	sum := w.sums[i]
	w.sums[i] = 0
	w.tokens[i] = w.scoring.Tokens[w.Chunk+int(i)]
	return sum
}

// judgeNames finds the best name of a type and of a function in each file, none of them
// of a test unless those count.
func (w *worker) judgeNames() {
	total := w.weight
	for _, d := range w.names {
		n, m := &w.named[d], w.weights[d]
		w.weights[d] = nameWeight{}
		best := w.seg.Funcs
		switch {
		case n.Kind.IsType():
			best = w.seg.Types
		case !n.Kind.IsFunc():
			continue
		}
		if !w.tests && w.scoring.IsTest(n.Chunk) {
			continue
		}
		file := w.File + int(w.files[n.Chunk-uint32(w.Chunk)])
		value := float32(rank.NameMatch(float64(m.weight/total), int(m.hits), int(n.Terms)))
		definition := uint32(w.Definition) + d
		if old := best[file]; value > old.Value || value == old.Value && definition < old.Definition {
			best[file] = Name{value, definition}
		}
		if value > 0 {
			w.seg.strong[file] = true
		}
	}
}
