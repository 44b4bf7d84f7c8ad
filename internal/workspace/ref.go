package workspace

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/git/export"
	"espy/internal/index"
	"espy/internal/lang"
	"espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
)

// pinned is what a repository shows that is no work tree. It never changes, so
// that it is compared with nothing, and its text is read from the index.
type pinned struct {
	ref  string // the name it was asked for by
	id   string
	time time.Time // of its author, UTC; zero where it is not known
}

// refPrefix is how the views of commits begin.
const refPrefix = "ref."

// Ref is the branch, tag or commit that was asked for with At; empty for what
// is checked out.
func (r *Repo) Ref() string {
	if r.at == nil {
		return ""
	}
	return r.at.ref
}

// At returns the repository as it is in the commit that a branch, a tag or
// another revision of git names, without checking it out. Nothing is read or
// indexed before the first question. Names are those of commits only: an empty
// one is the repository itself.
func (r *Repo) At(ctx context.Context, ref string) (*Repo, error) {
	if r.of != nil && ref != "" {
		return nil, fmt.Errorf("repo %s is at %s already: ask for one ref", r.Name(), r.at.ref)
	}
	if ref == "" {
		return r, nil
	}
	at, err := r.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	return r.ws.frozen.open(r, at), nil
}

// resolve finds the commit of a name.
func (r *Repo) resolve(ctx context.Context, ref string) (pinned, error) {
	at := pinned{ref: ref}
	history, err := r.repository()
	if err == nil {
		at.id, err = history.Resolve(ctx, ref)
	}
	var unknown *git.RevisionError
	switch {
	case err == nil:
	case git.IsCommitID(ref) && r.family.Stamp(refPrefix+ref) != (store.Stamp{}):
		at.id = ref // an indexed commit needs no git
		return at, nil
	case errors.As(err, &unknown):
		return at, &RefError{Repo: r.Name(), Ref: ref, Nearest: nearestRefs(ctx, history, ref), Shallow: history.Shallow()}
	default:
		return at, &NoHistoryError{Repo: r.Name(), Err: err}
	}
	if newest, err := history.Log(ctx, at.id, git.LogOptions{Limit: 1}); err == nil && len(newest) == 1 {
		at.time = newest[0].Time
	}
	return at, ctx.Err()
}

// RefError says that a repository has no branch, tag or commit of a name.
type RefError struct {
	Repo, Ref string
	Nearest   []string // branches and tags, the likeliest first
	Shallow   bool     // the repository has only its newest commits
}

func (e *RefError) Error() string {
	return fmt.Sprintf("repo %s has no branch, tag or commit %q", e.Repo, e.Ref)
}

// Explain returns the error and which ref would do.
func (e *RefError) Explain() (problem, hint string) {
	problem = fmt.Sprintf("repo %s has no branch, tag or commit %q", place.Name(e.Repo), usage.Shorten(e.Ref, 200))
	names := make([]string, len(e.Nearest))
	for i, n := range e.Nearest {
		names[i] = place.Name(n)
	}
	switch {
	case e.Shallow && len(names) == 0:
		return problem, "the clone is shallow: it holds its newest commit only"
	case e.Shallow:
		return problem, "the clone is shallow and holds few commits; it has " + strings.Join(names, ", ")
	case len(names) > 0:
		return problem, "did you mean " + strings.Join(names, " or ") + "?"
	}
	return problem, "give the name of a branch or tag, or the id of a commit"
}

// Refs lists the branches and tags that At knows by name, those with the newest
// commits first; none outside git.
func (r *Repo) Refs(ctx context.Context) ([]string, error) {
	history, err := r.repository()
	if err != nil {
		return nil, &NoHistoryError{Repo: r.Name(), Err: err}
	}
	return history.Refs(ctx)
}

// nearestRefs lists the names that a ref may have meant, or a few of the newest.
func nearestRefs(ctx context.Context, history *git.Repository, ref string) []string {
	names, err := history.Refs(ctx)
	if err != nil {
		return nil
	}
	if near := nearest.Of(ref, names, 3); near != nil {
		return near
	}
	last := path.Base(ref)
	for _, n := range names {
		if path.Base(n) == last { // origin/topic for topic
			return []string{n}
		}
	}
	return names[:min(len(names), 3)]
}

// frozenRepos are the commits that a process was asked about.
type frozenRepos struct {
	repos []*Repo // the one asked for last at the end, guarded by Workspace.mu
}

// maxFrozen is how many commits a process keeps open between questions.
const maxFrozen = 16

// open returns the Repo of a commit, the same one for the same name.
func (l *frozenRepos) open(of *Repo, at pinned) *Repo {
	of.ws.mu.Lock()
	defer of.ws.mu.Unlock()
	i := slices.IndexFunc(l.repos, func(r *Repo) bool { return r.ID() == of.ID() && *r.at == at && r.of == of })
	if i >= 0 {
		r := l.repos[i]
		l.repos = append(slices.Delete(l.repos, i, i+1), r)
		r.setRecord(of.rec())
		return r
	}
	r := &Repo{ws: of.ws, record: of.rec(), family: of.family, view: refPrefix + at.id, of: of, at: &at}
	l.repos = append(l.repos, r)
	if i := slices.IndexFunc(l.repos, (*Repo).idle); len(l.repos) > maxFrozen && i >= 0 {
		l.repos[i].forget()
		l.repos = slices.Delete(l.repos, i, i+1)
	}
	return r
}

// closeOf ends what runs for the commits of a repository, or of all where it is nil.
func (l *frozenRepos) closeOf(of *Repo) (err error) {
	l.repos = slices.DeleteFunc(l.repos, func(r *Repo) bool {
		gone := of == nil || r.of == of
		if gone {
			err = errors.Join(err, r.close())
		}
		return gone
	})
	return err
}

// idle reports whether no job runs.
func (r *Repo) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return (r.job == nil || !r.job.running()) && (r.parse == nil || !r.parse.running())
}

// stands reports whether a snapshot is all of a commit, under the policy of now.
// Of a repository on another machine any commit will do for a question.
func (r *Repo) stands(s *store.Snapshot, at pinned) bool {
	return s != nil && !s.Freshness.Partial && (at.id == "" || s.Freshness.Commit == at.id) && len(s.Damaged) == 0 && samePolicy(s.Policy(), r.ws.opts.Policy)
}

// samePolicy reports whether a policy that was stored is one of the settings.
func samePolicy(stored, now discover.Policy) bool {
	a, errA := json.Marshal(stored)
	b, errB := json.Marshal(now)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// Bounds of a commit that is exported, far above what the policy keeps of it.
const (
	maxExportFiles = 2 * discover.DefaultMaxFiles
	maxExportBytes = 16 << 30
)

// syncCommit indexes the files of the commit, which stand in a scratch folder
// meanwhile. A commit that is indexed already, perhaps by another process that
// had the lock until now, is left as it is.
func (r *Repo) syncCommit(ctx context.Context, batch *store.Batch, o index.Options) (err error) {
	if r.of != nil && r.stands(batch.Base(), *r.at) {
		return nil // needs no git
	}
	history, at, err := r.source(ctx)
	if err != nil || r.stands(batch.Base(), at) {
		return err
	}
	dir, err := r.family.Scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	o.Policy = r.ws.opts.Policy // that of the work tree leaves out an index inside it
	x, err := export.Commit(ctx, history, at.id, root, export.Options{MaxFiles: maxExportFiles, MaxBytes: maxExportBytes, Hollow: o.Policy.Unread})
	if err != nil {
		return err
	}
	o.Frozen = index.Frozen{Commit: at.id, Ref: at.ref, Left: leftOut(x.Left)}
	_, err = r.syncTree(ctx, batch, root, o)
	return err
}

// leftOut says in the words of a walk what an export left out.
func leftOut(list []export.LeftOut) (out []discover.Exclusion) {
	for _, l := range list {
		x := discover.Exclusion{Path: l.Path, Reason: discover.ReasonUnreadable, Detail: l.Detail}
		switch l.Why {
		case export.WhyLink:
			x.Reason = discover.ReasonSymlink
		case export.WhySubmodule:
			x.Reason, x.Dir = discover.ReasonSubmodule, true
		case export.WhyMissing:
			x.Detail = "the repository does not hold its text"
		case export.WhyName:
			x.Detail = cmp.Or(l.Detail, "no file may have this name")
		}
		out = append(out, x)
	}
	return out
}

// Commits are kept by rule: the keepRefs that were asked about last, and none
// that nobody asked about for keepRefsFor.
const (
	keepRefs    = 12
	keepRefsFor = 30 * 24 * time.Hour
)

// tidyRefs drops the commits that are not kept, never the one of r.
func (r *Repo) tidyRefs(ctx context.Context) {
	kept, err := r.keptRefs()
	kept = slices.DeleteFunc(kept, func(k KeptRef) bool { return refPrefix+k.Commit == r.view })
	drop := map[string]bool{}
	for i, k := range kept {
		if i+1 >= keepRefs || time.Since(k.Used) > keepRefsFor {
			drop[refPrefix+k.Commit] = true
		}
	}
	if len(drop) > 0 {
		err = errors.Join(err, r.family.Drop(ctx, func(view string) bool { return drop[view] }), r.tidyJobs())
	}
	if err != nil {
		r.ws.opts.Log.Warn("old commits are not dropped from the index", "repo", r.Name(), "err", err)
	}
}

// KeptRef is a commit whose index is kept.
type KeptRef struct {
	Commit string
	Ref    string // by which it was asked for first
	Used   time.Time
	Bytes  int64 // of its index, of which it may share parts with others
}

// keptRefs lists the commits of the family, the one asked for last first.
func (r *Repo) keptRefs() ([]KeptRef, error) {
	views, err := r.family.Views()
	if err != nil {
		return nil, err
	}
	var kept []KeptRef
	for _, view := range views {
		id, ok := strings.CutPrefix(view, refPrefix)
		if !ok {
			continue
		}
		k := KeptRef{Commit: id, Used: r.family.Used(view)}
		if about, err := r.family.About(view); err == nil {
			k.Ref, k.Bytes = about.Branch, about.Bytes
		}
		kept = append(kept, k)
	}
	slices.SortFunc(kept, func(a, b KeptRef) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Commit, b.Commit)) })
	return kept, nil
}

// readIndexed returns a file of the commit out of the index.
func (r *Repo) readIndexed(ctx context.Context, name string) (discover.Content, error) {
	var c discover.Content
	name = path.Clean(name)
	err := r.Look(ctx, untilDeadline(ctx), func(s *store.Snapshot) error {
		seg, file, ok := s.Find(name)
		if !ok && s.Freshness.Partial {
			return fmt.Errorf("%d of %d files are indexed so far: ask again", s.Freshness.IndexedFiles, s.Freshness.TotalFiles)
		}
		if !ok {
			return whyNot(s, name)
		}
		l := s.Segments[seg]
		text, err := l.Text(file, &segment.TextCache{})
		if err != nil {
			return err
		}
		c = discover.Content{Text: bytes.Clone(text), Hash: l.FileHash(file), Class: l.File(file).Class | lang.Classify(name)}
		c.Raw, c.Entry = c.Text, discover.Entry{Path: name, Size: l.File(file).Size}
		return nil
	})
	if err != nil {
		return discover.Content{}, fmt.Errorf("read %s: %w", name, err)
	}
	return c, nil
}

// untilDeadline waits for a commit to be indexed for nearly as long as a question may take.
func untilDeadline(ctx context.Context) (w Wait) {
	if end, ok := ctx.Deadline(); ok {
		w.First = max(time.Until(end)-time.Second, time.Millisecond)
	}
	return w
}

// whyNot says why the index does not hold a file.
func whyNot(s *store.Snapshot, name string) error {
	for _, x := range s.Excluded() {
		if x.Path == name || x.Dir && strings.HasPrefix(name, x.Path+"/") {
			return errors.New(x.Reason.Explain())
		}
	}
	return fmt.Errorf("commit %.12s: %w", s.Freshness.Commit, fs.ErrNotExist)
}

// day is the day of a time, empty where it is not known.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}
