package ranked

import (
	"context"
	"math"
	"sort"
	"sync"

	"espy/internal/rank"
	"espy/internal/segment"
)

// This file scores chunks: all terms go over the files of a batch before the
// next batch begins, so that the sums and rows of its chunks are in the nearest
// cache for all of them but the first.

// postingBlock is how many postings a segment decodes at once.
const postingBlock = 128

// scorer scores the files of a range. It goes from query to query.
type scorer struct {
	*fileRange
	collection *collection
	norms      [rank.NumFields]rank.Norm
	streams    []stream
	batch

	// Memory of the batch.
	tokens  []uint16   // by chunk: as Scoring has them, but ManyTokens where there is a sum
	sums    []float32  // by chunk: frequencies of one term in names and path; 0 between terms
	touched []uint32   // chunks with a sum
	masses  []nameMass // by definition: 0 between batches
	names   []uint32   // definitions of the batch with a term in their name, each once

	rows     [postingBlock]segment.DefinedName
	distinct [256]uint16 // files, the same side by side once, from the second on
}

// batch is the files that are scored together and what is known of them.
type batch struct {
	segment.Batch
	files  []uint16              // by chunk: counted from File
	scores []float32             // by chunk
	marks  []uint32              // by file
	cover  []float32             // by file
	named  []segment.DefinedName // by definition
}

// stream reads the postings of one term in a range of files, in order.
type stream struct {
	mark     uint32 // the term's number, counted from 1
	compound bool
	hint     bool
	worth    float32 // to a chunk
	cover    float32 // to the cover of a file
	mass     float32 // to a name or stem

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

// nameMass is the terms that the name of a definition has.
type nameMass struct {
	mass float32
	hits uint32
}

var scorers = sync.Pool{New: func() any { return new(scorer) }}

func takeScorer(c *collection, s *fileRange) *scorer {
	w := scorers.Get().(*scorer)
	w.fileRange, w.collection = s, c
	for f := range w.norms {
		w.norms[f] = c.norms.Of(rank.Field(f))
	}
	return w
}

// release gives the memory of the scorer back. One that failed in the middle
// of a term is of no more use.
func (w *scorer) release() {
	clear(w.streams) // of readers
	w.fileRange, w.collection, w.batch = nil, nil, batch{}
	scorers.Put(w)
}

// score scores the chunks of the range. What it does not come to in time scores nothing.
func (w *scorer) score(ctx context.Context) error {
	w.open()
	var late error
	for _, next := range w.batches {
		w.begin(next)
		if late = ctx.Err(); late != nil {
			continue
		}
		for i := range w.streams {
			w.term(&w.streams[i])
		}
		w.judgeNames()
		if w.collection.plain {
			w.find()
		}
	}
	return late
}

// find notes what is found in the batch.
func (w *scorer) find() {
	w.collection.offer(w.fileRange, &w.Batch)
	all := w.seg.AllowsAll()
	for i, mark := range w.batch.marks {
		if mark != 0 && (all || w.seg.Allows(w.File+i)) {
			w.matched++
		}
	}
}

// open makes a stream of each term that the source has.
func (w *scorer) open() {
	w.streams = w.streams[:0]
	for i, t := range w.collection.query.Terms {
		found := &w.terms[i]
		if found.FileDF == 0 {
			continue
		}
		w.streams = append(w.streams, stream{})
		weight := &w.collection.terms[i]
		st := &w.streams[len(w.streams)-1]
		st.mark, st.compound, st.hint = uint32(i+1), t.Compound(), t.Hint()
		st.worth, st.mass = float32(weight.chunk), float32(weight.file)
		if t.Primary() {
			st.cover = st.mass
		}
		st.bodies, st.paths, st.symbols = found.Body(), found.Path(), found.Symbols()
		st.bodies.Seek(uint32(w.batches[0].Chunk))
		st.nextPath()
	}
}

func (st *stream) nextPath() {
	st.path.file, st.path.inStem, st.path.inDir, st.hasPath = st.paths.Next()
}

// begin begins a batch.
func (w *scorer) begin(next segment.Batch) {
	chunks, definitions := next.ChunkEnd-next.Chunk, next.DefinitionEnd-next.Definition
	w.batch = batch{
		Batch:  next,
		files:  w.scoring.Files[next.Chunk:next.ChunkEnd],
		scores: w.source.scores[next.Chunk:next.ChunkEnd],
		marks:  w.source.marks[next.File:next.FileEnd],
		cover:  w.source.cover[next.File:next.FileEnd],
		named:  w.scoring.Names[next.Definition:next.DefinitionEnd],
	}
	w.tokens = append(w.tokens[:0], w.scoring.Tokens[next.Chunk:next.ChunkEnd]...)
	w.sums, w.masses = sized(w.sums, chunks), sized(w.masses, definitions)
	w.names = w.names[:0]
	clear(w.batch.scores)
	clear(w.batch.cover)
	clear(w.batch.marks)
	clear(w.strong[next.File:next.FileEnd])
	clear(w.stem[next.File:next.FileEnd])
	clear(w.typeNames[next.File:next.FileEnd])
	clear(w.funcNames[next.File:next.FileEnd])
}

// term adds what one term is worth to the chunks, files and names of the
// batch. A hint is not sought in names: that costs more than it is worth.
func (w *scorer) term(st *stream) {
	if !st.hint {
		w.readNames(st)
	}
	w.readPaths(st)
	w.readBodies(st)
	for _, i := range w.touched { // those without the term in their text
		if w.sums[i] != 0 {
			w.meetAll(st, w.files[i:i+1])
			w.batch.scores[i] += float32(st.worth * rank.Saturate(w.takeSum(i)))
		}
	}
	w.touched = w.touched[:0]
}

// readNames adds up the term's frequency in the names that each chunk defines.
func (w *scorer) readNames(st *stream) {
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
func (w *scorer) nameRun(st *stream, definitions []uint32) {
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
		m := &w.masses[d]
		if m.hits == 0 {
			w.names = append(w.names, d)
		}
		m.mass += st.mass
		m.hits++
	}
}

// readPaths adds the term's frequency in a file's path to all chunks of the file.
func (w *scorer) readPaths(st *stream) {
	for ; st.hasPath && st.path.file < w.FileEnd; st.nextPath() {
		if st.path.file >= w.File {
			w.pathOf(st, st.path)
		}
	}
}

func (w *scorer) pathOf(st *stream, p pathHit) {
	w.meetAll(st, []uint16{uint16(p.file - w.File)})
	stem, dir := w.seg.PathTokens(p.file)
	var sum float32
	if p.inStem > 0 {
		w.strong[p.file] = true
		if !st.compound {
			w.stem[p.file] += st.mass
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
func (w *scorer) add(i uint32, frequency float32) {
	if w.sums[i] == 0 {
		w.touched = append(w.touched, i)
		w.tokens[i] = segment.ManyTokens // so that it is found unusual
	}
	w.sums[i] += frequency
}

// meetAll notes that files of the batch, counted from its first, hold the term.
func (w *scorer) meetAll(st *stream, files []uint16) {
	marks := w.batch.marks
	cover := w.batch.cover[:len(marks)]
	for _, file := range files {
		if marks[file] != st.mark {
			marks[file] = st.mark
			cover[file] += st.cover
		}
	}
}

// readBodies scores the chunks that have the term in their text.
func (w *scorer) readBodies(st *stream) {
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

// bodyRun scores some chunks of the batch and notes their files. These are two
// loops, without a branch that cannot be foretold: most of the time of a query
// goes by here.
func (w *scorer) bodyRun(st *stream, chunks, tfs []uint32) {
	tokens, table, first, worth := w.tokens, &w.collection.desk.saturated.table, uint32(w.Chunk), st.worth
	scores := w.batch.scores[:len(tokens)]
	tfs = tfs[:len(chunks)]
	for k, chunk := range chunks {
		i := chunk - first
		// Of unusual chunks the tokens are so many that there is no such place.
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
		count += uint8((file ^ last | -(file ^ last)) >> 31) // 1 if they differ
		w.distinct[count] = uint16(file)
		last = file
	}
	w.meetAll(st, w.distinct[1:1+int(count)])
}

// unusual returns the saturated frequency of a term in a chunk of the batch
// that has very many tokens or occurrences, or has the term in names or its path too.
func (w *scorer) unusual(i, tf uint32) float32 {
	chunk := w.Chunk + int(i)
	tokens := uint32(w.scoring.Tokens[chunk])
	if tokens == segment.ManyTokens {
		_, tokens, _, _ = w.seg.Lengths(chunk)
	}
	return rank.Saturate(w.norms[rank.FieldBody].Frequency(tf, tokens) + w.takeSum(i))
}

// takeSum returns the sum of a chunk and leaves 0.
func (w *scorer) takeSum(i uint32) float32 {
	sum := w.sums[i]
	w.sums[i] = 0
	w.tokens[i] = w.scoring.Tokens[w.Chunk+int(i)]
	return sum
}

// judgeNames finds the best name of a type and of a function in each file.
func (w *scorer) judgeNames() {
	total := float32(w.collection.mass)
	for _, d := range w.names {
		n, m := &w.named[d], w.masses[d]
		w.masses[d] = nameMass{}
		best := w.funcNames
		switch {
		case n.Kind.IsType():
			best = w.typeNames
		case !n.Kind.IsFunc():
			continue
		}
		file := w.File + int(w.files[n.Chunk-uint32(w.Chunk)])
		value := float32(rank.NameMatch(float64(m.mass/total), int(m.hits), int(n.Terms)))
		definition := uint32(w.Definition) + d
		if old := best[file]; value > old.value || value == old.value && definition < old.definition {
			best[file] = nameMatch{value, definition}
		}
		if value > 0 {
			w.strong[file] = true
		}
	}
}
