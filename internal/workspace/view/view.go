// Package view keeps the index of one repository: the newest generation of the
// view that shows it, the writer's lock, what damage is taken out of use, and
// which commits are kept beside it. What the view shows is decided by its origin
// (package origin).
package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/index"
	"espy/internal/nav"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/store/blob/local"
	"espy/internal/store/changelog"
)

// View is a repository as the catalog lists it, and the view of its family that
// shows it. It is safe for concurrent use.
type View struct {
	Env    *Env
	Family *store.Family
	Key    string // of the view in its family
	suffix string // of the name, "@ref" for a commit
	held   held

	rebuilt rebuilt

	mu     sync.Mutex
	record catalog.Repo // guarded by mu
	warned []string     // by the last walk of the files, guarded by mu
}

// New returns the view of a family that shows the repository of a record, at a
// ref where that is not empty.
func New(env *Env, family *store.Family, rec catalog.Repo, key, ref string) *View {
	v := &View{Env: env, Family: family, Key: key, record: rec, held: held{family: family, view: key, tally: env.Tally}}
	if ref != "" {
		v.suffix = "@" + ref
	}
	return v
}

// Ref is the ref that is shown, empty for what the repository shows by itself.
func (v *View) Ref() string { return strings.TrimPrefix(v.suffix, "@") }

// Forget drops the generation kept open, so that damage found in it counts.
func (v *View) Forget() { v.held.forget() }

// Close keeps no generation open any more. It returns the one that was, nil for
// none, for the caller to close.
func (v *View) Close() *store.Snapshot { return v.held.close() }

// Symbols returns an index of a snapshot. That of a generation is kept between
// questions, that of an overlay is not.
func (v *View) Symbols(s *store.Snapshot) (*nav.Index, error) { return v.held.symbols(s) }

// NoteLost notes that the index is made anew because what was kept of the
// repository is gone.
func (v *View) NoteLost() { v.rebuilt.note("what was kept of it was removed") }

// WhyRebuilt returns why the index was made anew, "" where it was not lately.
func (v *View) WhyRebuilt() string { return v.rebuilt.reason() }

// Record returns the record of the catalog.
func (v *View) Record() catalog.Repo {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.record
}

// SetRecord sets a newer record of the catalog.
func (v *View) SetRecord(rec catalog.Repo) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.record = rec
}

// SetRemote sets what is known of the other machine.
func (v *View) SetRemote(remote catalog.Remote) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.record.Remote = &remote
}

// Repo returns what answers call the repository: a commit of it NAME@REF.
func (v *View) Repo() string { return v.Record().Name + v.suffix }

// Folder returns the folder of what is kept of the repository beside its views.
func (v *View) Folder() string { return v.Env.Catalog.Folder(v.Record().ID) }

// Jobs is the folder where processes share jobs.
func (v *View) Jobs() string { return filepath.Join(v.Folder(), "jobs") }

// Policy says which files of the repository are looked at.
func (v *View) Policy() discover.Policy {
	p := v.Env.Policy
	if rec := v.Record(); rec.Package != nil {
		p.Include = nil
		for _, name := range rec.Package.Only {
			p.Include = append(p.Include, "/"+globEscaper.Replace(name))
		}
	}
	return p
}

var globEscaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`)

// Options returns how the files of the repository are looked at.
func (v *View) Options() index.Options {
	w, root := v.Env, v.Record().Root
	o := index.Options{Policy: v.Policy(), GlobalIgnore: w.GlobalIgnore, Workers: w.Workers, Parser: w.Parser}
	o.Siblings = func(view string) bool { // views of others, as sessions, have no terms
		_, ok := store.TreeOf(view)
		return ok || strings.HasPrefix(view, RefPrefix)
	}
	o.Hooks.Asked = func() bool { return v.Env.queries.Load() > 0 }
	if data, err := Canonical(w.DataDir); err == nil && data != root {
		if rel, ok := code.Below(root, data); ok { // the index itself is not indexed
			o.Policy.Exclude = append(slices.Clone(o.Policy.Exclude), "/"+globEscaper.Replace(rel))
		}
	}
	return o
}

// RefPrefix is how the views of commits begin.
const RefPrefix = "ref."

// Newest returns the newest committed generation, with the names of the repository.
func (v *View) Newest() (*store.Snapshot, error) {
	s, err := v.held.newest()
	if err == nil {
		s.Repo, s.Name = v.Record().ID, v.Repo()
		s.Freshness.Rebuilt = v.rebuilt.reason()
	}
	return s, err
}

// Quarantine takes the part of the index that an error says is damaged out of
// use, and reports whether there was one: the same question may then be asked again.
func (v *View) Quarantine(err error) bool {
	var corrupt *segment.CorruptError
	switch {
	case errors.As(err, &corrupt) && v.Family.Holds(corrupt.Name):
		v.Family.Quarantine(filepath.Base(corrupt.Name), corrupt)
	case errors.Is(err, segment.ErrTruncated) && v.Family.Recheck():
	default:
		return false
	}
	v.Env.Log.Warn("a damaged part of the index is taken out of use", "repo", v.Repo(), "err", err)
	v.held.forget()
	return true
}

// maxQuarantined bounds how many damaged parts one question or job gets past.
const maxQuarantined = 100

// Recover calls f, and again each time it fails because of damage that can be
// taken out of use: f must be able to start over.
func (v *View) Recover(f func() error) error {
	err := f()
	for tries := 0; err != nil && tries < maxQuarantined && v.Quarantine(err); tries++ {
		err = f()
	}
	return err
}

// RemovedError says that a repository was removed, perhaps by another process,
// while this one held it: it is not written for any more.
type RemovedError struct{ Repo, Place string }

func (e *RemovedError) Error() string {
	return fmt.Sprintf("repo %s was removed: `espy index %s` adds it again", e.Repo, e.Place)
}

// silent is how long the writer's lock is waited for without telling.
const silent = 2 * time.Second

// Lock waits for the writer's lock. When that takes long, as for a process that
// was stopped, it tells which process has it, once for each.
func (v *View) Lock(ctx context.Context, tell func(progress.Report)) (unlock func(), err error) {
	began := time.Now()
	for holder := -1; ; {
		quiet, cancel := context.WithTimeout(ctx, silent)
		unlock, err := v.Family.Lock(quiet)
		cancel()
		if rec := v.Record(); err == nil && !v.Env.Catalog.Has(rec.ID) {
			unlock()
			return nil, &RemovedError{Repo: v.Repo(), Place: cmp.Or(rec.Root, rec.Place())}
		}
		if ctx.Err() != nil || !errors.Is(err, local.ErrLocked) {
			return unlock, err
		}
		if pid := v.Family.Holder(); pid != holder && tell != nil {
			holder = pid
			tell(progress.Report{Phase: progress.Wait, Holder: pid, Elapsed: time.Since(began)})
		}
	}
}

// noteAnew notes why an index is made anew, nil where it is not. Answers say that
// it was of an older program; that it was damaged is a warning in the log too.
func (v *View) noteAnew(reason error) {
	var format *store.FormatError
	switch {
	case reason == nil:
	case errors.As(reason, &format):
		v.Env.Log.Info("the index is built anew", "repo", v.Repo(), "reason", reason)
		v.rebuilt.note(fmt.Sprintf("it was of format %d, now %d", format.Found, format.Wanted))
	default:
		v.Env.Log.Warn("the index is built anew", "repo", v.Repo(), "reason", reason)
		v.rebuilt.note("it was damaged")
	}
}

// NoteOldSyntax notes that files are parsed again because another version of the
// program parsed them.
func (v *View) NoteOldSyntax(s *store.Snapshot) {
	if s == nil {
		return
	}
	if old := s.OldSyntax(); old != 0 {
		v.rebuilt.note(fmt.Sprintf("its symbols were of version %d, now %d", old, store.Syntax))
	}
}

// setNotices keeps what a walk of the files could not do.
func (v *View) setNotices(list []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.warned = list
}

// Warnings returns what the settings and the last walk could not do.
func (v *View) Warnings() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Concat(v.Env.Notices, v.warned)
}

// Log returns the newest generation, 0 where there is no index, and what each
// commit of the index changed.
func (v *View) Log() (generation uint64, records []changelog.Record, err error) {
	s, err := v.Newest()
	if err == nil {
		generation = s.Freshness.Generation
		err = s.Close()
	}
	if err != nil && !errors.Is(err, store.ErrNoIndex) {
		return generation, nil, err
	}
	records, err = v.Family.Log(v.Key)
	return generation, records, err
}
