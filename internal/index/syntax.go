package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/facts"
	"espy/internal/facts/golang"
	grammar "espy/internal/facts/worker"
	"espy/internal/frugal"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// The text, in bytes, that is parsed between two commits: roundText at first,
// later half of what was parsed, up to four times roundText. A commit writes
// the whole part of a segment again. The records of that text, about half as
// many bytes, are held in memory, and a pass that was killed parses it again.
const roundText = 32 << 20

// lastTime is how long a pass that is ended may take to keep what it has.
const lastTime = time.Second

// last returns ctx, or, where that has ended, one with the time to commit what was
// done until then.
func last(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), lastTime)
}

// runText bounds the text that a worker takes at a time: files that stand
// behind each other in a segment share compressed pieces.
const runText = 256 << 10

// SyntaxReport says what a pass over the syntax of a view did.
type SyntaxReport struct {
	Parsed  int
	Failed  int // cannot be parsed: remembered with their content
	Copied  int // were known from another place
	Waiting int // could not be parsed this time

	Generation uint64 // that it looked at last
	Why        error  // why some wait
}

// Pass says where a pass over what is committed works.
type Pass struct {
	Family *store.Family
	View   string
	Lock   func(context.Context) (unlock func(), err error) // waits for the writer's lock
}

// writable fails where nothing could be committed.
func (p *Pass) writable(ctx context.Context) error {
	unlock, err := p.Lock(ctx)
	if err == nil {
		unlock()
	}
	return err
}

// commit publishes what add adds to the newest generation.
func (p *Pass) commit(ctx context.Context, add func(*store.Batch) (added int, err error)) (added int, err error) {
	unlock, err := p.Lock(ctx)
	if err != nil {
		return 0, err
	}
	b, err := p.Family.Begin(p.View, unlock, false)
	if err != nil {
		return 0, err
	}
	if added, err = add(b); err == nil && added > 0 {
		err = b.CommitPass(ctx)
	}
	return added, errors.Join(err, b.Close())
}

// Syntax parses the live files of a view that were not parsed yet, and commits
// what it finds on the way. It has the writer's lock only to commit. What
// another segment or view of the family tells of the same content is copied.
func Syntax(ctx context.Context, in Pass, o Options) (SyntaxReport, error) {
	p := &syntaxPass{in: in, parser: newParser(o)}
	left, err := p.copy(ctx)
	if err != nil || left == 0 {
		return p.report, err
	}
	p.parser.memory = frugal.Parse()
	defer p.parser.memory.End()
	for {
		if more, err := p.round(ctx); err != nil || !more {
			p.report.Parsed, p.report.Failed, p.report.Why = p.parser.parsed, p.parser.failed, p.parser.why
			return p.report, err
		}
	}
}

// syntaxPass is one run of Syntax.
type syntaxPass struct {
	in     Pass
	parser *parser
	report SyntaxReport
}

// task is a file to parse.
type task struct {
	reader *segment.Reader
	file   int
	key    store.SyntaxKey
	size   int
}

// pending lists the files to parse, each content once, and the languages of
// others that have no grammar.
func pending(s *store.Snapshot) (tasks []task, unknown map[store.SyntaxKey]store.Parsed, err error) {
	unknown = map[store.SyntaxKey]store.Parsed{}
	seen := map[store.SyntaxKey]bool{}
	err = segment.Guard(func() error {
		for seg, l := range s.Segments {
			for file := range l.NumFiles() {
				state := s.SyntaxState(seg, file)
				if !l.Alive(file) || state == syn.Parsed || state == syn.Failed {
					continue
				}
				key := s.SyntaxKey(seg, file)
				switch {
				case !hasGrammar(key.Language):
					if state == syn.Absent {
						unknown[key] = store.Parsed{Record: syn.Unsupported()}
					}
				case !seen[key]:
					seen[key] = true
					tasks = append(tasks, task{l.Reader, file, key, l.TextSize(file)})
				}
			}
		}
		return nil
	})
	return tasks, unknown, err
}

func hasGrammar(language string) bool { return language == "go" || grammar.HasGrammar(language) }

// copy settles the files in languages without a grammar, and those whose
// content was parsed before, for another path or view. It returns how many are
// left to parse.
func (p *syntaxPass) copy(ctx context.Context) (left int, err error) {
	s, err := p.in.Family.Snapshot(p.in.View)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	p.report.Generation = s.Freshness.Generation
	tasks, found, err := pending(s)
	if err != nil || len(tasks)+len(found) == 0 {
		return 0, err
	}
	if err := p.in.writable(ctx); err != nil {
		return 0, err
	}
	wanted := map[store.SyntaxKey]bool{}
	for _, t := range tasks {
		wanted[t.key] = true
		p.parser.total.Files++
		p.parser.total.Bytes += int64(t.size)
	}
	close, err := p.search(wanted, found)
	if err == nil && len(found) > 0 {
		_, err = p.commit(ctx, found)
	}
	return p.parser.total.Files, errors.Join(err, close())
}

// search finds wanted content in all views. What it finds is good until close.
func (p *syntaxPass) search(wanted map[store.SyntaxKey]bool, found map[store.SyntaxKey]store.Parsed) (close func() error, err error) {
	var open []*store.Snapshot
	close = func() (err error) {
		for _, s := range open {
			err = errors.Join(err, s.Close())
		}
		return err
	}
	views, err := p.in.Family.Views()
	if err != nil || len(wanted) == 0 {
		return close, err
	}
	for _, view := range views {
		s, err := p.in.Family.Snapshot(view)
		if err != nil {
			continue // a view that cannot be read is of no help here
		}
		open = append(open, s)
		if err := segment.Guard(func() error { p.searchView(s, wanted, found); return nil }); err != nil {
			return close, err
		}
	}
	return close, nil
}

func (p *syntaxPass) searchView(s *store.Snapshot, wanted map[store.SyntaxKey]bool, found map[store.SyntaxKey]store.Parsed) {
	for seg := range s.Segments {
		r := s.Segments[seg].Syntax
		if r == nil {
			continue
		}
		for file := range r.NumFiles() {
			if state := r.State(file); state != syn.Parsed && state != syn.Failed {
				continue
			}
			if key := s.SyntaxKey(seg, file); wanted[key] {
				delete(wanted, key)
				found[key] = store.Parsed{Source: syn.Source{Reader: r, File: file}}
				p.report.Copied++
				p.parser.total.Files--
				p.parser.total.Bytes -= int64(s.Segments[seg].TextSize(file))
			}
		}
	}
}

// round parses some of what is pending and commits it.
func (p *syntaxPass) round(ctx context.Context) (more bool, err error) {
	s, err := p.in.Family.Snapshot(p.in.View)
	if err != nil {
		return false, err
	}
	defer s.Close()
	all, found, err := pending(s)
	if err != nil {
		return false, err
	}
	p.report.Generation = s.Freshness.Generation
	var tasks []task
	first := cmp.Or(p.parser.opts.round, roundText)
	size, most := 0, min(max(first, int(p.parser.bytes.Load())/2), 4*first)
	p.report.Waiting = 0
	for _, t := range all {
		if p.parser.waits(t.key) {
			p.report.Waiting++
		} else if size < most {
			tasks = append(tasks, t)
			size += t.size
		}
	}
	records, err := p.parser.run(ctx, tasks)
	ended := ctx.Err()
	if err == nil || ended != nil {
		err = s.Release()
	}
	if err != nil {
		return false, err
	}
	for i, r := range records {
		if r != nil {
			found[tasks[i].key] = store.Parsed{Record: r}
		}
	}
	switch {
	case len(found) > 0:
	case ended != nil || len(tasks) == 0:
		return false, ended
	default:
		return true, nil // none of them can be parsed now
	}
	ctx, done := last(ctx)
	defer done()
	added, err := p.commit(ctx, found)
	return added > 0, cmp.Or(ended, err)
}

// commit adds what was found to the newest generation.
func (p *syntaxPass) commit(ctx context.Context, found map[store.SyntaxKey]store.Parsed) (added int, err error) {
	return p.in.commit(ctx, func(b *store.Batch) (int, error) { return b.AddSyntax(found) })
}

// ParseDelta adds to a delta what the files of its segments are parsed to.
func ParseDelta(ctx context.Context, d *store.Delta, o Options) error {
	p := newParser(o)
	d.Syntax = make([][]byte, len(d.Segments))
	for i, data := range d.Segments {
		r, err := segment.Open(data, "overlay")
		if err != nil {
			return err
		}
		tasks := make([]task, r.NumFiles())
		for file := range tasks {
			key := store.SyntaxKey{Hash: r.FileHash(file), Language: r.Language(file)}
			tasks[file] = task{r, file, key, r.TextSize(file)}
		}
		records, err := p.run(ctx, tasks)
		if err != nil {
			return err
		}
		if d.Syntax[i], err = build(r, records); err != nil {
			return err
		}
	}
	return nil
}

// build writes a syntax part in memory.
func build(lex *segment.Reader, records []*syn.Record) ([]byte, error) {
	var buf bytes.Buffer
	b := syn.NewBuilder(&buf, lex.Identity())
	for _, r := range records {
		if r == nil {
			r = &syn.Record{}
		}
		if err := b.AddRecord(r); err != nil {
			return nil, err
		}
	}
	_, err := b.Finish()
	return buf.Bytes(), err
}

// parser parses files side by side.
type parser struct {
	opts  Options
	began time.Time
	total struct { // of the whole pass
		Files int
		Bytes int64
	}
	memory *frugal.Parsing // nil where the collector is left as it is

	files atomic.Int64 // done
	bytes atomic.Int64

	mu             sync.Mutex
	waiting        map[store.SyntaxKey]bool // could not be parsed now, guarded by mu
	why            error                    // of the first of them, guarded by mu
	parsed, failed int                      // guarded by mu
}

func newParser(o Options) *parser {
	return &parser{opts: o, began: time.Now(), waiting: map[store.SyntaxKey]bool{}}
}

// waits reports whether a file could not be parsed before.
func (p *parser) waits(key store.SyntaxKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting[key]
}

// run parses files and returns their records, nil for those that wait.
func (p *parser) run(ctx context.Context, tasks []task) ([]*syn.Record, error) {
	records := make([]*syn.Record, len(tasks))
	runs := runsOf(tasks)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for i := range max(1, min(p.opts.workers(), len(runs))) {
		group.Go(func() error {
			var cache segment.TextCache
			for {
				if i > 0 { // one worker goes on
					p.opts.rest(ctx)
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if p.memory != nil {
					p.memory.Adapt()
				}
				k := int(next.Add(1)) - 1
				if k >= len(runs) {
					return nil
				}
				from, to := runs[k][0], runs[k][1]
				if err := p.parse(ctx, tasks[from:to], records[from:to], &cache); err != nil {
					return err
				}
			}
		})
	}
	err := group.Wait()
	if p.memory != nil {
		p.memory.Commit()
	}
	return records, err
}

// runsOf cuts tasks into runs of a segment, with about runText of text each.
func runsOf(tasks []task) (runs [][2]int) {
	from, size := 0, 0
	for i, t := range tasks {
		if i > from && (t.reader != tasks[from].reader || size+t.size > runText) {
			runs = append(runs, [2]int{from, i})
			from, size = i, 0
		}
		size += t.size
	}
	if from < len(tasks) {
		runs = append(runs, [2]int{from, len(tasks)})
	}
	return runs
}

func (p *parser) parse(ctx context.Context, tasks []task, records []*syn.Record, cache *segment.TextCache) error {
	return segment.Guard(func() error {
		for i, t := range tasks {
			if err := ctx.Err(); err != nil {
				return err
			}
			text, err := t.reader.Text(t.file, cache)
			if err != nil {
				return err
			}
			if records[i], err = p.record(ctx, t, text); err != nil {
				return err
			}
			p.progress(t.size)
		}
		return nil
	})
}

// record parses one file. Without a record and an error the file waits.
func (p *parser) record(ctx context.Context, t task, text []byte) (*syn.Record, error) {
	if !hasGrammar(t.key.Language) {
		return syn.Unsupported(), nil
	}
	file, err := p.facts(ctx, t, text)
	var r *syn.Record
	if err == nil {
		if r, err = syn.Encode(file); err != nil {
			err = &grammar.Failure{Reason: "the parser broke a rule, please report this: " + err.Error()}
		}
		file.Release()
	}
	var failure *grammar.Failure
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		p.parsed++
	case errors.As(err, &failure):
		p.failed++
		r = syn.Failure(failure.Reason)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		p.waiting[t.key] = true
		if p.why == nil {
			p.why = err
		}
	}
	return r, nil
}

func (p *parser) facts(ctx context.Context, t task, text []byte) (*facts.File, error) {
	p.mu.Lock()
	gone := errors.Is(p.why, grammar.ErrUnavailable)
	p.mu.Unlock()
	if gone && t.key.Language != "go" {
		return nil, grammar.ErrUnavailable
	}
	return p.opts.Facts(ctx, t.key.Language, t.reader.Path(t.file), text)
}

// Facts parses a text that need not be in an index, as the pass over the syntax
// does. The error says why there are none: there is no grammar, or as Parser
// says. The caller may release the facts when it is done with them.
func (o Options) Facts(ctx context.Context, language, path string, text []byte) (*facts.File, error) {
	switch {
	case language == "go":
		return parseGo(text)
	case !hasGrammar(language):
		return nil, &grammar.Failure{Reason: "there is no grammar for it"}
	case o.Parser == nil:
		return nil, grammar.ErrUnavailable
	}
	return o.Parser.Parse(ctx, language, path, text)
}

func parseGo(text []byte) (file *facts.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &grammar.Failure{Reason: fmt.Sprintf("the parser failed, please report this: %v", p)}
		}
	}()
	return golang.Parse(text), nil
}

func (p *parser) progress(size int) {
	files, bytes := p.files.Add(1), p.bytes.Add(int64(size))
	if p.opts.Hooks.Progress != nil && p.total.Files > 0 && (files%16 == 0 || int(files) == p.total.Files) {
		p.opts.Hooks.Progress(progress.Report{
			Phase: progress.Syntax, Files: int(files), TotalFiles: max(p.total.Files, int(files)),
			Bytes: bytes, TotalBytes: max(p.total.Bytes, bytes), Elapsed: time.Since(p.began),
		})
	}
}
