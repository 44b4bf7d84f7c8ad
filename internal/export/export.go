// Package export goes through a whole repository once and hands out what is known
// of it, file by file in the order of the paths: its symbols, what each use of a
// name means, and the edges between them. How that is written is decided by a Form.
//
// What a use means is looked up where it stands, once; no symbol is asked for its
// uses. Files are dealt to goroutines in runs of a fixed length, each with a
// question of its own, so that what is remembered is bounded and the same state of a
// repository gives the same bytes on every machine.
package export

import (
	"context"
	"errors"
	"slices"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/parallel"
	"espy/internal/progress"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Output takes the bytes of an export. Restart throws away what was written, when
// the work begins anew because a part of the index turned out to be damaged.
type Output interface {
	Write([]byte) (int, error)
	Restart() error
}

// Runs of files.
const (
	runFiles = 64 // that share a question
	waveRuns = 8  // that are worked on before any is written: bounds the memory
)

// Write exports a repository as it is now. Where ctx ends first it writes a tail that
// says so, and returns the error of ctx.
func Write(ctx context.Context, r *workspace.Repo, req Request, form Form, out Output, w workspace.Wait) (t *Tail, err error) {
	pass, err := filter.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	_, err = r.Explore(ctx, w, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		if err := out.Restart(); err != nil {
			return err
		}
		head := Head{In: hit.Searched{Repo: s.Name, Files: s.Stats().Files, Excluded: s.Left(), Freshness: s.Freshness}, Root: r.Root(), Request: req}
		e := exporter{ctx: ctx, index: x.Index, request: &req, form: form, out: out, tell: w.Progress}
		t, err = e.write(&head, pass)
		return err
	})
	return t, err
}

// exporter is the work on one request.
type exporter struct {
	ctx     context.Context
	index   *locate.Index
	request *Request
	form    Form
	out     Output
	tell    func(progress.Report)
	whole   *whole
}

func (e *exporter) write(head *Head, pass *filter.FileFilter) (*Tail, error) {
	t := &Tail{Edges: map[Kind]int{}}
	var files []corpus.FileID
	err := e.index.Run(func(a *locate.Ask) (err error) {
		files = e.chosen(a, pass)
		head.Files = len(files)
		if err := e.put(e.form.Head(head)); err != nil {
			return err
		}
		e.whole, err = gather(a, e.request)
		return err
	})
	if err == nil {
		err = e.files(files, t)
	}
	if err != nil && e.ctx.Err() == nil {
		return t, err
	}
	switch {
	case e.ctx.Err() != nil:
		t.Left = "it was interrupted"
		err = e.ctx.Err()
	case t.Pending > 0:
		t.Left = "files are not parsed yet"
	}
	return t, errors.Join(err, e.put(e.form.Tail(t)))
}

func (e *exporter) put(text []byte, err error) error {
	if err == nil && len(text) > 0 {
		_, err = e.out.Write(text)
	}
	return err
}

// chosen are the files that pass the filters of the request.
func (e *exporter) chosen(a *locate.Ask, pass *filter.FileFilter) (files []corpus.FileID) {
	for f := range corpus.FileID(a.Corpus.NumFiles()) {
		language := a.Corpus.Language(f)
		if !pass.Allows(a.Corpus.Path(f), language) {
			continue
		}
		if s := e.request.Scope; s != "" && s != code.ScopeAll && !filter.InScope(s, a.Corpus.Class(f), language) {
			continue
		}
		files = append(files, f)
	}
	return files
}

// files writes every file, a wave of runs after the other.
func (e *exporter) files(files []corpus.FileID, t *Tail) error {
	runs := slices.Collect(slices.Chunk(files, runFiles))
	for wave := range slices.Chunk(runs, waveRuns) {
		texts, counts := make([][]byte, len(wave)), make([]Tail, len(wave))
		err := parallel.Each(e.ctx, len(wave), len(wave), func() func(int) error {
			return func(i int) (err error) {
				texts[i], err = e.run(wave[i], &counts[i])
				return err
			}
		})
		if err != nil {
			return err
		}
		for i := range wave {
			if err := e.put(texts[i], nil); err != nil {
				return err
			}
			t.add(&counts[i])
		}
		if e.tell != nil {
			e.tell(progress.Report{Phase: progress.Export, Files: t.Files, TotalFiles: len(files)})
		}
	}
	return nil
}

// run writes the files of one run.
func (e *exporter) run(files []corpus.FileID, t *Tail) (text []byte, err error) {
	t.Edges = map[Kind]int{}
	err = e.index.Run(func(a *locate.Ask) error {
		w := newWalker(a, e.request, e.whole, t)
		for _, id := range files {
			if err := e.ctx.Err(); err != nil {
				return err
			}
			f, err := w.file(id)
			if err != nil {
				return err
			}
			part, err := e.form.File(a, f)
			if err != nil {
				return err
			}
			text = append(text, part...)
		}
		return nil
	})
	return text, err
}
