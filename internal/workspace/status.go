package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/learned"
	"espy/internal/listing"
	"espy/internal/parallel"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace/coverage"
	"espy/internal/workspace/job"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

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
	IndexBytes  int64 // of segments on disk, with what lies beside them
	Syntax      coverage.OfSyntax
	Vectors     []coverage.OfVectors // of each model
	Learned     *learned.Lesson      // from its commits, of the model of the program; nil for nothing
	Segments    int
	Languages   map[string]int // files by language, "" for none
	Excluded    map[discover.Reason]int
	Damaged     []string             // parts that cannot be read and will be rebuilt
	Indexing    *progress.Report     // of the job under way, in whichever process; nil when idle
	Process     int                  // that does it
	LastError   string               // of the last job
	Notices     []string             // what was not done as it should be
	LastIndexed time.Time            // zero before the first generation
	Disk        store.Disk           // of the family, whose other work trees are Family
	Family      []string             // names
	Nested      []Nested             // work trees of git inside this one whose files are indexed with it, by path
	Watching    string               // how the files are followed, by whichever process; empty where they are not
	Remote      *origin.RemoteStatus // nil for a repository that has a root
	Refs        []view.KeptRef       // commits that are indexed beside it, the one asked about last first
}

// Nested is a work tree of git inside another.
type Nested struct {
	Path string
	Kind string // submodule, repository or worktree
}

// statusCheck bounds the look for changes that a status makes.
const statusCheck = 2 * time.Second

// Status returns the state of the index; it begins nothing. Where the time is
// over it is that of the index, not checked for changes.
func (r *Repo) Status(ctx context.Context) (st Status, err error) {
	ctx, cancel := parallel.Early(ctx, waitParts)
	defer cancel()
	err = r.Recover(func() error { st, err = r.status(ctx); return err })
	return st, err
}

func (r *Repo) status(ctx context.Context) (Status, error) {
	st := Status{ID: r.ID(), Name: r.Name(), Root: r.Root(), Languages: map[string]int{}, Excluded: map[discover.Reason]int{}}
	jobs := job.Look(r.remote, r.parse, r.embed, r.sync)
	st.Indexing, st.Process, st.LastError = jobs.Progress, jobs.Process, jobs.LastError
	if r.Published() { // a question that came too early; what is wrong now is said below
		st.LastError = ""
	}
	st.Watching = r.origin.Watching(ctx)
	var err error
	if st.Family, st.Disk, err = r.view.Relatives(ctx); err != nil {
		return st, err
	}
	r.arrive(ctx)
	st.Remote = origin.RemoteStatusOf(r.view)
	if r.Ref() == "" {
		if kept, err := r.view.KeptRefs(); err == nil {
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
	if err := segment.Guard(func() error { r.describe(&st, s); return nil }); err != nil {
		return st, err
	}
	for _, x := range s.Excluded() {
		st.Excluded[x.Reason]++
		if x.Reason == discover.ReasonVCS && x.Detail != "" {
			st.Nested = append(st.Nested, Nested{Path: path.Dir(x.Path), Kind: x.Detail})
		}
	}
	if m := r.opts.Models.Local; m != nil {
		st.Learned = r.book.Lesson(m.Identity())
	}
	st.Notices = r.view.Warnings()
	for _, d := range slices.Concat(s.Damaged, s.Unparsed) {
		st.Damaged = append(st.Damaged, fmt.Sprintf("%s: %v", d.Part, d.Err))
	}
	return st, nil
}

// describe counts what a snapshot holds.
func (r *Repo) describe(st *Status, s *store.Snapshot) {
	stats := s.Stats()
	st.Syntax, st.Vectors = r.left.Syntax(s), r.left.Vectors(s, r.opts.Models, r.opts.Team != nil)
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

const freshnessCheck = 500 * time.Millisecond // for the changes of an answer that is not from the index

// Freshness returns the state of the index and what is checked out, for an
// answer that is not from the index; it begins nothing. The generation is 0
// where there is no index.
func (r *Repo) Freshness(ctx context.Context) code.Freshness {
	r.arrive(ctx)
	return r.freshness(func(s *store.Snapshot) { r.countPending(ctx, s, freshnessCheck) })
}

// FreshnessAsIs is Freshness for an answer that shows files as they are: none is compared.
func (r *Repo) FreshnessAsIs() code.Freshness {
	return r.freshness(func(s *store.Snapshot) {
		if !r.Frozen() {
			at := r.origin.Unindexed()
			s.Freshness.Head, s.Freshness.Branch = at.Head, at.Branch
		}
	})
}

func (r *Repo) freshness(look func(*store.Snapshot)) (f code.Freshness) {
	err := r.Recover(func() error {
		s, err := r.newest()
		if err != nil {
			return err
		}
		look(s)
		f = s.Freshness
		return s.Close()
	})
	if err != nil {
		return r.origin.Unindexed()
	}
	return f
}

// countPending writes how many files have changed, and what git says, into a
// snapshot's freshness.
func (r *Repo) countPending(ctx context.Context, s *store.Snapshot, limit time.Duration) {
	if r.Frozen() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tell := r.origin.Look(ctx, limit)
	var seen *listing.Tree
	c, err := r.origin.Compare(ctx, s, nil)
	switch {
	case err != nil:
		s.Freshness.Unchecked = true
	case c != nil:
		if !c.Plan.Clean() {
			s.Freshness.PendingFiles, seen = c.Plan.Files(), c.Plan.Seen()
		}
		c.Root.Close()
	}
	tell(s, seen)
}
