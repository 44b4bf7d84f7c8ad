package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/glob"
	"espy/internal/index"
	"espy/internal/nearest"
	"espy/internal/outline"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/store/blob/local"
)

// A Session is a named view of a folder: the state of its last indexing, made
// under a policy and a windowing of its own. Its record lies beside the
// repositories; its index is a view of the repository of the folder.

// SessionSchema is the version of session records. Version 3 is the first that
// this program wrote, since records of others up to that number are known.
const SessionSchema = 3

// SessionRecord is what is kept of a session beside its index.
type SessionRecord struct {
	Schema    int                `json:"schema"`
	Name      string             `json:"name"`
	Root      string             `json:"root"` // absolute, without symbolic links
	Repo      code.RepoID        `json:"repo"`
	View      string             `json:"view"` // of the repository's family
	Created   time.Time          `json:"created"`
	Indexed   time.Time          `json:"indexed"`
	Include   []string           `json:"include"`
	Exclude   []string           `json:"exclude"` // as asked for; Policy may hold more
	Policy    discover.Policy    `json:"policy"`
	Windowing outline.Windowing  `json:"windowing"`
	Files     int                `json:"files"`
	Windows   search.WindowStats `json:"windows"`
	Bytes     int64              `json:"bytes"` // of the index on disk
}

// SessionOptions say what to index under a name.
type SessionOptions struct {
	Name      string
	Root      string
	Include   []string // to be told by the record
	Exclude   []string
	Policy    discover.Policy
	Windowing outline.Windowing
	Created   time.Time // of a session that is made anew; zero is now
	Progress  func(index.Progress)
}

// SessionReport says what indexing a session did.
type SessionReport struct {
	SessionRecord
	Left     []discover.Exclusion // files left out by other than patterns and hidden names
	Duration time.Duration
}

// NoSessionError says that there is no session of a name.
type NoSessionError struct {
	Name    string
	Nearest []string
}

func (e *NoSessionError) Error() string { return "no session " + strconv.Quote(e.Name) }

// SessionDamagedError says that the record of a session cannot be read.
type SessionDamagedError struct {
	Name string
	Err  error
}

func (e *SessionDamagedError) Error() string {
	return fmt.Sprintf("record of session %s: %v", e.Name, e.Err)
}

func (e *SessionDamagedError) Unwrap() error { return e.Err }

var sessionName = regexp.MustCompile(`\A[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}\z`)

// IsSessionName reports whether a session may have the name: at most 64
// letters, digits, _ and -, the first a letter or digit.
func IsSessionName(name string) bool { return sessionName.MatchString(name) }

const sessionPrefix, sessionSuffix = "session-", ".json"

func (w *Workspace) sessionDir() (*local.Dir, error) {
	return local.Open(filepath.Join(w.opts.DataDir, "sessions"))
}

// SessionDir returns the folder of the records of sessions.
func (w *Workspace) SessionDir() string { return filepath.Join(w.opts.DataDir, "sessions") }

// SessionEntry is one session of a list: its record, or why that cannot be read.
type SessionEntry struct {
	SessionRecord
	Err error // a *SessionDamagedError; only Name is then set
}

// Sessions lists the sessions by name.
func (w *Workspace) Sessions(context.Context) ([]SessionEntry, error) {
	dir, err := w.sessionDir()
	if err != nil {
		return nil, err
	}
	names, err := dir.Names()
	if err != nil {
		return nil, err
	}
	var out []SessionEntry
	for _, n := range names {
		name, ok := strings.CutPrefix(strings.TrimSuffix(n, sessionSuffix), sessionPrefix)
		if !ok || !strings.HasSuffix(n, sessionSuffix) || !IsSessionName(name) {
			continue
		}
		rec, err := readSession(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		rec.Name = name
		out = append(out, SessionEntry{SessionRecord: rec, Err: err})
	}
	slices.SortFunc(out, func(a, b SessionEntry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func readSession(dir *local.Dir, name string) (rec SessionRecord, err error) {
	data, err := dir.Record(sessionPrefix + name + sessionSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return rec, err
	}
	if err == nil {
		err = json.Unmarshal(data, &rec)
	}
	if err == nil && (rec.Name != name || rec.Windowing.Validate() != nil || !filepath.IsAbs(rec.Root)) {
		err = errors.New("it does not fit together")
	}
	if err != nil {
		return SessionRecord{}, &SessionDamagedError{Name: name, Err: err}
	}
	return rec, nil
}

// Session is one session of the workspace.
type Session struct {
	SessionRecord
	ws *Workspace
}

// Session returns the session of a name: *NoSessionError where there is none,
// *SessionDamagedError where its record cannot be read.
func (w *Workspace) Session(ctx context.Context, name string) (*Session, error) {
	dir, err := w.sessionDir()
	if err != nil {
		return nil, err
	}
	if !IsSessionName(name) {
		return nil, &NoSessionError{Name: name}
	}
	rec, err := readSession(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, w.noSession(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	return &Session{SessionRecord: rec, ws: w}, nil
}

func (w *Workspace) noSession(ctx context.Context, name string) error {
	e := &NoSessionError{Name: name}
	if all, err := w.Sessions(ctx); err == nil {
		var names []string
		for _, s := range all {
			names = append(names, s.Name)
		}
		e.Nearest = nearest.Of(name, names, 3)
	}
	return e
}

// IndexSession indexes a folder under a name. A session that has the name stays
// as it is until the new one is complete, and where indexing fails.
func (w *Workspace) IndexSession(ctx context.Context, o SessionOptions) (*SessionReport, error) {
	began := time.Now()
	if !IsSessionName(o.Name) {
		return nil, fmt.Errorf("session name %q: must be 1 to 64 letters, digits, _ and -, beginning with a letter or digit", o.Name)
	}
	if err := errors.Join(o.Windowing.Validate(), o.Policy.Validate()); err != nil {
		return nil, err
	}
	repo, err := w.Attach(ctx, o.Root, AttachOptions{Exact: true, AllowBroad: true})
	if err != nil {
		return nil, err
	}
	rep := &SessionReport{SessionRecord: SessionRecord{
		Schema: SessionSchema, Name: o.Name, Root: repo.Root(), Repo: repo.ID(), Created: o.Created,
		View:    sessionViews(o.Name) + strconv.FormatInt(began.UnixNano(), 36),
		Include: o.Include, Exclude: o.Exclude, Policy: o.Policy, Windowing: o.Windowing,
	}}
	if rep.Created.IsZero() {
		rep.Created = began.UTC()
	}
	if err := repo.healed(func() error { return repo.indexSession(ctx, rep, o.Progress) }); err != nil {
		return nil, errors.Join(err, repo.tidySessions(context.WithoutCancel(ctx), o.Name))
	}
	rep.Duration = time.Since(began)
	return rep, errors.Join(w.sessions.drop(o.Name), repo.tidySessions(ctx, o.Name))
}

// sessionViews is how the views of a session begin. A name has no dot in it.
func sessionViews(name string) string { return sessionView + name + "." }

const sessionView = "session."

// tidySessions drops the views of a session that its record does not name:
// those before, and what an indexing that did not end has left.
func (r *Repo) tidySessions(ctx context.Context, name string) error {
	dir, err := r.ws.sessionDir()
	if err != nil {
		return err
	}
	gone := func(view string) bool {
		if !strings.HasPrefix(view, sessionViews(name)) {
			return false
		}
		rec, err := readSession(dir, name)
		return errors.Is(err, fs.ErrNotExist) || err == nil && rec.View != view
	}
	return errors.Join(r.family.Drop(ctx, gone), r.removeWatches(gone))
}

// lostSession reports whether a view is that of a session of a repository, or of
// one whose record does not exist. The caller holds the lock of the view's
// family, so that no indexing is between the view and its record.
func (w *Workspace) lostSession(view string, id code.RepoID) bool {
	rest, ok := strings.CutPrefix(view, sessionView)
	name, _, cut := strings.Cut(rest, ".")
	if !ok || !cut || !IsSessionName(name) {
		return false
	}
	dir, err := w.sessionDir()
	if err != nil {
		return false
	}
	rec, err := readSession(dir, name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && rec.Repo == id
}

// indexSession writes the view and then, under the same lock, the record.
func (r *Repo) indexSession(ctx context.Context, rep *SessionReport, progress func(index.Progress)) error {
	unlock, err := r.lock(ctx, progress)
	if err != nil {
		return err
	}
	batch, err := r.family.Begin(rep.View, unlock, true)
	if err != nil {
		return err
	}
	opts := index.Options{Policy: rep.Policy, NoTerms: true, Workers: r.ws.opts.Workers, Progress: progress}
	_, err = r.syncBatch(ctx, batch, opts)
	if err == nil {
		err = r.window(ctx, batch, rep, opts)
	}
	if err == nil {
		err = r.recordSession(ctx, rep)
	}
	return errors.Join(err, batch.Close())
}

// window adds the windows to the new view.
func (r *Repo) window(ctx context.Context, b *store.Batch, rep *SessionReport, opts index.Options) error {
	s, err := r.family.Snapshot(rep.View)
	if err != nil {
		return err
	}
	defer s.Close()
	return index.Windows(ctx, b, s, rep.Windowing, opts)
}

// recordSession counts what the new view holds and publishes it.
func (r *Repo) recordSession(ctx context.Context, rep *SessionReport) error {
	s, err := r.family.Snapshot(rep.View)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := segment.Guard(func() error { rep.Files = s.Stats().Files; return nil }); err != nil {
		return err
	}
	rep.Windows = search.CountWindows(s)
	for _, x := range s.Excluded() {
		switch x.Reason {
		case discover.ReasonExcluded, discover.ReasonHidden, discover.ReasonVCS, discover.ReasonIgnored:
		default:
			rep.Left = append(rep.Left, x)
		}
	}
	rep.Bytes, rep.Indexed = s.IndexBytes(), time.Now().UTC()
	data, err := json.MarshalIndent(rep.SessionRecord, "", "  ")
	if err != nil {
		return fmt.Errorf("encode session: %w", err)
	}
	dir, err := r.ws.sessionDir()
	if err != nil {
		return err
	}
	unlock, err := dir.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return dir.Replace(sessionPrefix+rep.Name+sessionSuffix, data)
}

// DeleteSession removes a session and its index.
func (w *Workspace) DeleteSession(ctx context.Context, name string) error {
	dir, err := w.sessionDir()
	if err != nil {
		return err
	}
	if !IsSessionName(name) {
		return &NoSessionError{Name: name}
	}
	rec, err := readSession(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return w.noSession(ctx, name)
	}
	if err := errors.Join(w.sessions.drop(name), dir.Remove(sessionPrefix+name+sessionSuffix)); err != nil {
		return err
	}
	if err != nil { // which repository it was of is not known: whatever holds views of the name
		return w.tidyEverywhere(ctx, name)
	}
	repo, err := w.byID(rec.Repo)
	if err != nil || repo == nil {
		return err
	}
	return repo.tidySessions(ctx, name)
}

func (w *Workspace) tidyEverywhere(ctx context.Context, name string) error {
	repos, err := w.Repos(ctx)
	for _, r := range repos {
		err = errors.Join(err, r.tidySessions(ctx, name))
	}
	return err
}

// byID returns a repository by its identity, nil where it is not attached.
func (w *Workspace) byID(id code.RepoID) (*Repo, error) {
	records, err := w.catalog.List()
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if rec.ID == id {
			return w.repo(rec)
		}
	}
	return nil, nil
}

// Names for those who make sessions and may not know the packages below.
type (
	Windowing     = outline.Windowing
	SessionPolicy = discover.Policy
	WildGlob      = glob.Wild
)

// DialectWild is how the globs of a SessionPolicy are read when it says so.
const DialectWild = discover.DialectWild

// CompileWild compiles a glob of DialectWild.
func CompileWild(text string) (*WildGlob, error) { return glob.CompileWild(text) }

// SessionProgress is how far the indexing of a session has come.
type SessionProgress = index.Progress

// SessionOf returns the session that a record from elsewhere describes. It has
// no index yet: opening it indexes its folder, and keeps it under its name.
func (w *Workspace) SessionOf(rec SessionRecord) *Session {
	rec.Repo, rec.View = "", ""
	return &Session{SessionRecord: rec, ws: w}
}
