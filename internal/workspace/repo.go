package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/index"
	"espy/internal/lang"
	"espy/internal/listing"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/store/blob/local"
)

// IndexOptions say how to index. The zero value indexes what has changed.
type IndexOptions struct {
	Force    bool // from nothing
	Paranoid bool // hash every file, whatever its stat says
	Progress func(progress.Report)
	URL      string // of a repository on another machine: its address with user and password, for this time; "" without

	enter   func(dir string) // called with each folder before it is read
	receive bool             // ask the other machine for what is new
}

// IndexReport says what an index holds after indexing.
type IndexReport struct {
	RepoID     code.RepoID
	Name, Root string
	URL        string // of a repository on another machine, which has no root
	Freshness  code.Freshness
	Files      int // indexed
	Chunks     int
	Analysed   int   // files whose words and outlines were made in this run; the others are as they were, or were taken over
	Parsed     int   // the same of their symbols
	Skipped    int   // left out, a folder counting once
	Bytes      int64 // of the indexed files
	Syntax     SyntaxStatus
	Duration   time.Duration
	Generation uint64
	Notices    []string // what was not done as it should be
}

// Index brings the index up to date, parses its files, and waits for both.
func (r *Repo) Index(ctx context.Context, o IndexOptions) (IndexReport, error) {
	began := time.Now()
	o.receive = r.URL() != ""
	sync, err := finish(ctx, o, func() (*job, bool) { return r.startSync(o) })
	if err != nil {
		return IndexReport{}, fmt.Errorf("index %s: %w", r.Name(), err)
	}
	parse, err := finish(ctx, o, r.startParse)
	if err != nil {
		return IndexReport{}, fmt.Errorf("parse %s: %w", r.Name(), err)
	}
	rep := IndexReport{RepoID: r.ID(), Name: r.Name(), Root: r.Root(), URL: r.URL(), Duration: time.Since(began)}
	rep.Analysed, rep.Parsed = int(sync.analysed.Load()), int(parse.analysed.Load())
	err = r.Recover(rep.count(r))
	if why := r.whyRebuilt(); why != "" {
		rep.Notices = append(rep.Notices, "the index was made anew: "+why)
	}
	rep.Freshness = r.Freshness(ctx)
	return rep, err
}

// count returns what counts the newest generation.
func (rep *IndexReport) count(r *Repo) func() error {
	return func() error {
		s, err := r.newest()
		if err != nil {
			return err
		}
		defer s.Close()
		return segment.Guard(func() error {
			stats := s.Stats()
			rep.Files, rep.Chunks, rep.Bytes = stats.Files, stats.Chunks, stats.SourceBytes
			rep.Skipped, rep.Generation, rep.Notices = s.Left(), s.Freshness.Generation, r.told()
			rep.Syntax, rep.Freshness = countSyntax(s), s.Freshness
			rep.Syntax.Why = r.whyPending()
			return nil
		})
	}
}

// finish runs a job that begins now, and waits for it.
func finish(ctx context.Context, o IndexOptions, start func() (*job, bool)) (*job, error) {
	j, fresh := start()
	for ; !fresh; j, fresh = start() { // it may have begun before the newest change, or generation
		err := j.wait(ctx, o.Progress)
		if ctx.Err() != nil {
			return j, ctx.Err()
		}
		if errors.Is(err, ErrCancelled) {
			return j, err
		}
	}
	err := j.wait(ctx, o.Progress)
	if ctx.Err() != nil {
		j.stop()
	}
	return j, err
}

// IndexBackground begins indexing and returns; Status tells how it goes.
func (r *Repo) IndexBackground(o IndexOptions) { r.startSync(o) }

// Status is what there is to know of a repository's index.
type Status struct {
	ID          code.RepoID
	Name, Root  string
	Freshness   code.Freshness
	Files       int
	Chunks      int
	Definitions int
	TextBytes   int64 // of searchable text
	SourceBytes int64 // of the indexed files
	IndexBytes  int64 // of segments on disk, with their syntax
	Syntax      SyntaxStatus
	Segments    int
	Languages   map[string]int // files by language, "" for none
	Excluded    map[discover.Reason]int
	Damaged     []string         // parts that cannot be read and will be rebuilt
	Indexing    *progress.Report // of the job under way, in whichever process; nil when idle
	Process     int              // that does it
	LastError   string           // of the last job
	Notices     []string         // what was not done as it should be
	LastIndexed time.Time        // zero before the first generation
	Disk        store.Disk       // of the family, whose other work trees are Family
	Family      []string         // names
	Nested      []Nested         // work trees of git inside this one whose files are indexed with it, by path
	Watching    string           // how the files are followed, by whichever process; empty where they are not
	Remote      *RemoteStatus    // nil for a repository that has a root
	Refs        []KeptRef        // commits that are indexed beside it, the one asked about last first
}

// Nested is a work tree of git inside another.
type Nested struct {
	Path string
	Kind string // submodule, repository or worktree
}

// statusCheck bounds the look for changes that a status makes.
const statusCheck = 2 * time.Second

// Status tells the state of the index; it begins nothing.
func (r *Repo) Status(ctx context.Context) (st Status, err error) {
	err = r.Recover(func() error { st, err = r.status(ctx); return err })
	return st, err
}

func (r *Repo) status(ctx context.Context) (Status, error) {
	st := Status{ID: r.ID(), Name: r.Name(), Root: r.Root(), Languages: map[string]int{}, Excluded: map[discover.Reason]int{}}
	r.jobStatus(&st)
	st.Watching = r.Watching(ctx)
	if err := r.familyStatus(&st); err != nil {
		return st, err
	}
	st.Remote = r.remoteStatus()
	if r.of == nil {
		if kept, err := r.keptRefs(); err == nil {
			st.Refs = kept
		}
	}
	s, err := r.newest()
	if errors.Is(err, store.ErrNoIndex) {
		return st, nil
	}
	if format := (*store.FormatError)(nil); errors.As(err, &format) {
		st.LastError = err.Error()
		return st, nil
	}
	if err != nil {
		return st, err
	}
	defer s.Close()
	r.countPending(ctx, s, statusCheck)
	if err := segment.Guard(func() error { describe(&st, s); return nil }); err != nil {
		return st, err
	}
	for _, x := range s.Excluded() {
		st.Excluded[x.Reason]++
		if x.Reason == discover.ReasonVCS && x.Detail != "" {
			st.Nested = append(st.Nested, Nested{Path: path.Dir(x.Path), Kind: x.Detail})
		}
	}
	st.Notices = r.told()
	st.Syntax.Why = r.whyPending()
	for _, d := range slices.Concat(s.Damaged, s.Unparsed) {
		st.Damaged = append(st.Damaged, fmt.Sprintf("%s: %v", d.Part, d.Err))
	}
	return st, nil
}

// familyStatus tells of the work trees that share the repository's parts.
func (r *Repo) familyStatus(st *Status) error {
	all, err := r.ws.catalog.List()
	if err != nil {
		return err
	}
	rec := r.rec()
	for _, o := range all {
		if o.ID != rec.ID && o.FamilyID() == rec.FamilyID() {
			st.Family = append(st.Family, o.Name)
		}
	}
	st.Disk, err = r.family.Disk()
	if format := (*store.FormatError)(nil); store.Rebuildable(err) || errors.As(err, &format) {
		err = nil // a view that cannot be read is told where it is asked for
	}
	return err
}

// describe counts what a snapshot holds.
func describe(st *Status, s *store.Snapshot) {
	stats := s.Stats()
	st.Syntax = countSyntax(s)
	st.Freshness, st.LastIndexed, st.Segments, st.IndexBytes = s.Freshness, s.Written(), len(s.Segments), s.IndexBytes()
	st.Files, st.Chunks, st.Definitions = stats.Files, stats.Chunks, stats.Definitions
	st.TextBytes, st.SourceBytes = stats.TextBytes, stats.SourceBytes
	for _, l := range s.Segments {
		for f := range l.NumFiles() {
			if l.Alive(f) {
				st.Languages[l.Language(f)]++
			}
		}
	}
}

// jobStatus tells of the jobs of this process, and of those of others where
// this one has none or waits for them.
func (r *Repo) jobStatus(st *Status) {
	r.mu.Lock()
	jobs := []*job{r.parse, r.job}
	r.mu.Unlock()
	for _, j := range jobs {
		switch {
		case j == nil:
		case j.running():
			st.Indexing, st.Process = &progress.Report{Phase: progress.Scan}, os.Getpid()
			if p := j.progress.Load(); p != nil {
				st.Indexing = p
			}
		case j.err != nil:
			st.LastError = j.err.Error()
		}
	}
	if st.Indexing == nil || st.Indexing.Waiting() {
		r.othersStatus(st)
	}
}

// jobError is what ended the last job, nil for one that runs, did its work, or
// gave way to another writer.
func (r *Repo) jobError() error {
	r.mu.Lock()
	j := r.job
	r.mu.Unlock()
	if j == nil || j.running() || errors.Is(j.err, local.ErrLocked) || errors.Is(j.err, context.Canceled) || errors.Is(j.err, ErrCancelled) {
		return nil
	}
	return j.err
}

// freshnessCheck bounds the look for changes of an answer that is not from the index.
const freshnessCheck = 500 * time.Millisecond

// Freshness tells which state the index is in and what is checked out, for an
// answer that is not from the index; it begins nothing. The generation is 0
// where there is no index.
func (r *Repo) Freshness(ctx context.Context) (f code.Freshness) {
	err := r.Recover(func() error {
		s, err := r.newest()
		if err != nil {
			return err
		}
		r.countPending(ctx, s, freshnessCheck)
		f = s.Freshness
		return s.Close()
	})
	switch {
	case err != nil && r.at != nil:
		f = code.Freshness{Commit: r.at.id, Ref: r.at.ref, Committed: day(r.at.time)}
	case err != nil:
		at := r.lookGit()
		f = code.Freshness{Head: at.Commit, Branch: at.Branch, Unchecked: true}
	}
	return f
}

// countPending writes how many files have changed, and what git says, into a
// snapshot's freshness.
func (r *Repo) countPending(ctx context.Context, s *store.Snapshot, limit time.Duration) {
	if r.at != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	at := r.lookGit()
	var seen *listing.Tree
	plan, err := r.pendingPlan(ctx, s)
	switch {
	case err != nil:
		s.Freshness.Unchecked = true
	case plan != nil && !plan.Clean():
		s.Freshness.PendingFiles, seen = plan.Files(), plan.Seen()
	}
	r.tell(ctx, limit, s, at, seen)
}

// pendingPlan compares the files with a snapshot; the plan can only be counted.
func (r *Repo) pendingPlan(ctx context.Context, s *store.Snapshot) (*index.Plan, error) {
	root, err := r.Open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return r.compare(ctx, root, s)
}

// VerifyReport is what reading the whole index found.
type VerifyReport struct {
	Segments, Files int
	Bytes           int64
	Problems        []string
}

// Verify reads every byte of the index and checks it, of the views of sessions and
// of the rest of the family too. Segments and files are counted without the latter.
func (r *Repo) Verify(ctx context.Context) (VerifyReport, error) {
	var rep VerifyReport
	views, err := r.family.Views()
	if err != nil {
		return rep, err
	}
	slices.Sort(views)
	if len(views) == 0 {
		views = []string{r.view} // which says that there is none
	}
	checked := map[string]bool{}
	for _, view := range views {
		v, err := r.family.Verify(ctx, view, checked)
		rep.Bytes += v.Bytes
		if tree, ok := store.TreeOf(view); !ok || tree == view && view == r.view { // not what others show, or was kept
			rep.Segments, rep.Files = rep.Segments+v.Segments, rep.Files+v.Files
		}
		for _, p := range v.Problems {
			if text := fmt.Sprintf("%s: %v", p.Part, p.Err); !slices.Contains(rep.Problems, text) {
				rep.Problems = append(rep.Problems, text)
			}
		}
		if ctx.Err() != nil || err != nil && view == r.view {
			return rep, err
		}
		if err != nil {
			rep.Problems = append(rep.Problems, fmt.Sprintf("view %s: %v", view, err))
		}
	}
	if len(rep.Problems) > 0 {
		r.forget()
	}
	return rep, nil
}

// forget drops the generation kept open, so that damage found in it counts.
func (r *Repo) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetLocked()
}

func (r *Repo) forgetLocked() {
	if r.held != nil {
		r.held.Close()
		r.held, r.known = nil, known{}
	}
}

// Read returns a file of the repository as it is now. The path is relative to
// the root; nothing outside it is read, and secrets and what is no regular
// text file are refused with the reason.
func (r *Repo) Read(ctx context.Context, path string) (discover.Content, error) {
	if r.at != nil {
		return r.readIndexed(ctx, path)
	}
	root, err := r.Open()
	if err != nil {
		return discover.Content{}, err
	}
	defer root.Close()
	reader, err := discover.NewReader(root, r.ws.opts.Policy)
	if err != nil {
		return discover.Content{}, err
	}
	defer reader.Close()
	c, left, err := reader.Read(path)
	if err != nil {
		return discover.Content{}, fmt.Errorf("read %s: %w", path, err)
	}
	if left != nil {
		return discover.Content{}, fmt.Errorf("read %s: %s", path, left.Reason.Explain())
	}
	c.Raw, c.Text = bytes.Clone(c.Raw), bytes.Clone(c.Text)
	c.Class |= lang.Classify(path)
	return c, nil
}
