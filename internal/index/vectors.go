package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store"
	"espy/internal/store/vectors"
)

// remoteText is what roundText is for a model on another machine, which may take
// minutes for so much.
const remoteText = 1 << 20

// VectorReport says what a pass over the vectors of a view did, in files.
type VectorReport struct {
	Embedded int
	Copied   int // of Embedded, those whose vectors were known from another place
	Waiting  int // the model did not answer

	Generation uint64 // that it looked at last
	Why        error  // why some wait
}

// VectorOptions say where a pass over vectors works, and whose vectors they are.
type VectorOptions struct {
	Pass
	Model  embedding.Model
	Remote bool // it is on another machine: what it answered before is not asked again
}

// Vectors embeds the live files of a view that a model was not asked about yet,
// and commits what it finds on the way, as Syntax does. When the model fails, the
// pass ends: what it did not answer waits, and nothing stands for it.
func Vectors(ctx context.Context, in VectorOptions, o Options) (VectorReport, error) {
	p := &vectorPass{in: in, opts: o, began: time.Now(), model: in.Model.Identity(), known: knownRows{}}
	if in.Remote {
		close, err := p.know()
		defer close()
		if err != nil {
			return p.report, err
		}
	}
	for {
		if more, err := p.round(ctx); err != nil || !more {
			return p.report, err
		}
	}
}

// vectorPass is one run of Vectors.
type vectorPass struct {
	in     VectorOptions
	opts   Options
	began  time.Time
	model  string
	known  knownRows // by the model, in other segments and views too; none for a model that answers as fast as that is found
	report VectorReport
	total  int // files to embed, as the first round saw it
	bytes  int // of text embedded so far

	done atomic.Int64 // files
}

// round embeds some of what is pending and commits it.
func (p *vectorPass) round(ctx context.Context) (more bool, err error) {
	s, err := p.in.Family.Snapshot(p.in.View)
	if err != nil {
		return false, err
	}
	defer s.Close()
	p.report.Generation = s.Freshness.Generation
	var all []task
	if err := segment.Guard(func() error { all = p.pending(s); return nil }); err != nil {
		return false, err
	}
	p.total = max(p.total, int(p.done.Load())+len(all))
	first := cmp.Or(p.opts.round, roundText)
	if p.in.Remote {
		first = min(first, remoteText)
	}
	tasks, size := upTo(all, min(max(first, p.bytes/2), 4*first))
	if len(tasks) == 0 {
		return false, nil
	}
	if err := p.in.writable(ctx); err != nil {
		return false, err
	}
	found, why, err := p.embed(ctx, tasks)
	ended := ctx.Err()
	if err == nil || ended != nil {
		err = s.Release()
	}
	if err != nil {
		return false, err
	}
	ctx, done := last(ctx)
	defer done()
	added, err := p.commit(ctx, found)
	p.bytes += size
	p.report.Embedded += added
	p.report.Waiting, p.report.Why = 0, why
	if why != nil {
		p.report.Waiting = len(all) - added
	}
	return added > 0 && why == nil, cmp.Or(ended, err)
}

// pending lists the files that the model was not asked about yet.
func (p *vectorPass) pending(s *store.Snapshot) (tasks []task) {
	for i := range s.Segments {
		seg := &s.Segments[i]
		if r := seg.VectorsOf(p.model); r != nil && r.Stats().Pending() == 0 {
			continue
		}
		for file := range seg.NumFiles() {
			if seg.Alive(file) && !seg.Embedded(p.model, file) {
				tasks = append(tasks, task{reader: seg.Reader, file: file, size: seg.TextSize(file)})
			}
		}
	}
	return tasks
}

// upTo returns the first tasks, with so much text and one at least, and its bytes.
func upTo(tasks []task, most int) (some []task, size int) {
	for i, t := range tasks {
		if i > 0 && size+t.size > most {
			return tasks[:i], size
		}
		size += t.size
	}
	return tasks, size
}

// embed asks the model about files. Where it fails, why says so, and found holds
// what it had answered until then.
func (p *vectorPass) embed(ctx context.Context, tasks []task) (found vectors.Found, why, err error) {
	found = vectors.Found{Model: p.model, Dims: p.in.Model.Dims(), Remote: p.in.Remote, Files: map[vectors.Key][]vec.Row{}}
	e := embedder{model: p.in.Model, known: p.known}
	runs := runsOf(tasks)
	var next atomic.Int64
	var mu sync.Mutex // guards found.Files
	group, inner := errgroup.WithContext(ctx)
	for i := range max(1, min(p.opts.workers(), len(runs))) {
		group.Go(func() error {
			var cache segment.TextCache
			for {
				if i > 0 { // one worker goes on
					p.opts.rest(inner)
				}
				k := int(next.Add(1)) - 1
				if k >= len(runs) || inner.Err() != nil {
					return inner.Err()
				}
				rows, err := e.run(inner, tasks[runs[k][0]:runs[k][1]], &cache)
				if err != nil {
					return err
				}
				mu.Lock()
				maps.Copy(found.Files, rows)
				mu.Unlock()
				p.progress(len(rows))
			}
		})
	}
	err = group.Wait()
	p.report.Copied += int(e.copied.Load())
	var failed *modelError
	if ctx.Err() == nil && errors.As(err, &failed) {
		return found, failed, nil
	}
	return found, nil, errors.Join(ctx.Err(), err)
}

// commit adds what was found to the newest generation.
func (p *vectorPass) commit(ctx context.Context, found vectors.Found) (added int, err error) {
	if len(found.Files) == 0 {
		return 0, nil
	}
	return p.in.commit(ctx, func(b *store.Batch) (int, error) { return b.AddVectors(found) })
}

func (p *vectorPass) progress(files int) {
	done := int(p.done.Add(int64(files)))
	p.opts.report(progress.Report{Phase: progress.Vectors, Files: done, TotalFiles: max(p.total, done), Elapsed: time.Since(p.began)})
}

// knownRows are the vectors of a model by the hashes of their documents.
type knownRows map[code.Hash]place

// place is a chunk of a part.
type place struct {
	part  *vec.Reader
	chunk int
}

// know finds what the segments and views of the family have of the model, which
// is good until close.
func (p *vectorPass) know() (close func(), err error) {
	var open []*store.Snapshot
	close = func() {
		for _, s := range open {
			s.Close()
		}
	}
	views, err := p.in.Family.Views()
	if err != nil {
		return close, err
	}
	for _, view := range views {
		s, err := p.in.Family.Snapshot(view)
		if err != nil {
			continue // a view that cannot be read is of no help here
		}
		open = append(open, s)
		if err := segment.Guard(func() error { p.known.add(s, p.model); return nil }); err != nil {
			return close, err
		}
	}
	return close, nil
}

// add notes what the segments of a snapshot have of a model.
func (k knownRows) add(s *store.Snapshot, model string) {
	for i := range s.Segments {
		r := s.Segments[i].VectorsOf(model)
		if r == nil {
			continue
		}
		for chunk := range r.Stats().Chunks {
			if key := r.Key(chunk); key != (code.Hash{}) {
				k[key] = place{r, chunk}
			}
		}
	}
}

// modelError is a failure of a model, which says nothing of the index.
type modelError struct{ err error }

func (e *modelError) Error() string { return e.err.Error() }

func (e *modelError) Unwrap() error { return e.err }

// embedder turns files into rows.
type embedder struct {
	model  embedding.Model
	known  knownRows
	copied atomic.Int64 // files of which no chunk was asked about
}

// run embeds some files in one call of the model.
func (e *embedder) run(ctx context.Context, tasks []task, cache *segment.TextCache) (map[vectors.Key][]vec.Row, error) {
	var docs []embedding.Document
	var rows []*vec.Row // of docs
	found := map[vectors.Key][]vec.Row{}
	err := segment.Guard(func() error {
		for _, t := range tasks {
			all, err := vectors.Documents(t.reader, t.file, cache)
			if err != nil {
				return err
			}
			of := make([]vec.Row, len(all))
			found[vectors.KeyOf(t.reader, t.file)] = of
			before := len(docs)
			for i := range all {
				key := vec.KeyOf(&all[i])
				if p, ok := e.known[key]; ok {
					of[i] = p.part.Row(p.chunk)
					continue
				}
				of[i].Key = key
				docs, rows = append(docs, all[i]), append(rows, &of[i])
			}
			if len(docs) == before {
				e.copied.Add(1)
			}
		}
		return nil
	})
	if err != nil || len(docs) == 0 {
		return found, err
	}
	return found, e.ask(ctx, docs, rows)
}

// ask fills in the rows of documents.
func (e *embedder) ask(ctx context.Context, docs []embedding.Document, rows []*vec.Row) error {
	all, err := e.model.Documents(ctx, docs)
	if err == nil && len(all) != len(docs) {
		err = fmt.Errorf("%d vectors for %d documents", len(all), len(docs))
	}
	if err != nil {
		return &modelError{err}
	}
	for i, v := range all {
		if len(v) != e.model.Dims() {
			return &modelError{fmt.Errorf("a vector of %d numbers instead of %d", len(v), e.model.Dims())}
		}
		if *rows[i], err = vec.NewRow(rows[i].Key, v); err != nil {
			return &modelError{err}
		}
	}
	return nil
}

// EmbedDelta adds to a delta the vectors of the files of its segments, by the
// model of the program.
func EmbedDelta(ctx context.Context, d *store.Delta, model embedding.Model) error {
	e := embedder{model: model}
	d.Vectors = make([][]byte, len(d.Segments))
	for i, data := range d.Segments {
		r, err := segment.Open(data, "overlay")
		if err != nil {
			return err
		}
		if d.Vectors[i], err = e.part(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// part writes the vectors of a segment in memory.
func (e *embedder) part(ctx context.Context, lex *segment.Reader) ([]byte, error) {
	var buf bytes.Buffer
	b := vec.NewBuilder(&buf, vec.Header{Lex: lex.Identity(), Model: e.model.Identity(), Dims: e.model.Dims()})
	var cache segment.TextCache
	for file := range lex.NumFiles() {
		found, err := e.run(ctx, []task{{reader: lex, file: file}}, &cache)
		if err != nil {
			return nil, err
		}
		for _, rows := range found { // of the one file
			for i := range rows {
				if err := b.Add(&rows[i]); err != nil {
					return nil, err
				}
			}
		}
	}
	_, err := b.Finish()
	return buf.Bytes(), err
}
